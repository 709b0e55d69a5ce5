"""`clir table coverage`: how much of the queries a table knows, and how much of it meets the collection."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clir_cli.cli import options as opt

if TYPE_CHECKING:
    from clir_cli.translation.rules import TranslationRules
    from clir_cli.translation.table import TranslationTable

HEAD = ["pair", "what", "known", "of", "share"]


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
    from clir_cli.config.schema import languages_of
    from clir_cli.corpora.document_store import DocumentStore
    from clir_cli.corpora.normalise import content_keys, stop_words
    from clir_cli.pipeline.joined_topics import read_joined
    from clir_cli.pipeline.rows import Rows
    from clir_cli.translation.rules import TranslationRules
    from clir_cli.translation.table import TranslationTable

    opened = making.open_experiment(options, check_files=False)
    found = Found(shows_text=opened.shows_text)
    rows = Rows(opened)
    for pair in pairs or filter(rows.translates, opened.settings.pairs):
        plan = making.make(options, "align", making.select([pair]))
        table = TranslationTable.load(plan.artifact(plan.targets[0]) / "table")
        plan = making.make(options, "topics", making.select([pair]))
        joined = read_joined(plan.artifact(plan.graph.topics(pair)) / "topics.tsv")
        plan = making.make(options, "collection", making.select([pair]))
        vocabulary = DocumentStore(plan.artifact(plan.targets[0]) / "store").vocabulary
        settings = opened.for_pair(pair)
        query = languages_of(pair)[0]
        stop_list = settings.languages[query].stop_words if query in settings.languages else "iso"
        stop = stop_words(stop_list, query)
        queries = {topic.id: content_keys(topic.query, stop) for topic in joined}
        found.add(pair, f"the table of {pair}", queries, table)
        found.add_links(pair, queries, table, TranslationRules(threshold=settings.matrix.threshold), vocabulary)
    for sentence in [] if pairs else rows.availability(opened.settings.pairs):
        console.tell(sentence, "odd")
    found.tell(worst)


def file_coverage(path: Path, topics: list[Path], texts: list[Path], language: str | None, worst: int) -> None:
    from clir_cli.cli.table_source import table_at
    from clir_cli.corpora.normalise import content_keys, stop_words
    from clir_cli.corpora.topics import scan_topics
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
    found = Found(shows_text=True)
    found.add(path.name, str(path), queries, table_at(path))
    found.tell(worst)


class Found:
    """What is told at the end, of all pairs together."""

    def __init__(self, shows_text: bool) -> None:
        self.shows_text = shows_text
        self.rows: list[list[str]] = []
        self.topics: list[tuple[float, list[str]]] = []

    def add(self, pair: str, where: str, queries: dict[str, list[str]], table: "TranslationTable") -> None:
        """Measure, and warn where the table looks like one of another pair."""
        from clir_cli.cli import console
        from clir_cli.inspection.coverage import doubt_pair, measure_query_coverage

        sources = set(table.source_words)
        measured = measure_query_coverage(queries, sources)
        self._row(pair, "different query words", measured.known_types, measured.types)
        self._row(pair, "query words", measured.known_tokens, measured.tokens)
        for topic in measured.worst():
            unknown, words = measured.unknown[topic], list(dict.fromkeys(queries[topic]))
            shown = unknown if self.shows_text else [str(words.index(word) + 1) for word in unknown]
            row = [pair, topic, str(len(unknown)), str(len(words)), ", ".join(shown)]
            self.topics.append((-len(unknown) / len(words), row))
        if doubt := doubt_pair(queries, sources, set(table.target_words), where=where):
            console.tell(f"Warning: {doubt[0]} {doubt[1]}", "odd")

    def add_links(
        self,
        pair: str,
        queries: dict[str, list[str]],
        table: "TranslationTable",
        rules: "TranslationRules",
        vocabulary: Sequence[str],
    ) -> None:
        """Measure how many links of the query words, and how many of the words by them, reach the collection."""
        words = {word for keys in queries.values() for word in keys if word in table}
        everything = rules.choose_each(words, table)
        reaching = rules.choose_each(words, table, set(vocabulary))
        links = [sum(len(row.translations) for row in rows.values()) for rows in (reaching, everything)]
        self._row(pair, "known words with a link to the collection", len(reaching), len(words))
        self._row(pair, "their links that reach the collection", *links)

    def tell(self, worst: int) -> None:
        """Print it."""
        from clir_cli.cli import console

        console.show_table(HEAD, self.rows, right=["known", "of", "share"])
        listed = [row for _, row in sorted(self.topics, key=lambda entry: entry[0])[:worst]]
        if listed:
            console.say()
            last = "unknown words" if self.shows_text else "unknown words by their number (report.text: ids)"
            console.show_table(["pair", "topic", "unknown", "of", last], listed, right=["unknown", "of"])

    def _row(self, pair: str, what: str, known: int, total: int) -> None:
        share = f"{100 * known / total:.1f} %" if total else "-"
        self.rows.append([pair, what, str(known), str(total), share])
