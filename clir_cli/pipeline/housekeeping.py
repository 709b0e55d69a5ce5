"""What lies in the artifact folder, what has grown old, and its removal."""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from clir_cli.pipeline.lock import Lock
from clir_cli.pipeline.plan import KINDS, Plan
from clir_cli.pipeline.store import MARKER, library_versions, read_marker, size_of


@dataclass(frozen=True)
class Leftover:
    """A folder that no given plan uses."""

    path: Path
    bytes: int
    is_partial: bool


def leftovers(folder: Path, plans: Iterable[Plan]) -> list[Leftover]:
    """Results and half-done folders under ``folder`` that none of the plans would read or go on with."""
    used: set[Path] = set()
    for plan in plans:
        for stage in plan.stages:
            used |= {plan.store.path(stage), plan.store.partial(stage)}
    found = []
    for kind in KINDS:
        for path in sorted((folder / kind).glob("*")):
            locked = Lock(path.with_name(path.name.removesuffix(".partial") + ".lock")).is_held
            if path.is_dir() and path not in used and not locked:
                found.append(Leftover(path, size_of(path), path.name.endswith(".partial")))
    return found


def remove(leftover: Leftover) -> None:
    """Delete one folder, its marker first, so that a kill in between leaves nothing that looks whole."""
    (leftover.path / MARKER).unlink(missing_ok=True)
    shutil.rmtree(leftover.path)


def outdated(plan: Plan) -> dict[str, list[str]]:
    """Library -> stages made with another version of it than is installed now, as ``made with 1.6.0, now 2.4.0``."""
    now = library_versions()
    found: dict[str, list[str]] = {}
    for stage in plan.stages:
        if plan.store.has(stage):
            made = read_marker(plan.store.path(stage))["made"]["versions"]
            for library, version in made.items():
                if now.get(library, "none") != version:
                    found.setdefault(f"{library}: made with {version}, now {now.get(library, 'none')}", []).append(
                        stage.label
                    )
    return found
