"""From words to word pieces, and from a document to the passages that an encoder reads.

    [CLS] query [SEP] passage [SEP]

A text is encoded once (``TextEncoder``); cutting it into passages costs a few array operations. Nothing here depends on
other documents: the same query and document always give the same passages.
"""

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clir_cli.corpora.normalise import fold, words
from clir_cli.errors import DataError
from clir_cli.records import TopicLinks
from clir_cli.translation.matrix import Arm

Integers = NDArray[np.int32]


class Text(NamedTuple):
    """A text as word pieces. Words are numbered from 0 in reading order; each has at least one piece here."""

    pieces: Integers
    """[k] piece ids, without special pieces."""
    words: Integers
    """[k] the word of each piece: the one that holds the piece's first letter."""
    keys: list[str]
    """The key of each word, by which it is found in a translation table."""


class Layout(NamedTuple):
    """Where a tokenizer puts its special pieces around a pair of texts, and which token types it gives."""

    before: tuple[int, ...]
    between: tuple[int, ...]
    after: tuple[int, ...]
    types: tuple[int, int, int, int, int]
    """Token types of: before, query, between, document, after."""
    pad: int

    @property
    def specials(self) -> int:
        """Number of special pieces in one input."""
        return len(self.before) + len(self.between) + len(self.after)


class Passage(NamedTuple):
    """One input of the encoder: the query and a part of a document."""

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


class TextEncoder:
    """Turns texts into pieces and words.

    ``tokenizer`` is a fast Hugging Face tokenizer (WordPiece or SentencePiece). ``text`` says what the encoder reads:
    the raw text, or the text with diacritics off and in lower case.
    """

    def __init__(self, tokenizer: Any, text: Literal["raw", "folded"] = "raw") -> None:
        self._tokenizer = tokenizer
        self._folds = text == "folded"
        self.layout = read_layout(tokenizer)
        # A SentencePiece vocabulary may hold "</s>" among its ordinary pieces: in a text it means nothing.
        self._special = [number for number in tokenizer.all_special_ids if number != tokenizer.unk_token_id]

    def encode(self, text: str, max_pieces: int | None = None) -> Text:
        """The first ``max_pieces`` pieces of ``text`` (all of them where None), and the words they belong to.

        Words are offsets in the text, so punctuation that a SentencePiece model glues to a word stays a word of its own
        as far as its pieces allow. A piece that begins with white space belongs to the word after it. Words without a
        piece (swallowed by their neighbour's, or beyond ``max_pieces``) are left out.
        """
        if self._folds:
            text = fold(text)
        encoded = self._tokenizer(
            text,
            add_special_tokens=False,
            return_offsets_mapping=True,
            return_attention_mask=False,
            return_token_type_ids=False,
            truncation=max_pieces is not None,
            max_length=max_pieces,
            split_special_tokens=True,  # "[SEP]" in a document is text, not a special piece
            verbose=False,
        )
        found = words(text)
        pieces = np.asarray(encoded["input_ids"], dtype=np.int32)
        pieces[np.isin(pieces, self._special)] = self._tokenizer.unk_token_id
        if not found or not len(pieces):
            return Text(np.empty(0, np.int32), np.empty(0, np.int32), [])
        starts = np.fromiter((start for start, _ in encoded["offset_mapping"]), np.int64, len(pieces))
        ends = np.fromiter((word.end for word in found), np.int64, len(found))
        # The first word to end after the piece's first character holds its first letter: all between words is space.
        holders = np.minimum(np.searchsorted(ends, starts, side="right"), len(found) - 1)
        used, numbers = np.unique(holders, return_inverse=True)
        return Text(pieces, numbers.astype(np.int32), [found[index].key for index in used])


def read_layout(tokenizer: Any) -> Layout:
    """See where ``tokenizer`` puts special pieces, by giving it a pair of texts.

    Raises ``DataError`` where it puts none before, between or after them.
    """
    encoded = tokenizer("a", "a", return_token_type_ids=True)
    pieces, types, sides = encoded["input_ids"], encoded["token_type_ids"], encoded.sequence_ids(0)
    query = [position for position, side in enumerate(sides) if side == 0]
    document = [position for position, side in enumerate(sides) if side == 1]
    if not query or not document:
        raise DataError("The tokenizer gives no pieces for plain text.", "Check the tokenizer files of the checkpoint.")
    parts = slice(0, query[0]), slice(query[-1] + 1, document[0]), slice(document[-1] + 1, None)
    before, between, after = (tuple(pieces[part]) for part in parts)
    if not (before and between and after) or tokenizer.pad_token_id is None:
        raise DataError(
            "The tokenizer puts no special pieces around a pair of texts, or has none for padding.",
            "The encoder needs [CLS] query [SEP] document [SEP]: use a tokenizer with a post-processor for pairs.",
        )
    kinds = types[0], types[query[0]], types[query[-1] + 1], types[document[0]], types[-1]
    return Layout(before, between, after, kinds, tokenizer.pad_token_id)


def passages(
    query: Text,
    document: Text,
    links: TopicLinks,
    layout: Layout,
    *,
    max_pieces: int = 512,
    document_pieces: int = 800,
    arm: Arm | None = "translation",
) -> list[Passage]:
    """Cut a document into the inputs that the encoder reads one by one; at least one.

    The first ``document_pieces`` pieces are read. Where they do not fit beside the query they are split evenly: n =
    ceil(pieces / room) passages of ceil(pieces / n), which only this document decides. The query stays whole, unless
    it takes more than half of the room: then it is cut there. A word on the border of two passages counts in both. An
    empty document is one passage with nothing between its last two special pieces.

    ``links`` are the topic's: query key -> document key -> p; every occurrence of the document word is linked to every
    occurrence of the query word. ``arm`` None: for models without a translation head.
    """
    if max_pieces < layout.specials + 2:
        raise ValueError(f"max_pieces {max_pieces} leaves no room beside {layout.specials} special pieces")
    free = max_pieces - layout.specials
    query_pieces = min(len(query.pieces), free // 2)
    room = free - query_pieces
    total = min(len(document.pieces), document_pieces)
    count = max(1, -(-total // room))
    size = max(1, -(-total // count))
    finder = _LinkFinder(query, links, query_pieces) if arm == "translation" else None
    return [
        _passage(query, query_pieces, document, slice(start, min(start + size, total)), layout, finder, arm)
        for start in range(0, max(total, 1), size)
    ]


class _LinkFinder:
    """The query words of one topic that have links."""

    def __init__(self, query: Text, links: TopicLinks, query_pieces: int) -> None:
        self.words = int(query.words[query_pieces - 1]) + 1 if query_pieces else 0
        self.rows = [(number, row) for number, key in enumerate(query.keys[: self.words]) if (row := links.get(key))]

    def find(self, keys: list[str]) -> tuple[Integers, Integers, NDArray[np.float32]]:
        places: dict[str, list[int]] = {}
        for number, key in enumerate(keys):
            places.setdefault(key, []).append(number)
        found = sorted(
            (number, place, row[key])
            for number, row in self.rows
            for key in row.keys() & places.keys()
            for place in places[key]
        )
        return (
            np.array([number for number, _, _ in found], dtype=np.int32),
            np.array([place for _, place, _ in found], dtype=np.int32),
            np.array([p for _, _, p in found], dtype=np.float32),
        )


def _passage(
    query: Text,
    query_pieces: int,
    document: Text,
    part: slice,
    layout: Layout,
    finder: _LinkFinder | None,
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
    empty = np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32)
    links = finder.find(document.keys[first:last]) if finder else empty
    return Passage(pieces, types, numbers, query_count, last - first, links, arm)
