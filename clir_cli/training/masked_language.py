"""Masked language modelling (Devlin et al. 2019) and translation language modelling (Lample and Conneau 2019).

A text is read alone, or as two parts in one input: a sentence and its translation, so that a masked word can be
found in the other language; or a title and its document, in the shape a ranker reads a query and a document.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from clir_cli.errors import DataError
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.training.steps import fit_steps

Text = str | tuple[str, str]
"""One text, or two parts that are read as one input."""

POOL = 64
"""Batches that are drawn together and sorted by length, so that a batch holds inputs of like length."""
HELD_OUT_SHARE, MOST_HELD_OUT = 0.02, 512


class Input(NamedTuple):
    """[CLS] a [SEP], or [CLS] a [SEP] b [SEP]: two arrays [pieces] of int32."""

    pieces: np.ndarray
    types: np.ndarray  # 0, and 1 for b and its [SEP]


@dataclass
class MaskedBatch:
    """Inputs of one step, some of their pieces hidden."""

    pieces: Tensor  # [inputs, longest] what the encoder sees
    types: Tensor  # [inputs, longest]
    real: Tensor  # [inputs, longest] bool: False on padding
    hidden: Tensor  # [inputs, longest] bool: pieces to predict
    answers: Tensor  # [hidden pieces] the pieces that were there

    def to(self, device: torch.device) -> "MaskedBatch":
        return MaskedBatch(*(part.to(device) for part in vars(self).values()))


def cut_inputs(texts: Iterable[Text], tokenizer: Any, max_pieces: int, progress: ProgressCallback = no_progress) -> list[Input]:
    """Texts -> inputs of at most ``max_pieces`` pieces, special pieces included.

    A long text becomes several inputs, end to end. Two parts stay one input: a part gets what the other leaves, at
    least half of the room if it needs that; the rest is not read. Texts (or parts) without a piece are left out.
    """
    first, last = tokenizer.cls_token_id, tokenizer.sep_token_id
    inputs = []
    for done, text in enumerate(texts, start=1):
        parts = [_pieces(tokenizer, part) for part in ([text] if isinstance(text, str) else text)]
        parts = [part for part in parts if part]
        if len(parts) == 1:
            step = max_pieces - 2
            for begin in range(0, len(parts[0]), step):
                inputs.append(_input([first, *parts[0][begin : begin + step], last], 0))
        elif parts:
            a, b = parts
            room = max_pieces - 3
            a = a[: max(room - len(b), room // 2)]
            b = b[: room - len(a)]
            inputs.append(_input([first, *a, last, *b, last], len(b) + 1))
        if done % 1000 == 0:
            progress(done, None, "reading texts")
    return inputs


def _pieces(tokenizer: Any, text: str) -> list[int]:
    # verbose=False: texts longer than the encoder's input are expected, they are cut here.
    return tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]


def _input(pieces: list[int], length_of_b: int) -> Input:
    types = np.zeros(len(pieces), dtype=np.int32)
    if length_of_b:
        types[-length_of_b:] = 1
    return Input(np.array(pieces, dtype=np.int32), types)


class Masker:
    """Hides pieces: of those chosen, 80 % become [MASK], 10 % a random piece, 10 % stay."""

    def __init__(self, tokenizer: Any, share: float) -> None:
        self.share = share
        self.mask, self.padding = tokenizer.mask_token_id, tokenizer.pad_token_id
        special = np.zeros(len(tokenizer), dtype=bool)
        special[tokenizer.all_special_ids] = True
        self.special = special  # [pieces of the vocabulary]
        self.ordinary = np.flatnonzero(~special)

    def hide(self, inputs: Sequence[Input], dice: np.random.Generator) -> MaskedBatch:
        """Choose ``share`` of the pieces that are not special, at least one in the batch, and hide them."""
        longest = max(len(text.pieces) for text in inputs)
        pieces = np.full((len(inputs), longest), self.padding, dtype=np.int64)
        types = np.zeros((len(inputs), longest), dtype=np.int64)
        real = np.zeros((len(inputs), longest), dtype=bool)
        for row, text in enumerate(inputs):
            length = len(text.pieces)
            pieces[row, :length], types[row, :length], real[row, :length] = text.pieces, text.types, True
        candidates = real & ~self.special[pieces]
        draw = np.where(candidates, dice.random(pieces.shape), 2.0)
        hidden = draw < self.share
        if not hidden.any():
            hidden = draw == draw.min()
        fate = dice.random(pieces.shape)
        seen = np.where(hidden & (fate < 0.8), self.mask, pieces)
        other = self.ordinary[dice.integers(len(self.ordinary), size=pieces.shape)]
        seen = np.where(hidden & (fate >= 0.8) & (fate < 0.9), other, seen)
        return MaskedBatch(*map(torch.from_numpy, (seen, types, real, hidden, pieces[hidden])))


class Batches:
    """Which inputs form the batch of a step: a function of seed and step alone.

    Every pass over the inputs is shuffled anew; the few left over when batches do not divide the inputs wait for the
    next pass.
    """

    def __init__(self, lengths: Sequence[int], batch: int, seed: int) -> None:
        self.lengths = np.asarray(lengths)
        self.batch = min(batch, len(lengths))
        self.seed = seed
        self.in_pass = len(lengths) // self.batch
        self._pass = -1
        self._batches: list[np.ndarray] = []

    def __call__(self, step: int) -> np.ndarray:
        """Numbers of the inputs in the batch of ``step``, [batch]."""
        if step // self.in_pass != self._pass:
            self._pass = step // self.in_pass
            dice = np.random.default_rng([self.seed, self._pass])
            order = dice.permutation(len(self.lengths))[: self.in_pass * self.batch]
            batches = []
            for begin in range(0, len(order), POOL * self.batch):
                pool = order[begin : begin + POOL * self.batch]
                pool = pool[np.argsort(self.lengths[pool], kind="stable")]
                batches.extend(pool.reshape(-1, self.batch))
            self._batches = [batches[number] for number in dice.permutation(len(batches))]
        return self._batches[step % self.in_pass]
