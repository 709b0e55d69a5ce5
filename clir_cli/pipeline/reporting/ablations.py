"""Tables that ablations of an experiment left in its folder of results."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from clir_cli.errors import DataError
from clir_cli.evaluation.significance import paired_t
from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.reporting.tables import read_tables
from clir_cli.report.figures.layers import Interval
from clir_cli.report.tables import ResultsTable

LAYERS = "layers"
_SET = re.compile(r"\blayers? (\d+(?:(?:, | and )\d+)*)\b")
"""How a row's title names its set of layers: ``MART, layers 10 and 11``."""


class Ablations(NamedTuple):
    """``tables``: name -> the table that covers most; ``faults``: sentences on folders that could not be read."""

    tables: dict[str, ResultsTable]
    faults: list[str]


def finished_ablations(plan: Plan) -> Ablations:
    """The tables under ``<artifacts>/results/<experiment>/ablations/``; of several forms the one with all models."""
    found = Ablations({}, [])
    for folder in _folders(plan):
        try:
            found.tables[folder.name] = read_tables(folder)[-1]
        except (DataError, OSError) as error:
            problem = error.problem if isinstance(error, DataError) else f"{error.strerror}."
            found.faults.append(f"The ablation {folder.name} cannot be shown: {problem}")
    return found


def _folders(plan: Plan) -> Iterator[Path]:
    parent = plan.store.folder / "results" / plan.experiment.name / "ablations"
    if parent.is_dir():
        yield from sorted(path for path in parent.iterdir() if path.is_dir() and not path.name.startswith("."))


class LayerSets(NamedTuple):
    """The data of the figure of layers, for one measure."""

    measure: str
    sets: dict[str, list[Interval]]
    """Pair -> an interval for each set of layers."""
    baselines: dict[str, tuple[str, float]]
    """Pair -> title and value of what they are compared with, where there is one."""


def layer_sets(table: ResultsTable, measure: str, baseline: str = "m2bert") -> LayerSets:
    """Mean over topics of each set of layers, with a (1 - alpha) interval.

    The interval is that of the paired difference to ``baseline``, laid at the set's value: where it leaves the line of
    the baseline out, the set differs from it in a paired t-test, uncorrected. Without the baseline it is the interval
    of the mean itself, in which topics differ far more than systems do.
    """
    sets: dict[str, list[Interval]] = {}
    baselines: dict[str, tuple[str, float]] = {}
    for pair, systems in table.values.items():
        old = systems[baseline][measure] if baseline in systems else None
        if old is not None:
            baselines[pair] = (table.labels[baseline], sum(old.values()) / len(old))
        for system, by_measure in systems.items():
            layers = layers_of(table.labels[system])
            if layers is None:
                continue
            values = by_measure[measure]
            tested = paired_t(values, old if old is not None else dict.fromkeys(values, 0.0), table.alpha)
            mean = sum(values.values()) / len(values)
            shift = mean - tested.difference
            label = ", ".join(map(str, layers))
            sets.setdefault(pair, []).append(Interval(label, mean, tested.low + shift, tested.high + shift))
    return LayerSets(measure, sets, {pair: baselines[pair] for pair in sets if pair in baselines})


def layers_of(title: str) -> list[int] | None:
    """The layers that a row's title names, ``[10, 11]`` of ``MART, layers 10 and 11``; None where it names none."""
    found = _SET.search(title)
    return None if found is None else [int(number) for number in re.findall(r"\d+", found[1])]
