"""Which experiments have all that they name, and what is missing where."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clir_cli.cli.checkup.findings import Finding, Health
from clir_cli.config.choices import human_topics_for
from clir_cli.config.draft import Draft
from clir_cli.config.file_reader import FileReader
from clir_cli.config.files import checkpoints_read, files_read
from clir_cli.config.load import Experiment, load_experiment
from clir_cli.config.problems import Problem
from clir_cli.pipeline.checksums import Checksums
from clir_cli.pipeline.estimate import estimate
from clir_cli.pipeline.plan import Plan, make_plan

TOLD = 3
"""Missing things named where no experiment was asked for."""

MOST_READ = 500_000_000
"""Bytes of raw files that are read for an estimate, at most: what a plan is, their checksums decide."""

_VARIABLE = re.compile(r"the environment variable (\w+) is not set.*?(?:\(and in (\d+) more places\))?", re.DOTALL)
_FILE = re.compile(r"`.+` (?:does not exist|is a folder)", re.DOTALL)


@dataclass
class Readiness:
    """One experiment of a file. ``settings`` is None where they cannot be read at all."""

    name: str
    draft: Draft | None
    variables: Counter[str] = field(default_factory=Counter)
    """Variables that are not set -> places that need them."""

    files: list[str] = field(default_factory=list)
    """``key: what is missing``, without the name of the experiment."""

    faults: list[str] = field(default_factory=list)
    """What else is wrong, with file and line."""

    @property
    def is_ready(self) -> bool:
        return not (self.variables or self.files or self.faults)


def readiness_of(file: Path, name: str, environ: Mapping[str, str]) -> Readiness:
    """What stands between an experiment and its run. Raises ``ClirError`` for a file without such an experiment."""
    reader = FileReader(file.absolute(), (), environ)
    name = reader.choose(name)
    reader.check_all(name, True)
    found = Readiness(name, reader.drafts.get(name))
    for problem in {(p.place.where, p.rule): p for p in reader.problems}.values():
        _sort_in(found, problem)
    return found


def _sort_in(found: Readiness, problem: Problem) -> None:
    if match := _VARIABLE.fullmatch(problem.rule):
        found.variables[match[1]] += 1 + int(match[2] or 0)
    elif _FILE.match(problem.rule):
        found.files.append(f"{problem.place.key.removeprefix(f'experiments.{found.name}.')}: {problem.rule}")
    else:
        found.faults.append(str(problem))


def finding_of(ready: Readiness, *, is_asked_for: bool, plan: Plan | None = None, unread: int = 0) -> Finding:
    """The same in words. ``plan``: its stages, if they are known; ``unread``: bytes not read to find that out."""
    facts = {
        "experiment": ready.name, "ready": ready.is_ready, "variables": dict(ready.variables),
        "missing": ready.files, "faults": ready.faults,
    }  # fmt: skip
    what = f"Experiment {ready.name}"
    if not ready.is_ready:
        return _finding_of_lacks(ready, what, facts, is_asked_for=is_asked_for)
    text = "settings are valid, data is there"
    if plan is not None:
        cost = estimate(plan)
        facts |= {"stages": len(plan.stages), "to_make": len(plan.to_run), "bytes": cost.bytes, "seconds": cost.seconds}
        text += "; " + (_cost_in_words(plan, cost.bytes) if plan.to_run else "everything is made")
    elif unread:
        text += (
            f"; how much is to be made, `clir run-all -e {ready.name} --dry-run` tells: it reads {unread / 1e9:.1f} GB"
        )
    return Finding(Health.good, what, text, (), facts)


def _finding_of_lacks(ready: Readiness, what: str, facts: dict[str, Any], *, is_asked_for: bool) -> Finding:
    variables = [f"{name} is not set ({_times(count, 'place')})" for name, count in ready.variables.items()]
    counts = [f"{_times(len(ready.files), 'file')} missing ({_by_group(ready.files)})"] if ready.files else []
    counts += [_times(len(ready.faults), "fault")] if ready.faults else []
    lines = [*ready.files, *ready.faults]
    head = "; ".join([*variables, *counts])
    if is_asked_for:
        return Finding(Health.bad, what, head, tuple(lines), facts)
    if not lines:
        return Finding(Health.odd, what, head, (), facts)
    more = f"; and {len(lines) - TOLD} more: `clir doctor -e {ready.name}`" if len(lines) > TOLD else ""
    return Finding(Health.odd, what, f"{head}: {'; '.join(lines[:TOLD])}{more}", (), facts)


def _by_group(files: list[str]) -> str:
    """``topics 4, qrels 1``: which groups of the experiment lack how many files."""
    groups = Counter(file.partition(":")[0].partition(".")[0] for file in files)
    return ", ".join(f"{group} {count}" for group, count in groups.items())


def _cost_in_words(plan: Plan, size: float) -> str:
    return f"{len(plan.to_run)} stages to make, about {size / 1e6:.0f} MB on disk"


def _times(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def plan_if_cheap(file: Path, ready: Readiness, artifacts: Path) -> tuple[Experiment, Plan | None, int]:
    """An experiment that is ready, its plan, and the bytes to read for it; no plan where they are many.

    Raises ``ClirError`` where no plan can be made.
    """
    experiment = load_experiment(file, ready.name)
    unread = bytes_not_read(ready, Checksums(artifacts / "checksums.json"))
    return experiment, None if unread > MOST_READ else make_plan(experiment), unread


def bytes_not_read(ready: Readiness, checksums: Checksums) -> int:
    """Size of the raw files whose checksums are not remembered."""
    if ready.draft is None:
        return 0
    paths = {ready.draft.folder / path.expanduser() for _, path in files_read(ready.draft)}
    for _, checkpoint in checkpoints_read(ready.draft):
        if (folder := ready.draft.folder / Path(checkpoint).expanduser()).is_dir():
            paths.add(folder)
    files = {file for path in paths for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()}
    return sum(file.stat().st_size for file in files if not checksums.knows(file))


def sources_of(ready: Readiness) -> tuple[tuple[str, str | None] | None, list[str]]:
    """The hub checkpoint that the experiment starts from, with its revision, and the ir_datasets names it reads."""
    if ready.draft is None:
        return None, []
    from clir_cli.config.files import folder_or_hub

    encoder = ready.draft.settings.encoder
    hub = None
    if isinstance(encoder.checkpoint, str) and "${" not in encoder.checkpoint:
        found = folder_or_hub(encoder.checkpoint, ready.draft.folder)
        hub = (found, encoder.revision) if isinstance(found, str) else None
    datasets = [source.dataset for source in ready.draft.settings.collections.values() if source.dataset]
    return hub, datasets


def needs_lucene(draft: Draft) -> bool:
    """Whether a pair of the experiment is searched with Lucene: SMT or human translation with that engine."""
    for pair in draft.settings.pairs:
        retrieval = draft.for_pair(pair).retrieval
        if retrieval.engine == "lucene" and ("smt" in retrieval.methods or human_topics_for(draft.settings, pair)):
            return True
    return False
