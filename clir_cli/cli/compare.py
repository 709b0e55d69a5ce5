"""Commands about anybody's runs: which is better, and what so many topics can show."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from clir_cli.cli import options as opt
from clir_cli.cli.results import PANEL
from clir_cli.evaluation.question import Correction, Family, PairedTest, Question


class Format(StrEnum):
    """How a comparison is written."""

    console = "console"
    markdown = "markdown"
    latex = "latex"
    csv = "csv"
    json = "json"


Judgements = Annotated[Path, typer.Option("--qrels", metavar="FILE", help="Judgements, `topic 0 document grade`.")]
Measures = Annotated[
    list[str] | None,
    typer.Option("--measure", metavar="NAME", help="Such as AP@100, nDCG@10, judged@10; repeatable; AP and P@10."),
]
Alpha = Annotated[float, typer.Option("--alpha", min=0.0001, max=0.5, help="Level of the test.")]
MEASURES = ("AP", "P@10")


def register(app: typer.Typer) -> None:
    app.command("compare", rich_help_panel=PANEL)(compare_command)
    app.command("power", rich_help_panel=PANEL)(power_command)


def compare_command(
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN...", help="FILE, NAME=FILE, or NAME=FILE,FILE.. for repetitions of one system."),
    ],
    qrels: Judgements,
    measure: Measures = None,
    baseline: Annotated[
        list[str] | None,
        typer.Option("--baseline", metavar="RUN", help="By name or file; repeatable; default: the first run."),
    ] = None,
    test: Annotated[
        PairedTest, typer.Option("--test", help="Paired t, sign-flip randomisation, Wilcoxon.")
    ] = PairedTest.t,
    correction: Annotated[
        Correction, typer.Option("--correction", help="Holm, or Benjamini and Hochberg.")
    ] = Correction.holm,
    family: Annotated[Family, typer.Option("--family", help="What is corrected together.")] = Family.measure,
    alpha: Alpha = 0.05,
    draws: Annotated[int, typer.Option(min=10_000, help="Draws of the randomisation test.")] = 100_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the randomisation test.")] = 0,
    folds: Annotated[
        Path | None, typer.Option("--folds", metavar="FILE", help="`topic TAB fold`: adds means over folds.")
    ] = None,
    format: Annotated[Format, typer.Option("--format", help="Full precision in csv and json.")] = Format.console,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File to write.")] = None,
    debug: opt.Debug = False,
) -> None:
    """Compare runs in TREC form: means, differences with intervals, p, corrected p, wins."""
    from clir_cli.cli import console
    from clir_cli.cli.comparing import choose_baselines, compare_files, name_runs
    from clir_cli.cli.results import write
    from clir_cli.errors import UsageError
    from clir_cli.lines import check_place

    if output is not None:
        check_place(output)
    named = name_runs(runs)
    if len(named) < 2:
        raise UsageError("One run cannot be compared.", "Name two or more.")
    question = Question(test, correction, family, alpha, draws, seed)
    text = compare_files(
        named, choose_baselines(baseline, named), qrels, measure or MEASURES, question, folds, str(format)
    )
    if output is None:
        console.show_text(text)
        return
    write(output, text)
    console.say(str(output))


def power_command(
    baseline: Annotated[str, typer.Option("--baseline", metavar="RUN", help="FILE or NAME=FILE.")],
    qrels: Judgements,
    run: Annotated[
        str | None,
        typer.Option("--run", metavar="RUN", help="A second run, to measure how differences vary over topics."),
    ] = None,
    measure: Measures = None,
    correlation: Annotated[
        list[float] | None,
        typer.Option(min=-0.99, max=0.999, help="Of two runs over topics, if there is no --run; default: .5, .7, .9."),
    ] = None,
    power: Annotated[float, typer.Option(min=0.05, max=0.999, help="Chance to find the difference.")] = 0.8,
    alpha: Alpha = 0.05,
    as_json: Annotated[bool, typer.Option("--json", help="For a program to read.")] = False,
    debug: opt.Debug = False,
) -> None:
    """Which difference the topics of a collection can show, by a paired t-test, and how many a gain would need."""
    from clir_cli.cli.power import tell_power
    from clir_cli.errors import UsageError

    if run is not None and correlation:
        raise UsageError("--run measures what --correlation assumes.", "Give one of them.")
    if power <= alpha:
        problem = f"--power {power:g} is not above --alpha {alpha:g}: chance alone finds a difference as often."
        raise UsageError(problem, "Ask for more power, or a smaller alpha.")
    tell_power(baseline, run, qrels, measure or MEASURES, correlation or [0.5, 0.7, 0.9], power, alpha, as_json=as_json)
