"""TREC runs and qrels, read and written in one canonical order."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_lines, read_text, write_whole
from clir_cli.records import Qrel, Qrels, Run, ScoredDoc

_RUN_COLUMNS = "topic Q0 document rank score tag"
_QRELS_COLUMNS = "topic 0 document grade"
_GRADE = re.compile(r"([+-]?[0-9]{1,9})(?:\.0+)?")
_PART = 1 << 16  # letters split at a time: their words stay in the processor's cache
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


def rank(scored: Iterable[tuple[str, float]], depth: int | None = None) -> list[ScoredDoc]:
    """The canonical order: score descending, then document id descending, as trec_eval breaks ties; cut at ``depth``.

    Raises ``DataError`` for a score that is no number: it has no place in an order.
    """
    documents = [ScoredDoc(document, float(score)) for document, score in scored]
    documents.sort(key=itemgetter(1, 0), reverse=True)  # score, then document
    for entry in documents:
        if math.isnan(entry[1]):
            raise DataError(f"The score of document {entry.document} is not a number.")
    return documents if depth is None else documents[:depth]


class RunLine(NamedTuple):
    """One line of a run file, as it is written."""

    topic: str
    document: str
    rank: str
    score: float
    tag: str


def read_run(path: Path, on_fault: FaultHandler = stop_at_fault) -> Run:
    """A run file: ``topic Q0 document rank score tag``, columns parted by spaces or tabs, plain or gzipped.

    The rank column is not looked at; every list comes in canonical order, topics in the order of the file.
    Faults are those of ``scan_run``. A file without a line is a run without topics.
    """
    return {topic: rank(documents.items()) for topic, documents in read_scores(path, on_fault).items()}


def read_scores(path: Path, on_fault: FaultHandler = stop_at_fault) -> dict[str, dict[str, float]]:
    """What ``read_run`` reads, before anything is ranked: topic -> document -> score, in the order of the file."""
    scores = _read_flawless(Path(path))
    if scores is None:  # slower, but it knows where things are
        scores = {}
        for _, line in scan_run(path, on_fault):
            scores.setdefault(line.topic, {})[line.document] = line.score
    return scores


def _read_flawless(path: Path) -> dict[str, dict[str, float]] | None:
    """Topic -> document -> score of a run in which every line is as it should be; None at the first that may not be.

    Several times as fast as ``scan_run``: it keeps no places, and splits many lines at once.
    """
    scores: dict[str, dict[str, float]] = {}
    width = len(_RUN_COLUMNS.split()) + 1
    lines = 0
    try:
        for _, text in read_text(path):
            if "\0" in text or ("\r" in text and "\n" not in text):
                return None
            for part in _cut_at_lines(text):
                # A mark where a line ends: every seventh word is one, or some line has more columns than it should.
                words = part.replace("\n", " \0 ").split()
                if words[-1:] != ["\0"]:  # the last line of a file may lack its end
                    words.append("\0")
                topics, documents, texts, ends = (words[column::width] for column in (0, 2, 4, 6))
                if len(words) != width * len(ends) or ends.count("\0") != len(ends) or "_" in "".join(texts):
                    return None
                values = list(map(float, texts))
                if any(map(math.isnan, values)):
                    return None
                start = 0
                for topic, group in groupby(topics):
                    end = start + len(list(group))
                    scores.setdefault(topic, {}).update(zip(documents[start:end], values[start:end], strict=True))
                    start = end
                lines += len(ends)
    except (DataError, ValueError):  # a file that cannot be read, a score that is no number
        return None
    return scores if lines == sum(map(len, scores.values())) else None  # else a document is there twice


def _cut_at_lines(text: str) -> Iterator[str]:
    """``text`` in parts of whole lines."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + _PART) + 1 or len(text)
        yield text[start:end]
        start = end


