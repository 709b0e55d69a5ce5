"""What judgements say of topics and documents that are there, and of those that are not."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field

from clir_cli.corpora.topics import topic_key
from clir_cli.inspection.faults import Kind
from clir_cli.inspection.findings import Part
from clir_cli.inspection.wording import counted, share, some_are, some_have
from clir_cli.records import Qrel

KINDS = (
    Kind("repeats the one at", "repeated-judgement", "{count} judgements are repeated."),
    Kind("has grade .* here, and", "conflicting-judgement", "{count} documents have two grades."),
    Kind("there is no judgement in it", "no-judgements", "{count} files have no judgement."),
    Kind("", "unreadable-judgement", "{count} lines are no judgements."),
)
"""Faults of the reader."""

GRADES = range(5)
"""Grades that are usual."""

_BEGINNING = re.compile(r"[^\W\d_]+")


@dataclass
class Judged:
    """Judgements by topic key, and how the files spell the topics."""

    grades: dict[str, dict[str, int]] = field(default_factory=dict)
    spelt: dict[str, str] = field(default_factory=dict)
    place: dict[str, str] = field(default_factory=dict)
    """Topic key -> where its first judgement is."""

    def relevant(self, key: str) -> set[str]:
        """The relevant documents of a topic."""
        return {document for document, grade in self.grades.get(key, {}).items() if grade > 0}


def inspect_judgements(judgements: Iterable[tuple[str, Qrel]], about: Part) -> Judged:
    """Look at the lines of one key of ``qrels`` by themselves."""
    judged = Judged()
    grades: Counter[int] = Counter()
    clashes: list[str] = []
    for place, (topic, document, grade) in judgements:
        key = topic_key(topic)
        spelt = judged.spelt.setdefault(key, topic)
        judged.place.setdefault(key, place)
        known = judged.grades.setdefault(key, {}).setdefault(document, grade)
        if known != grade:
            clashes.append(f"{place}: topic {topic} ({spelt}), document {document}: {grade} here, {known} before")
        grades[grade] += 1
    if clashes:
        text = f"{some_have(len(clashes), 'document')} different grades for two spellings of one topic."
        about.error("conflicting-judgement", text, hint="Keep one judgement.", count=len(clashes), examples=clashes)
    unusual = {grade: count for grade, count in sorted(grades.items()) if grade not in GRADES}
    if unusual:
        told = ", ".join(f"{grade}: {count:,}" for grade, count in unusual.items())
        text = f"{some_are(sum(unusual.values()), 'grade')} below 0 or above 4 ({told}); below 1 is not relevant."
        about.note("unusual-grade", text, count=sum(unusual.values()))
    if grades and max(grades) <= 0:
        about.error(
            "no-relevant", f"none of the {sum(grades.values()):,} judgements is above 0: nothing is relevant.",
            hint="Is the grade in the fourth column?",
        )  # fmt: skip
    return judged


def inspect_judged_topics(judged: Judged, about: Part, topics: Mapping[str, str]) -> None:
    """The topics of a pair (key -> id) against the judgements of its collection."""
    missing = [id for key, id in topics.items() if key not in judged.grades]
    if topics and len(missing) == len(topics):
        some = ", ".join(list(topics.values())[:3])
        others = ", ".join(list(judged.spelt.values())[:3])
        about.error(
            "unjudged-topic", f"none of the {len(topics):,} topics is judged.",
            hint=f"Topics are spelt as {some}, those of the judgements as {others}: do they belong together?",
            count=len(topics),
        )  # fmt: skip
        return
    if missing:
        text = f"{some_have(len(missing), 'topic', len(topics))} no judgement and will not count."
        about.warning("unjudged-topic", text, count=len(missing), examples=missing)
    without = [id for key, id in topics.items() if key in judged.grades and not judged.relevant(key)]
    if without:
        text = f"{some_have(len(without), 'topic')} no relevant document and will not count."
        about.note("no-relevant-topic", text, count=len(without), examples=without)


def inspect_undeclared(judged: Judged, about: Part, declared: Collection[str]) -> None:
    """Topics of the judgements that no pair asks for."""
    others = [spelt for key, spelt in judged.spelt.items() if key not in declared]
    if others and len(others) < len(judged.spelt):
        text = f"{some_are(len(others), 'judged topic', len(judged.spelt))} not among the topics."
        about.note("undeclared-topic", text, count=len(others), examples=others)


def inspect_judged_documents(
    judged: Judged,
    about: Part,
    topics: Mapping[str, str],
    collection: Container[str],
    searched_by: Callable[[str], Callable[[str], bool]],
) -> set[str]:
    """The judged documents of the topics against the collection; the keys of the topics that can be evaluated.

    ``searched_by``: topic key -> whether a document is in its pool.
    """
    here = outside = outside_relevant = 0
    absent: Counter[str] = Counter()
    absent_relevant: Counter[str] = Counter()
    examples: dict[str, str] = {}
    evaluated: set[str] = set()
    emptied: list[str] = []
    for key, id in topics.items():
        is_searched = searched_by(key)
        found_relevant = False
        for document, grade in judged.grades.get(key, {}).items():
            if not is_searched(document):
                outside += 1
                outside_relevant += grade > 0
            elif document in collection:
                here += 1
                found_relevant |= grade > 0
            else:
                beginning = _beginning(document)
                absent[beginning] += 1
                absent_relevant[beginning] += grade > 0
                examples.setdefault(beginning, document)
        if found_relevant:
            evaluated.add(key)
        elif judged.relevant(key):
            emptied.append(id)
    total = sum(absent.values())
    if total and not here:
        about.error(
            "no-judged-document", f"none of the {counted(total, 'judged document')} is in the collection.",
            hint=f"The ids do not fit: judged is {_first(examples)}.",
            count=total, examples=_told(absent, examples), is_listed=True,
        )  # fmt: skip
        return evaluated
    if total:
        relevant = sum(absent_relevant.values())
        text = f"{share(total, total + here)} judged documents are not in the collection, {relevant:,} relevant."
        told = [
            f"{name}: {count:,}, {absent_relevant[name]:,} relevant, such as {examples[name]}"
            for name, count in absent.most_common()
        ]
        about.note("absent-document", text, count=total, examples=told, is_listed=True)
    if outside:
        text = f"{some_are(outside, 'judgement')} outside the pool of their topic, {outside_relevant:,} relevant."
        about.note("judged-outside-pool", text, count=outside)
    if emptied:
        text = f"{some_have(len(emptied), 'topic')} relevant documents, but none of them here, and will not count."
        about.note("emptied-topic", text, count=len(emptied), examples=emptied)
    return evaluated


def _beginning(id: str) -> str:
    match = _BEGINNING.match(id)
    return match[0] if match else "(digits)"


def _told(counts: Counter[str], examples: Mapping[str, str]) -> list[str]:
    return [f"{name}: {count:,}, such as {examples[name]}" for name, count in counts.most_common()]


def _first(examples: Mapping[str, str]) -> str:
    return next(iter(examples.values()))


def repeated_texts(texts: Mapping[str, str]) -> list[list[str]]:
    """Keys of topics whose texts (in normal form) are the same, in groups."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for key, text in texts.items():
        if text:
            groups[text].append(key)
    return [keys for keys in groups.values() if len(keys) > 1]
