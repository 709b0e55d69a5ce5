"""BM25 as Lucene computes it, over an index of ours: what plain queries and PSQ share.

score(d) = sum over query terms of weight * idf * tf / (tf + k1 (1 - b + b length(d) / average length)), with
idf = ln(1 + (N - df + .5) / (df + .5)) and without the factor k1 + 1. Arithmetic is Lucene's (BM25Similarity): float32
within a term, sums as doubles, the result a float32. Where scores differ from Lucene's at all, it is because it adds
the terms of a document in another order.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from clir_cli.records import ScoredDoc
from clir_cli.retrieval.sparse.index import SparseIndex
from clir_cli.retrieval.sparse.kernels import add_terms, add_word, take_best
from clir_cli.retrieval.sparse.lengths import decode, encode


class Scorer:
    """One index opened with one choice of k1 and b: add terms or words, then take the best documents.

    ``exact_lengths``: a document is as long as it is, instead of what Lucene's one byte says.
    A document whose score is 0 in float32, which takes a weight below 1e-38, is not found.
    """

    def __init__(self, index: SparseIndex, *, k1: float, b: float, exact_lengths: bool = False) -> None:
        self.index = index
        size = len(index)
        self._inverse = inverse_norms(index, k1, b, exact_lengths)
        self._postings = index.starts, index.documents, index.frequencies, self._inverse
        self._scores = np.zeros(size)
        self._rounded = np.zeros(size, np.float32)
        self._histogram = np.zeros(1 << 15, np.int64)
        self._expected = np.zeros(size)
        self._touched = np.zeros(size, np.uint32)

    def add_terms(self, weights: Mapping[str, float]) -> None:
        """Every term with its own idf; weights of 0 or less and terms that are not in the index are passed over."""
        terms, values, frequencies = self._known(weights)
        boosts = values.astype(np.float32) * self._idf(frequencies)
        add_terms(terms, boosts, *self._postings, self._scores)

    def add_word(self, shares: Mapping[str, float], weight: float) -> None:
        """One query word that is several terms: tf and df are sums of share * tf(term) and share * df(term)."""
        terms, values, frequencies = self._known(shares)
        df = np.minimum(values @ frequencies, len(self.index))
        room = self._expected, self._touched, self._scores
        add_word(terms, values, np.float32(weight) * self._idf(df), *self._postings, *room)

    def take(self, depth: int) -> list[ScoredDoc]:
        """The best documents, score and then id descending; the scorer is as new afterwards."""
        bits = self._rounded.view(np.uint32)
        keys = take_best(self._scores, depth, self.index.places, self._rounded, bits, self._histogram)
        keys.sort()
        keys = keys[: -depth - 1 : -1]
        scores = (keys >> np.uint64(32)).astype(np.uint32).view(np.float32).tolist()
        ids = map(self.index.sorted_ids.__getitem__, (keys & np.uint64(0xFFFFFFFF)).tolist())
        return list(map(_make, zip(ids, scores, strict=True)))

    def _known(self, weights: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The terms that the index has, their weights and df, in one order, so that sums are always the same."""
        numbers = self.index.numbers
        known = sorted((numbers[term], weight) for term, weight in weights.items() if weight > 0 and term in numbers)
        terms = np.array([term for term, _ in known], np.int64)
        frequencies = self.index.starts[terms + 1] - self.index.starts[terms]
        return terms, np.array([weight for _, weight in known], np.float64), frequencies.astype(np.float64)

    def _idf(self, df: Any) -> Any:
        """float32, of one df or an array."""
        return np.log(1 + (len(self.index) - df + 0.5) / (df + 0.5)).astype(np.float32)


_make: Any = partial(tuple.__new__, ScoredDoc)
"""A record from a pair: a third of a long search would go into calling the class itself."""


def inverse_norms(index: SparseIndex, k1: float, b: float, exact_lengths: bool) -> np.ndarray:
    """1 / (k1 (1 - b + b length / average length)) of each document: float32, in the order Lucene computes it."""
    one, k, b32 = np.float32(1), np.float32(k1), np.float32(b)
    average = np.float32(index.tokens / len(index))
    lengths = (index.lengths if exact_lengths else decode(encode(index.lengths))).astype(np.float32)
    with np.errstate(divide="ignore"):  # k1 = 0: the norm is 0, and a term counts or not
        return np.asarray(one / (k * ((one - b32) + b32 * lengths / average)), np.float32)
