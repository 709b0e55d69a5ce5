"""Which source and target words ever meet in a sentence pair: the cells of a translation table.

Training asks for the cell of every (source position, target position) of every sentence pair, in both directions and
in every iteration. Looking up a hash table so often would take most of the time. Here the cell numbers of a stretch of
text are found all at once, source word by source word: its row is spread out over an array of the target vocabulary,
and then all its occurrences are walked. Text whose numbers fit into memory is numbered once; larger text again in
every iteration, stretch by stretch.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numba
import numpy as np

from clir_cli.translation.alignment.prepared_text import PreparedText

_compiled: Any = numba.njit(cache=True, nogil=True)
MOST_NUMBERS = 1 << 27
"""Cell numbers kept in memory at once (4 bytes each)."""
_BLOCK = 1 << 20
"""Cell numbers of a block, which is what one thread works on at a time; a constant, as sums are made block by block."""
_FREQUENT = 20
"""Words of large texts that come more often than this are no translations where they meet once."""


class Stretch(NamedTuple):
    """The sentence pairs ``first`` to ``last`` (not included); ``ids`` int32: the cell of (i, j) of pair k is
    ``ids[offsets[k] - offsets[first] + i * J + j]`` with J target words. ``blocks``: (first, last) pairs."""

    first: int
    last: int
    ids: np.ndarray
    blocks: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Occurrences:
    """Where each source word stands: ``pair`` and ``position`` int32 [source tokens], those of word s at
    ``start[s]:start[s + 1]``, in the order of the text."""

    start: np.ndarray
    pair: np.ndarray
    position: np.ndarray


class Cells:
    """The cells of a text in CSR form: word s has ``target[start[s]:start[s + 1]]`` (int32, in no order).

    In a text too large to be numbered at once, two words that both come often and meet only once have no cell of their
    own, which saves a good part of the memory; their number is ``len(cells)``. (In smaller texts that was seen to cost
    some accuracy: free translations link such words.)
    """

    def __init__(self, text: PreparedText) -> None:
        self._text = text
        self.offsets = _sizes(text.source_start, text.target_start)
        self._words = len(text.target_words)
        self._occurrences = _Occurrences(*_group(text.sources, text.source_start, len(text.source_words)))
        fits = int(self.offsets[-1]) <= MOST_NUMBERS
        self._ids = np.empty(self.offsets[-1] if fits else 0, np.int32)
        where = self._occurrences
        frequency = np.bincount(text.targets, minlength=self._words)
        self.start, self.target = _find(
            where.start, where.pair, where.position, text.targets, text.target_start, self.offsets, frequency,
            np.iinfo(np.int32).max if fits else _FREQUENT, self._ids,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.target)

    def stretches(self) -> Iterator[Stretch]:
        """The whole text, in one stretch if its numbers fit into memory."""
        if len(self._ids):
            pairs = len(self._text)
            yield Stretch(0, pairs, self._ids, self._blocks(0, pairs))
            return
        where = self._occurrences
        next_of_word = where.start[:-1].copy()
        first = 0
        while first < len(self._text):
            last = self._end(first, MOST_NUMBERS)
            ids = np.empty(self.offsets[last] - self.offsets[first], np.int32)
            _number(
                first, last, next_of_word, where.start, where.pair, where.position, self._text.targets,
                self._text.target_start, self.offsets, self.start, self.target, self._words, ids,
            )  # fmt: skip
            yield Stretch(first, last, ids, self._blocks(first, last))
            first = last

    def _blocks(self, first: int, last: int) -> list[tuple[int, int]]:
        blocks = []
        while first < last:
            end = min(self._end(first, _BLOCK), last)
            blocks.append((first, end))
            first = end
        return blocks

    def _end(self, first: int, most: int) -> int:
        """The pair before which a stretch from ``first`` with at most so many numbers ends; it has at least one."""
        end = int(np.searchsorted(self.offsets, self.offsets[first] + most, "right")) - 1
        return max(end, first + 1)


@_compiled
def _sizes(source_start, target_start):  # type: ignore[no-untyped-def]
    """``offsets`` int64 [pairs + 1]: the cell numbers of all pairs before."""
    offsets = np.zeros(len(source_start), np.int64)
    for k in range(len(source_start) - 1):
        size = (source_start[k + 1] - source_start[k]) * (target_start[k + 1] - target_start[k])
        offsets[k + 1] = offsets[k] + size
    return offsets


@_compiled
def _group(sources, source_start, words):  # type: ignore[no-untyped-def]
    """The arrays of ``_Occurrences``."""
    start = np.zeros(words + 1, np.int64)
    for s in sources:
        start[s + 1] += 1
    for s in range(words):
        start[s + 1] += start[s]
    free = start[:-1].copy()
    pair, position = np.empty(len(sources), np.int32), np.empty(len(sources), np.int32)
    for k in range(len(source_start) - 1):
        for i in range(source_start[k], source_start[k + 1]):
            s = sources[i]
            pair[free[s]] = k
            position[free[s]] = i - source_start[k]
            free[s] += 1
    return start, pair, position


@_compiled
def _find(  # type: ignore[no-untyped-def]
    row_start, pair, position, targets, target_start, offsets, frequency, frequent, ids
):
    """``start, target`` of the cells; fills ``ids`` where it has room, which takes that every meeting has a cell."""
    words = len(row_start) - 1
    met = np.zeros(len(frequency), np.int32)  # times that a target word meets the present source word
    cell = np.empty(len(frequency), np.int32)
    here = np.empty(len(frequency), np.int32)  # the target words met
    start = np.zeros(words + 1, np.int64)
    target = np.empty(1 << 16, np.int32)
    found = 0
    for s in range(words):
        count = 0
        for r in range(row_start[s], row_start[s + 1]):
            k = pair[r]
            for j in range(target_start[k], target_start[k + 1]):
                t = targets[j]
                if met[t] == 0:
                    here[count] = t
                    count += 1
                met[t] += 1
        if found + count > len(target):
            larger = np.empty(max(len(target) * 3 // 2, found + count), np.int32)
            larger[:found] = target[:found]
            target = larger
        is_frequent = row_start[s + 1] - row_start[s] > frequent
        for c in range(count):
            t = here[c]
            if is_frequent and met[t] == 1 and frequency[t] > frequent:
                met[t] = 0
                continue
            cell[t] = found
            target[found] = t
            found += 1
            met[t] = 0
        start[s + 1] = found
        if len(ids):
            for r in range(row_start[s], row_start[s + 1]):
                k = pair[r]
                first = target_start[k]
                length = target_start[k + 1] - first
                row = offsets[k] + position[r] * length
                for j in range(length):
                    ids[row + j] = cell[targets[first + j]]
    return start, target[:found].copy()


@_compiled
def _number(  # type: ignore[no-untyped-def]
    first_pair, last_pair, next_of_word, row_start, pair, position, targets, target_start, offsets, cell_start,
    cell_target, target_words, ids,
):  # fmt: skip
    """Fill ``ids`` of a stretch; ``next_of_word`` moves on to the occurrences after it."""
    none = len(cell_target)
    cell = np.full(target_words, none, np.int32)  # of the present source word with each target word
    base = offsets[first_pair]
    for s in range(len(row_start) - 1):
        r = next_of_word[s]
        if r == row_start[s + 1] or pair[r] >= last_pair:
            continue
        for c in range(cell_start[s], cell_start[s + 1]):
            cell[cell_target[c]] = c
        while r < row_start[s + 1] and pair[r] < last_pair:
            k = pair[r]
            first = target_start[k]
            length = target_start[k + 1] - first
            row = offsets[k] - base + position[r] * length
            for j in range(length):
                ids[row + j] = cell[targets[first + j]]
            r += 1
        next_of_word[s] = r
        for c in range(cell_start[s], cell_start[s + 1]):
            cell[cell_target[c]] = none