def scan_run(path: Path, on_fault: FaultHandler = stop_at_fault) -> Iterator[tuple[str, RunLine]]:
    """``(file:line, line)`` of a run file, in its order.

    Faults, with file and line: other columns, a score that is no number (infinite ones are), a document that is in the
    list of a topic already.
    """
    seen: dict[tuple[str, str], str] = {}
    for place, (topic, _, document, position, text, tag) in _read_columns(Path(path), "a run", _RUN_COLUMNS, on_fault):
        score = _as_score(text)
        if math.isnan(score):
            on_fault(DataError(f"{place}: the score {text!r} is not a number.", "The fifth column is the score."))
        elif (earlier := seen.setdefault((topic, document), place)) is not place:
            problem = f"{place}: document {document} is twice in topic {topic}, first at {earlier}."
            on_fault(DataError(problem, "Keep one of the two lines."))
        else:
            yield place, RunLine(topic, document, position, score, tag)


def check_run(path: Path) -> list[tuple[str, str]]:
    """What is strange in a run, but no fault, as ``(file:line, sentence)``: at most one remark of a kind and topic.

    A rank that is no whole number or contradicts the scores, by which alone lists are ordered, and a second tag.
    Equal ranks contradict nothing. Faulty lines are passed over.
    """
    lines: dict[str, list[tuple[int, float, str]]] = {}  # topic -> (rank, -score, place)
    remarks: dict[tuple[str, str], tuple[str, str]] = {}
    tag = ""
    for place, line in scan_run(path, lambda fault: None):
        tag = tag or line.tag
        if line.tag != tag:
            remarks.setdefault(("tag", ""), (place, f"The tag is {line.tag} here, and {tag} before."))
        if _WHOLE_NUMBER.fullmatch(line.rank):
            lines.setdefault(line.topic, []).append((int(line.rank), -line.score, place))
        else:
            text = f"The rank {line.rank!r} of topic {line.topic} is no whole number."
            remarks.setdefault(("number", line.topic), (place, text))
    for topic, ranked in lines.items():
        ranked.sort()
        for (_, above, _), (position, below, place) in pairwise(ranked):
            if below < above:
                text = f"Topic {topic} has a higher score at rank {position} than above it; scores count, not ranks."
                remarks["order", topic] = (place, text)
                break
    return list(remarks.values())


def write_run(path: Path, run: Run, tag: str) -> None:
    """Write ``run`` in full precision, in canonical order, ranks from 1, topics in natural order; ``.gz`` is packed.

    Raises ``DataError`` for an id or tag that cannot be a column.
    """
    _check_column(tag, "tag")
    with write_whole(path) as file:
        for topic in natural_order(run):
            _check_column(topic, "topic")
            for place, (document, score) in enumerate(rank(run[topic]), start=1):
                _check_column(document, "document")
                file.write(f"{topic} Q0 {document} {place} {score!r} {tag}\n")


def read_qrels(paths: Path | Sequence[Path], on_fault: FaultHandler = stop_at_fault) -> Qrels:
    """Relevance judgements of one file, or of several that are read as one.

    Faults are those of ``scan_qrels``. Raises ``DataError`` where there is no judgement in the end.
    """
    qrels: Qrels = {}
    for _, (topic, document, grade) in scan_qrels(paths, on_fault):
        qrels.setdefault(topic, {})[document] = grade
    if not qrels:
        named = paths if isinstance(paths, str | Path) else ", ".join(map(str, paths))
        raise _no_judgement(named)
    return qrels


def scan_qrels(paths: Path | Sequence[Path], on_fault: FaultHandler = stop_at_fault) -> Iterator[tuple[str, Qrel]]:
    """``(file:line, judgement)`` of the files: ``topic 0 document grade``, by spaces or tabs, plain or gzipped.

    Grades below 0 are kept (they are not relevant), and 1.0 is 1. Faults, with file and line: other columns, a grade
    that is no whole number, a document that is judged already for that topic (the first judgement stays), a file
    without a judgement.
    """
    seen: dict[tuple[str, str], tuple[int, str]] = {}
    for path in [paths] if isinstance(paths, str | Path) else paths:
        yield from _scan_judgements(Path(path), seen, on_fault)


