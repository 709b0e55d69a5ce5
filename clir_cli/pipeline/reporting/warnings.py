"""Everything a reader should know before trusting a table, in sentences."""

import json
from collections.abc import Iterable, Iterator

from clir_cli.pipeline.left_out import left_out
from clir_cli.pipeline.plan import Plan

RETRIEVE_WARNING = "warning.txt"


def warnings_of(plan: Plan, systems: dict[str, list[str]]) -> list[str]:
    """Reduced settings, what pairs lack or lost, doubts about runs. ``systems``: pair -> its rows."""
    rows = plan.graph.rows
    notes = rows.notes(systems)
    found = [f"Reduced or changed against the paper: {'; '.join(notes)}."] if notes else []
    return [*found, *rows.availability(systems), *_lost(plan, systems), *_of_runs(plan)]


def _lost(plan: Plan, pairs: Iterable[str]) -> Iterator[str]:
    for pair in pairs:
        stage = plan.graph.topics(pair)
        if plan.store.has(stage):
            report = plan.artifact(stage) / "report.json"
            sentence = left_out(pair, json.loads(report.read_text(encoding="utf-8")))
            if sentence is not None:
                yield sentence


def _of_runs(plan: Plan) -> Iterator[str]:
    for stage in plan.stages:
        file = plan.artifact(stage) / RETRIEVE_WARNING
        if stage.kind == "retrieve" and plan.store.has(stage) and file.is_file():
            yield f"{stage.name}: {file.read_text(encoding='utf-8').strip()}"
