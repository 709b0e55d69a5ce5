"""From the cells of an aligner to a translation table: small entries and long tails go, and words left with nothing."""

import numpy as np
from scipy.sparse import csr_matrix

from clir_cli.translation.pruning import best_entries
from clir_cli.translation.table import TranslationTable, table_without_empty


def prune_cells(
    source_words: list[str],
    target_words: list[str],
    sources: np.ndarray,
    targets: np.ndarray,
    p: np.ndarray,
    *,
    min_probability: float,
    max_translations: int,
) -> TranslationTable:
    """P(target | source) as a table: ``p`` [cells] of the words numbered ``sources`` and ``targets`` [cells], each cell
    once.

    Entries below ``min_probability``, and of 0, go; the best ``max_translations`` of a word stay (equal p: the smaller
    word first). What stays is **not** renormalised: M^tr wants probabilities as they are, and the first stage
    normalises within a query word itself. Words without entries leave, so that "in the table" means "has a
    translation".
    """
    kept = np.flatnonzero((p >= min_probability) & (p > 0))
    entries = (p[kept].astype(np.float32), (sources[kept], targets[kept]))
    matrix = csr_matrix(entries, (len(source_words), len(target_words)))
    matrix.sort_indices()
    return table_without_empty(source_words, target_words, best_entries(matrix, max_translations))
