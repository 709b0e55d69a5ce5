"""One set of links out of the two directions of an alignment (Koehn, Och, Marcu 2003; the heuristics of Moses)."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numba
import numpy as np

Method = Literal["forward", "backward", "intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and"]
METHODS: tuple[Method, ...] = get_args(Method)

_compiled: Any = numba.njit(cache=True)


@dataclass(frozen=True, slots=True)
class Links:
    """Which words of each sentence pair are translations of each other.

    Pair k has the links ``start[k]:start[k + 1]`` (int64 [pairs + 1]) of ``source`` and ``target`` (int16 [links]):
    positions within the sentences, from 0. Within a pair links are distinct and sorted by (source, target).
    """

    start: np.ndarray
    source: np.ndarray
    target: np.ndarray

    def __len__(self) -> int:
        """Number of sentence pairs."""
        return len(self.start) - 1

    def of(self, pair: int) -> list[tuple[int, int]]:
        """The links of one pair as (source position, target position)."""
        span = slice(self.start[pair], self.start[pair + 1])
        return list(zip(self.source[span].tolist(), self.target[span].tolist(), strict=True))


def symmetrise(
    forward: np.ndarray, backward: np.ndarray, source_start: np.ndarray, target_start: np.ndarray, method: Method
) -> Links:
    """Combine ``forward`` int16 [target tokens], the source position of each target word or -1, with ``backward``
    int16 [source tokens], the target position of each source word or -1.

    ``forward`` and ``backward`` as methods take one direction as it is; ``intersection`` and ``union`` of both need no
    words. ``grow-diag`` begins with the intersection and adds links of the union that touch a link, sideways or across
    a corner, while one of their two words has none; over and over, in the order of target and then source words, until
    nothing changes. ``grow-diag-final`` then adds the rest of either direction (forward first) where one of the two
    words still has no link, ``grow-diag-final-and`` where both have none.

    Raises ``ValueError`` where the arrays do not fit together.
    """
    if method not in METHODS:
        raise ValueError(f"{method!r} is none of {', '.join(METHODS)}")
    if len(forward) != target_start[-1] or len(backward) != source_start[-1] or len(source_start) != len(target_start):
        raise ValueError(f"{len(forward)} and {len(backward)} words do not fit {target_start[-1]}, {source_start[-1]}")
    code = METHODS.index(method)
    return Links(*_combine(forward, backward, source_start, target_start, code))


_FORWARD, _BACKWARD, _INTERSECTION, _UNION, _GROW_DIAG, _FINAL, _FINAL_AND = range(len(METHODS))

# (target step, source step) to the eight neighbours of a link: the straight ones first, as in Moses.
_STEPS = np.array([(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)], np.int64)


@_compiled
def _combine(forward, backward, source_start, target_start, method):  # type: ignore[no-untyped-def]
    """``start, source, target`` of ``Links``."""
    pairs = len(source_start) - 1
    cells = rows = columns = 1
    for k in range(pairs):
        n, m = source_start[k + 1] - source_start[k], target_start[k + 1] - target_start[k]
        cells, rows, columns = max(cells, n * m), max(rows, n), max(columns, m)
    linked = np.zeros(cells, np.bool_)  # [source words, target words] of one pair
    has_source, has_target = np.zeros(rows, np.bool_), np.zeros(columns, np.bool_)  # words that have a link
    start = np.zeros(pairs + 1, np.int64)
    # The union is the most that there can be; pages that are never written to take no memory.
    source = np.empty(len(forward) + len(backward), np.int16)
    target = np.empty(len(forward) + len(backward), np.int16)
    found = 0
    for k in range(pairs):
        f, b = forward[target_start[k] : target_start[k + 1]], backward[source_start[k] : source_start[k + 1]]
        n, m = len(b), len(f)
        for j in range(m):
            if f[j] >= n:
                raise ValueError("forward has a source position outside its sentence")
        for i in range(n):
            if b[i] >= m:
                raise ValueError("backward has a target position outside its sentence")
        grid = linked[: n * m].reshape(n, m)
        grid[:] = False
        if method in (_FORWARD, _UNION):
            for j in range(m):
                if f[j] >= 0:
                    grid[f[j], j] = True
        if method in (_BACKWARD, _UNION):
            for i in range(n):
                if b[i] >= 0:
                    grid[i, b[i]] = True
        if method == _INTERSECTION or method >= _GROW_DIAG:
            has_source[:n] = False
            has_target[:m] = False
            for j in range(m):
                if f[j] >= 0 and b[f[j]] == j:
                    grid[f[j], j] = has_source[f[j]] = has_target[j] = True
        if method >= _GROW_DIAG:
            _grow(grid, f, b, has_source, has_target)
        if method >= _FINAL:
            _finish(grid, f, b, has_source, has_target, method == _FINAL_AND)
        for i in range(n):
            for j in range(m):
                if grid[i, j]:
                    source[found] = i
                    target[found] = j
                    found += 1
        start[k + 1] = found
    return start, source[:found].copy(), target[:found].copy()


@_compiled
def _grow(grid, f, b, has_source, has_target):  # type: ignore[no-untyped-def]
    n, m = grid.shape
    grown = True
    while grown:
        grown = False
        for j in range(m):
            if not has_target[j]:
                continue
            for i in range(n):
                if not grid[i, j]:
                    continue
                for step in range(len(_STEPS)):
                    v, u = j + _STEPS[step, 0], i + _STEPS[step, 1]
                    if not (0 <= v < m and 0 <= u < n) or (has_source[u] and has_target[v]):
                        continue
                    if f[v] == u or b[u] == v:
                        grid[u, v] = has_source[u] = has_target[v] = True
                        grown = True


@_compiled
def _finish(grid, f, b, has_source, has_target, both):  # type: ignore[no-untyped-def]
    n, m = grid.shape
    for j in range(m):
        i = f[j]
        if i >= 0 and _may_join(has_source[i], has_target[j], both):
            grid[i, j] = has_source[i] = has_target[j] = True
    # Backward links in the order of their target words, as above; those of one target word by source word.
    for j in range(m):
        if has_target[j] and both:
            continue
        for i in range(n):
            if b[i] == j and _may_join(has_source[i], has_target[j], both):
                grid[i, j] = has_source[i] = has_target[j] = True


@_compiled
def _may_join(has_source, has_target, both):  # type: ignore[no-untyped-def]
    return not (has_source or has_target) if both else not (has_source and has_target)
