"""What a table covers of the queries of pairs, as rows of words and numbers."""

from collections.abc import Mapping, Sequence

from clir_cli.inspection.coverage import doubt_pair, measure_query_coverage
from clir_cli.translation.rules import TranslationRules
from clir_cli.translation.table import TranslationTable

HEAD = ("pair", "what", "known", "of", "share")
TOPICS_HEAD = ("pair", "topic", "unknown", "of", "unknown words")
BY_NUMBER = "unknown words by their number (report.text: ids)"
"""Heads the last column where words are text that is licensed."""


class TableCoverage:
    """Rows of all pairs together, in the order in which they are added."""

    def __init__(self, shows_text: bool) -> None:
        self.shows_text = shows_text
        self.rows: list[list[str]] = []
        self._topics: list[tuple[float, list[str]]] = []

    def add(
        self, pair: str, where: str, queries: Mapping[str, Sequence[str]], table: TranslationTable
    ) -> tuple[str, str] | None:
        """Measure the words of ``queries`` (topic -> content keys).

        Gives why the table looks like that of another pair; ``where`` is what it is called in that sentence.
        """
        sources = set(table.source_words)
        measured = measure_query_coverage(queries, sources)
        self._row(pair, "different query words", measured.known_types, measured.types)
        self._row(pair, "query words", measured.known_tokens, measured.tokens)
        for topic in measured.worst():
            unknown, words = measured.unknown[topic], list(dict.fromkeys(queries[topic]))
            shown = unknown if self.shows_text else [str(words.index(word) + 1) for word in unknown]
            row = [pair, topic, str(len(unknown)), str(len(words)), ", ".join(shown)]
            self._topics.append((-len(unknown) / len(words), row))
        return doubt_pair(queries, sources, set(table.target_words), where=where)

    def add_links(
        self,
        pair: str,
        queries: Mapping[str, Sequence[str]],
        table: TranslationTable,
        rules: TranslationRules,
        vocabulary: Sequence[str],
    ) -> None:
        """Measure how many links of the query words, and how many of the words by them, reach the collection."""
        words = {word for keys in queries.values() for word in keys if word in table}
        everything = rules.choose_each(words, table)
        reaching = rules.choose_each(words, table, set(vocabulary))
        links = [sum(len(row.translations) for row in rows.values()) for rows in (reaching, everything)]
        self._row(pair, "known words with a link to the collection", len(reaching), len(words))
        self._row(pair, "their links that reach the collection", *links)

    def worst(self, most: int) -> list[list[str]]:
        """The topics with the largest shares of unknown words, under ``topics_head``."""
        return [row for _, row in sorted(self._topics, key=lambda entry: entry[0])[:most]]

    @property
    def topics_head(self) -> list[str]:
        return [*TOPICS_HEAD[:-1], TOPICS_HEAD[-1] if self.shows_text else BY_NUMBER]

    def _row(self, pair: str, what: str, known: int, total: int) -> None:
        share = f"{100 * known / total:.1f} %" if total else "-"
        self.rows.append([pair, what, str(known), str(total), share])
