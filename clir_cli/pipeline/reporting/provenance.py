"""Where the numbers come from: markers of the stages, settings, versions."""

from collections.abc import Iterator
from typing import Any

import yaml

from clir_cli.config.load import resolved
from clir_cli.pipeline.plan import Plan
from clir_cli.report.page.content import PlainTable, WhatRan


def what_ran(plan: Plan) -> WhatRan:
    """Everything that the marker of each finished stage says, put together, and the settings.

    Names of machines are left out: a report is made to be passed on.
    """
    markers = {stage.key: plan.store.marker(stage) for stage in plan.stages if plan.store.has(stage)}
    made = [marker["made"] for marker in markers.values()]
    times = sorted(_when(one["when"]) for one in made)
    settings = resolved(plan.experiment)
    facts = [
        ("Experiment", plan.experiment.name + ("" if plan.is_whole else " (a part of it)")),
        ("Made", times[0] if times[0] == times[-1] else f"from {times[0]} to {times[-1]}"),
        ("Work", _hours(sum(float(one["seconds"]) for one in made))),
        ("Hardware", "; ".join(dict.fromkeys(str(one["machine"]) for one in made))),
        ("Python", ", ".join(dict.fromkeys(str(one["python"]) for one in made))),
        ("Seeds", ", ".join(f"{path} {value}" for path, value in seeds_of(settings)) or "none"),
        ("Key of the report", ", ".join(stage.key for stage in plan.targets if stage.kind == "report")),
    ]
    rows = []
    for stage in plan.stages:
        if stage.key in markers:
            one = markers[stage.key]["made"]
            times_and_sizes = [f"{float(one['seconds']):.1f}", f"{int(one['bytes']) / 1e6:.2f}"]
            rows.append([stage.kind, stage.name, stage.key, _when(one["when"]), *times_and_sizes])
        else:
            rows.append([stage.kind, stage.name, stage.key, "not kept", "", ""])
    head = ["stage", "of", "key", "made", "seconds", "MB"]
    stages = PlainTable("stages", "Stages", head, rows, frozenset({"seconds", "MB"}), [_KEYS])
    text = yaml.safe_dump({plan.experiment.name: settings}, sort_keys=False, allow_unicode=True, width=100)
    return WhatRan(facts, _versions(made), stages, text)


_KEYS = "A key is a hash of all that can change a result: settings, versions of the code, the files and keys before it."


def _versions(made: list[dict[str, Any]]) -> PlainTable:
    versions: dict[str, dict[str, None]] = {}
    for one in made:
        for library, version in one["versions"].items():
            versions.setdefault(library, {})[str(version)] = None
    rows = [[library, ", ".join(found)] for library, found in versions.items()]
    mixed = any(len(found) > 1 for found in versions.values())
    notes = ["Several versions: some stages were made with one and some with another."] if mixed else []
    return PlainTable("versions", "Versions", ["library", "version"], rows, notes=notes)


def seeds_of(settings: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every setting called ``seed`` or ``seeds`` that has a value, with its path."""
    if isinstance(settings, dict):
        for name, value in settings.items():
            inner = f"{path}.{name}" if path else str(name)
            if name in ("seed", "seeds") and not isinstance(value, dict):
                if value not in (None, []):
                    yield inner, value
            else:
                yield from seeds_of(value, inner)


def _when(stamp: str) -> str:
    """``2026-11-30T08:27:22+0000`` to the minute: ``2026-11-30 08:27 +0000``."""
    return f"{stamp[:10]} {stamp[11:16]} {stamp[19:]}".strip()


def _hours(seconds: float) -> str:
    minutes = round(seconds / 60)
    text = f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"
    return f"{text} on one machine, one stage after the other"
