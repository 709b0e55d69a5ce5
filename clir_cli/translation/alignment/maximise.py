"""The M-step: expected counts to probabilities."""

from typing import Any

import numba
import numpy as np

from clir_cli.translation.alignment.kernels import BACKWARD, FORWARD, ONE

_compiled: Any = numba.njit(cache=True, nogil=True, error_model="numpy")


@_compiled
def normalise(counts, cells, cell_start, cell_target, target_words, direction):  # type: ignore[no-untyped-def]
    """P(t | s) = count / sum over t and P(s | t) = count / sum over s; ``direction`` FORWARD or BACKWARD: only one."""
    column = np.zeros(target_words, np.float64)
    for s in range(len(cell_start) - 1):
        row = 0.0
        for c in range(cell_start[s], cell_start[s + 1]):
            row += counts[c, 1]
            column[cell_target[c]] += counts[c, 1]
        row = 1.0 / row if row > 0 else 0.0
        if direction != BACKWARD:
            for c in range(cell_start[s], cell_start[s + 1]):
                cells[c, 0] = counts[c, 1] * row
    if direction != FORWARD:
        for t in range(target_words):
            column[t] = 1.0 / column[t] if column[t] > 0 else 0.0
        for c in range(len(cell_target)):
            cells[c, 1] = counts[c, 1] * column[cell_target[c]]


@_compiled
def normalise_with_families(  # type: ignore[no-untyped-def]
    counts, cells, cell_start, cell_target, direction, weight, family_cell, family_cells, source_family,
    target_family, source_share, target_share,
):  # fmt: skip
    """The same with ``weight`` pseudo-counts distributed as the word's family translates (``families``)."""
    sources, targets = len(cell_start) - 1, len(target_family)
    family = np.zeros(family_cells, np.float64)
    source_total, target_total = np.zeros(sources, np.float64), np.zeros(targets, np.float64)
    of_source_family, of_target_family = np.zeros(sources, np.float64), np.zeros(targets, np.float64)
    for s in range(sources):
        for c in range(cell_start[s], cell_start[s + 1]):
            count = counts[c, 1] / ONE
            family[family_cell[c]] += count
            source_total[s] += count
            target_total[cell_target[c]] += count
        of_source_family[source_family[s]] += source_total[s]
    for t in range(targets):
        of_target_family[target_family[t]] += target_total[t]
    for s in range(sources):
        from_source = of_source_family[source_family[s]]
        from_source = weight / from_source if from_source > 0 else 0.0
        by_row = 1.0 / (source_total[s] + weight)
        for c in range(cell_start[s], cell_start[s + 1]):
            t = cell_target[c]
            count = counts[c, 1] / ONE
            shared = family[family_cell[c]]
            if direction != BACKWARD:
                cells[c, 0] = (count + shared * from_source * target_share[t]) * by_row
            if direction != FORWARD:
                from_target = of_target_family[target_family[t]]
                from_target = weight / from_target if from_target > 0 else 0.0
                cells[c, 1] = (count + shared * from_target * source_share[s]) / (target_total[t] + weight)


@_compiled
def normalise_by_bayes(counts, cells, cell_start, cell_target, target_words, direction, prior):  # type: ignore[no-untyped-def]
    """exp(psi(count + prior)) / exp(psi(sum + prior cells)): the mean-field M-step under a symmetric Dirichlet prior.

    Below 1 the prior is sparse: small counts are worth less than they are (Riley and Gildea 2012).
    """
    column, cells_of = np.zeros(target_words, np.float64), np.zeros(target_words, np.int64)
    for s in range(len(cell_start) - 1):
        total = 0.0
        for c in range(cell_start[s], cell_start[s + 1]):
            total += counts[c, 1] / ONE
            column[cell_target[c]] += counts[c, 1] / ONE
            cells_of[cell_target[c]] += 1
        if direction != BACKWARD:
            norm = _digamma(total + prior * (cell_start[s + 1] - cell_start[s]))
            for c in range(cell_start[s], cell_start[s + 1]):
                cells[c, 0] = np.exp(_digamma(counts[c, 1] / ONE + prior) - norm)
    if direction != FORWARD:
        for t in range(target_words):
            column[t] = _digamma(column[t] + prior * cells_of[t]) if cells_of[t] else 0.0
        for c in range(len(cell_target)):
            cells[c, 1] = np.exp(_digamma(counts[c, 1] / ONE + prior) - column[cell_target[c]])


@_compiled
def _digamma(x):  # type: ignore[no-untyped-def]
    """psi(x) for x > 0, to about 1e-9: the asymptotic series from 6 on, and psi(x) = psi(x + 1) - 1 / x below."""
    result = 0.0
    while x < 6.0:
        result -= 1.0 / x
        x += 1.0
    square = 1.0 / (x * x)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))))
    return result + np.log(x) - 0.5 / x - series
