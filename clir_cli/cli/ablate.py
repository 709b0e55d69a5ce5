"""`clir ablate`: a model with one part replaced, beside the model as it is."""

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from clir_cli.cli import options as opt

PANEL = "Analyses"


class Part(StrEnum):
    """What is replaced."""

    layers = "layers"
    knowledge = "knowledge"
    matrix = "matrix"
    task = "task"
    steps = "steps"


def register(app: typer.Typer) -> None:
    app.command("ablate", rich_help_panel=PANEL)(ablate_command)


def ablate_command(
    part: Annotated[
        Part,
        typer.Argument(
            metavar="PART",
            help="layers: which carry M^tr (MAT, figure 5); knowledge: where its translations come from (table 4); "
            "matrix: what stands in its place; task: which pair the model learns on (MAD-X's source x target matrix); "
            "steps: how long the ranked language was learned (MAD-X, figure 4).",
        ),
    ],
    pair: Annotated[
        list[str] | None,
        typer.Option("--pair", "-p", metavar="PAIR", help="Repeatable; default: the pairs that train the model."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model", "-m", metavar="MODEL", help="The model that is varied; default: mart, or one with adapters."
        ),
    ] = None,
    fold: opt.Folds = None,
    layers: Annotated[
        list[str] | None,
        typer.Option(
            "--layers", metavar="N,N..", help="A set of layers, counted from 1, or from the end as -2; repeatable."
        ),
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option("--source", metavar="NAME", help="A source of translations; repeatable; default: all."),
    ] = None,
    arm: Annotated[
        list[str] | None,
        typer.Option("--arm", metavar="ARM", help="What stands for M^tr, such as shuffled; repeatable; default: all."),
    ] = None,
    task_from: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="PAIR", help="A pair to learn the task on; repeatable; default: all."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Of task: what it is compared with; default: the first trained whole."),
    ] = None,
    share: Annotated[
        list[float] | None,
        typer.Option("--share", metavar="X", help="Of the language's steps, such as 0.25; repeatable."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be made, and how long it takes.")] = False,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Train variants of a model, of which one part is another, and print them beside it."""
    from clir_cli.cli.whole import only_folds

    options = opt.common(config, experiment, sets, jobs, quiet)
    if fold:
        options = only_folds(options, fold)
    options = _with_choices(
        options,
        part,
        [
            Choice(Part.layers, "--layers", "layers", layers),
            Choice(Part.knowledge, "--source", "sources", source),
            Choice(Part.matrix, "--arm", "arms", arm),
            Choice(Part.task, "--from", "task_from", task_from),
            Choice(Part.task, "--against", "against", against),
            Choice(Part.steps, "--share", "shares", share),
        ],
    )
    ablate(options, part, pair or [], model, dry_run=dry_run)


class Choice(NamedTuple):
    """An option, the part that it is of, and the setting under ``analysis.ablation`` that it stands for."""

    part: Part
    option: str
    setting: str
    value: str | Sequence[str | float] | None


def _with_choices(options: opt.Common, part: Part, choices: Sequence[Choice]) -> opt.Common:
    """The same with what is asked for laid over ``analysis.ablation``; ``UsageError`` for what does not fit."""
    from clir_cli.errors import UsageError

    sets = []
    for choice in choices:
        if not choice.value:
            continue
        if choice.part is not part:
            raise UsageError(
                f"{choice.option} says nothing of {part.value}.", f"It is of `clir ablate {choice.part.value}`."
            )
        if isinstance(choice.value, str):
            sets.append(f"analysis.ablation.{choice.setting}={choice.value}")
            continue
        values = [str(value) for value in choice.value]
        if part is Part.layers:
            for value in values:
                if not re.fullmatch(r"-?\d+(,-?\d+)*", value):
                    raise UsageError(f"--layers {value} names no layers.", "For example: --layers 9 --layers 10,11")
            values = [f"[{value}]" for value in values]
        sets.append(f"analysis.ablation.{choice.setting}=[{', '.join(values)}]")
    return replace(options, sets=(*options.sets, *sets))


def ablate(options: opt.Common, part: Part, pairs: list[str], model: str | None, *, dry_run: bool) -> None:
    from clir_cli.cli import console, making
    from clir_cli.cli.whole import show_plan
    from clir_cli.pipeline.ablation.make import make_ablation, plan_ablation
    from clir_cli.pipeline.export import export

    experiment = making.open_experiment(options)
    ablation = make_ablation(experiment, part.value, model, pairs)
    plan = plan_ablation(ablation)
    if dry_run:
        show_plan(plan, reasons=False, jobs=options.jobs)
        return
    making.run(plan, options)
    usual = make_ablation(experiment, part.value).model
    place = part.value if ablation.model == usual else f"{part.value}-{ablation.model}"
    folder = export(plan, f"{experiment.name}/ablations/{place}", {"ablation.json": ablation.about(plan)})
    (report,) = plan.targets
    console.show_text((plan.artifact(report) / "report.txt").read_text(encoding="utf-8"))
    show_gains(folder)
    console.tell(f"Tables, runs and settings: {folder}")


def show_gains(folder: Path) -> None:
    """The source x target matrices of an ablation of the task, one for each measure."""
    from clir_cli.cli import console
    from clir_cli.pipeline.reporting.ablations import gain_matrix, read_ablation
    from clir_cli.report.sheets import measure_title

    ablation = read_ablation(folder)
    for measure in dict.fromkeys(column.measure for column in ablation.table.columns):
        matrix = gain_matrix(ablation, measure)
        if matrix is None or not matrix.cells:
            continue
        console.tell(f"{measure_title(measure)}, gain in %: {matrix.question}; star: corrected p below the level.")
        rows = [[source, *(_cell(matrix.cells.get((source, target))) for target in matrix.targets)]
                for source in matrix.sources]  # fmt: skip
        console.show_table(["learned on", *matrix.targets], rows, right=matrix.targets)


def _cell(cell: Any) -> str:
    return "-" if cell is None else f"{100 * cell.gain:+.1f}{'*' if cell.is_sure else ''}"
