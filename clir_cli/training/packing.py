"""Plain text packed into inputs of equal length: nothing is padded, whatever the length of its lines."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from clir_cli.encoders.layout import Layout, read_layout
from clir_cli.encoders.pieces import TextEncoder
from clir_cli.errors import DataError
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.training.masking import MaskedInput

MOST_UNKNOWN = 0.2
"""A larger share of unknown pieces means a script that the tokenizer was not made for."""


class PackedTexts(Sequence[MaskedInput]):
    """``[CLS] pieces [SEP]``, cut from one long row of pieces; the last may be shorter."""

    def __init__(self, pieces: NDArray[np.int32], begins: NDArray[np.bool_], room: int, layout: Layout) -> None:
        """``pieces`` [P] of all texts end to end; ``begins`` [P]: a piece begins a word; ``room`` for them in one."""
        self._pieces, self._begins, self._room, self._layout = pieces, begins, room, layout

    def __len__(self) -> int:
        return -(-len(self._pieces) // self._room)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Pieces of every input, special ones included: [inputs]."""
        specials = len(self._layout.before) + len(self._layout.after)
        starts = np.arange(len(self)) * self._room
        found: NDArray[np.int64] = np.minimum(self._room, len(self._pieces) - starts) + specials
        return found

    @overload
    def __getitem__(self, number: int) -> MaskedInput: ...
    @overload
    def __getitem__(self, number: slice) -> list[MaskedInput]: ...
    def __getitem__(self, number: int | slice) -> MaskedInput | list[MaskedInput]:
        if isinstance(number, slice):
            return [self[place] for place in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(number)
        part = slice(number * self._room, (number + 1) * self._room)
        pieces, begins = self._pieces[part], self._begins[part]
        layout = self._layout
        sizes = [len(layout.before), len(pieces), len(layout.after)]
        is_text = np.repeat([False, True, False], sizes)
        words = np.full(len(is_text), -1, dtype=np.int32)
        words[is_text] = np.cumsum(begins)
        return MaskedInput(
            np.concatenate([layout.before, pieces, layout.after]).astype(np.int32),
            np.repeat(np.array(layout.types[:3], dtype=np.int32), sizes),
            is_text,
            words,
        )


def pack_texts(
    texts: Iterable[str],
    tokenizer: Any,
    max_pieces: int,
    *,
    text: Literal["raw", "folded"] = "raw",
    progress: ProgressCallback = no_progress,
) -> PackedTexts:
    """The word pieces of all ``texts``, in order, in inputs of ``max_pieces``, special pieces included.

    Raises ``DataError`` where there is no room, no text, or where the tokenizer does not know the script.
    """
    layout = read_layout(tokenizer)
    room = max_pieces - len(layout.before) - len(layout.after)
    if room < 2:
        raise DataError(f"max_pieces {max_pieces} leaves no room beside the special pieces.", "Raise max_pieces.")
    pieces: list[NDArray[np.int32]] = []
    begins: list[NDArray[np.bool_]] = []
    for done, found in enumerate(TextEncoder(tokenizer, text).encode_all(texts), start=1):
        pieces.append(found.pieces)
        begins.append(np.diff(found.words, prepend=-1) > 0)
        if done % 1000 == 0:
            progress(done, None, "reading texts")
    row = np.concatenate(pieces) if pieces else np.empty(0, np.int32)
    if not len(row):
        raise DataError("The text holds no words.", "Check the files of --text, or what `adapters.languages` names.")
    unknown = float(np.mean(row == tokenizer.unk_token_id)) if tokenizer.unk_token_id is not None else 0.0
    if unknown > MOST_UNKNOWN:
        raise DataError(
            f"{unknown:.0%} of the text's word pieces are unknown to the tokenizer.",
            "Is it in a script, or an encoding, that this encoder was not made for? Take another encoder.",
        )
    return PackedTexts(row, np.concatenate(begins), room, layout)
