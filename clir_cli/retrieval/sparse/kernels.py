"""The loops of the sparse engine, compiled, over flat arrays. Single-threaded, in one fixed order: same bits every run.

Arrays: ``starts`` int64 [terms + 1]; term t owns postings ``starts[t]:starts[t + 1]`` of ``documents`` uint32 and
``frequencies`` int32, documents ascending; ``inverse`` float32 [documents]: 1 / norm of each document's length;
``scores`` float64 [documents]. Unsigned numbers index without a test for negative ones.

A term's share is Lucene's, in its arithmetic: float32 ``w - w / (1 + tf * inverse)``, which is w tf / (tf + norm),
added up as doubles.
"""

from typing import Any

import numba
import numpy as np

_compiled: Any = numba.njit(cache=True)


@_compiled
def count_postings(tokens, token_start, terms):  # type: ignore[no-untyped-def]
    """``starts``: how many documents each term occurs in, summed up."""
    met_in = np.full(terms, -1, np.int64)
    starts = np.zeros(terms + 1, np.int64)
    for d in range(len(token_start) - 1):
        for i in range(token_start[d], token_start[d + 1]):
            if met_in[tokens[i]] != d:
                met_in[tokens[i]] = d
                starts[tokens[i] + 1] += 1
    for t in range(terms):
        starts[t + 1] += starts[t]
    return starts


@_compiled
def fill_postings(tokens, token_start, starts, documents, frequencies):  # type: ignore[no-untyped-def]
    """Write ``documents`` and ``frequencies``; both come zeroed."""
    end = starts[:-1].copy()
    for d in range(len(token_start) - 1):
        for i in range(token_start[d], token_start[d + 1]):
            t = tokens[i]
            if end[t] == starts[t] or documents[end[t] - 1] != d:
                documents[end[t]] = d
                end[t] += 1
            frequencies[end[t] - 1] += 1


@_compiled
def add_terms(terms, weights, starts, documents, frequencies, inverse, scores):  # type: ignore[no-untyped-def]
    """Add weight * tf / (tf + norm) of every term to the scores of its documents; ``weights`` float32, idf in them."""
    one = np.float32(1)
    for i in range(len(terms)):
        w = weights[i]
        for p in range(np.uint64(starts[terms[i]]), np.uint64(starts[terms[i] + 1])):
            d = documents[p]
            scores[d] += w - w / (one + np.float32(frequencies[p]) * inverse[d])


@_compiled
def add_word(terms, shares, weight, starts, documents, frequencies, inverse, expected, touched, scores):  # type: ignore[no-untyped-def]
    """The same for one query word of several terms: tf is the sum of share * tf(term).

    ``expected`` float64 [documents] is zero before and after; ``touched`` uint32 [documents] is room to work in.
    """
    one = np.float32(1)
    count = 0
    for i in range(len(terms)):
        for p in range(np.uint64(starts[terms[i]]), np.uint64(starts[terms[i] + 1])):
            d = documents[p]
            if expected[d] == 0.0:
                touched[count] = d
                count += 1
            expected[d] += shares[i] * frequencies[p]
    for n in range(count):
        d = touched[n]
        scores[d] += weight - weight / (one + np.float32(expected[d]) * inverse[d])
        expected[d] = 0.0


@_compiled
def take_best(scores, depth, places, rounded, bits, histogram):  # type: ignore[no-untyped-def]
    """Sort keys of at least the ``depth`` best documents and of all that tie with the last, in no order.

    A key is uint64: the bits of the score as float32 (in the order of the scores, as none is negative), then the
    document's place among the ids. ``scores`` are set back to zero. ``rounded`` float32 [documents] and ``bits``, the
    same bytes as uint32, are room to work in, as is ``histogram`` int64 [32768], zero before and after.
    """
    size = len(scores)
    for d in range(size):
        rounded[d] = np.float32(scores[d])
        scores[d] = 0.0
    found = 0
    for d in range(size):
        if bits[d] != 0:
            found += 1
            histogram[bits[d] >> np.uint32(16)] += 1
    # The lowest bucket that is needed: with those above it holds enough.
    enough = 0
    bucket = len(histogram)
    while bucket > 0 and enough < min(depth, found):
        bucket -= 1
        enough += histogram[bucket]
    histogram[:] = 0
    keys = np.empty(enough, np.uint64)
    lowest = np.uint32(max(bucket << 16, 1))
    n = 0
    for d in range(size):
        if bits[d] >= lowest and n < enough:
            keys[n] = (np.uint64(bits[d]) << np.uint64(32)) | np.uint64(places[d])
            n += 1
    return keys
