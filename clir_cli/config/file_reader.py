"""One pass over ``experiments.yaml`` that collects every problem it meets.

The steps: parse with line numbers, ``extends``, ``--set``, ``${VAR}``, schema, pairs' overrides, rules, files. Every
experiment of the file must fit the schema; the rest is asked of the chosen one and of those it starts from.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from clir_cli.config.adapter_rules import ADAPTER_RULES
from clir_cli.config.analysis_rules import ANALYSIS_RULES
from clir_cli.config.draft import Draft
from clir_cli.config.evaluation_rules import EVALUATION_RULES
from clir_cli.config.files import missing_files
from clir_cli.config.knowledge_rules import KNOWLEDGE_RULES
from clir_cli.config.model_rules import MODEL_RULES
from clir_cli.config.overlay import expand_variables, lay_sets, overlay
from clir_cli.config.pair_overrides import lay_pair_over, override_problems
from clir_cli.config.pair_rules import PAIR_RULES
from clir_cli.config.problems import Problem, near_miss, raise_problems
from clir_cli.config.schema import ExperimentSettings
from clir_cli.config.validate import validate
from clir_cli.config.yaml_lines import KeyPath, Tree, read_yaml
from clir_cli.errors import ConfigError, UsageError

_TOP_LEVEL = ("default", "artifacts", "experiments")


class FileReader:
    """One pass over one file; ``problems`` collects, ``drafts`` holds what passed."""

    def __init__(self, file: Path, sets: Sequence[str], environ: Mapping[str, str]) -> None:
        self.file = file
        self.sets = sets
        self.environ = environ
        self.tree = read_yaml(file)
        self.problems: list[Problem] = []
        self.drafts: dict[str, Draft | None] = {}
        self.names = self._check_top_level()

    def _problem(self, path: KeyPath, rule: str) -> None:
        self.problems.append(Problem(self.tree.place(path), rule))

    def _check_top_level(self) -> list[str]:
        data = self.tree.data
        if not isinstance(data, dict):
            raise ConfigError(f"{self.file.name} is not a mapping with `experiments:`.", "See docs or README.md.")
        for key in data:
            if key in ExperimentSettings.model_fields and key not in _TOP_LEVEL:
                self._problem((key,), f"`{key}` belongs to an experiment: indent it under `experiments:` and a name")
            elif key not in _TOP_LEVEL:
                self._problem((key,), f"unknown key `{key}`{near_miss(key, _TOP_LEVEL)}")
        for key in ("default", "artifacts"):
            if key in data and not isinstance(data[key], str):
                self._problem((key,), "should be text")
        experiments = data.get("experiments")
        if not isinstance(experiments, dict) or not experiments:
            self._problem(("experiments",), "should hold at least one experiment by name")
            raise_problems(self.file, self.problems)
            return []
        default = data.get("default")
        if isinstance(default, str) and default not in experiments:
            self._problem(("default",), f"no experiment `{default}`{near_miss(default, experiments)}")
        return [name for name in experiments if self._is_usable(name)]

    def _is_usable(self, name: str) -> bool:
        """Whether the experiment's own body and what it extends can be read at all."""
        chain, experiments = [name], self.tree.data["experiments"]
        while True:
            path = ("experiments", chain[-1])
            body = experiments[chain[-1]]
            if not isinstance(body, dict):
                self._problem(path, "is empty: give it keys" if body is None else "should be a mapping (key: value)")
                return False
            base = body.get("extends")
            if base is None:
                return True
            if not isinstance(base, str) or base not in experiments:
                self._problem((*path, "extends"), f"no experiment `{base}`{near_miss(str(base), experiments)}")
                return False
            if base in chain:
                circle = " -> ".join([*chain[chain.index(base) :], base])
                self._problem((*path, "extends"), f"experiments extend each other in a circle: {circle}")
                return False
            chain.append(base)

    def artifacts(self) -> Path:
        """``CLIR_ARTIFACTS`` (from the current folder), else the file's ``artifacts``, else ``data/artifacts``."""
        if self.environ.get("CLIR_ARTIFACTS"):
            return Path(self.environ["CLIR_ARTIFACTS"]).expanduser().absolute()
        written, faults = expand_variables(self.tree.data.get("artifacts", "data/artifacts"), self.environ)
        if faults:
            raise_problems(self.file, [Problem(self.tree.place(("artifacts",)), rule) for _, rule in faults])
        return Path(os.path.normpath(self.file.parent / Path(written).expanduser()))

    def choose(self, name: str | None) -> str:
        """The experiment asked for, or the default; ``UsageError`` where the file has no such experiment."""
        experiments = list(self.tree.data["experiments"])
        default = self.tree.data.get("default")
        if name is None:
            # A default that is not there is among the problems already: check the file by its first experiment.
            name = default if default in experiments else experiments[0] if default or len(experiments) == 1 else None
        if name is None:
            raise UsageError(f"{self.file.name} has several experiments: {', '.join(experiments)}.", "Choose with -e.")
        if name not in experiments:
            raise UsageError(
                f"{self.file.name} has no experiment `{name}`{near_miss(name, experiments)}", "Choose one with -e."
            )
        return name

    def check_all(self, chosen: str, check_files: bool) -> None:
        """Schema for every experiment; rules and files for the chosen one and those it starts from."""
        self._check_in_depth(chosen, check_files, self.sets, [])
        for name in self.names:
            if name not in self.drafts:
                self._read(name, ())

    def _check_in_depth(self, name: str, check_files: bool, sets: Sequence[str], above: list[str]) -> Draft | None:
        if name in above:
            circle = " -> ".join([*above[above.index(name) :], name])
            path = ("experiments", above[-1], "encoder", "checkpoint")
            self._problem(path, f"experiments start from each other in a circle: {circle}")
            return None
        if name in self.drafts or name not in self.names:
            return self.drafts.get(name)
        draft = self._read(name, sets, other=lambda other: self._check_in_depth(other, check_files, (), [*above, name]))
        if draft is not None:
            rules = (*PAIR_RULES, *KNOWLEDGE_RULES, *MODEL_RULES, *ADAPTER_RULES, *EVALUATION_RULES, *ANALYSIS_RULES)
            for rule in rules:
                self.problems += rule(draft)
            if check_files:
                self.problems += missing_files(draft)
        return draft

    def _read(self, name: str, sets: Sequence[str], other: Callable[[str], Draft | None] | None = None) -> Draft | None:
        """One experiment through the schema. ``other`` is given for those that are checked in depth."""
        tree = lay_sets(self._with_bases(name), sets)
        tree.data.pop("extends", None)
        data, faults = expand_variables(tree.data, self.environ)
        unset = {path for path, _ in faults}
        if other is not None:
            for rule, paths in _by_rule(faults).items():  # one variable that is not set is one problem
                more = f" (and in {len(paths) - 1} more places)" if len(paths) > 1 else ""
                self.problems.append(Problem(tree.place(paths[0]), rule + more))
        settings, found = validate(data)
        self.problems += [Problem(tree.place(path), rule) for path, rule in found if path not in unset]
        draft = None
        if settings is not None:
            valid = settings
            found = list(override_problems(valid))
            self.problems += [Problem(tree.place(path), rule) for path, rule in found if path not in unset]
            wrong = {path[1] for path, _ in found}
            by_pair = {pair: valid if pair in wrong else lay_pair_over(valid, pair) for pair in valid.pairs}
            read_other = other or self.drafts.get
            draft = Draft(name, valid, tree, self.file.parent, by_pair.__getitem__, read_other, list(self.names))
        self.drafts[name] = draft
        return draft

    def _with_bases(self, name: str) -> Tree:
        tree = self.tree.below(("experiments", name))
        base = tree.data.get("extends")
        if not base:
            return overlay(Tree({}), tree)
        below = self._with_bases(base)
        below.data.pop("expected", None)  # scores are of the experiment that was run, not of its variants
        below = Tree(below.data, {path: place for path, place in below.places.items() if path[:1] != ("expected",)})
        return overlay(below, tree)


def _by_rule(faults: list[tuple[KeyPath, str]]) -> dict[str, list[KeyPath]]:
    paths: dict[str, list[KeyPath]] = {}
    for path, rule in faults:
        paths.setdefault(rule, []).append(path)
    return paths
