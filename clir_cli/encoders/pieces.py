"""From words to word pieces: what an encoder reads of one text."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clir_cli.corpora.normalise import fold, words

Integers = NDArray[np.int32]

AT_ONCE = 256
"""Texts that are handed to the tokenizer together."""


class Text(NamedTuple):
    """A text as word pieces. Words are numbered from 0 in reading order; each has at least one piece here."""

    pieces: Integers
    """[k] piece ids, without special pieces."""
    words: Integers
    """[k] the word of each piece: the one that holds the piece's first letter."""
    keys: list[str]
    """The key of each word, by which it is found in a translation table."""


class TextEncoder:
    """Turns texts into pieces and words.

    ``tokenizer`` is a fast Hugging Face tokenizer (WordPiece or SentencePiece). ``text`` says what the encoder reads:
    the raw text, or the text with diacritics off and in lower case.
    """

    def __init__(self, tokenizer: Any, text: Literal["raw", "folded"] = "raw") -> None:
        self._tokenizer = tokenizer
        self._reads = text
        # A SentencePiece vocabulary may hold "</s>" among its ordinary pieces: in a text it means nothing.
        self._special = [number for number in tokenizer.all_special_ids if number != tokenizer.unk_token_id]

    @property
    def fingerprint(self) -> str:
        """Of all that decides which pieces a text has; the same in every process."""
        return _fingerprint(self._tokenizer, self._reads)

    def encode(self, text: str, max_pieces: int | None = None) -> Text:
        """The first ``max_pieces`` pieces of ``text`` (all of them where None), and the words they belong to.

        Words are offsets in the text, so punctuation that a SentencePiece model glues to a word stays a word of its own
        as far as its pieces allow. A piece that begins with white space belongs to the word after it. Words without a
        piece (swallowed by their neighbour's, or beyond ``max_pieces``) are left out.
        """
        return next(self.encode_all([text], max_pieces))

    def encode_all(self, texts: Iterable[str], max_pieces: int | None = None) -> Iterator[Text]:
        """The same for many texts, as they come."""
        for some in _batched(texts, AT_ONCE):
            if self._reads == "folded":
                some = [fold(text) for text in some]
            encoded = self._tokenizer(
                some,
                add_special_tokens=False,
                return_offsets_mapping=True,
                return_attention_mask=False,
                return_token_type_ids=False,
                truncation=max_pieces is not None,
                max_length=max_pieces,
                split_special_tokens=True,  # "[SEP]" in a document is text, not a special piece
                verbose=False,
            )
            for text, numbers, offsets in zip(some, encoded["input_ids"], encoded["offset_mapping"], strict=True):
                yield self._text(text, np.asarray(numbers, dtype=np.int32), offsets)

    def _text(self, text: str, pieces: Integers, offsets: Sequence[tuple[int, int]]) -> Text:
        pieces[np.isin(pieces, self._special)] = self._tokenizer.unk_token_id
        found = words(text)
        if not found or not len(pieces):
            return Text(np.empty(0, np.int32), np.empty(0, np.int32), [])
        starts = np.fromiter((start for start, _ in offsets), np.int64, len(pieces))
        ends = np.fromiter((word.end for word in found), np.int64, len(found))
        # The first word to end after the piece's first character holds its first letter: all between words is space.
        holders = np.minimum(np.searchsorted(ends, starts, side="right"), len(found) - 1)
        used, numbers = np.unique(holders, return_inverse=True)
        return Text(pieces, numbers.astype(np.int32), [found[index].key for index in used])


@lru_cache(maxsize=8)  # a vocabulary of a quarter of a million pieces takes a third of a second
def _fingerprint(tokenizer: Any, reads: str) -> str:
    backend = tokenizer.backend_tokenizer
    parts = [sorted(backend.get_vocab().items()), repr(backend.normalizer), repr(backend.pre_tokenizer)]
    return hashlib.sha256(json.dumps([reads, *parts]).encode()).hexdigest()[:16]


def _batched(texts: Iterable[str], size: int) -> Iterator[list[str]]:
    """Lists of ``size`` texts; the last may be shorter."""
    iterator = iter(texts)
    while some := list(islice(iterator, size)):
        yield some
