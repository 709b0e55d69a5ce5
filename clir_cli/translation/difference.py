"""How two tables differ: words that one has alone, and how far apart the rows of shared words are."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from clir_cli.translation.pruning import row_sums, rows_of
from clir_cli.translation.table import TranslationTable


@dataclass(frozen=True)
class TableDifference:
    """``only_first``, ``only_second``, ``shared``: source words, sorted. ``distances`` [shared]: total variation
    distance of the two rows, 0 to 1; ``same_best`` [shared]: whether the most probable translation is the same."""

    only_first: list[str]
    only_second: list[str]
    shared: list[str]
    distances: np.ndarray
    same_best: np.ndarray

    def most_different(self, count: int) -> list[tuple[str, float]]:
        """Shared words with the largest distances, those first; equal ones by word."""
        order = np.argsort(-self.distances, kind="stable")[:count]
        return [(self.shared[i], float(self.distances[i])) for i in order if self.distances[i] > 0]


def compare_tables(first: TranslationTable, second: TranslationTable) -> TableDifference:
    """Row by row. The distance is half the sum of all |p - q|, the mass that pruning took from a row being one more
    translation: equal rows have 0, rows without a common translation 1."""
    ours, theirs = set(first.source_words), set(second.source_words)
    shared = [word for word in first.source_words if word in theirs]
    targets = {word: i for i, word in enumerate(sorted({*first.target_words, *second.target_words}))}
    one, other = (_laid_out(table, shared, targets) for table in (first, second))
    apart = row_sums(abs(one - other).tocsr())
    missing = abs(row_sums(one) - row_sums(other))
    return TableDifference(
        [word for word in first.source_words if word not in theirs],
        [word for word in second.source_words if word not in ours],
        shared,
        (apart + missing) / 2,
        _best(one) == _best(other),
    )


def _laid_out(table: TranslationTable, words: list[str], targets: dict[str, int]) -> csr_matrix:
    """The rows of ``words``, [words, targets] float64."""
    number = {word: i for i, word in enumerate(table.source_words)}
    rows = csr_matrix(table.probabilities[np.array([number[word] for word in words], np.int64)])
    columns = np.array([targets[word] for word in table.target_words], np.int64)
    shape = (len(words), len(targets))
    return csr_matrix((rows.data.astype(np.float64), columns[rows.indices], rows.indptr), shape)


def _best(matrix: csr_matrix) -> np.ndarray:
    """The column of the largest entry of each row, the first of equal ones, [rows]; -1 where a row is empty."""
    order = np.lexsort((matrix.indices, -matrix.data, rows_of(matrix)))
    best = np.full(matrix.shape[0], -1, np.int64)
    begins = matrix.indptr[:-1][np.diff(matrix.indptr) > 0]
    best[np.diff(matrix.indptr) > 0] = matrix.indices[order[begins]]
    return best
