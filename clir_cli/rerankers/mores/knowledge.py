"""What M^tr says where a query attends to a document that is read apart from it.

A query piece of word w reads the row of M^tr over query and document, [Q; D]:

    (S_w(Q) + sum_j p_wj S_j(D)) / (|w| + sum_j p_wj |j|)

with S_w the sum over the pieces of word w, p_wj = P(document word j | query word w). Nothing of a document depends on
the query here, so only the rows of query pieces are there: documents read no translations.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from clir_cli.rerankers.mat import Knowledge, mix_words, to_pieces


@dataclass(frozen=True, slots=True)
class CrossKnowledge:
    """M^tr between U queries and B documents.

    ``slots`` [U, q]: the word of every query position; query words come first, 0 .. Q-1, then special pieces, each a
    word of its own, and padding. ``sizes`` [U, W]: |w|, 1 where a slot is empty. ``links`` [B, Q, m]: P(word of the
    document piece | query word), 0 at special pieces and padding; None for the arm of word blocks alone.
    """

    slots: Tensor
    sizes: Tensor
    links: Tensor | None

    def to(self, device: torch.device | str, *, non_blocking: bool = False) -> "CrossKnowledge":
        """The same on ``device``."""
        links = None if self.links is None else self.links.to(device, non_blocking=non_blocking)
        return CrossKnowledge(
            self.slots.to(device, non_blocking=non_blocking), self.sizes.to(device, non_blocking=non_blocking), links
        )

    def pin_memory(self) -> "CrossKnowledge":
        """The same in memory from which a card reads by itself."""
        links = None if self.links is None else self.links.pin_memory()
        return CrossKnowledge(self.slots.pin_memory(), self.sizes.pin_memory(), links)


class Translated(NamedTuple):
    """What documents add to the rows of query words; the same for all blocks, for D never changes."""

    sums: Tensor
    """[B, Q, d]: sum_j p_wj S_j(D)."""
    mass: Tensor
    """[B, Q, 1]: sum_j p_wj |j|."""


def translate(links: Tensor, documents: Tensor) -> Translated:
    """``links`` [B, Q, m] over document pieces [B, m, d]."""
    with torch.autocast(documents.device.type, enabled=False):  # in bf16 the rows would not sum to one
        weights = links.to(documents.dtype)
        return Translated(weights @ documents, weights.sum(dim=-1, keepdim=True))


def rows_of_queries(q: Tensor, slots: Tensor, sizes: Tensor, translated: Translated | None) -> Tensor:
    """Rows of M^tr [Q; D], one a query piece: ``q`` [B, q, d], ``slots`` [B, q], ``sizes`` [B, W] -> [B, q, d].

    ``q``, ``slots`` and ``sizes`` may be those of one query, ``translated`` of many documents.
    """
    with torch.autocast(q.device.type, enabled=False):
        sizes = sizes.expand(len(q), -1)
        rows = mix_words(q, Knowledge(slots.expand(len(q), -1), sizes, None))  # [B, W, d]
        if translated is not None:
            size = sizes.to(rows.dtype).unsqueeze(-1)  # [B, W, 1]
            words = translated.sums.shape[1]
            own, own_size, rest = rows[:, :words], size[:, :words], rows[:, words:]
            asked = (own * own_size + translated.sums) / (own_size + translated.mass)
            rows = torch.cat([asked, rest.expand(len(asked), -1, -1)], dim=1)
        return to_pieces(rows, slots.expand(len(rows), -1))
