"""Tables that ablations of an experiment left in its folder of results."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from clir_cli.errors import DataError
from clir_cli.evaluation.significance import paired_t
from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.reporting.tables import read_tables
from clir_cli.report.figures.layers import Interval
from clir_cli.report.tables import ResultsTable

LAYERS = "layers"
ABOUT = "ablation.json"
"""What each row of an ablation is: ``rows`` has for each system its ``layers`` (from 1; below 0: from the end)."""

Layers = Mapping[str, tuple[int, ...]]
"""System -> the layers that it gives translations, for systems that do."""


class Finished(NamedTuple):
    """An ablation's table, of several forms the one with all models, and which layers its rows are about."""

    table: ResultsTable
    layers: Layers


class Ablations(NamedTuple):
    """``made``: name -> what there is; ``faults``: sentences on folders that could not be read."""

    made: dict[str, Finished]
    faults: list[str]


def finished_ablations(plan: Plan) -> Ablations:
    """What lies under ``<artifacts>/results/<experiment>/ablations/``."""
    found = Ablations({}, [])
    for folder in _folders(plan):
        try:
            found.made[folder.name] = Finished(read_tables(folder)[-1], _read_layers(folder))
        except (DataError, OSError, ValueError) as error:
            problem = error.problem if isinstance(error, DataError) else f"{error}."
            found.faults.append(f"The ablation {folder.name} cannot be shown: {problem}")
    return found


def _folders(plan: Plan) -> Iterator[Path]:
    parent = plan.store.folder / "results" / plan.experiment.name / "ablations"
    if parent.is_dir():
        yield from sorted(path for path in parent.iterdir() if path.is_dir() and not path.name.startswith("."))


def _read_layers(folder: Path) -> Layers:
    file = folder / ABOUT
    if not file.is_file():
        return {}
    rows = json.loads(file.read_text(encoding="utf-8"))["rows"]
    return {system: tuple(row["layers"]) for system, row in rows.items() if row.get("layers")}


class LayerSets(NamedTuple):
    """The data of the figure of layers, for one measure."""

    sets: dict[str, list[Interval]]
    """Pair -> an interval for each set of layers: small sets first, of equal size lower layers first."""
    baselines: dict[str, tuple[str, float]]
    """Pair -> title and value of what they are compared with, where there is one."""


def layer_sets(table: ResultsTable, layers: Layers, measure: str, baseline: str = "m2bert") -> LayerSets:
    """Mean over topics of each set of layers, with a (1 - alpha) interval.

    The interval is that of the paired difference to ``baseline``, laid at the set's value: where it leaves the line of
    the baseline out, the set differs from it in a paired t-test, uncorrected. Without the baseline it is the interval
    of the mean itself, in which topics differ far more than systems do.
    """
    found = LayerSets({}, {})
    for pair, systems in table.values.items():
        chosen = sorted((system for system in layers if system in systems), key=lambda name: _order(layers[name]))
        if not chosen:
            continue
        old = systems[baseline][measure] if baseline in systems else None
        if old is not None:
            found.baselines[pair] = (table.labels[baseline], sum(old.values()) / len(old))
        for system in chosen:
            values = systems[system][measure]
            tested = paired_t(values, old if old is not None else dict.fromkeys(values, 0.0), table.alpha)
            mean = sum(values.values()) / len(values)
            shift = mean - tested.difference
            label = ", ".join(str(layer).replace("-", "−") for layer in layers[system])
            found.sets.setdefault(pair, []).append(Interval(label, mean, tested.low + shift, tested.high + shift))
    return found


def _order(layers: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    return len(layers), layers
