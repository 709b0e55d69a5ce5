"""Which entries of a sparse matrix of probabilities stay, whole tables at a time; per word, ``rules`` says the same.

Matrices are [S, T] CSR with sorted columns; each function gives a new one, in the same type, and leaves its argument
(which may lie on disk) as it is. Rows may end up empty. A million entries take about a quarter of a second at most.
"""

import numpy as np
from scipy.sparse import csr_matrix

ROUNDING = 1e-6
"""Probabilities are float32: a sum this far above the cut is at the cut."""


def entries_above(matrix: csr_matrix, threshold: float) -> csr_matrix:
    """Entries of p > ``threshold``, strictly."""
    return keep_entries(matrix, matrix.data > threshold)


def best_entries(matrix: csr_matrix, count: int) -> csr_matrix:
    """The ``count`` largest of each row; of equal ones those with smaller columns."""
    order, begins = rank_entries(matrix)
    kept = np.zeros(matrix.nnz, bool)
    kept[order] = np.arange(matrix.nnz) - begins < count
    return keep_entries(matrix, kept)


def cut_entries(matrix: csr_matrix, mass: float) -> csr_matrix:
    """The largest of each row while they sum to no more than ``mass``, and always the first (equal ones by column)."""
    order, begins = rank_entries(matrix)
    sums = np.concatenate(([0.0], np.cumsum(matrix.data[order], dtype=np.float64)))
    place = np.arange(matrix.nnz)
    kept = np.zeros(matrix.nnz, bool)
    kept[order] = (place == begins) | (sums[1:] - sums[begins] <= mass + ROUNDING)
    return keep_entries(matrix, kept)


def normalised_rows(matrix: csr_matrix) -> csr_matrix:
    """Each row divided by its sum."""
    sums = row_sums(matrix)
    scale = np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0)
    data = (matrix.data * np.repeat(scale, np.diff(matrix.indptr))).astype(matrix.dtype)
    return csr_matrix((data, matrix.indices.copy(), matrix.indptr.copy()), matrix.shape)


def row_sums(matrix: csr_matrix) -> np.ndarray:
    """[S] float64."""
    return np.bincount(rows_of(matrix), weights=matrix.data, minlength=matrix.shape[0]).astype(np.float64)


def rows_of(matrix: csr_matrix) -> np.ndarray:
    """The row of each entry, [entries] int32."""
    return np.repeat(np.arange(matrix.shape[0], dtype=np.int32), np.diff(matrix.indptr))


def keep_entries(matrix: csr_matrix, kept: np.ndarray) -> csr_matrix:
    """The entries where ``kept`` ([entries] bool) is true."""
    ends = np.concatenate(([0], np.cumsum(kept)))[matrix.indptr].astype(matrix.indptr.dtype)
    return csr_matrix((matrix.data[kept], matrix.indices[kept], ends), matrix.shape)


def rank_entries(matrix: csr_matrix) -> tuple[np.ndarray, np.ndarray]:
    """Entries in the order of their rows, within a row best first and equal ones by column; and, for each place of
    that order, the place where its row begins."""
    # Numbers that are not negative order as their bits do: one sort of one integer an entry serves row and p at once.
    bits = np.asarray(matrix.data, np.float32).view(np.uint32).astype(np.int64)
    keys = (rows_of(matrix).astype(np.int64) << 32) - bits
    order = np.argsort(keys, kind="stable")
    return order, np.repeat(matrix.indptr[:-1].astype(np.int64), np.diff(matrix.indptr))
