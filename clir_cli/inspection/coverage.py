"""How many words of queries and documents the translations know."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from clir_cli.inspection.findings import Level, Part
from clir_cli.inspection.wording import counted, listed, share, some_have

TOO_MANY = 0.3
"""A larger share of query words outside the table is a warning."""
HARDLY_ANY, MANY = 0.2, 0.5
"""A table that has a smaller share of the query words may be that of another pair; of the opposite pair, where its
other side has a larger one."""
ENOUGH = 4
"""Query words from which on a table is doubted."""


@dataclass(frozen=True, slots=True)
class QueryCoverage:
    """How much of the queries a table knows: ``tokens`` (words with their repetitions) and ``types`` (different words),
    of each ``known_tokens`` and ``known_types``; and for each topic the number of its ``words`` and those ``unknown``,
    once each in order."""

    tokens: int
    known_tokens: int
    types: int
    known_types: int
    words: Mapping[str, int]
    unknown: Mapping[str, list[str]]

    def worst(self) -> list[str]:
        """Topics with unknown words: most of their words unknown first, then by id."""
        some = [topic for topic, words in self.unknown.items() if words]
        return sorted(some, key=lambda topic: (-len(self.unknown[topic]) / self.words[topic], topic))


def measure_query_coverage(queries: Mapping[str, Sequence[str]], known: Collection[str]) -> QueryCoverage:
    """``queries``: topic id -> content keys; ``known``: source words of the table."""
    tokens = Counter(key for keys in queries.values() for key in keys)
    there = {key: count for key, count in tokens.items() if key in known}
    unknown = {topic: [key for key in dict.fromkeys(keys) if key not in known] for topic, keys in queries.items()}
    different = {topic: len(set(keys)) for topic, keys in queries.items()}
    return QueryCoverage(sum(tokens.values()), sum(there.values()), len(tokens), len(there), different, unknown)


def doubt_pair(
    queries: Mapping[str, Sequence[str]], sources: Collection[str], targets: Collection[str], *, where: str
) -> tuple[str, str] | None:
    """Why a table looks like that of another pair, and what to do; None where it does not, or there is little to tell.

    ``sources``, ``targets``: words of its sides; ``where``: what it is called in a sentence.
    """
    found, turned = (measure_query_coverage(queries, side) for side in (sources, targets))
    if found.tokens < ENOUGH or found.known_tokens >= HARDLY_ANY * found.tokens:
        return None
    known = f"{share(found.known_tokens, found.tokens)} words of the queries are in {where}"
    if turned.known_tokens > MANY * turned.tokens:
        return (
            f"Only {known}, but {share(turned.known_tokens, turned.tokens)} are among its translations: "
            "it looks like the table of the opposite direction.",
            "Take the table of the other direction, or turn this one round by Bayes' rule (`invert: true`).",
        )
    return f"Only {known}: it looks like the table of another pair.", "Check its languages and the file."


def inspect_query_coverage(
    queries: Mapping[str, Sequence[str]],
    known: Collection[str],
    about: Part,
    *,
    where: str,
    shows_text: bool = True,
    targets: Collection[str] = (),
) -> None:
    """``queries``: topic id -> content keys; ``known``: source words of the table, which ``where`` names; ``targets``:
    its target words."""
    tokens = Counter(key for keys in queries.values() for key in keys)
    unknown = {key: count for key, count in tokens.items() if key not in known}
    if not unknown:
        return
    total, outside = sum(tokens.values()), sum(unknown.values())
    types = share(len(unknown), len(tokens))
    text = f"{share(outside, total)} words of the queries are not in {where}; of different words {types}."
    is_bad = outside > TOO_MANY * total
    if doubt := doubt_pair(queries, known, targets, where=where):
        about.warning("other-pair", doubt[0], hint=doubt[1])
    about.add(
        Level.warning if is_bad else Level.note, "query-coverage", text,
        hint="They are searched untranslated, or dropped: check their direction and language, or bring more."
        if is_bad else "",
        count=len(unknown), examples=_frequent(unknown) if shows_text else (),
    )  # fmt: skip
    lost = [topic for topic, keys in queries.items() if keys and not any(key in known for key in keys)]
    if lost:
        text = f"{some_have(len(lost), 'topic')} no word that is in {where}."
        about.warning("untranslatable-topic", text, count=len(lost), examples=lost)


def inspect_document_coverage(
    words: Mapping[str, int], stop: frozenset[str], known: Collection[str], about: Part, *, where: str
) -> None:
    """``words``: content keys of the collection with their counts; ``known``: target words of the table."""
    types = [word for word in words if word not in stop]
    unknown = [word for word in types if word not in known]
    if unknown:
        outside, total = (sum(words[word] for word in some) for some in (unknown, types))
        text = (
            f"{share(outside, total)} words of the documents are not in {where}; "
            f"of different words {share(len(unknown), len(types))}."
        )
        about.note("document-coverage", text, count=len(unknown))


def _frequent(unknown: Mapping[str, int]) -> list[str]:
    return [word for word, _ in sorted(unknown.items(), key=lambda item: (-item[1], item[0]))]


def inspect_dictionary(used: int, several: int, empty: int, about: Part, *, place: str) -> None:
    """What became of the entries of a word list."""
    left = [f"{counted(several, 'entry')} with several words"] if several else []
    left += [f"{counted(empty, 'entry')} without a word on a side"] if empty else []
    if left:
        about.note(
            "unused-entry",
            f"{some_have(used, 'entry')} one word on both sides; {listed(left)} will be left out.",
            place=place, count=several + empty,
        )  # fmt: skip
