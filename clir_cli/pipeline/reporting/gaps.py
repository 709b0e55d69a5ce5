"""Finished translation gaps of a plan's models."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.stage import Stage

if TYPE_CHECKING:
    from clir_cli.analysis.translation_gap import Line

FILE = "gap.npz"


class Gaps(NamedTuple):
    """``lines``: pair -> model's title -> its lines, of models all of whose folds are measured; ``missing``: pair ->
    titles of the other models."""

    lines: "dict[str, dict[str, Mapping[str, Line]]]"
    missing: dict[str, list[str]]


def finished_gaps(plan: Plan) -> Gaps:
    """What `clir gap` has made of the models that the plan's tables are about."""
    stages: dict[tuple[str, str], list[Stage]] = {}
    for stage in plan.stages:
        pair, model, fold = stage.pair, stage.model, stage.fold
        if stage.kind == "rerank" and pair and model and fold is not None and plan.graph.has_gap(pair, model):
            folds = stages.setdefault((pair, model), [])
            if (gap := plan.graph.gap(pair, model, fold)) not in folds:  # training seeds share it
                folds.append(gap)
    made = Gaps({}, {})
    for (pair, model), folds in stages.items():
        title = plan.graph.rows.label(model)
        if all(plan.store.has(stage) for stage in folds):
            from clir_cli.analysis.translation_gap import lines, read_gap

            found = read_gap([plan.artifact(stage) / FILE for stage in folds])
            made.lines.setdefault(pair, {})[title] = lines(found)
        else:
            made.missing.setdefault(pair, []).append(title)
    return made
