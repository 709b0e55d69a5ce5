"""Which judgements count: those of declared topics, about documents that the collection holds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from clir_cli.corpora.topics import topic_key
from clir_cli.errors import DataError
from clir_cli.records import Qrels


@dataclass(frozen=True, slots=True)
class JudgementReport:
    """What ``clean_judgements`` left out."""

    topics: tuple[str, ...]
    """Declared topics that are evaluated: each has a relevant document in the collection."""

    excluded: tuple[str, ...]
    """Declared topics without one: no mean counts them."""

    emptied: tuple[str, ...]
    """Those of ``excluded`` that had relevant documents, none of them in the collection."""

    absent: int
    """Judgements of declared topics about documents that the collection does not hold."""

    absent_relevant: int
    """Those of ``absent`` with a grade above 0."""

    absent_examples: tuple[tuple[str, str], ...]
    """The first few of ``absent`` as (topic, document), relevant ones first."""

    undeclared: int
    """Topics of the qrels that are not declared: another year's, or another language's."""


def clean_judgements(
    qrels: Qrels, topics: Sequence[str], exists: Callable[[str], bool], *, examples: int = 5
) -> tuple[Qrels, JudgementReport]:
    """Judgements of the declared topics about documents that exist, under the ids that ``topics`` spells.

    Topics and qrels may spell one topic in two ways (``C041``, ``41``): they are joined by ``topic_key``. CLEF's
    English qrels judge several collections at once; with only one of them indexed the others' documents could never be
    found, so they leave the qrels before anything is counted.

    Args:
        qrels: topic id -> document id -> grade.
        topics: the declared topics, in the order in which results list them.
        exists: whether the collection holds a document id.
        examples: how many absent judgements the report names.

    Returns the qrels of the evaluated topics only, and what was left out.

    Raises ``DataError`` where two declared topics are the same topic, where two spellings of a topic give one document
    different grades, or where no declared topic keeps a relevant document.
    """
    judged = _by_key(qrels)
    declared: dict[str, str] = {}
    for topic in topics:
        other = declared.setdefault(topic_key(topic), topic)
        if other != topic:
            raise DataError(f"Topics {other} and {topic} are the same topic.", "Leave one of them out.")

    kept: Qrels = {}
    excluded, emptied = [], []
    absent: list[tuple[bool, str, str]] = []  # (not relevant, topic, document): sorts relevant ones first
    for key, topic in declared.items():
        grades = judged.get(key, {})
        here = {document: grade for document, grade in grades.items() if exists(document)}
        absent += [(grade <= 0, topic, document) for document, grade in grades.items() if document not in here]
        if _any_relevant(here):
            kept[topic] = here
        else:
            excluded.append(topic)
            if _any_relevant(grades):
                emptied.append(topic)
    report = JudgementReport(
        topics=tuple(kept),
        excluded=tuple(excluded),
        emptied=tuple(emptied),
        absent=len(absent),
        absent_relevant=sum(not irrelevant for irrelevant, _, _ in absent),
        absent_examples=tuple((topic, document) for _, topic, document in sorted(absent)[:examples]),
        undeclared=len(judged.keys() - declared.keys()),
    )
    if not kept:
        raise DataError(
            f"None of the {len(declared)} topics has a relevant document in the collection "
            f"({len(emptied)} had some that it does not hold).",
            "Check that topics, qrels and collection belong together.",
        )
    return kept, report


def _any_relevant(grades: dict[str, int]) -> bool:
    return any(grade > 0 for grade in grades.values())


def _by_key(qrels: Qrels) -> Qrels:
    joined: Qrels = {}
    for topic, grades in qrels.items():
        known = joined.setdefault(topic_key(topic), {})
        for document, grade in grades.items():
            if known.setdefault(document, grade) != grade:
                raise DataError(
                    f"The qrels judge document {document} twice for topic {topic}: {known[document]} and {grade}.",
                    "Two spellings of a topic number meet here; keep one judgement.",
                )
    return joined
