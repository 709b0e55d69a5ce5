"""Training pairs: a relevant document and another one for a topic, drawn once for all models.

Every topic has random numbers of its own, made from the seed and its id: adding or leaving out topics does not
change the pairs of the others. Topics are given with the ids that qrels and run have.
"""

import random
from collections.abc import Container, Iterable
from pathlib import Path
from typing import NamedTuple

from clir_cli.errors import ClirError, DataError
from clir_cli.records import Qrels, Run

_HEADER = "epoch\ttopic\tpositive\tnegative"


class TrainingPair(NamedTuple):
    """One comparison: ``positive`` should score above ``negative`` for ``topic``; ``epoch`` counts from 1."""

    epoch: int
    topic: str
    positive: str
    negative: str


class DrawnPairs(NamedTuple):
    """The pairs, epoch by epoch, and the topics that give none, each with the reason."""

    pairs: list[TrainingPair]
    skipped: dict[str, str]


def draw_pairs(
    topics: Iterable[str],
    qrels: Qrels,
    candidates: Run,
    *,
    exists: Container[str],
    mode: str = "per_topic",
    negatives: int = 500,
    epochs: int = 100,
    seed: int = 42,
) -> DrawnPairs:
    """Draw the pairs of all epochs.

    Positives are all judged relevant documents that ``exists`` (the collection) holds, retrieved or not; negatives
    are the first ``negatives`` candidates less the judged relevant ones, unjudged documents among them (MAT, section
    4.2). ``per_topic`` draws one positive and one negative for a topic and epoch; ``per_positive`` takes every
    positive once in an epoch, each with a negative drawn for it.
    """
    if mode not in ("per_topic", "per_positive"):
        raise ClirError(f"There is no way {mode!r} to draw pairs.", "Choose per_topic or per_positive.")
    topics = list(topics)
    skipped = {}
    of_epoch: list[list[TrainingPair]] = [[] for _ in range(epochs)]
    for topic in topics:
        judged = qrels.get(topic, {})
        relevant = sorted(document for document, grade in judged.items() if grade > 0)
        positives = [document for document in relevant if document in exists]
        others = [
            entry.document for entry in candidates.get(topic, [])[:negatives] if judged.get(entry.document, 0) <= 0
        ]
        if not positives or not others:
            skipped[topic] = _reason(bool(relevant), bool(positives))
            continue
        numbers = random.Random(f"training pairs {seed} {topic}")
        for epoch, pairs in enumerate(of_epoch, 1):
            chosen = positives if mode == "per_positive" else [_draw(positives, numbers)]
            pairs.extend(TrainingPair(epoch, topic, positive, _draw(others, numbers)) for positive in chosen)
    return DrawnPairs([pair for pairs in of_epoch for pair in pairs], skipped)


def _draw(documents: list[str], numbers: random.Random) -> str:
    # random() is the one method whose numbers Python promises to keep from version to version.
    return documents[int(numbers.random() * len(documents))]


def _reason(has_relevant: bool, has_positives: bool) -> str:
    if not has_relevant:
        return "no relevant documents"
    return "no candidates that are not relevant" if has_positives else "no relevant document is in the collection"


def write_pairs(path: Path, pairs: Iterable[TrainingPair]) -> None:
    """Write TSV with a header line: epoch, topic, positive, negative. Atomic."""
    partial = path.with_name(path.name + ".partial")
    with partial.open("w", encoding="utf-8", newline="\n") as file:
        file.write(_HEADER + "\n")
        file.writelines(f"{pair.epoch}\t{pair.topic}\t{pair.positive}\t{pair.negative}\n" for pair in pairs)
    partial.replace(path)


def read_pairs(path: Path) -> list[TrainingPair]:
    """Read what ``write_pairs`` wrote. Raises ``DataError`` with file:line."""
    pairs = []
    with path.open(encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if number == 1:
                if line != _HEADER:
                    raise DataError(
                        f"{path}:1: the first line is not the header of a pairs file.", f"Expected: {_HEADER!r}."
                    )
                continue
            fields = line.split("\t")
            if len(fields) != 4 or not fields[0].isdecimal() or int(fields[0]) < 1 or not all(fields):
                raise DataError(
                    f"{path}:{number}: this is not epoch, topic, positive, negative: {line!r}.",
                    "Separate four fields by tabs; the epoch is a number from 1.",
                )
            pairs.append(TrainingPair(int(fields[0]), *fields[1:]))
    return pairs
