"""The groups of settings that a pair may change, laid over the experiment's."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from clir_cli.config.knowledge_schema import KnowledgeSettings
from clir_cli.config.overlay import overlay
from clir_cli.config.plain_words import booleans_for_numbers, explain
from clir_cli.config.retrieval_schema import RetrievalSettings
from clir_cli.config.schema import ExperimentSettings, MatrixSettings
from clir_cli.config.training_schema import RerankingSettings, TrainingSettings
from clir_cli.config.yaml_lines import KeyPath, Tree

_GROUPS: dict[str, type[BaseModel]] = {
    "knowledge": KnowledgeSettings,
    "retrieval": RetrievalSettings,
    "matrix": MatrixSettings,
    "training": TrainingSettings,
    "reranking": RerankingSettings,
}


def lay_pair_over(settings: ExperimentSettings, pair: str) -> ExperimentSettings:
    """The settings as ``pair`` sees them: its overrides laid over, and only its models and interpolations.

    Raises ``pydantic.ValidationError`` where an override is not valid; ``override_problems`` says so in words.
    """
    override = settings.pairs[pair]
    changed: dict[str, Any] = {
        group: schema.model_validate(_merged(settings, pair, group))
        for group, schema in _GROUPS.items()
        if getattr(override, group)
    }
    if override.models is not None:
        changed["models"] = {name: model for name, model in settings.models.items() if name in override.models}
    if override.interpolation is not None:
        mixed = settings.interpolation.items()
        changed["interpolation"] = {name: mixture for name, mixture in mixed if name in override.interpolation}
    return settings.model_copy(update=changed)


def override_problems(settings: ExperimentSettings) -> Iterator[tuple[KeyPath, str]]:
    """(key path, sentence) for everything in the pairs' overrides that does not fit its group."""
    for pair, override in settings.pairs.items():
        for group, schema in _GROUPS.items():
            if not getattr(override, group):
                continue
            merged = _merged(settings, pair, group)
            found = booleans_for_numbers(schema, merged)
            try:
                schema.model_validate(merged)
            except ValidationError as error:
                found += explain(schema, error, merged)
            for path, rule in found:
                yield ("pairs", pair, group, *path), rule


def _merged(settings: ExperimentSettings, pair: str, group: str) -> Any:
    base = getattr(settings, group).model_dump(by_alias=True)
    return overlay(Tree(base), Tree(getattr(settings.pairs[pair], group))).data
