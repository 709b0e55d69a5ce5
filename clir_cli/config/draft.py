"""An experiment between the schema and the rules: what every rule is given."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from clir_cli.config.problems import Problem
from clir_cli.config.schema import ExperimentSettings
from clir_cli.config.yaml_lines import KeyPath, Tree


@dataclass(frozen=True)
class Draft:
    """An experiment whose groups are valid one by one; ``settings`` has paths as they were written."""

    name: str
    settings: ExperimentSettings
    tree: Tree
    folder: Path
    for_pair: Callable[[str], ExperimentSettings]
    other: Callable[[str], "Draft | None"]
    others: list[str]

    def problem(self, path: KeyPath, rule: str) -> Problem:
        return Problem(self.tree.place(path), rule)

    def wrote(self, path: KeyPath) -> bool:
        """Whether the file (or a ``--set``) says something at ``path``, be it right or wrong."""
        return path in self.tree.places

    def pairs_with_models(self) -> list[str]:
        return [pair for pair in self.settings.pairs if self.for_pair(pair).models]


Rule = Callable[[Draft], Iterator[Problem]]
"""Yields a problem for every place that breaks it."""
