"""`clir ablate`: a model with one part replaced, beside the model as it is."""

import re
from dataclasses import replace
from enum import StrEnum
from typing import Annotated

import typer

from clir_cli.cli import options as opt

PANEL = "Analyses"


class Part(StrEnum):
    """What is replaced."""

    layers = "layers"
    knowledge = "knowledge"
    matrix = "matrix"


def register(app: typer.Typer) -> None:
    app.command("ablate", rich_help_panel=PANEL)(ablate_command)


def ablate_command(
    part: Annotated[
        Part,
        typer.Argument(
            metavar="PART",
            help="layers: which carry M^tr (MAT, figure 5); knowledge: where its translations come from (table 4); "
            "matrix: what stands in its place.",
        ),
    ],
    pair: Annotated[
        list[str] | None,
        typer.Option("--pair", "-p", metavar="PAIR", help="Repeatable; default: the pairs that train the model."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="MODEL", help="The model that is varied; default: mart."),
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
    options = _with_choices(options, part, layers, source, arm)
    ablate(options, part, pair or [], model, dry_run=dry_run)


def _with_choices(
    options: opt.Common, part: Part, layers: list[str] | None, sources: list[str] | None, arms: list[str] | None
) -> opt.Common:
    """The same with what is asked for laid over ``analysis.ablation``; ``UsageError`` for what does not fit."""
    from clir_cli.errors import UsageError

    given = {Part.layers: ("layers", layers), Part.knowledge: ("sources", sources), Part.matrix: ("arms", arms)}
    names = {Part.layers: "--layers", Part.knowledge: "--source", Part.matrix: "--arm"}
    for other, (_, values) in given.items():
        if values and other is not part:
            raise UsageError(f"{names[other]} says nothing of {part.value}.", f"It is of `clir ablate {other.value}`.")
    key, values = given[part]
    if not values:
        return options
    for value in values if part is Part.layers else ():
        if not re.fullmatch(r"-?\d+(,-?\d+)*", value):
            raise UsageError(f"--layers {value} names no layers.", "For example: --layers 9 --layers 10,11")
    listed = ", ".join(f"[{value}]" for value in values) if part is Part.layers else ", ".join(values)
    return replace(options, sets=(*options.sets, f"analysis.ablation.{key}=[{listed}]"))


def ablate(options: opt.Common, part: Part, pairs: list[str], model: str | None, *, dry_run: bool) -> None:
    from clir_cli.cli import console, making
    from clir_cli.cli.whole import show_plan
    from clir_cli.pipeline.ablations import make_ablation, plan_ablation
    from clir_cli.pipeline.export import export

    experiment = making.open_experiment(options)
    ablation = make_ablation(experiment, part.value, model, pairs)
    if untrained := [pair for pair in ablation.pairs if ablation.model not in experiment.for_pair(pair).models]:
        console.tell(
            f"Experiment {experiment.name} trains no {ablation.model} for {', '.join(untrained)}: "
            "it is trained all the same, as --pair asks for it.",
            "odd",
        )
    plan = plan_ablation(ablation)
    if dry_run:
        show_plan(plan, reasons=False, jobs=options.jobs)
        return
    making.run(plan, options)
    usual = make_ablation(experiment, part.value).model
    place = part.value if ablation.model == usual else f"{part.value}-{ablation.model}"
    folder = export(plan, f"{experiment.name}/ablations/{place}", {"ablation.json": ablation.about})
    (report,) = plan.targets
    console.show_text((plan.artifact(report) / "report.txt").read_text(encoding="utf-8"))
    console.tell(f"Tables, runs and settings: {folder}")
