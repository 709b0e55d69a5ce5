"""Passages side by side, as tensors."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from clir_cli.encoders.layout import Layout
from clir_cli.rerankers.inputs import Passage
from clir_cli.rerankers.mat import Knowledge
from clir_cli.translation.matrix import Arm


@dataclass(frozen=True, slots=True)
class Batch:
    """B passages, padded on the right to m, the longest.

    ``pieces`` and ``types`` int64 [B, m]; ``mask`` boolean [B, m], True at real pieces, None where nothing is padded;
    ``knowledge`` what M^tr says, None for the arm of the identity and for models without a translation head.
    ``begins`` int64 [B]: the position where the document begins, [SEP] before it left to the query; None: not known.
    """

    pieces: Tensor
    types: Tensor
    mask: Tensor | None
    knowledge: Knowledge | None
    arm: Arm | None
    begins: Tensor | None = None

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def sides(self) -> Tensor | None:
        """Which positions are the document's: boolean [B, m]; None where that is not known."""
        if self.begins is None:
            return None
        return torch.arange(self.pieces.shape[1], device=self.begins.device) >= self.begins.unsqueeze(1)

    def to(self, device: torch.device | str, *, non_blocking: bool = False) -> "Batch":
        """The same batch on ``device``."""
        return Batch(
            self.pieces.to(device, non_blocking=non_blocking),
            self.types.to(device, non_blocking=non_blocking),
            None if self.mask is None else self.mask.to(device, non_blocking=non_blocking),
            None if self.knowledge is None else self.knowledge.to(device, non_blocking=non_blocking),
            self.arm,
            None if self.begins is None else self.begins.to(device, non_blocking=non_blocking),
        )

    def pin_memory(self) -> "Batch":
        """The same batch in memory from which a card reads while the processor goes on."""
        return Batch(
            self.pieces.pin_memory(),
            self.types.pin_memory(),
            None if self.mask is None else self.mask.pin_memory(),
            None if self.knowledge is None else self.knowledge.pin_memory(),
            self.arm,
            None if self.begins is None else self.begins.pin_memory(),
        )


def collate(passages: Sequence[Passage], layout: Layout) -> Batch:
    """Put passages of one arm, each with its query in one input, into a batch in the given order.

    Padding is a word of its own that nothing links to, is masked in attention and never reaches a mean.
    """
    arm = passages[0].arm
    if any(passage.arm != arm for passage in passages):
        raise ValueError("passages of different arms do not go into one batch")
    lengths = np.array([len(passage.pieces) for passage in passages])
    shape = len(passages), int(lengths.max())
    real = np.arange(shape[1]) < lengths[:, None]  # [B, m]
    pieces = np.full(shape, layout.pad, dtype=np.int64)
    types = np.zeros(shape, dtype=np.int64)
    pieces[real] = np.concatenate([passage.pieces for passage in passages])
    types[real] = np.concatenate([passage.types for passage in passages])
    return Batch(
        torch.from_numpy(pieces),
        torch.from_numpy(types),
        None if real.all() else torch.from_numpy(real),
        _knowledge(passages, real) if arm in ("translation", "blocks") else None,
        arm,
        torch.from_numpy(lengths - len(layout.after) - [_document_length(passage) for passage in passages]),
    )


def _document_length(passage: Passage) -> int:
    """Pieces of the document in a passage."""
    first = passage.query_words
    words = passage.words
    return int(np.count_nonzero((words >= first) & (words < first + passage.document_words)))


def _knowledge(passages: Sequence[Passage], real: np.ndarray) -> Knowledge:
    batch = len(passages)
    queries = max(passage.query_words for passage in passages)
    documents = max(passage.document_words for passage in passages)
    specials = max(int(passage.words.max()) + 1 - passage.query_words - passage.document_words for passage in passages)
    count = queries + documents + specials + 1  # the last slot is padding's
    slots = np.full(real.shape, count - 1, dtype=np.int64)
    slots[real] = np.concatenate([_slots(passage, queries, documents) for passage in passages])
    sizes = np.zeros((batch, count), dtype=np.float32)
    np.add.at(sizes, (np.arange(batch)[:, None], slots), 1.0)
    if passages[0].arm == "blocks":
        links = None
    else:
        links = np.zeros((batch, queries, documents), dtype=np.float32)
        for row, passage in enumerate(passages):
            query_words, document_words, p = passage.links
            links[row, query_words, document_words] = p
    return Knowledge(
        torch.from_numpy(slots),
        torch.from_numpy(np.maximum(sizes, 1.0)),
        None if links is None else torch.from_numpy(links),
    )


def _slots(passage: Passage, queries: int, documents: int) -> np.ndarray:
    """Word numbers of a passage -> slots of a batch, where query and document words begin at the same slot for all."""
    words = passage.words.astype(np.int64)
    own = passage.query_words, passage.query_words + passage.document_words
    in_document = (words >= own[0]) & (words < own[1])
    return words + np.where(in_document, queries - own[0], np.where(words >= own[1], queries + documents - own[1], 0))
