"""`clir figures`: every figure that is drawn from finished results."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from clir_cli.cli import options as opt

PANEL = "Results"


class FigureFormat(StrEnum):
    """How figures are written."""

    pdf = "pdf"
    png = "png"
    svg = "svg"


def register(app: typer.Typer) -> None:
    app.command("figures", rich_help_panel=PANEL)(figures_command)


def figures_command(
    pair: opt.Pairs = None,
    model: opt.Models = None,
    format: Annotated[
        list[FigureFormat] | None, typer.Option("--format", help="Repeatable; default: pdf and png.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FOLDER", help="Default: figures/ beside the results.")
    ] = None,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Draw learning curves, differences by topic, and of finished analyses translation gaps and sets of layers."""
    formats = [str(one.value) for one in dict.fromkeys(format or [FigureFormat.pdf, FigureFormat.png])]
    figures(opt.common(config, experiment, sets, jobs, quiet), pair, model, formats, output)


def figures(
    options: opt.Common, pairs: list[str] | None, models: list[str] | None, formats: list[str], output: Path | None
) -> None:
    from clir_cli.cli import console, making
    from clir_cli.lines import check_folder
    from clir_cli.pipeline.export import results_folder
    from clir_cli.pipeline.reporting.figures import finished_figures, remove_others, write_figures

    if output is not None:
        check_folder(output)
    plan = making.make(options, "report", making.select(pairs, models))
    drawings, missing = finished_figures(plan)
    folder = output or results_folder(plan) / "figures"
    written = []
    for file in write_figures(drawings, folder, formats):
        written.append(file)
        console.say(str(file))
    if output is None:
        remove_others(folder, written, formats)
    for sentence in missing:
        console.tell(sentence, "odd")
