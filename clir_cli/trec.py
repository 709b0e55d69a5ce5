"""TREC runs and qrels, read and written in one canonical order."""

import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from clir_cli.errors import DataError
from clir_cli.lines import read_lines, write_whole
from clir_cli.records import Qrels, Run, ScoredDoc

Value = TypeVar("Value", int, float)
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


def rank(scored: Iterable[tuple[str, float]], depth: int | None = None) -> list[ScoredDoc]:
    """The canonical order: score descending, then document id descending, as trec_eval breaks ties; cut at ``depth``.

    Raises ``DataError`` for a score that is no number: it has no place in an order.
    """
    documents = [ScoredDoc(document, float(score)) for document, score in scored]
    for entry in documents:
        if math.isnan(entry.score):
            raise DataError(f"The score of document {entry.document} is not a number.")
    documents.sort(key=lambda entry: (entry.score, entry.document), reverse=True)
    return documents if depth is None else documents[:depth]


def read_run(path: Path) -> Run:
    """A run file: ``topic Q0 document rank score tag``, columns parted by spaces or tabs, plain or gzipped.

    The rank column is not looked at; every list comes in canonical order, topics in the order of the file.
    Raises ``DataError`` with file and line for other columns, a score that is no number, a document named twice.
    """
    scores: dict[str, dict[str, float]] = {}
    for number, line in read_lines(path):
        columns = line.split()
        if not columns:
            continue
        if len(columns) != 6:
            raise DataError(
                f"{path}:{number}: {len(columns)} columns, but a line of a run has 6.",
                "Write `topic Q0 document rank score tag`, with no white space inside an id.",
            )
        topic, _, document, _, score, _ = columns
        _add(scores.setdefault(topic, {}), topic, document, _as_score(score, path, number), f"{path}:{number}")
    return {topic: rank(documents.items()) for topic, documents in scores.items()}


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


def read_qrels(path: Path) -> Qrels:
    """Relevance judgements: ``topic 0 document grade``, columns parted by spaces or tabs, plain or gzipped.

    Raises ``DataError`` with file and line for other columns, a grade that is no whole number, a document judged twice,
    and for a file without a judgement.
    """
    qrels: Qrels = {}
    for number, line in read_lines(path):
        columns = line.split()
        if not columns:
            continue
        if len(columns) != 4:
            raise DataError(
                f"{path}:{number}: {len(columns)} columns, but a line of qrels has 4.",
                "It is `topic 0 document grade`.",
            )
        topic, _, document, grade = columns
        if not _WHOLE_NUMBER.fullmatch(grade):
            raise DataError(f"{path}:{number}: the grade of document {document} is {grade!r}.", "Write a whole number.")
        _add(qrels.setdefault(topic, {}), topic, document, int(grade), f"{path}:{number}")
    if not qrels:
        raise DataError(f"{path}: there is no judgement in it.", "Lines are `topic 0 document grade`.")
    return qrels


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
    """Whether ``value`` can be one column of a TREC file: not empty and without white space."""
    return len(value.split()) == 1 and value == value.strip()


def _parts(id: str) -> list[str]:
    return re.split(r"([0-9]+)", id)


def _add(judged: dict[str, Value], topic: str, document: str, value: Value, place: str) -> None:
    if document in judged:
        raise DataError(f"{place}: document {document} is twice in topic {topic}.", "Keep one of the two lines.")
    judged[document] = value


def _as_score(text: str, path: Path, number: int) -> float:
    try:
        score = math.nan if "_" in text else float(text)
    except ValueError:
        score = math.nan
    if math.isnan(score):
        raise DataError(f"{path}:{number}: the score {text!r} is not a number.", "The fifth column is the score.")
    return score


def _check_column(value: str, what: str) -> None:
    if not is_column(value):
        raise DataError(f"The {what} {value!r} cannot be a column of a TREC file.", "Ids hold no white space.")
