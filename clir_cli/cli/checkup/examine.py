"""Every finding of `clir doctor`, cheap ones first."""

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from clir_cli.cli.checkup.findings import Finding, Health
from clir_cli.cli.checkup.hub import TIMEOUT, endpoint, is_offline, why_unreachable
from clir_cli.cli.checkup.machine import examine_machine
from clir_cli.cli.checkup.readiness import (
    Readiness,
    finding_of,
    needs_lucene,
    plan_if_cheap,
    readiness_of,
    sources_of,
)
from clir_cli.errors import ClirError, UsageError

ENOUGH_DISK = 2e9
"""Bytes that the sample's installation and artifacts need at most."""

NEEDED_BY_LUCENE = ("Java", "pyserini")

Checkpoint = tuple[str, str | None]
"""Hub name and revision."""


def examine(config: Path | None, experiment: str | None = None) -> Iterator[Finding]:
    """Every finding. ``experiment``: only this one is looked at, and everything it lacks is told.

    Raises ``UsageError`` where the file has no such experiment.
    """
    if experiment is not None:
        _find_experiment(config, experiment)
    for finding in examine_machine():
        is_missed = finding.what in NEEDED_BY_LUCENE and finding.health is Health.bad
        yield without_lucene(finding) if is_missed and not _use_lucene(config, experiment) else finding
    yield from _examine_experiments(config, experiment)


def without_lucene(finding: Finding) -> Finding:
    """What keeps Lucene from running, where nobody asks it."""
    return replace(finding, health=Health.odd, text=f"{finding.text}; nothing here needs it (engine: sparse)")


def _use_lucene(config: Path | None, chosen: str | None) -> bool:
    """Whether a pair of the experiments searches with Lucene; where that cannot be told, it may."""
    from clir_cli.config.load import find_file, list_experiments

    try:
        file = config or find_file(Path.cwd())
        drafts = [
            readiness_of(file, name, os.environ).draft for name in ([chosen] if chosen else list_experiments(file))
        ]
    except ClirError:
        return True
    return not drafts or any(draft is None or needs_lucene(draft) for draft in drafts)


def _find_experiment(config: Path | None, name: str) -> None:
    """A wrong name is told before the machine is looked at."""
    from clir_cli.config.load import find_file, list_experiments
    from clir_cli.config.problems import near_miss

    file = config or find_file(Path.cwd())
    known = list_experiments(file)
    if name not in known:
        raise UsageError(f"{file.name} has no experiment `{name}`{near_miss(name, known)}", "Choose one with -e.")


def _examine_experiments(config: Path | None, chosen: str | None) -> Iterator[Finding]:
    from clir_cli.config.load import find_file, list_experiments

    try:
        file = config or find_file(Path.cwd())
    except ClirError as error:
        if chosen is not None:
            raise
        yield Finding(Health.odd, "Experiments", f"{error.problem} Write one with `clir init`.")
        yield from _extras([])
        return
    try:
        names = [chosen] if chosen else list(list_experiments(file))
        found = [readiness_of(file, name, os.environ) for name in names]
        artifacts = _artifacts_of(file)
    except ClirError as error:
        if chosen is not None:
            raise
        yield Finding(Health.bad, "Experiments", f"{error.problem} {error.hint}".strip())
        return
    if not found:
        yield Finding(Health.bad, "Experiments", f"{file} has none; write one with `clir init`")
        return
    disk = _disk(artifacts, 0)
    needed = 0.0
    for ready in found:
        finding = _experiment(file, ready, artifacts, is_asked_for=bool(chosen), can_plan=disk.health is not Health.bad)
        needed += float(finding.facts.get("bytes", 0))
        yield finding
    real = os.environ.get("CLIR_REAL_DATA")
    yield Finding(Health.good, "CLIR_REAL_DATA", real or "not set; only the experiments on real collections need it")
    yield _disk(artifacts, needed)
    yield from _extras(found)


def _experiment(file: Path, ready: Readiness, artifacts: Path, *, is_asked_for: bool, can_plan: bool) -> Finding:
    if not ready.is_ready or not can_plan:
        return finding_of(ready, is_asked_for=is_asked_for)
    try:
        _, plan, unread = plan_if_cheap(file, ready, artifacts)
    except ClirError as error:
        ready.faults.append(f"{error.problem} {error.hint}".strip())
        return finding_of(ready, is_asked_for=is_asked_for)
    return finding_of(ready, is_asked_for=is_asked_for, plan=plan, unread=unread)


