"""What a re-ranker makes of one document: passage by passage, link by link, and without the links of each query word.

The question "what if the table did not know this word" is answered by the model itself: M^tr is made anew without the
links of a query word, its rows normalised anew, and the document scored again. All of it is one call of the scorer.
"""

from collections.abc import Collection, Sequence

import numpy as np

from clir_cli.analysis.explanation import PassageLink, PassageScore, Reading, Without
from clir_cli.encoders.piece_store import Pieces
from clir_cli.rerankers.inputs import Passage
from clir_cli.reranking.scoring import Scorer


def read_document(
    scorer: Scorer,
    passages: Sequence[Passage],
    document: Pieces,
    query_keys: Sequence[str],
    document_keys: Sequence[str],
    *,
    reads_translations: bool,
) -> Reading:
    """Score ``passages`` (``PassageReader.read`` of one topic and ``document``) as they are and without links.

    ``query_keys``: the key of each word of the query; ``document_keys``: of each word of the document. The score is
    the mean of the passages' logits, as in the run. Words that occur twice in the query lose the links of both.
    """
    firsts = first_words(passages, document)
    words = [word for word in dict.fromkeys(query_keys) if _count_links(passages, _places(query_keys, word))]
    variants = [_places(query_keys, word) for word in words]
    if len(words) > 1:
        variants.append(list(range(len(query_keys))))
    asked = list(passages)
    asked += [without_links(passage, places) for places in variants for passage in passages]
    logits = scorer.score_passages(asked, lambda number: f"passage {number % len(passages) + 1}")
    by_variant = logits.reshape(1 + len(variants), len(passages))  # [variants, passages]
    scores = by_variant.mean(1).tolist()
    without = [
        Without(word, _count_links(passages, places), score)
        for word, places, score in zip([*words, ""], variants, scores[1:], strict=False)
    ]
    return Reading(
        [
            PassageScore(first + 1, first + passage.document_words, len(passage.links[2]), score)
            for first, passage, score in zip(firsts, passages, by_variant[0].tolist(), strict=True)
        ],
        scores[0],
        _links(passages, firsts, query_keys, document_keys),
        without,
        reads_translations,
    )


def without_links(passage: Passage, query_words: Collection[int]) -> Passage:
    """The passage as it would be did M^tr not link these words of the query (by their places)."""
    asked, answers, p = passage.links
    kept = ~np.isin(asked, list(query_words))
    return passage._replace(links=(asked[kept], answers[kept], p[kept]))


def first_words(passages: Sequence[Passage], document: Pieces) -> list[int]:
    """The number (from 0) of each passage's first word in the document; a word on a border is in two passages."""
    found, start = [], 0
    for passage in passages:
        found.append(int(document.words[start]) if start < len(document.words) else 0)
        own = passage.words - passage.query_words
        start += int(((own >= 0) & (own < passage.document_words)).sum())
    return found


def _places(query_keys: Sequence[str], word: str) -> list[int]:
    return [place for place, key in enumerate(query_keys) if key == word]


def _count_links(passages: Sequence[Passage], query_words: Collection[int]) -> int:
    return sum(int(np.isin(passage.links[0], list(query_words)).sum()) for passage in passages)


def _links(
    passages: Sequence[Passage], firsts: Sequence[int], query_keys: Sequence[str], document_keys: Sequence[str]
) -> list[PassageLink]:
    """Each link once: query words in their order, then p descending, then document word."""
    found: dict[tuple[str, str], tuple[float, set[int], set[int]]] = {}
    for number, (first, passage) in enumerate(zip(firsts, passages, strict=True), 1):
        for asked, answer, p in zip(*(part.tolist() for part in passage.links), strict=True):
            place = first + answer
            key = query_keys[asked], document_keys[place]
            _, places, held_by = found.setdefault(key, (p, set(), set()))
            places.add(place)
            held_by.add(number)
    order = {word: place for place, word in reversed(list(enumerate(query_keys)))}
    links = [PassageLink(*words, p, len(places), sorted(held_by)) for words, (p, places, held_by) in found.items()]
    return sorted(links, key=lambda link: (order[link.query_word], -link.p, link.document_word))
