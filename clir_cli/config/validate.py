"""Plain data against the schema, going on after a wrong key."""

from typing import Any

from pydantic import ValidationError

from clir_cli.config.choices import rows_of
from clir_cli.config.model_schema import PRESETS
from clir_cli.config.plain_words import booleans_for_numbers, explain
from clir_cli.config.problems import near_miss
from clir_cli.config.schema import ExperimentSettings
from clir_cli.config.yaml_lines import KeyPath

_INTERSECT = "topics_intersect"


def validate(data: dict[str, Any]) -> tuple[ExperimentSettings | None, list[tuple[KeyPath, str]]]:
    """The settings and what is wrong with ``data``.

    Where single keys are wrong the settings are read without them, so that the rules between settings can still be
    checked and a file with a typo and a missing file needs one correction, not two.
    """
    data, moved = _with_intersect_beside_topics(data)
    settings, problems = _validate(data)
    return settings, [
        (("topics", "intersect", *path[1:]) if moved and path[:1] == (_INTERSECT,) else path, rule)
        for path, rule in problems
    ]


def _validate(data: dict[str, Any]) -> tuple[ExperimentSettings | None, list[tuple[KeyPath, str]]]:
    problems = booleans_for_numbers(ExperimentSettings, data) + _unknown_presets(data)
    for path, _ in reversed(problems):
        data = _without(data, path)
    for _ in range(5):
        try:
            settings = ExperimentSettings.model_validate(data)
        except ValidationError as error:
            found = explain(ExperimentSettings, error, data)
        else:
            found = []
        # A key that was taken out because its value is wrong is not missing.
        taken_out = [(path[:-1], f"`{path[-1]}` is missing") for path, _ in problems if path]
        # Nor is a list too short that has lost its faulty members.
        taken_out += [
            (path, rule)
            for path, rule in found
            if any(path == other[:-1] and isinstance(other[-1], int) for other, _ in problems if other)
        ]
        problems += [problem for problem in found if problem not in problems and problem not in taken_out]
        if not found:
            return _without_default_strangers(settings, data), problems
        if any(not path for path, _ in found):  # a whole group is missing
            break
        for path, _ in found:
            data = _without(data, path)
    return None, problems


def _with_intersect_beside_topics(data: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """``topics.intersect`` is no language: it has a field of its own in the schema."""
    topics = data.get("topics")
    if not isinstance(topics, dict) or "intersect" not in topics:
        return data, False
    languages = {name: value for name, value in topics.items() if name != "intersect"}
    return {**data, "topics": languages, _INTERSECT: topics["intersect"]}, True


def _unknown_presets(data: dict[str, Any]) -> list[tuple[KeyPath, str]]:
    models = data.get("models")
    if isinstance(models, list):
        bare = [(index, name) for index, name in enumerate(models) if isinstance(name, str)]
    else:
        bare = [(name, name) for name, body in models.items() if body is None] if isinstance(models, dict) else []
    return [
        (("models", step), f"`{name}` is no preset{near_miss(name, PRESETS)}; a model of your own needs a `kind`")
        for step, name in bare
        if name not in PRESETS
    ]


def _without(data: Any, path: KeyPath) -> Any:
    """``data`` less what is at ``path``; unchanged where that is gone already."""
    step, rest = path[0], path[1:]
    if isinstance(data, dict) and step in data:
        if not rest:
            return {key: value for key, value in data.items() if key != step}
        return {**data, step: _without(data[step], rest)}
    if isinstance(data, list) and isinstance(step, int) and step < len(data):
        return [
            _without(item, rest) if index == step else item for index, item in enumerate(data) if rest or index != step
        ]
    return data


def _without_default_strangers(settings: ExperimentSettings, data: dict[str, Any]) -> ExperimentSettings:
    """Baselines that nobody asked for and no system answers to leave the comparison."""
    written = data.get("evaluation")
    if isinstance(written, dict) and "baselines" in written:
        return settings
    systems = set(rows_of(settings)) - {settings.evaluation.compare}
    run = [baseline for baseline in settings.evaluation.baselines if baseline in systems]
    evaluation = settings.evaluation.model_copy(update={"baselines": run})
    return settings.model_copy(update={"evaluation": evaluation})
