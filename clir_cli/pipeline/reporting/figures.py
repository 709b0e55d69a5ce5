"""Every figure that an experiment's finished stages allow."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.reporting.ablations import finished_ablations, gain_matrix, interval_sets
from clir_cli.pipeline.reporting.gaps import finished_gaps
from clir_cli.pipeline.reporting.learning import learning_curves
from clir_cli.pipeline.reporting.tables import read_tables
from clir_cli.pipeline.reporting.topics import differences, main_contrast
from clir_cli.report.sheets import measure_title
from clir_cli.report.tables import ResultsTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("gap", "layers", "learning", "steps", "task", "topics")
"""What the names of the files begin with."""


class Drawing(NamedTuple):
    """``name`` of the file, without its ending, and what draws it."""

    name: str
    draw: "Callable[[], Figure]"


def finished_figures(plan: Plan) -> tuple[list[Drawing], list[str]]:
    """The figures, none drawn yet, and a sentence on each kind that lacks its stages."""
    drawings = [*_gaps(plan), *_ablations(plan), *_learning(plan)]
    for stage in plan.targets:
        if stage.kind == "report":
            drawings += _topics(read_tables(plan.artifact(stage)))
    there = {drawing.name.partition("-")[0] for drawing in drawings}
    commands = {"gap": "gap", "layers": "ablate layers"} if plan.graph.rows.trained() else {}
    if any(model.adapters for model in plan.experiment.settings.models.values()):
        commands |= {"task": "ablate task", "steps": "ablate steps"}
    missing = [
        f"No figure of {kind}: `clir {command} --experiment {plan.experiment.name}` makes what it needs."
        for kind, command in commands.items()
        if kind not in there
    ]
    return drawings, missing


def write_figures(drawings: Sequence[Drawing], folder: Path, formats: Sequence[str]) -> Iterator[Path]:
    """Draw and save each in every format; gives the files as they are written. Raises ``DataError``, ``UsageError``."""
    from clir_cli.report.figures.style import save

    for name, draw in drawings:
        figure = draw()
        for format in formats:
            file = folder / f"{name}.{format}"
            save(figure, file)
            yield file


def remove_others(folder: Path, kept: Sequence[Path], formats: Sequence[str]) -> None:
    """Delete figures of an earlier set of systems: files that begin as ours do and are not among ``kept``."""
    for kind in KINDS:
        for format in formats:
            for file in folder.glob(f"{kind}-*.{format}"):
                if file not in kept:
                    file.unlink()


def _gaps(plan: Plan) -> Iterator[Drawing]:
    for pair, models in finished_gaps(plan).lines.items():
        yield Drawing(f"gap-{pair}", partial(_draw, "gap:draw_gap", {pair: models}))


def _ablations(plan: Plan) -> Iterator[Drawing]:
    for name, ablation in finished_ablations(plan).made.items():
        for measure in dict.fromkeys(column.measure for column in ablation.table.columns):
            found, title = interval_sets(ablation, measure), measure_title(measure)
            if found.sets:
                draw = partial(_draw, "intervals:draw_intervals", found.sets, title, found.baselines, found.axis)
                yield Drawing(_plain(f"{name}-{title}"), draw)
            if (matrix := gain_matrix(ablation, measure)) and matrix.cells:
                sources, targets, cells, question = matrix
                draw = partial(_draw, "gain_matrix:draw_gain_matrix", sources, targets, cells, title, question)
                yield Drawing(_plain(f"{name}-{title}"), draw)


def _learning(plan: Plan) -> Iterator[Drawing]:
    for pair, curves in learning_curves(plan).items():
        yield Drawing(f"learning-{pair}", partial(_draw, "learning:draw_learning", curves))


def _topics(tables: Sequence[ResultsTable]) -> Iterator[Drawing]:
    """Of each pair and measure the comparisons of the family; where no pair has any, each one's first question."""
    has_family = any(answer.contrast.in_family for table in tables for answer in table.answers)
    for number, table in enumerate(tables):
        part = "-tested-folds" if number else ""
        for column in table.columns:
            asked = [
                (answer.contrast.system, answer.contrast.baseline)
                for answer in table.answers
                if (answer.pair, answer.measure) == (column.pair, column.measure) and answer.contrast.in_family
            ]
            first = None if has_family else main_contrast(table, column.pair)
            for system, baseline in asked or ([first] if first else []):
                measure = measure_title(column.measure)
                found = differences(table, column.pair, column.measure, system, baseline)
                titles = table.labels[system], table.labels[baseline]
                name = _plain(f"topics-{column.pair}-{system}-{baseline}-{measure}{part}")
                yield Drawing(name, partial(_draw, "topics:draw_topics", found, *titles, measure))


def _draw(function: str, *data: Any) -> "Figure":
    """Call ``module:function`` of the figures; matplotlib is imported no earlier."""
    module, name = function.split(":")
    return getattr(import_module(f"clir_cli.report.figures.{module}"), name)(*data)


def _plain(name: str) -> str:
    """A name that any file system and LaTeX take."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
