"""From texts to the inputs of masked language modelling, and which of their pieces are hidden (Devlin et al. 2019)."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from clir_cli.encoders.layout import Layout, read_layout
from clir_cli.errors import DataError
from clir_cli.records import ProgressCallback, no_progress

TrainingText = str | tuple[str, str]
"""One text, or two parts that are read as one input: a sentence and its translation, a title and its document."""


class MaskedInput(NamedTuple):
    """``[CLS] a [SEP]`` or ``[CLS] a [SEP] b [SEP]``, with the encoder's own special pieces and types."""

    pieces: NDArray[np.int32]  # [m]
    types: NDArray[np.int32]  # [m]
    may_hide: NDArray[np.bool_]  # [m] False at special pieces
    words: NDArray[np.int32] | None = None  # [m] the word of each piece, -1 at special pieces; None: not known


@dataclass(frozen=True, slots=True)
class MaskedBatch:
    """B inputs, padded on the right to m, some of their pieces hidden."""

    pieces: Tensor  # int64 [B, m], what the encoder sees
    types: Tensor  # int64 [B, m]
    real: Tensor  # bool [B, m], False at padding
    hidden: Tensor  # bool [B, m], the pieces to predict
    answers: Tensor  # int64 [pieces to predict], what they were

    def to(self, device: torch.device) -> "MaskedBatch":
        """The same batch on ``device``."""
        parts = (self.pieces, self.types, self.real, self.hidden, self.answers)
        return MaskedBatch(*(part.to(device) for part in parts))


