"""Tables that ablations of an experiment left in its folder of results."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from clir_cli.errors import DataError
from clir_cli.evaluation.significance import paired_t
from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.reporting.tables import read_tables
from clir_cli.report.figures.gain_matrix import Cell
from clir_cli.report.figures.intervals import Interval
from clir_cli.report.tables import ResultsTable

ABOUT = "ablation.json"
"""What an ablation is: its kind (``ablation``), the model that is varied, and what each row is (``rows``)."""

Row = Mapping[str, Any]
"""What a variant has: ``layers`` (from 1; below 0: from the end), ``steps`` and ``task_from`` by pair, ``against``."""


class Finished(NamedTuple):
    """An ablation's table, of several forms the one with all models; its kind, and what its rows are."""

    table: ResultsTable
    kind: str
    rows: Mapping[str, Row]


class Ablations(NamedTuple):
    """``made``: name -> what there is; ``faults``: sentences on folders that could not be read."""

    made: dict[str, Finished]
    faults: list[str]


def finished_ablations(plan: Plan) -> Ablations:
    """What lies under ``<artifacts>/results/<experiment>/ablations/``."""
    found = Ablations({}, [])
    for folder in _folders(plan):
        try:
            found.made[folder.name] = read_ablation(folder)
        except (DataError, OSError, ValueError) as error:
            problem = error.problem if isinstance(error, DataError) else f"{error}."
            found.faults.append(f"The ablation {folder.name} cannot be shown: {problem}")
    return found


def _folders(plan: Plan) -> Iterator[Path]:
    parent = plan.store.folder / "results" / plan.experiment.name / "ablations"
    if parent.is_dir():
        yield from sorted(path for path in parent.iterdir() if path.is_dir() and not path.name.startswith("."))


def read_ablation(folder: Path) -> Finished:
    """What lies in the folder of one. Raises ``DataError``, ``OSError``, ``ValueError`` where it cannot be read."""
    file = folder / ABOUT
    about = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return Finished(read_tables(folder)[-1], about.get("ablation", folder.name), about.get("rows", {}))


class Sets(NamedTuple):
    """The data of a figure of variants, for one measure."""

    axis: str
    """What they differ in."""
    sets: dict[str, list[Interval]]
    """Pair -> an interval for each variant, in the order of the axis."""
    baselines: dict[str, tuple[str, float]]
    """Pair -> title and value of what they are compared with, where there is one."""


def interval_sets(ablation: Finished, measure: str) -> Sets:
    """Mean over topics of each variant, with a (1 - alpha) interval; empty for ablations without an axis.

    Sets of layers: small ones first, of equal size lower layers first. Steps: few first. The interval is that of the
    paired difference to the first row that is no variant (m2BERT), laid at the variant's value: where it leaves the
    line of that row out, the two differ in a paired t-test, uncorrected. Without such a row it is the interval of the
    mean itself, in which topics differ far more than systems do.
    """
    found = Sets(_AXES.get(ablation.kind, ""), {}, {})
    for pair, systems in ablation.table.values.items():
        places = {name: _place(ablation.kind, row, pair) for name, row in ablation.rows.items() if name in systems}
        chosen = sorted((place, name) for name, place in places.items() if place)
        if not chosen:
            continue
        baseline = next((name for name, place in places.items() if not place), None)
        old = systems[baseline][measure] if baseline is not None else None
        if baseline is not None and old is not None:
            found.baselines[pair] = (ablation.table.labels[baseline], sum(old.values()) / len(old))
        for place, system in chosen:
            values = systems[system][measure]
            tested = paired_t(values, old if old is not None else dict.fromkeys(values, 0.0), ablation.table.alpha)
            mean = sum(values.values()) / len(values)
            shift = mean - tested.difference
            label = ", ".join(str(number).replace("-", "−") for number in place[1:])
            found.sets.setdefault(pair, []).append(Interval(label, mean, tested.low + shift, tested.high + shift))
    return found


_AXES = {"layers": "layers with translations", "steps": "steps in which the language was learned"}


def _place(kind: str, row: Row, pair: str) -> tuple[int, ...]:
    """Where a variant stands on the axis: how many numbers, then they; empty for a row that is no variant."""
    if kind == "layers" and row.get("layers"):
        return len(row["layers"]), *row["layers"]
    if kind == "steps" and pair in row.get("steps", {}):
        return 1, row["steps"][pair]
    return ()


class GainMatrix(NamedTuple):
    """Relative gains by the pair that is learned on and the pair that is ranked, for one measure."""

    sources: list[str]
    targets: list[str]
    cells: dict[tuple[str, str], Cell]
    question: str
    """Which system against which."""


def gain_matrix(ablation: Finished, measure: str) -> GainMatrix | None:
    """Of an ablation of the task; None for others."""
    if ablation.kind != "task":
        return None
    found = GainMatrix([], [], {}, "")
    table, questions = ablation.table, dict[str, None]()
    for answer in table.answers:
        row = ablation.rows.get(answer.contrast.system, {})
        if answer.measure != measure or row.get("against") != answer.contrast.baseline:
            continue
        source, is_sure = row["task_from"][answer.pair], answer.corrected is not None and answer.corrected < table.alpha
        found.cells[source, answer.pair] = Cell(answer.comparison.relative_gain, is_sure)
        ending = f" from {source}"
        titles = [
            table.labels[name].removesuffix(ending) for name in (answer.contrast.system, answer.contrast.baseline)
        ]
        questions[" over ".join(titles)] = None
    sources = list(dict.fromkeys(source for source, _ in found.cells))
    targets = list(dict.fromkeys(target for _, target in found.cells))
    return found._replace(sources=sources, targets=targets, question=", ".join(questions))
