"""Queries and passages as inputs of their own, side by side as tensors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from clir_cli.encoders.layout import Layout
from clir_cli.rerankers.inputs import Passage
from clir_cli.rerankers.mores.knowledge import CrossKnowledge
from clir_cli.translation.matrix import Arm


class Side(NamedTuple):
    """Inputs of one encoder, padded on the right to the longest.

    ``pieces`` and ``types`` int64 [N, m]; ``mask`` boolean [N, m], True at real pieces, None where nothing is padded.
    """

    pieces: Tensor
    types: Tensor
    mask: Tensor | None

    def to(self, device: torch.device | str, *, non_blocking: bool = False) -> "Side":
        """The same on ``device``."""
        mask = None if self.mask is None else self.mask.to(device, non_blocking=non_blocking)
        return Side(
            self.pieces.to(device, non_blocking=non_blocking), self.types.to(device, non_blocking=non_blocking), mask
        )

    def pin_memory(self) -> "Side":
        """The same in memory from which a card reads by itself."""
        mask = None if self.mask is None else self.mask.pin_memory()
        return Side(self.pieces.pin_memory(), self.types.pin_memory(), mask)


@dataclass(frozen=True, slots=True)
class ApartBatch:
    """B passages and their queries, each different query once.

    ``owners`` int64 [B]: the query of each passage; ``knowledge`` as the arm wants it, None for the identity's.
    """

    queries: Side
    owners: Tensor
    documents: Side
    knowledge: CrossKnowledge | None
    arm: Arm | None

    def __len__(self) -> int:
        return len(self.owners)

    def to(self, device: torch.device | str, *, non_blocking: bool = False) -> "ApartBatch":
        """The same batch on ``device``."""
        return ApartBatch(
            self.queries.to(device, non_blocking=non_blocking),
            self.owners.to(device, non_blocking=non_blocking),
            self.documents.to(device, non_blocking=non_blocking),
            None if self.knowledge is None else self.knowledge.to(device, non_blocking=non_blocking),
            self.arm,
        )

    def pin_memory(self) -> "ApartBatch":
        """The same batch in memory from which a card reads while the processor goes on."""
        return ApartBatch(
            self.queries.pin_memory(),
            self.owners.pin_memory(),
            self.documents.pin_memory(),
            None if self.knowledge is None else self.knowledge.pin_memory(),
            self.arm,
        )


def collate_apart(passages: Sequence[Passage], layout: Layout) -> ApartBatch:
    """Put passages of one arm, read apart from their queries, into a batch in the given order."""
    arm = passages[0].arm
    if any(passage.arm != arm for passage in passages):
        raise ValueError("passages of different arms do not go into one batch")
    numbers: dict[bytes, int] = {}
    owners, asked = [], []
    for passage in passages:
        query = passage.pieces[: passage.query_length].tobytes()
        if query not in numbers:
            numbers[query] = len(numbers)
            asked.append(passage)
        owners.append(numbers[query])
    documents = side([passage.pieces[passage.query_length :] for passage in passages], layout, layout.types[3])
    knowledge = None
    if arm in ("translation", "blocks"):
        slots, sizes = word_slots(asked, layout)
        links = _links(passages, layout, documents.pieces.shape[1]) if arm == "translation" else None
        knowledge = CrossKnowledge(slots, sizes, links)
    return ApartBatch(
        side([passage.pieces[: passage.query_length] for passage in asked], layout, layout.types[1]),
        torch.tensor(owners),
        documents,
        knowledge,
        arm,
    )


def side(inputs: Sequence[NDArray[np.int32]], layout: Layout, kind: int) -> Side:
    """Inputs of one encoder as tensors; ``kind`` is the token type of all their pieces."""
    lengths = np.array([len(pieces) for pieces in inputs])
    real = np.arange(lengths.max()) < lengths[:, None]  # [N, m]
    pieces = np.full(real.shape, layout.pad, dtype=np.int64)
    pieces[real] = np.concatenate(inputs)
    return Side(
        torch.from_numpy(pieces),
        torch.full(real.shape, kind),
        None if real.all() else torch.from_numpy(real),
    )


def word_slots(passages: Sequence[Passage], layout: Layout) -> tuple[Tensor, Tensor]:
    """Words of the queries of ``passages`` and how many pieces each has: ``slots`` [U, q], ``sizes`` [U, W]."""
    most = max(passage.query_words for passage in passages)
    lengths = np.array([passage.query_length for passage in passages])
    specials = layout.query_specials
    slots = np.full((len(passages), lengths.max()), most + specials, dtype=np.int64)  # the last slot is padding's
    for row, passage in enumerate(passages):
        words = passage.words[: passage.query_length].astype(np.int64)
        is_special = np.ones(len(words), dtype=np.bool_)
        is_special[len(layout.before) : len(words) - (layout.cut or 0)] = False
        words[is_special] = most + np.arange(specials)
        slots[row, : len(words)] = words
    sizes = np.zeros((len(passages), most + specials + 1), dtype=np.float32)
    np.add.at(sizes, (np.arange(len(passages))[:, None], slots), 1.0)
    return torch.from_numpy(slots), torch.from_numpy(np.maximum(sizes, 1.0))


def _links(passages: Sequence[Passage], layout: Layout, length: int) -> Tensor:
    """P(word of the piece | query word): [B, Q, m]."""
    most = max(passage.query_words for passage in passages)
    links = np.zeros((len(passages), most, length), dtype=np.float32)
    for row, passage in enumerate(passages):
        query_words, document_words, p = passage.links
        if not len(p):
            continue
        table = np.zeros((most, passage.document_words), dtype=np.float32)
        table[query_words, document_words] = p
        first = passage.query_length + layout.document_specials - len(layout.after)
        words = passage.words[first : len(passage.words) - len(layout.after)] - passage.query_words
        start = first - passage.query_length
        links[row, :, start : start + len(words)] = table[:, words]
    return torch.from_numpy(links)
