"""What every part of the graph stands on: the settings, checksums of raw files, and how a stage is made."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from clir_cli.config.load import Experiment
from clir_cli.config.schema import ExperimentSettings
from clir_cli.config.settings import Settings
from clir_cli.pipeline.checksums import Checksums
from clir_cli.pipeline.rows import Rows
from clir_cli.pipeline.stage import Stage

STAGES = "clir_cli.pipeline.stages"

Builder = TypeVar("Builder", bound=Callable[..., Any])


def remembered(method: Builder) -> Builder:
    """One stage object for one set of arguments: equal stages are the same node."""
    return cache(method)  # type: ignore[return-value]


def dumped(settings: Settings, exclude: set[str] | None = None) -> dict[str, Any]:
    """Settings as they enter a key and travel to a worker."""
    return settings.model_dump(mode="json", by_alias=True, exclude=exclude)


class Base:
    """The stages of one experiment. Building costs nothing but the checksums of raw files."""

    def __init__(self, experiment: Experiment, checksums: Checksums) -> None:
        self.experiment = experiment
        self.settings = experiment.settings
        self.rows = Rows(experiment)
        self.checksums = checksums

    @remembered
    def of_pair(self, pair: str) -> ExperimentSettings:
        return self.experiment.for_pair(pair)

    def language_of(self, collection: str) -> str:
        return self.settings.collections[collection].language or collection

    def stop(self, language: str) -> dict[str, str]:
        """The stop list of a language as it enters a key: a file by its contents, its path travels in the hints."""
        path = self.stop_files().get(language)
        if path is not None:
            return {"language": language, "spec": f"sha256:{self.checksums.of(path)}"}
        setting = self.settings.languages.get(language)
        return {"language": language, "spec": str(setting.stop_words) if setting else "iso"}

    def stop_files(self) -> dict[str, Path]:
        languages = self.settings.languages.items()
        return {name: setting.stop_words for name, setting in languages if isinstance(setting.stop_words, Path)}

    def _stage(
        self,
        kind: str,
        name: str,
        function: str,
        settings: dict[str, Any],
        hints: dict[str, Any] | None = None,
        **rest: Any,
    ) -> Stage:
        hints = {"stop_files": self.stop_files()} | (hints or {})
        return Stage(kind, name, f"{STAGES}.{function}", settings, self.checksums, hints=hints, **rest)
