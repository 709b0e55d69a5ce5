"""The loops of IBM Model 1, compiled, over flat arrays.

Expectation-maximisation is run source word by source word instead of sentence by sentence. A source word's row of
p(. | s) is spread out over a dense array of the target vocabulary, and then its occurrences are walked: cell
(s, t) is found by t alone, no hash table and no parameter number per occurrence is stored, and memory grows
with distinct cells and tokens only. Everything is single-threaded and in one fixed order, so results are the same
bits on every run.

Arrays: ``targets`` int32 [target tokens], all sentences end to end; ``target_start`` int64 [sentences + 1];
``row_sentences`` int32, for each source word the sentences it occurs in (once per occurrence), end to end;
``row_start`` int64 [source words + 1]; ``cell_start`` int64 [source words + 1] and ``cell_target`` int32 [cells]: the
CSR pattern of the table, columns sorted.
"""

from typing import Any

import numba
import numpy as np

_compiled: Any = numba.njit(cache=True)


@_compiled
def group_by_source(sources, source_start, first_word, words):  # type: ignore[no-untyped-def]
    """``row_start, row_sentences``; with ``first_word`` 1, word 0 is NULL, which occurs once in every sentence."""
    sentences = len(source_start) - 1
    row_start = np.zeros(words + 1, np.int64)
    if first_word:
        row_start[1] = sentences
    for s in sources:
        row_start[s + 1] += 1
    for w in range(words):
        row_start[w + 1] += row_start[w]
    position = row_start[:-1].copy()
    row_sentences = np.empty(row_start[-1], np.int32)
    for k in range(sentences):
        if first_word:
            row_sentences[position[0]] = k
            position[0] += 1
        for i in range(source_start[k], source_start[k + 1]):
            row_sentences[position[sources[i]]] = k
            position[sources[i]] += 1
    return row_start, row_sentences


@_compiled
def count_cells(row_start, row_sentences, targets, target_start, target_words):  # type: ignore[no-untyped-def]
    """``cell_start``: how many distinct target words each source word meets, summed up."""
    words = len(row_start) - 1
    met_by = np.full(target_words, -1, np.int32)
    cell_start = np.zeros(words + 1, np.int64)
    for s in range(words):
        count = 0
        for r in range(row_start[s], row_start[s + 1]):
            k = row_sentences[r]
            for j in range(target_start[k], target_start[k + 1]):
                if met_by[targets[j]] != s:
                    met_by[targets[j]] = s
                    count += 1
        cell_start[s + 1] = cell_start[s] + count
    return cell_start


@_compiled
def fill_cells(row_start, row_sentences, targets, target_start, target_words, cell_start):  # type: ignore[no-untyped-def]
    """``cell_target``: those target words, sorted within each source word."""
    words = len(row_start) - 1
    met_by = np.full(target_words, -1, np.int32)
    cell_target = np.empty(cell_start[-1], np.int32)
    for s in range(words):
        position = cell_start[s]
        for r in range(row_start[s], row_start[s + 1]):
            k = row_sentences[r]
            for j in range(target_start[k], target_start[k + 1]):
                if met_by[targets[j]] != s:
                    met_by[targets[j]] = s
                    cell_target[position] = targets[j]
                    position += 1
        cell_target[cell_start[s] : position].sort()
    return cell_target


@_compiled
def iterate(  # type: ignore[no-untyped-def]
    p, row_start, row_sentences, targets, target_start, source_lengths, cell_start, cell_target, target_words, smoothing
):
    """One EM iteration, in place on ``p`` float32 [cells]; returns the log-likelihood of the text *before* it.

    E-step, first half: total[j] = sum_i p(t_j | s_i) over the source words (and NULL) of j's sentence.
    Second half with the M-step: count(s, t) = sum over occurrences of p(t | s) / total[j];
    p(t | s) = (count + smoothing) / (row sum + smoothing * target words).
    Log-likelihood: sum_j ln(total[j] / source length), the constant P(target length) left out (Brown et al. 1993).
    """
    words = len(row_start) - 1
    total = np.zeros(len(targets), np.float64)
    row = np.zeros(target_words, np.float64)
    for s in range(words):
        for c in range(cell_start[s], cell_start[s + 1]):
            row[cell_target[c]] = p[c]
        for r in range(row_start[s], row_start[s + 1]):
            k = row_sentences[r]
            for j in range(target_start[k], target_start[k + 1]):
                total[j] += row[targets[j]]
    likelihood = 0.0
    for k in range(len(source_lengths)):
        for j in range(target_start[k], target_start[k + 1]):
            likelihood += np.log(total[j] / source_lengths[k])
            total[j] = 1.0 / total[j]
    counts = np.zeros(target_words, np.float64)
    for s in range(words):
        # Every token of cell (s, t) shares the factor p(t | s): sum the reciprocals first, multiply once.
        for r in range(row_start[s], row_start[s + 1]):
            k = row_sentences[r]
            for j in range(target_start[k], target_start[k + 1]):
                counts[targets[j]] += total[j]
        norm = smoothing * target_words
        for c in range(cell_start[s], cell_start[s + 1]):
            t = cell_target[c]
            counts[t] *= p[c]
            norm += counts[t]
        for c in range(cell_start[s], cell_start[s + 1]):
            t = cell_target[c]
            p[c] = (counts[t] + smoothing) / norm if norm > 0.0 else 0.0
            counts[t] = 0.0
    return likelihood
