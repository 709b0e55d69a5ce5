"""Reading ``experiments.yaml``: from text to a checked experiment, every problem in one report."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from clir_cli.config import choices
from clir_cli.config.file_reader import FileReader
from clir_cli.config.files import anchor
from clir_cli.config.pair_overrides import lay_pair_over
from clir_cli.config.problems import near_miss, raise_problems
from clir_cli.config.schema import ExperimentSettings
from clir_cli.config.yaml_lines import read_yaml
from clir_cli.errors import ConfigError, UsageError

FILE_NAME = "experiments.yaml"


@dataclass(frozen=True)
class Experiment:
    """One experiment of a file, checked. ``settings`` has absolute paths, ``written`` those of the file."""

    name: str
    file: Path
    written: ExperimentSettings
    artifacts: Path
    _load_other: Callable[[str], "Experiment"] = field(repr=False, compare=False)

    @cached_property
    def settings(self) -> ExperimentSettings:
        return anchor(self.written, self.file.parent)

    def for_pair(self, pair: str) -> ExperimentSettings:
        """The settings as ``pair`` sees them; ``UsageError`` where the experiment has no such pair."""
        if pair not in self.written.pairs:
            known = near_miss(pair, self.written.pairs)
            raise UsageError(f"Experiment {self.name} has no pair `{pair}`{known}", "Choose one with --pair.")
        if pair not in self._for_pairs:
            self._for_pairs[pair] = anchor(lay_pair_over(self.written, pair), self.file.parent)
        return self._for_pairs[pair]

    @cached_property
    def _for_pairs(self) -> dict[str, ExperimentSettings]:
        """What ``for_pair`` has made: a plan asks for it hundreds of times."""
        return {}

    def other(self, name: str) -> "Experiment":
        """Another experiment of the same file, without this one's ``--set``."""
        return self._load_other(name)

    def collection(self, pair: str) -> str:
        """Key of the collection that ``pair`` searches."""
        return choices.collection_for(self.written, pair)

    def qrels(self, pair: str) -> str:
        """Key of its judgements."""
        return choices.qrels_for(self.written, pair)

    def topics(self, pair: str) -> str:
        """Key of the topics in the query language."""
        return choices.topics_for(self.written, pair)

    def is_judged(self, pair: str) -> bool:
        """Whether it has judgements."""
        return choices.is_judged(self.written, pair)

    @property
    def shows_text(self) -> bool:
        """Whether results may hold text of topics and documents."""
        return choices.shows_text(self.written)

    def human_topics(self, pair: str) -> str | None:
        """Key of their human translations; None where there are none."""
        return choices.human_topics_for(self.written, pair)


def load_experiment(
    file: Path,
    name: str | None = None,
    sets: Sequence[str] = (),
    environ: Mapping[str, str] = os.environ,
    *,
    check_files: bool = True,
) -> Experiment:
    """Read ``file`` and return the experiment ``name`` (default: the file's ``default``, or its only one).

    ``check_files=False`` leaves out whether the files it names exist. Raises ``ConfigError`` with every problem found,
    each with its line; ``UsageError`` where there is no such experiment.
    """
    reader = FileReader(file.absolute(), sets, environ)
    chosen = reader.choose(name)
    reader.check_all(chosen, check_files)
    raise_problems(file, reader.problems)

    def load_other(other: str) -> Experiment:
        return load_experiment(file, other, (), environ, check_files=check_files)

    draft = reader.drafts[chosen]
    assert draft is not None, "what does not pass has problems"
    return Experiment(chosen, file.absolute(), draft.settings, reader.artifacts(), load_other)


def list_experiments(file: Path) -> dict[str, str]:
    """Name -> description of every experiment of ``file``, in its order; nothing but the YAML is checked."""
    experiments = read_yaml(file).data.get("experiments")
    if not isinstance(experiments, dict):
        return {}
    return {
        name: str(body.get("description") or "") if isinstance(body, dict) else "" for name, body in experiments.items()
    }


def resolved(experiment: Experiment, pair: str | None = None) -> dict[str, Any]:
    """The settings (as ``pair`` sees them, if given) as plain data, every default filled in.

    Paths stay relative to the file where they were written so (``${VAR}`` replaced); put under ``experiments:`` of a
    file in the same folder it is the same experiment again.
    """
    folder = experiment.file.parent

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        if isinstance(value, list):
            return [plain(item) for item in value]
        if isinstance(value, Path):
            return (value.relative_to(folder) if value.is_relative_to(folder) else value).as_posix()
        return value.value if hasattr(value, "value") else value

    if pair is not None:
        experiment.for_pair(pair)
    written = experiment.written if pair is None else lay_pair_over(experiment.written, pair)
    dumped = written.model_dump(by_alias=True)
    if intersect := dumped.pop("topics_intersect"):
        dumped["topics"] = {"intersect": intersect} | dumped["topics"]
    return plain(dumped)


def find_file(start: Path) -> Path:
    """``experiments.yaml`` in ``start`` or the nearest folder above; raises ``ConfigError`` where there is none."""
    for folder in [start, *start.parents]:
        if (folder / FILE_NAME).is_file():
            return folder / FILE_NAME
    raise ConfigError(f"There is no {FILE_NAME} in {start} or above it.", "Name one with --config FILE.")
