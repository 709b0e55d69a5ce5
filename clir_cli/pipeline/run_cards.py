"""The card of a run: what made it, beside it, so that two runs can be told apart long after."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from clir_cli.lines import write_whole
from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.stage import Stage

Card = dict[str, Any]
DIGITS = 16
"""Of a checksum: enough to tell files apart."""


def card_place(run: Path) -> Path:
    """``mart.trec`` -> ``mart.trec.json``."""
    return run.with_name(f"{run.name}.json")


def describe_run(plan: Plan, stage: Stage) -> Card:
    """What is behind the run of a finished stage: settings by kind of stage, versions, keys. Nothing of any text.

    Stages of one kind (the folds of a training) are told of together: a setting in which they differ is the list of its
    values. Raw files are told by their checksums. ``versions`` are of the libraries when the stages were made.
    """
    behind = [*stage.ancestors()] + ([] if stage.kind == "evaluate" else [stage])
    kinds: dict[str, list[Stage]] = {}
    for one in behind:
        kinds.setdefault(one.kind, []).append(one)
    pair = str(stage.pair)
    return {
        "experiment": plan.experiment.name,
        "pair": pair,
        "system": stage.name.removeprefix(f"{pair} "),
        "settings": {kind: _joined([_told(one) for one in stages]) for kind, stages in kinds.items()},
        "versions": _versions(plan, behind),
        "stages": {one.label: one.key for one in behind},
    }


def write_card(run: Path, card: Mapping[str, Any]) -> Path:
    """Write the card of a run, whole or not at all; gives its place."""
    place = card_place(run)
    with write_whole(place) as stream:
        stream.write(json.dumps(card, indent=1, ensure_ascii=False, default=str) + "\n")
    return place


def _told(stage: Stage) -> dict[str, Any]:
    files = {name: [stage.checksums.of(path)[:DIGITS] for path in paths] for name, paths in stage.files.items()}
    version = {} if stage.version == 1 else {"version": stage.version}
    settings = {name: value for name, value in stage.settings.items() if (stage.kind, name) != ("rerank", "arm")}
    return settings | version | ({"files": files} if files else {})  # the arm is told of with the training


def _joined(settings: list[dict[str, Any]]) -> dict[str, Any]:
    """One mapping of several; a value in which they differ is the list of its different ones, in order."""
    joined: dict[str, Any] = {}
    for name in dict.fromkeys(name for one in settings for name in one):
        values = _distinct(one[name] for one in settings if name in one)
        if len(values) > 1 and all(isinstance(value, dict) for value in values):
            joined[name] = _joined(values)
        else:
            joined[name] = values[0] if len(values) == 1 else values
    return joined


def _distinct(values: Iterable[Any]) -> list[Any]:
    return list({json.dumps(value, sort_keys=True, default=str): value for value in values}.values())


def _versions(plan: Plan, stages: Iterable[Stage]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for stage in stages:
        made = plan.store.marker(stage)["made"]["versions"] if plan.store.has(stage) else {}
        for library, version in made.items():
            known = found.setdefault(library, [])
            if version not in known:
                known.append(version)
    return {library: ", ".join(sorted(versions)) for library, versions in sorted(found.items())}
