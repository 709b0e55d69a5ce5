"""Training logs of a plan's models."""

import json
from pathlib import Path

from clir_cli.pipeline.plan import Plan
from clir_cli.report.figures.learning import Epoch

LOG = "log.jsonl"

Curves = dict[str, dict[str, list[Epoch]]]
"""Model's title -> name of a training stage (a fold's) -> its epochs."""


def learning_curves(plan: Plan) -> dict[str, Curves]:
    """Pair -> its curves, of every stage that left a log; logs outlive the models of a dropped training stage."""
    found: dict[str, Curves] = {}
    for stage in plan.stages:
        log = plan.artifact(stage) / LOG
        if stage.kind == "train" and stage.pair is not None and stage.model is not None and log.is_file():
            curves = found.setdefault(stage.pair, {})
            curves.setdefault(plan.graph.rows.label(stage.model), {})[stage.name] = read_log(log)
    return found


def read_log(file: Path) -> list[Epoch]:
    """One line an epoch, as training writes it."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [Epoch(line["epoch"], line["loss"], line["validation"]) for line in lines]
