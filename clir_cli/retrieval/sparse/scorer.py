"""BM25 as Lucene computes it, over an index of ours: what plain queries and PSQ share.

score(d) = sum over query terms of weight * idf * tf / (tf + k1 (1 - b + b length(d) / average length)), with
idf = ln(1 + (N - df + .5) / (df + .5)) and without the factor k1 + 1. Arithmetic is Lucene's (BM25Similarity): float32
within a term, sums as doubles, the result a float32. Where scores differ from Lucene's at all, it is because it adds
the terms of a document in another order.
"""

import math
from collections.abc import Mapping

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
        known = self._known(weights)
        boosts = [np.float32(weight) * self._idf(self.index.frequency(term)) for term, weight in known]
        terms = np.array([term for term, _ in known], np.int64)
        add_terms(terms, np.array(boosts, np.float32), *self._postings, self._scores)

    def add_word(self, shares: Mapping[str, float], weight: float) -> None:
        """One query word that is several terms: tf and df are sums of share * tf(term) and share * df(term)."""
        known = self._known(shares)
        df = sum(share * self.index.frequency(term) for term, share in known)
        boost = np.float32(weight) * self._idf(min(df, len(self.index)))
        terms = np.array([term for term, _ in known], np.int64)
        room = self._expected, self._touched, self._scores
        add_word(terms, np.array([share for _, share in known], np.float64), boost, *self._postings, *room)

    def take(self, depth: int) -> list[ScoredDoc]:
        """The best documents, score and then id descending; the scorer is as new afterwards."""
        bits = self._rounded.view(np.uint32)
        keys = take_best(self._scores, depth, self.index.places, self._rounded, bits, self._histogram)
        keys.sort()
        keys = keys[: -depth - 1 : -1]
        scores = (keys >> np.uint64(32)).astype(np.uint32).view(np.float32).tolist()
        ids = map(self.index.sorted_ids.__getitem__, (keys & np.uint64(0xFFFFFFFF)).tolist())
        return list(map(ScoredDoc, ids, scores))

    def _known(self, weights: Mapping[str, float]) -> list[tuple[int, float]]:
        """Numbers of the terms that the index has, in one order, so that sums are always the same."""
        numbers = self.index.numbers
        return sorted((numbers[term], weight) for term, weight in weights.items() if weight > 0 and term in numbers)

    def _idf(self, df: float) -> np.float32:
        return np.float32(math.log(1 + (len(self.index) - df + 0.5) / (df + 0.5)))


def inverse_norms(index: SparseIndex, k1: float, b: float, exact_lengths: bool) -> np.ndarray:
    """1 / (k1 (1 - b + b length / average length)) of each document: float32, in the order Lucene computes it."""
    one, k, b32 = np.float32(1), np.float32(k1), np.float32(b)
    average = np.float32(index.tokens / len(index))
    lengths = (index.lengths if exact_lengths else decode(encode(index.lengths))).astype(np.float32)
    with np.errstate(divide="ignore"):  # k1 = 0: the norm is 0, and a term counts or not
        return np.asarray(one / (k * ((one - b32) + b32 * lengths / average)), np.float32)
