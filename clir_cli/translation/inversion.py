"""The other direction of a table of probabilities, by Bayes' rule."""

import numpy as np
from scipy.sparse import csr_matrix

from clir_cli.translation.pruning import normalised_rows, rows_of


def invert_probabilities(matrix: csr_matrix, prior: np.ndarray | None = None) -> csr_matrix:
    """P(t | s), [S, T], as P(s | t) = P(t | s) P(s) / sum over s' of P(t | s') P(s'), [T, S].

    ``prior``: P(s), [S], not negative, any scale; None is uniform. Rows sum to 1, or are empty where no source word
    with a prior has the target word.
    """
    weights = np.asarray(matrix.data)
    if prior is not None:
        # Not in float32: a prior of counts may be large, and only its proportions matter.
        weights = weights * np.asarray(prior, np.float64)[rows_of(matrix)]
    turned = csr_matrix((weights, matrix.indices, matrix.indptr), matrix.shape).T.tocsr()
    turned.eliminate_zeros()
    turned.sort_indices()
    return normalised_rows(turned).astype(np.float32)
