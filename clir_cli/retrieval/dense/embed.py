"""Texts -> vectors: one a text, pooled over what an encoder says of its pieces.

This is what sentence-transformers computes for a multilingual E5 or a model like it (mean over all pieces, the special
ones among them), or for models that were trained to say it all at [CLS].
"""

import hashlib
from collections import deque
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from clir_cli.corpora.normalise import fold
from clir_cli.encoders.budget import default_tokens, plan_batches
from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.layout import read_layout
from clir_cli.encoders.load import load_encoder
from clir_cli.encoders.pieces import TextEncoder
from clir_cli.errors import ClirError
from clir_cli.learning.devices import autocast, choose_device
from clir_cli.learning.memory import is_out_of_memory, release_memory

Pooling = Literal["mean", "cls"]
Vectors = NDArray[np.float32]


class Embedded(NamedTuple):
    """``vectors``: float32 [texts, d], all 0 for a text without a piece of its own; ``cut``: texts that were too long;
    ``empty``: those without a piece."""

    vectors: Vectors
    cut: int
    empty: int


class Embedder:
    """An encoder with its tokenizer, and how they make one vector of a text."""

    def __init__(
        self,
        encoder: Encoder,
        tokenizer: Any,
        *,
        pooling: Pooling = "mean",
        text: Literal["raw", "folded"] = "raw",
        max_pieces: int = 512,
        tokens: int | None = None,
        precision: str = "float32",
    ) -> None:
        """``encoder`` is set to evaluation mode.

        ``max_pieces``: of an input, special pieces included; what is longer is cut there, and at the encoder's last
        position. ``tokens``: word pieces of a batch, padding included, by default what suits the device; it is halved
        where memory runs out, and moves no vector.
        """
        self._encoder, self._tokenizer = encoder.eval(), tokenizer
        self._pooling, self._reads, self._precision = pooling, text, precision
        self._layout = read_layout(tokenizer, apart=True)
        self._special = [number for number in tokenizer.all_special_ids if number != tokenizer.unk_token_id]
        self._device = next(encoder.parameters()).device
        self.max_pieces = min(max_pieces, encoder.max_pieces)
        self.tokens = tokens or default_tokens(encoder)

    @property
    def width(self) -> int:
        """d, the length of a vector."""
        return self._encoder.width

    @cached_property
    def fingerprint(self) -> str:
        """Of all that decides what a text's vector is: weights, tokenizer, pooling and length; not of precision."""
        pieces = TextEncoder(self._tokenizer, self._reads).fingerprint
        digest = hashlib.sha256(f"{pieces} {self._pooling} {self.max_pieces}".encode())
        for name, value in sorted(self._encoder.state_dict().items()):
            digest.update(name.encode())
            digest.update(value.detach().cpu().contiguous().numpy().data)
        return digest.hexdigest()[:16]

    def embed(self, texts: Sequence[str], prefix: str = "") -> Embedded:
        """The vectors of ``texts``, each read behind ``prefix``; not yet scaled to length 1.

        Raises ``ClirError`` where a single text does not fit into memory, and for a vector that is not finite.
        """
        pieces = self._pieces([prefix + text for text in texts])
        bare = self._pieces([prefix, prefix.rstrip()])
        room = self.max_pieces - self._layout.document_specials
        filled = [number for number, found in enumerate(pieces) if found not in bare]
        vectors = np.zeros((len(texts), self.width), np.float32)
        if filled:
            vectors[filled] = self._pool([pieces[number][:room] for number in filled])
        for number in np.flatnonzero(~np.isfinite(vectors).all(axis=1)):
            raise ClirError(
                f"The vector of text {number + 1} of {len(texts)} is not finite.", "The model's weights are not sound."
            )
        return Embedded(vectors, sum(len(found) > room for found in pieces), len(texts) - len(filled))

    def _pieces(self, texts: list[str]) -> list[list[int]]:
        """Pieces of each text without special ones: "</s>" in a text is text, and a piece that means it unknown."""
        if not texts:
            return []
        if self._reads == "folded":
            texts = [fold(text) for text in texts]
        encoded = self._tokenizer(
            texts,
            add_special_tokens=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            split_special_tokens=True,
            verbose=False,
        )
        special, unknown = set(self._special), self._tokenizer.unk_token_id
        return [[unknown if piece in special else piece for piece in found] for found in encoded["input_ids"]]

    def _pool(self, texts: list[list[int]]) -> Vectors:
        """[texts, d]; batches of like lengths, the longest first."""
        before, after = self._layout.before, self._layout.after
        inputs = [np.array([*before, *pieces, *after], np.int64) for pieces in texts]
        lengths = np.array([len(pieces) for pieces in inputs])
        vectors = np.empty((len(inputs), self.width), np.float32)
        waiting = deque(plan_batches(lengths, self.tokens))
        with torch.inference_mode(), autocast(self._device, self._precision):
            while waiting:
                chosen = waiting.popleft()
                try:
                    vectors[chosen] = self._run([inputs[number] for number in chosen]).cpu().numpy()
                except (RuntimeError, MemoryError) as error:
                    if not is_out_of_memory(error):
                        raise
                    self._shrink(len(chosen), int(lengths[chosen].max()), error)
                    left = np.concatenate([chosen, *waiting])
                    waiting = deque(left[batch] for batch in plan_batches(lengths[left], self.tokens))
        return vectors

    def _run(self, inputs: list[NDArray[np.int64]]) -> Tensor:
        longest = max(map(len, inputs))
        pieces = np.full((len(inputs), longest), self._layout.pad, np.int64)
        mask = np.zeros((len(inputs), longest), np.bool_)
        for row, found in enumerate(inputs):
            pieces[row, : len(found)], mask[row, : len(found)] = found, True
        given, real = (torch.from_numpy(array).to(self._device) for array in (pieces, mask))
        types = torch.full_like(given, self._layout.types[0])
        h = self._encoder(given, types, None if mask.all() else real).float()  # [B, m, d]
        if self._pooling == "cls":
            return h[:, 0]
        real = real.unsqueeze(-1)
        return (h * real).sum(dim=1) / real.sum(dim=1)

    def _shrink(self, count: int, longest: int, error: BaseException) -> None:
        if count == 1:
            raise ClirError(
                f"There is no memory to embed a text of {longest} word pieces.",
                "Lower retrieval.dense.max_pieces, or free memory.",
            ) from error
        self.tokens = max(longest, count * longest // 2)
        release_memory(self._device)


def load_embedder(
    source: str | Path, *, revision: str | None = None, layers: int | None = None, **choices: Any
) -> Embedder:
    """Read encoder and tokenizer from a folder or the hub, onto the device there is; ``choices``: as of ``Embedder``.

    Raises ``DataError`` for what is no checkpoint of BERT's architecture (``load_encoder``, ``load_tokenizer``).
    """
    encoder = load_encoder(source, revision=revision, layers=layers).to(choose_device())
    return Embedder(encoder, load_tokenizer(source, revision), **choices)