def _artifacts_of(file: Path) -> Path:
    from clir_cli.config.file_reader import FileReader

    return FileReader(file.absolute(), (), os.environ).artifacts()


def _disk(artifacts: Path, needed: float) -> Finding:
    folder = next(parent for parent in (artifacts, *artifacts.parents) if parent.is_dir())
    if not os.access(folder, os.W_OK):
        return Finding(Health.bad, "Artifacts", f"{folder} cannot be written; set CLIR_ARTIFACTS to a folder that can")
    return disk_finding(artifacts, shutil.disk_usage(folder).free, needed)


def disk_finding(artifacts: Path, free: float, needed: float) -> Finding:
    """Free bytes against those that the stages to make will need."""
    facts = {"folder": str(artifacts), "free": free, "needed": needed}
    text = f"{artifacts}, {free / 1e9:.1f} GB free"
    if needed:
        text += f", about {max(needed / 1e9, 0.1):.1f} GB needed for what is to be made"
    if free < needed:
        advice = "too little; set CLIR_ARTIFACTS to a larger disk, or see `clir clean --dry-run`"
        return Finding(Health.odd, "Artifacts", f"{text}: {advice}", facts=facts)
    if free < ENOUGH_DISK:
        return Finding(Health.odd, "Artifacts", f"{text}: little; set CLIR_ARTIFACTS to a larger disk", facts=facts)
    return Finding(Health.good, "Artifacts", text, facts=facts)


def _extras(found: Sequence[Readiness]) -> Iterator[Finding]:
    """The hub with the checkpoints that experiments name, and the extra packages."""
    checkpoints: dict[Checkpoint, list[str]] = {}
    readers: list[str] = []
    for ready in found:
        hub, datasets = sources_of(ready)
        if hub is not None:
            checkpoints.setdefault(hub, []).append(ready.name)
        if datasets:
            readers.append(ready.name)
    yield _datasets(readers)
    from clir_cli.cli.making import is_cached

    cached = {checkpoint: is_cached(*checkpoint) for checkpoint in checkpoints}
    offline = is_offline()
    address = endpoint()
    yield hub_finding(address, offline, None if offline else why_unreachable(address, TIMEOUT), all(cached.values()))
    for (name, revision), names in checkpoints.items():
        yield checkpoint_finding(name, revision, names, cached[name, revision], offline)


def _datasets(readers: Sequence[str]) -> Finding:
    try:
        found = version("ir-datasets")
    except PackageNotFoundError:
        found = None
    return datasets_finding(found, readers)


def datasets_finding(found: str | None, readers: Sequence[str]) -> Finding:
    """The extra package; ``readers``: experiments that read collections through it."""
    facts = {"version": found}
    if found is not None:
        return Finding(Health.good, "ir_datasets", found, facts=facts)
    install = "pip install 'clir[datasets]'"
    if readers:
        text = f"not installed, and needed by {', '.join(readers)}: {install}"
        return Finding(Health.odd, "ir_datasets", text, facts=facts)
    return Finding(
        Health.good, "ir_datasets", f"not installed; collections by `dataset:` need it: {install}", facts=facts
    )


def hub_finding(address: str, offline: bool, reason: str | None, all_cached: bool) -> Finding:
    """Whether checkpoints can be fetched; ``reason``: why nobody answers."""
    facts = {"address": address, "offline": offline, "reachable": not offline and reason is None}
    if not offline and reason is None:
        return Finding(Health.good, "Hub", f"{address} answers", facts=facts)
    text = "not asked: HF_HUB_OFFLINE is set" if offline else f"{address} cannot be reached ({reason})"
    needs = "; nothing here needs it" if all_cached else "; checkpoints that are not here cannot be fetched"
    return Finding(Health.good if all_cached else Health.odd, "Hub", text + needs, facts=facts)


def checkpoint_finding(
    name: str, revision: str | None, experiments: Sequence[str], cached: bool, offline: bool
) -> Finding:
    """Whether a checkpoint that experiments name is on this machine."""
    facts = {"checkpoint": name, "revision": revision, "experiments": list(experiments), "cached": cached}
    which = f"{name} at {revision[:12]}" if revision else name
    if cached:
        return Finding(Health.good, "Checkpoint", f"{which} is here (for {', '.join(experiments)})", facts=facts)
    advice = "HF_HUB_OFFLINE forbids to fetch it" if offline else "fetched when it is first used"
    return Finding(
        Health.odd, "Checkpoint", f"{which} is not here (for {', '.join(experiments)}); {advice}", facts=facts
    )
