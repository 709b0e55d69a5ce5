"""From a query and a document to the passages that an encoder reads.

    [CLS] query [SEP] passage [SEP]          together, for a cross-encoder
    [CLS] query [SEP]  [CLS] passage [SEP]   apart, for a model that reads documents without the query

Texts are word pieces already (``encoders.pieces``); cutting one into passages costs a few array operations. Nothing
here depends on other documents: the same query and document always give the same passages.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clir_cli.encoders.layout import Layout
from clir_cli.encoders.piece_store import Pieces
from clir_cli.encoders.pieces import Integers, Text
from clir_cli.records import TopicLinks
from clir_cli.translation.matrix import Arm


class Passage(NamedTuple):
    """The query and a part of a document: one input of the encoder, or two side by side."""

    pieces: Integers
    """[m] piece ids with special pieces."""
    types: Integers
    """[m] token types."""
    words: Integers
    """[m] the word of each position: query words 0 .. q-1, document words q .. q+d-1, then one a special piece."""
    query_words: int
    document_words: int
    links: tuple[Integers, Integers, NDArray[np.float32]]
    """Query word (0 .. q-1), document word (0 .. d-1), P(document word | query word); one entry a link."""
    arm: Arm | None
    query_length: int
    """Apart: positions of the query's own input, which come first. Together: all of them."""

    def of_arm(self, arm: Arm | None) -> "Passage":
        """The same text as a model of another arm reads it; only the arm of translations carries links."""
        if arm in ("translation", self.arm):
            return self._replace(arm=arm)
        empty = np.empty(0, np.int32)
        return self._replace(arm=arm, links=(empty, empty, np.empty(0, np.float32)))


class QueryLinks(NamedTuple):
    """What M^tr carries of one query, one entry a link, in the order of document keys."""

    keys: Integers
    """[l] numbers of document keys, ascending."""
    query_words: Integers
    """[l] words of the query, from 0."""
    p: NDArray[np.float32]
    """[l] P(document word | query word)."""

    def find(self, keys: Integers, query_words: int) -> tuple[Integers, Integers, NDArray[np.float32]]:
        """The links between the first ``query_words`` words and a document's words, given by their ``keys`` [d].

        As in ``Passage.links``, in the order of query words, then of places.
        """
        first = np.searchsorted(self.keys, keys, "left")
        counts = np.searchsorted(self.keys, keys, "right") - first  # [d] links of each word
        places = np.repeat(np.arange(len(keys), dtype=np.int32), counts)
        within = np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)
        entries = np.repeat(first, counts) + within
        words = self.query_words[entries]
        order = np.lexsort((places, words))
        order = order[words[order] < query_words]
        return words[order], places[order], self.p[entries[order]]


def index_links(query: Text, links: TopicLinks, numbers: Mapping[str, int]) -> QueryLinks:
    """The ``links`` of a topic (query key -> document key -> p) by the ``numbers`` of document keys.

    Every occurrence of a query word has its links; document keys without a number are in no document.
    """
    found = sorted(
        (numbers[key], word, p)
        for word, query_key in enumerate(query.keys)
        for key, p in links.get(query_key, {}).items()
        if key in numbers
    )
    return QueryLinks(
        np.array([key for key, _, _ in found], dtype=np.int32),
        np.array([word for _, word, _ in found], dtype=np.int32),
        np.array([p for _, _, p in found], dtype=np.float32),
    )


NO_LINKS = QueryLinks(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))


def passages(
    query: Text,
    document: Pieces,
    links: QueryLinks,
    layout: Layout,
    *,
    max_pieces: int = 512,
    document_pieces: int = 800,
    arm: Arm | None = "translation",
) -> list[Passage]:
    """Cut a document into the inputs that the encoder reads one by one; at least one.

    The first ``document_pieces`` pieces are read. Where they do not fit (together: beside the query) they are split
    evenly: n = ceil(pieces / room) passages of ceil(pieces / n), which only this document decides. The query stays
    whole, unless it takes more than half of the room that it shares with the document, or all of its own: then it is
    cut there. A word on the border of two passages counts in both. An empty document is one passage with nothing
    between its special pieces.

    ``arm`` None: for models without a translation head.
    """
    if max_pieces < layout.specials + 2:
        raise ValueError(f"max_pieces {max_pieces} leaves no room beside {layout.specials} special pieces")
    free = max_pieces - layout.query_specials
    if layout.cut is None:
        query_pieces = min(len(query.pieces), free // 2)
        room = free - query_pieces
    else:
        query_pieces = min(len(query.pieces), free)
        room = max_pieces - layout.document_specials
    total = min(len(document.pieces), document_pieces)
    count = max(1, -(-total // room))
    size = max(1, -(-total // count))
    return [
        _passage(query, query_pieces, document, slice(start, min(start + size, total)), layout, links, arm)
        for start in range(0, max(total, 1), size)
    ]


def _passage(
    query: Text,
    query_pieces: int,
    document: Pieces,
    part: slice,
    layout: Layout,
    links: QueryLinks,
    arm: Arm | None,
) -> Passage:
    document_part, document_words = document.pieces[part], document.words[part]
    lengths = len(layout.before), query_pieces, len(layout.between), len(document_part), len(layout.after)
    pieces = np.concatenate(
        [layout.before, query.pieces[:query_pieces], layout.between, document_part, layout.after]
    ).astype(np.int32)
    types = np.repeat(np.array(layout.types, dtype=np.int32), lengths)
    first = int(document_words[0]) if len(document_words) else 0
    last = int(document_words[-1]) + 1 if len(document_words) else 0
    query_count = int(query.words[query_pieces - 1]) + 1 if query_pieces else 0
    special = query_count + last - first + np.arange(layout.specials)
    cut = len(layout.before), len(layout.before) + len(layout.between)
    numbers = np.concatenate(
        [
            special[: cut[0]],
            query.words[:query_pieces],
            special[cut[0] : cut[1]],
            document_words - first + query_count,
            special[cut[1] :],
        ]
    ).astype(np.int32)
    found = (links if arm == "translation" else NO_LINKS).find(document.keys[first:last], query_count)
    query_length = len(pieces) if layout.cut is None else len(layout.before) + query_pieces + layout.cut
    return Passage(pieces, types, numbers, query_count, last - first, found, arm, query_length)