class MaskedInputs(Sequence[MaskedInput]):
    """Many inputs as two arrays, 4 bytes a piece; each is put together when it is asked for."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._pieces = array("i")
        self._bounds = array("q", [0])  # where the pieces of each input begin
        self._firsts = array("i")  # pieces of the first of two parts; -1 where there is one part

    def __len__(self) -> int:
        return len(self._firsts)

    def add(self, first: Sequence[int], second: Sequence[int] | None = None) -> None:
        """An input of one part or of two, without special pieces."""
        self._pieces.extend(first)
        self._firsts.append(-1 if second is None else len(first))
        self._pieces.extend(second or ())
        self._bounds.append(len(self._pieces))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Pieces of every input, special ones included: [inputs]."""
        alone = len(self._layout.before) + len(self._layout.after)
        specials = np.where(np.array(self._firsts) < 0, alone, self._layout.specials)
        return np.diff(np.array(self._bounds)) + specials

    @overload
    def __getitem__(self, number: int) -> MaskedInput: ...
    @overload
    def __getitem__(self, number: slice) -> list[MaskedInput]: ...
    def __getitem__(self, number: int | slice) -> MaskedInput | list[MaskedInput]:
        if isinstance(number, slice):
            return [self[place] for place in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(number)
        pieces, first = self._pieces[self._bounds[number] : self._bounds[number + 1]], self._firsts[number]
        layout = self._layout
        parts: list[Sequence[int]] = [layout.before, pieces, layout.after]
        kinds: Sequence[int] = layout.types[:3]
        if first >= 0:
            parts[1:2], kinds = [pieces[:first], layout.between, pieces[first:]], layout.types
        lengths = [len(part) for part in parts]
        return MaskedInput(
            np.concatenate(parts).astype(np.int32),
            np.repeat(np.array(kinds, dtype=np.int32), lengths),
            np.repeat(np.arange(len(parts)) % 2 == 1, lengths),
        )


class InputCutter:
    """Turns texts into inputs of at most ``max_pieces`` pieces, special pieces included."""

    def __init__(self, tokenizer: Any, max_pieces: int) -> None:
        self._tokenizer = tokenizer
        self._layout = read_layout(tokenizer)
        self._room = max_pieces - self._layout.specials
        self._room_alone = max_pieces - len(self._layout.before) - len(self._layout.after)
        if self._room < 2:
            raise DataError(f"max_pieces {max_pieces} leaves no room beside the special pieces.", "Raise max_pieces.")

    def cut(self, texts: Iterable[TrainingText], progress: ProgressCallback = no_progress) -> MaskedInputs:
        """The inputs of all texts, in order.

        A long text becomes several inputs, end to end. Two parts stay one input: each may fill what the other leaves
        free, and half of the room in any case; the rest of it is not read. Parts without a piece are left out.
        """
        inputs = MaskedInputs(self._layout)
        for done, text in enumerate(texts, start=1):
            parts = [pieces for part in ((text,) if isinstance(text, str) else text) if (pieces := self._encode(part))]
            if len(parts) == 2:
                first = parts[0][: max(self._room - len(parts[1]), self._room // 2)]
                inputs.add(first, parts[1][: self._room - len(first)])
            else:
                for pieces in parts:
                    for begin in range(0, len(pieces), self._room_alone):
                        inputs.add(pieces[begin : begin + self._room_alone])
            if done % 1000 == 0:
                progress(done, None, "reading texts")
        return inputs

    def _encode(self, text: str) -> list[int]:
        # "[SEP]" in a text is text; texts longer than an input are expected, they are cut here.
        encoded = self._tokenizer(text, add_special_tokens=False, split_special_tokens=True, verbose=False)
        pieces: list[int] = encoded["input_ids"]
        return pieces


class Masker:
    """Hides pieces: of those chosen, 80 % become [MASK], 10 % a random piece, 10 % stay as they are."""

    def __init__(self, tokenizer: Any, share: float, *, whole_words: bool = False) -> None:
        """``share`` of the pieces are chosen, or of the words (``whole_words``), all pieces of a word together.

        Raises ``DataError`` where the tokenizer has no [MASK].
        """
        if tokenizer.mask_token_id is None:
            raise DataError("The tokenizer has no piece for masking.", "Leave masked_language out for this checkpoint.")
        self._whole_words = whole_words
        self._share, self._mask, self._pad = share, tokenizer.mask_token_id, tokenizer.pad_token_id
        self._ordinary = np.setdiff1d(np.arange(len(tokenizer)), tokenizer.all_special_ids)

    def hide(self, inputs: Sequence[MaskedInput], dice: np.random.Generator) -> MaskedBatch:
        """A batch of ``inputs``, each piece that is not special hidden with probability ``share``; one at least."""
        lengths = np.array([len(text.pieces) for text in inputs])
        real = np.arange(lengths.max()) < lengths[:, None]  # [B, m]
        pieces = np.full(real.shape, self._pad, dtype=np.int64)
        types = np.zeros(real.shape, dtype=np.int64)
        may_hide = np.zeros(real.shape, dtype=bool)
        pieces[real] = np.concatenate([text.pieces for text in inputs])
        types[real] = np.concatenate([text.types for text in inputs])
        may_hide[real] = np.concatenate([text.may_hide for text in inputs])

        draw = np.where(may_hide, dice.random(real.shape), 1.0)
        if self._whole_words:
            draw = np.where(may_hide, np.take_along_axis(draw, _first_pieces(inputs, real), 1), 1.0)
        hidden = draw < self._share
        if not hidden.any():
            hidden = draw == draw.min()
        fate = dice.random(real.shape)
        random_piece = self._ordinary[dice.integers(len(self._ordinary), size=real.shape)]
        seen = np.where(hidden & (fate < 0.8), self._mask, pieces)
        seen = np.where(hidden & (fate >= 0.9), random_piece, seen)
        return MaskedBatch(*(torch.from_numpy(part) for part in (seen, types, real, hidden, pieces[hidden])))


def _first_pieces(inputs: Sequence[MaskedInput], real: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Where the word of each piece begins: [B, m]. Raises ``ValueError`` for inputs without words."""
    found = [text.words for text in inputs if text.words is not None]
    if len(found) < len(inputs):
        raise ValueError("whole words are hidden only where words are known")
    words = np.full(real.shape, -1, dtype=np.int64)
    words[real] = np.concatenate(found)
    begins = np.diff(words, axis=1, prepend=-2) != 0
    return np.maximum.accumulate(np.where(begins, np.arange(real.shape[1]), 0), axis=1)
