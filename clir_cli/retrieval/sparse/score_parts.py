"""The same as ``retrieval.score_parts`` by the sparse engine, for plain queries and for PSQ."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from clir_cli.retrieval.score_parts import TermScore
from clir_cli.retrieval.sparse.index import SparseIndex
from clir_cli.retrieval.sparse.scorer import inverse_norms
from clir_cli.translation.rules import TranslatedWord

ONE = np.float32(1)


class WordScore(NamedTuple):
    """What a query word adds, and its translations that the document holds, which share it by their part of tf."""

    word: str
    score: float
    terms: list[TermScore]


def split_score(
    index: Path,
    weights: Mapping[str, float],
    document: str,
    *,
    k1: float = 1.2,
    b: float = 0.75,
    exact_lengths: bool = False,
) -> list[TermScore] | None:
    """The terms of a query that ``document`` holds, by term; None where the index has no such document.

    Raises ``DataError`` for an index that is not whole.
    """
    found = _Document.find(SparseIndex(index), document, k1, b, exact_lengths)
    if found is None:
        return None
    parts = []
    for term in sorted(term for term, weight in weights.items() if weight > 0):
        times, documents = found.count(term)
        if times:
            parts.append(TermScore(term, times, documents, found.score(np.float32(weights[term]), times, documents)))
    return parts


def split_structured(
    index: Path,
    words: Sequence[TranslatedWord],
    document: str,
    *,
    k1: float = 1.2,
    b: float = 0.75,
    exact_lengths: bool = False,
) -> list[WordScore] | None:
    """The query words of PSQ that ``document`` holds a translation of, in their order; None as above.

    A word's score is not linear in its translations: each is given the share that it has in tf.
    """
    found = _Document.find(SparseIndex(index), document, k1, b, exact_lengths)
    if found is None:
        return None
    asked = Counter(translated.word for translated in words)
    parts = []
    for word, translations, _ in {translated.word: translated for translated in words}.values():
        counts = {term: (share, *found.count(term)) for term, share in translations if share > 0}
        tf = sum(share * times for share, times, _ in counts.values())
        df = min(sum(share * documents for share, _, documents in counts.values()), len(found.index))
        if tf:
            score = found.score(np.float32(asked[word] / len(words)), tf, df)
            terms = [
                TermScore(term, times, documents, score * share * times / tf)
                for term, (share, times, documents) in counts.items()
                if times
            ]
            parts.append(WordScore(word, score, terms))
    return parts


@dataclass(frozen=True)
class _Document:
    """One document of an index."""

    index: SparseIndex
    number: int
    inverse: np.float32
    """1 / norm of its length."""

    @classmethod
    def find(cls, index: SparseIndex, document: str, k1: float, b: float, exact_lengths: bool) -> "_Document | None":
        place = bisect_left(index.sorted_ids, document)
        if place == len(index) or index.sorted_ids[place] != document:
            return None
        number = int(np.flatnonzero(index.places == place)[0])
        return cls(index, number, inverse_norms(index, k1, b, exact_lengths)[number])

    def count(self, term: str) -> tuple[int, int]:
        """How often ``term`` occurs here, and in how many documents."""
        if (number := self.index.numbers.get(term)) is None:
            return 0, 0
        first, last = self.index.starts[number : number + 2].tolist()
        place = first + int(np.searchsorted(self.index.documents[first:last], self.number))
        holds = place < last and self.index.documents[place] == self.number
        return (int(self.index.frequencies[place]) if holds else 0), last - first

    def score(self, weight: np.float32, tf: float, df: float) -> float:
        """As ``kernels.add_terms`` computes it."""
        idf = np.log(1 + (len(self.index) - df + 0.5) / (df + 0.5)).astype(np.float32)
        w = weight * idf
        return float(w - w / (ONE + np.float32(tf) * self.inverse))
