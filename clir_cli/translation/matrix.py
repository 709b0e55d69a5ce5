"""The translation matrix M^tr (MAT, CIKM 2021, Algorithm 1): which words of a query and a document are linked.

Off its diagonal M^tr is nonzero only between query and document words, and between pieces of one word; and a value
depends on the topic and the document *word*, not on the document. So what is stored is word-level and sparse: for
each topic, its query words' translations that occur in the collection. ``translation_matrix`` is the dense matrix of
the paper, kept as the definition that the re-rankers' sparse head is tested against.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from clir_cli.records import TopicLinks
from clir_cli.translation.rules import TranslationRules
from clir_cli.translation.table import TranslationTable

EVERYTHING = TranslationRules()
"""Whole rows as they are: the paper's text."""

Arm = Literal["translation", "identity", "blocks"]


class Piece(NamedTuple):
    """One word piece of the input ``[CLS] query [SEP] document [SEP]``.

    ``side`` is "query", "document" or "special"; ``word`` numbers the words within a side, so that pieces of one word
    share it; ``key`` is the word after normalisation (empty for special pieces and words without links).
    """

    side: Literal["query", "document", "special"]
    word: int
    key: str = ""


class Link(NamedTuple):
    """One link as a person reads it: p = P(document word | query word); the document word's count in the document."""

    query_word: str
    document_word: str
    p: float
    occurrences: int


def link_topics(
    query_words: Mapping[str, Sequence[str]],
    vocabulary: Collection[str],
    table: TranslationTable,
    rules: TranslationRules = EVERYTHING,
) -> dict[str, TopicLinks]:
    """For each topic its query words' translations within the collection's ``vocabulary``, as ``rules`` leave them.

    Query words without links are left out; every topic stays, if with nothing.
    """
    chosen = rules.choose_each((word for words in query_words.values() for word in words), table, vocabulary)
    return {
        topic: {word: dict(sorted(chosen[word].translations)) for word in words if word in chosen}
        for topic, words in query_words.items()
    }


def lay_out(query: Sequence[tuple[str, int]], document: Sequence[tuple[str, int]]) -> list[Piece]:
    """``(key, number of pieces)`` of each word, as the pieces of ``[CLS] query [SEP] document [SEP]``."""

    def pieces(side: Literal["query", "document"], words: Sequence[tuple[str, int]]) -> list[Piece]:
        return [Piece(side, number, key) for number, (key, count) in enumerate(words) for _ in range(count)]

    cls, first_sep, last_sep = (Piece("special", number) for number in range(3))
    return [cls, *pieces("query", query), first_sep, *pieces("document", document), last_sep]


def translation_matrix(pieces: Sequence[Piece], links: TopicLinks, arm: Arm = "translation") -> np.ndarray:
    """M^tr of one input, dense: [m, m] float64 for m pieces; rows sum to 1. This is the definition, not the fast way.

    Algorithm 1 on words, then expanded: every piece has weight 1 to itself and to the other pieces of its word; every
    piece of query word q and every piece of document word d get P(d | q) in *both* cells (the reverse probability is
    never used); then each row is divided by its sum. A translation that occurs k times thus gets k p against 1.

    ``arm``: "translation" is the paper's matrix; "identity" its placebo; "blocks" the pieces of a word without any
    translation, which separates the two things in which the paper's placebo differs.
    """
    size = len(pieces)
    matrix = np.eye(size)
    if arm == "identity":
        return matrix
    for i, one in enumerate(pieces):
        for j, other in enumerate(pieces):
            if (one.side, one.word) == (other.side, other.word):
                matrix[i, j] = 1.0
            elif arm == "translation" and (one.side, other.side) == ("query", "document"):
                matrix[i, j] = matrix[j, i] = links.get(one.key, {}).get(other.key, 0.0)
    return np.asarray(matrix / matrix.sum(axis=1, keepdims=True))


def links_between(links: TopicLinks, document_words: Sequence[str]) -> list[Link]:
    """The links of one topic that one document uses: query words in their order, then p descending, then word."""
    counts = Counter(document_words)
    return [
        Link(query_word, document_word, p, counts[document_word])
        for query_word, row in links.items()
        for document_word, p in sorted(row.items(), key=lambda entry: (-entry[1], entry[0]))
        if counts[document_word]
    ]
