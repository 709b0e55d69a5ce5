"""`clir paper`: what an experiment says of the claims of the MAT paper."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from clir_cli.cli import options as opt

PANEL = "Results"


class Format(StrEnum):
    """How the checklist is written."""

    console = "console"
    markdown = "markdown"
    json = "json"


def register(app: typer.Typer) -> None:
    app.command("paper", rich_help_panel=PANEL)(paper_command)


def paper_command(
    pair: opt.Pairs = None,
    format: Annotated[Format, typer.Option("--format", help="How it is written.")] = Format.console,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File to write.")] = None,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Judge the claims of the MAT paper by what is finished of an experiment: held, not held, not testable here."""
    paper(opt.common(config, experiment, sets, None, quiet), pair, format, output)


def paper(options: opt.Common, pairs: list[str] | None, format: Format, output: Path | None) -> None:
    from clir_cli.cli import console, making
    from clir_cli.cli.results import write
    from clir_cli.lines import check_place
    from clir_cli.pipeline.reporting.evidence import finished_rows, gather_evidence, plan_finished, tell_unfinished
    from clir_cli.report.paper.checklist import FORMATS
    from clir_cli.report.paper.claims import judge_claims

    if output is not None:
        check_place(output)
    plan = making.plan_for(options, "report", making.select(pairs))
    rows = finished_rows(plan)
    report = plan_finished(plan, rows)
    if report is not None:
        making.run(report, options)
    evidence = gather_evidence(plan.experiment, plan, report, tell_unfinished(rows))
    text = FORMATS[str(format)](evidence, judge_claims(evidence))
    if output is None:
        console.show_text(text)
        return
    write(output, text)
    console.say(str(output))
