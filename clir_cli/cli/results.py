"""Commands of the results: values and tables."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from clir_cli.cli import options as opt

PANEL = "Results"


class Format(StrEnum):
    """How tables are written."""

    console = "console"
    markdown = "markdown"
    csv = "csv"
    latex = "latex"
    json = "json"
    all = "all"


FILES = {
    Format.console: "table.txt",
    Format.markdown: "table.md",
    Format.csv: "table.csv",
    Format.latex: "table.tex",
    Format.json: "table.json",
}


def register(app: typer.Typer) -> None:
    app.command("evaluate", rich_help_panel=PANEL)(evaluate_command)
    app.command("report", rich_help_panel=PANEL)(report_command)


def evaluate_command(
    pair: opt.Pairs = None,
    model: opt.Models = None,
    topics: Annotated[bool, typer.Option("--topics", help="The value of every topic, not only the means.")] = False,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Measure every system over the declared topics."""
    evaluate(opt.common(config, experiment, sets, jobs, quiet), pair, model, topics)


def evaluate(options: opt.Common, pairs: list[str] | None, models: list[str] | None, topics: bool) -> None:
    import json

    from clir_cli.cli import console, making

    plan = making.make(options, "evaluate", making.select(pairs, models))
    rows = []
    for stage in plan.targets:
        pair, system = stage.name.split(maxsplit=1)
        values = json.loads((plan.artifact(stage) / "values.json").read_text(encoding="utf-8"))
        for measure, by_topic in values.items():
            if topics:
                rows += [[pair, system, measure, topic, f"{value:.4f}"] for topic, value in by_topic.items()]
            elif by_topic:
                mean = sum(by_topic.values()) / len(by_topic)
                rows.append([pair, system, measure, str(len(by_topic)), f"{mean:.4f}"])
    columns = ["topic", "value"] if topics else ["topics", "mean"]
    console.show_table(["pair", "system", "measure", *columns], rows, right=["topics", "value", "mean"])


def report_command(
    pair: opt.Pairs = None,
    model: opt.Models = None,
    format: Annotated[
        Format | None, typer.Option("--format", help="Default: console; all needs --output FOLDER.", show_default=False)
    ] = None,
    html: Annotated[
        bool, typer.Option("--html", help="The whole report as one HTML file, report.html beside the results.")
    ] = False,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File or folder to write.")] = None,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Print the tables with their significance tests, or write the whole report as a page."""
    options = opt.common(config, experiment, sets, jobs, quiet)
    if html:
        report_page(options, pair, model, format, output)
    else:
        report(options, pair, model, format or Format.console, output)


def report_page(
    options: opt.Common, pairs: list[str] | None, models: list[str] | None, format: Format | None, output: Path | None
) -> None:
    from clir_cli.cli import console, making
    from clir_cli.errors import UsageError
    from clir_cli.lines import check_place
    from clir_cli.pipeline.export import results_folder, write_page
    from clir_cli.pipeline.reporting.page import PAGE

    if format is not None:
        raise UsageError("--html is a format of its own.", "Leave out --format.")
    if output is not None and not output.is_dir():
        check_place(output)
    plan = making.plan_for(options, "report", making.select(pairs, models))
    if all(stage.kind != "report" for stage in plan.targets):
        raise UsageError("Without judgements there are no tables.", "Give the experiment `qrels`.")
    making.run(plan, options)
    file = results_folder(plan) / PAGE if output is None else output / PAGE if output.is_dir() else output
    write_page(plan, file)
    console.say(str(file))


def report(
    options: opt.Common, pairs: list[str] | None, models: list[str] | None, format: Format, output: Path | None
) -> None:
    from clir_cli.cli import console, making
    from clir_cli.errors import UsageError
    from clir_cli.lines import check_folder, check_place

    if format is Format.all and output is None:
        raise UsageError("--format all writes several files.", "Say where with --output FOLDER.")
    if output is not None and format is Format.all:
        check_folder(output)
    elif output is not None and not output.is_dir():
        check_place(output)
    plan = making.make(options, "report", making.select(pairs, models))
    if plan.targets[0].kind != "report":
        raise UsageError("Without judgements there are no tables.", "Give the experiment `qrels`.")
    folder = plan.artifact(plan.targets[0])
    if format is Format.all:
        assert output is not None
        for file in sorted(folder.iterdir()):
            if file.suffix in (".txt", ".md", ".tex", ".csv", ".json"):
                write(output / file.name, file.read_text(encoding="utf-8"))
        console.say(str(output))
        return
    text = read_tables(folder, FILES[format])
    if output is None:
        console.show_text(text)
        return
    if output.is_dir():
        output = output / FILES[format]
    write(output, text)
    console.say(str(output))


def read_tables(folder: Path, name: str) -> str:
    """The tables of a report in one form: over all topics first, then over those of the tested folds.

    As JSON they are the list ``tables`` of one object.
    """
    files = sorted(folder.glob(f"*{name}"), key=lambda file: (file.name != name, file.name))
    texts = [file.read_text(encoding="utf-8") for file in files]
    if name == FILES[Format.json]:
        return f'{{"tables": [{",".join(text.strip() for text in texts)}]}}\n'
    return "\n".join(texts)


def write(file: Path, text: str) -> None:
    """Write ``text`` whole or not at all."""
    from clir_cli.lines import write_whole

    with write_whole(file) as stream:
        stream.write(text)
