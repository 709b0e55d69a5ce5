"""What a run file holds that a run should not."""

from collections.abc import Collection, Container, Iterable

from clir_cli.corpora.topics import topic_key
from clir_cli.inspection.faults import Kind
from clir_cli.inspection.findings import Level, Part
from clir_cli.inspection.wording import some_are, some_have
from clir_cli.trec import RunLine

KINDS = (
    Kind("is twice in topic", "duplicate-document", "{count} documents are there twice in a topic."),
    Kind("is not a number", "no-number", "{count} scores are no numbers."),
    Kind("columns, but a line", "run-columns", "{count} lines do not have 6 columns."),
    Kind("", "unreadable-run", "{count} lines cannot be read."),
)
"""Faults of the reader."""


def inspect_run(
    lines: Iterable[tuple[str, RunLine]],
    about: Part,
    *,
    topics: Collection[str] | None = None,
    documents: Container[str] | None = None,
    codes: Collection[str] = (),
) -> None:
    """Look at the lines of a run. ``topics``: keys of those of a pair; ``documents``: ids of its collection."""
    found: dict[str, str] = {}
    strangers: dict[str, str] = {}
    total = unknown = 0
    for place, line in lines:
        total += 1
        found.setdefault(topic_key(line.topic), line.topic)
        if documents is not None and line.document not in documents:
            unknown += 1
            if about.findings.keep is None or len(strangers) < about.findings.keep:
                strangers.setdefault(line.document, place)
    if not total:
        if not codes:
            about.warning("empty-run", "there is no line in it.")
        return
    if topics is not None:
        others = [spelt for key, spelt in found.items() if key not in topics]
        if others:
            level = Level.error if len(others) == len(found) else Level.warning
            text = f"{some_are(len(others), 'topic', len(found))} not among those of the pair."
            about.add(level, "unknown-topic", text, count=len(others), examples=others)
    if unknown:
        level = Level.error if unknown == total else Level.warning
        text = f"{some_have(unknown, 'line', total)} a document that is not in the collection."
        examples = (f"{place}: {document}" for document, place in strangers.items())
        about.add(level, "unknown-document", text, count=unknown, examples=examples)


def inspect_ranks(remarks: Iterable[tuple[str, str]], about: Part) -> None:
    """Remarks of ``clir_cli.trec.check_run``: ranks that contradict scores, ranks that are no numbers, a second tag."""
    for place, sentence in remarks:
        code, many = next((code, many) for told, code, many in _REMARKS if told in sentence)
        about.grow(Level.warning, code, sentence[:1].lower() + sentence[1:], place=place, many=many)


_REMARKS: tuple[tuple[str, str, str], ...] = (
    ("higher score", "rank-contradicts-score", "{count} topics have ranks that contradict scores; scores count."),
    ("no whole number", "rank-no-number", "{count} topics have a rank that is no whole number."),
    ("", "run-remark", "{count} lines are strange."),
)