def _scan_judgements(
    path: Path, seen: dict[tuple[str, str], tuple[int, str]], on_fault: FaultHandler
) -> Iterator[tuple[str, Qrel]]:
    lines = 0

    def count_and_report(fault: DataError) -> None:
        nonlocal lines
        lines += 1
        on_fault(fault)

    for place, (topic, _, document, text) in _read_columns(path, "qrels", _QRELS_COLUMNS, count_and_report):
        lines += 1
        match = _GRADE.fullmatch(text)
        if match is None:
            on_fault(DataError(f"{place}: the grade of document {document} is {text!r}.", "Write a whole number."))
            continue
        grade = int(match[1])
        known, earlier = seen.setdefault((topic, document), (grade, place))
        if earlier is place:
            yield place, Qrel(topic, document, grade)
        else:
            on_fault(_judged_again(place, topic, document, (known, grade), earlier))
    if not lines:
        on_fault(_no_judgement(path))


def write_qrels(path: Path, qrels: Qrels) -> None:
    """Write ``qrels``, topics and documents in natural order; ``.gz`` is packed.

    Raises ``DataError`` for an id that cannot be a column.
    """
    with write_whole(path) as file:
        for topic in natural_order(qrels):
            _check_column(topic, "topic")
            for document in natural_order(qrels[topic]):
                _check_column(document, "document")
                file.write(f"{topic} 0 {document} {qrels[topic][document]}\n")


def natural_order(ids: Iterable[str]) -> list[str]:
    """``ids`` sorted as people count: C9 before C10."""
    return sorted(ids, key=lambda id: ([(part.zfill(20) if part.isdecimal() else part) for part in _parts(id)], id))


def is_column(value: str) -> bool:
    """Whether ``value`` can be one column of a TREC file: not empty, without white space and NUL."""
    return len(value.split()) == 1 and value == value.strip() and "\0" not in value


def _parts(id: str) -> list[str]:
    return re.split(r"([0-9]+)", id)


def _read_columns(path: Path, kind: str, names: str, on_fault: FaultHandler) -> Iterator[tuple[str, list[str]]]:
    """``(file:line, columns)`` of the lines that have as many columns as ``names``."""
    count = len(names.split())
    for number, line in read_lines(path, "utf-8", on_fault):
        columns = line.split()
        if len(columns) == count and "\0" not in line:
            yield f"{path}:{number}", columns
        elif "\0" in line:
            on_fault(DataError(f"{path}:{number}: there is a NUL byte in this line.", "Is it utf-16? Make it utf-8."))
        elif columns:
            found = "1 column" if len(columns) == 1 else f"{len(columns)} columns"
            problem = f"{path}:{number}: {found}, but a line of {kind} has {count}."
            on_fault(DataError(problem, f"Write `{names}`, with no white space inside an id."))


def _judged_again(place: str, topic: str, document: str, grades: tuple[int, int], earlier: str) -> DataError:
    if grades[0] == grades[1]:
        problem = f"{place}: the judgement of document {document} for topic {topic} repeats the one at {earlier}."
        return DataError(problem, "It changes nothing: take the line out.")
    problem = (
        f"{place}: document {document} has grade {grades[1]} for topic {topic} here, and {grades[0]} at {earlier}."
    )
    return DataError(problem, "Keep one of the two lines.")


def _no_judgement(named: object) -> DataError:
    return DataError(f"{named}: there is no judgement in it.", f"Lines are `{_QRELS_COLUMNS}`.")


def _as_score(text: str) -> float:
    """The number that ``text`` is, or nan."""
    try:
        return math.nan if "_" in text else float(text)
    except ValueError:
        return math.nan


def _check_column(value: str, what: str) -> None:
    if not is_column(value):
        raise DataError(
            f"The {what} {value!r} cannot be a column of a TREC file.", "Ids hold no white space and no NUL."
        )
