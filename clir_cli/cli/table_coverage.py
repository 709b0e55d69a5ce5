"""`clir table coverage`: how much of the queries a table knows, and how much of it meets the collection."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clir_cli.cli import options as opt

if TYPE_CHECKING:
    from clir_cli.inspection.table_coverage import TableCoverage


def register(commands: typer.Typer) -> None:
    commands.command("coverage")(coverage_command)


def coverage_command(
    pairs: Annotated[
        list[str] | None, typer.Argument(metavar="[PAIR]...", help="Such as deu-eng; default: all of the experiment.")
    ] = None,
    table: opt.Table = None,
    topics: Annotated[
        list[Path] | None,
        typer.Option("--topics", metavar="FILE", help="With --table: topics, any format; repeatable."),
    ] = None,
    words: Annotated[
        list[Path] | None,
        typer.Option("--words", metavar="FILE", help="With --table: text, a query a line; repeatable."),
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="With --table: language (ISO 639-3) whose stop words are left out.")
    ] = None,
    worst: Annotated[int, typer.Option(min=0, help="Most topics to list.")] = 10,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """How many words of the topics a table has, how many of its links meet the collection, and the worst topics."""
    from clir_cli.errors import UsageError

    if table is None:
        if topics or words or language:
            raise UsageError("--topics, --words and --language go with --table.", "Or name pairs of the experiment.")
        coverage(opt.common(config, experiment, sets, jobs, quiet), pairs, worst)
    elif pairs or not (topics or words):
        raise UsageError("--table needs --topics or --words, and no pair.", "See `clir table coverage --help`.")
    else:
        file_coverage(table, topics or [], words or [], language, worst)


def coverage(options: opt.Common, pairs: list[str] | None, worst: int) -> None:
    from clir_cli.cli import console, making
    from clir_cli.inspection.table_coverage import TableCoverage
    from clir_cli.pipeline.reporting.coverage import add_pair
    from clir_cli.pipeline.rows import Rows

    opened = making.open_experiment(options, check_files=False)
    found = TableCoverage(shows_text=opened.shows_text)
    rows = Rows(opened)
    for pair in pairs or filter(rows.translates, opened.settings.pairs):
        plan = making.make(options, "align", making.select([pair]))
        table = plan.artifact(plan.targets[0])
        plan = making.make(options, "topics", making.select([pair]))
        topics = plan.artifact(plan.graph.topics(pair))
        plan = making.make(options, "collection", making.select([pair]))
        warn(add_pair(found, opened, pair, table, topics, plan.artifact(plan.targets[0])))
    for sentence in [] if pairs else rows.availability(opened.settings.pairs):
        console.tell(sentence, "odd")
    tell(found, worst)


def file_coverage(path: Path, topics: list[Path], texts: list[Path], language: str | None, worst: int) -> None:
    from clir_cli.cli.table_source import table_at
    from clir_cli.corpora.normalise import content_keys, stop_words
    from clir_cli.corpora.topics import scan_topics
    from clir_cli.inspection.table_coverage import TableCoverage
    from clir_cli.lines import read_lines

    stop = stop_words("iso", language) if language else frozenset()
    queries = {
        read.topic.id: content_keys(read.topic.text(("title", "description")), stop)
        for read in (scan_topics(topics) if topics else ())
    }
    for text in texts:
        for number, line in read_lines(text):
            if keys := content_keys(line, stop):
                queries[f"{text.name}:{number}"] = keys
    found = TableCoverage(shows_text=True)
    warn(found.add(path.name, str(path), queries, table_at(path)))
    tell(found, worst)


def tell(found: "TableCoverage", worst: int) -> None:
    """Print it."""
    from clir_cli.cli import console
    from clir_cli.inspection.table_coverage import HEAD

    console.show_table(HEAD, found.rows, right=["known", "of", "share"])
    if listed := found.worst(worst):
        console.say()
        console.show_table(found.topics_head, listed, right=["unknown", "of"])


def warn(doubt: tuple[str, str] | None) -> None:
    """Say that a table looks like one of another pair."""
    from clir_cli.cli import console

    if doubt:
        console.tell(f"Warning: {doubt[0]} {doubt[1]}", "odd")
