"""Which documents a re-ranker moved most: where to begin to look."""

from collections.abc import Iterable
from typing import NamedTuple

from clir_cli.records import Qrels, Run
from clir_cli.trec import natural_order


class Move(NamedTuple):
    """A document's ranks before and after, from 1; ``grade`` None where nobody judged it."""

    topic: str
    document: str
    grade: int | None
    before: int
    after: int

    @property
    def up(self) -> int:
        """Ranks that it went up; negative: down."""
        return self.before - self.after


def find_moves(first: Run, second: Run, qrels: Qrels) -> list[Move]:
    """Of every document of ``second``, which ranks candidates of ``first``; one that ``first`` lacks is left out.

    The most raised first, then by topic and new rank.
    """
    order = {topic: place for place, topic in enumerate(natural_order(second))}
    moves = []
    for topic, entries in second.items():
        before = {entry.document: rank for rank, entry in enumerate(first.get(topic, []), 1)}
        grades = qrels.get(topic, {})
        moves += [
            Move(topic, entry.document, grades.get(entry.document), before[entry.document], after)
            for after, entry in enumerate(entries, 1)
            if entry.document in before
        ]
    return sorted(moves, key=lambda move: (-move.up, order[move.topic], move.after))


def most_moved(moves: list[Move], count: int) -> tuple[list[Move], list[Move]]:
    """Of ``find_moves``: the ``count`` that went up most, and those that fell most, worst first."""
    down = [move for move in reversed(moves) if move.up < 0]
    return [move for move in moves if move.up > 0][:count], down[:count]


def mean_move(moves: Iterable[Move], *, relevant: bool) -> tuple[int, float]:
    """(number, mean of ``up``) of the documents judged relevant, or of all others; mean 0 where there are none."""
    chosen = [move.up for move in moves if ((move.grade or 0) > 0) == relevant]
    return len(chosen), sum(chosen) / len(chosen) if chosen else 0.0
