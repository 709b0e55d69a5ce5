"""How many words of queries and documents the translations know."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from clir_cli.inspection.findings import Level, Part
from clir_cli.inspection.wording import counted, listed, share, some_have

TOO_MANY = 0.3
"""A larger share of query words outside the table is a warning."""


def inspect_query_coverage(
    queries: Mapping[str, Sequence[str]], known: Collection[str], about: Part, *, where: str, shows_text: bool = True
) -> None:
    """``queries``: topic id -> content keys; ``known``: source words of the table, which ``where`` names."""
    tokens = Counter(key for keys in queries.values() for key in keys)
    unknown = {key: count for key, count in tokens.items() if key not in known}
    if not unknown:
        return
    total, outside = sum(tokens.values()), sum(unknown.values())
    types = share(len(unknown), len(tokens))
    text = f"{share(outside, total)} words of the queries are not in {where}; of different words {types}."
    is_bad = outside > TOO_MANY * total
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
