"""From the cells of an aligner to a translation table: small entries and long tails go, and words left with nothing."""

from typing import Any

import numba
import numpy as np
from scipy.sparse import csr_matrix

from clir_cli.translation.table import TranslationTable

_compiled: Any = numba.njit(cache=True)


def prune_cells(
    source_words: list[str],
    target_words: list[str],
    cell_start: np.ndarray,
    cell_target: np.ndarray,
    p: np.ndarray,
    *,
    min_probability: float,
    max_translations: int,
) -> TranslationTable:
    """P(target | source) in CSR form (``cell_start`` int64 [source words + 1], ``cell_target`` [cells], columns sorted
    within a row, ``p`` [cells]) as a table.

    Entries below ``min_probability``, and of 0, go; the best ``max_translations`` of a word stay (equal p: the smaller
    word first). What stays is **not** renormalised: M^tr wants probabilities as they are, and the first stage
    normalises within a query word itself. Words without entries leave, so that "in the table" means "has a
    translation".
    """
    keep, indptr = _kept(cell_start, p, np.float64(min_probability), max_translations)
    rows = np.flatnonzero(np.diff(indptr))
    indptr = np.append(indptr[rows], indptr[-1])
    columns = cell_target[keep]
    used = np.zeros(len(target_words), np.bool_)
    used[columns] = True
    number = np.cumsum(used, dtype=np.int32) - 1
    shape = (len(rows), int(used.sum()))
    matrix = csr_matrix((p[keep].astype(np.float32), number[columns].astype(np.int32), indptr), shape)
    targets = np.flatnonzero(used).tolist()
    return TranslationTable([source_words[i] for i in rows.tolist()], [target_words[i] for i in targets], matrix)


@_compiled
def _kept(cell_start, p, least, most):  # type: ignore[no-untyped-def]
    """Which cells stay, and where the rows of those begin."""
    keep = np.zeros(len(p), np.bool_)
    begin = np.zeros(len(cell_start), np.int64)
    for s in range(len(cell_start) - 1):
        first, last = cell_start[s], cell_start[s + 1]
        count = 0
        for c in range(first, last):
            if p[c] >= least and p[c] > 0:
                keep[c] = True
                count += 1
        if count > most:
            # Columns are sorted: a stable sort leaves the smaller word first among equals.
            order = np.argsort(-p[first:last], kind="mergesort")
            for rank in range(most, last - first):
                keep[first + order[rank]] = False
        begin[s + 1] = begin[s] + min(count, most)
    return keep, begin
