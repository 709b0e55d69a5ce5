"""The Mixed Attention Transformer (MAT, CIKM 2021): attention that follows a translation table.

    TH(h) = W_o (M^tr (W_v h))                          one head of full width, no softmax, no scaling
    h'    = LN_1(h + MH(h)) + LN_2(h + TH(h))           LN_2 is new
    out   = LN_3(h' + FFN(h'))                          FFN and LN_3 are the pre-trained layer's

M^tr (Algorithm 1) is never built: off its diagonal it is nonzero only between pieces of one word and between a query
word and a document word that translates it, so its rows are the same for all pieces of a word. With S_w the sum over
the pieces of word w and p_wj = P(document word | query word),

    (M^tr x)(piece of w) = (S_w + sum_j p_wj S_j) / (|w| + sum_j p_wj |j|)

which is two small products per passage. And because the rows of M^tr sum to one, ``M (W_v h + b) = W_v (M h) + b``:
both linear maps are applied to words, of which there are fewer than pieces.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from clir_cli.encoders.initial import deviation, draw_weights


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What M^tr says about a batch, by words.

    ``slots`` [B, m]: the word of every position. Query words take slots 0 .. Q-1, document words Q .. Q+D-1, special
    pieces (each a word of its own) and, last, padding the rest up to W-1; Q, D and W are the largest of the batch.
    ``sizes`` [B, W]: |w|, the number of pieces of each word; 1 where a slot is empty.
    ``links`` [B, Q, D]: P(document word | query word); None where there are none (the arm of word blocks alone).
    """

    slots: Tensor
    sizes: Tensor
    links: Tensor | None

    def to(self, device: torch.device | str, *, non_blocking: bool = False) -> "Knowledge":
        """The same on ``device``."""
        links = None if self.links is None else self.links.to(device, non_blocking=non_blocking)
        return Knowledge(
            self.slots.to(device, non_blocking=non_blocking), self.sizes.to(device, non_blocking=non_blocking), links
        )

    def pin_memory(self) -> "Knowledge":
        """The same in memory from which a card reads by itself."""
        links = None if self.links is None else self.links.pin_memory()
        return Knowledge(self.slots.pin_memory(), self.sizes.pin_memory(), links)


def mix_words(h: Tensor, knowledge: Knowledge) -> Tensor:
    """``M^tr h``, one row a word: ``h`` [B, m, d] -> [B, W, d]."""
    with torch.autocast(h.device.type, enabled=False):  # in bf16 the rows would not sum to one
        return _mix_words(h, knowledge)


def _mix_words(h: Tensor, knowledge: Knowledge) -> Tensor:
    batch, length, width = h.shape
    words = knowledge.sizes.shape[1]
    sums = h.new_zeros(batch * words, width)
    sums = sums.index_add(0, _rows(knowledge.slots, words), h.reshape(batch * length, width)).view(batch, words, width)
    sizes = knowledge.sizes.to(h.dtype).unsqueeze(-1)  # [B, W, 1]
    if knowledge.links is None:
        return sums / sizes
    links = knowledge.links.to(h.dtype)  # [B, Q, D]
    queries, documents = links.shape[1:]
    return _add_translations(sums, links, queries, documents) / _add_translations(sizes, links, queries, documents)


def _add_translations(x: Tensor, links: Tensor, queries: int, documents: int) -> Tensor:
    """``x_w + sum_j p_wj x_j`` for every word; ``x`` [B, W, k]. The same p both ways (Algorithm 1, line 7)."""
    query, document, rest = torch.split(x, [queries, documents, x.shape[1] - queries - documents], dim=1)
    return torch.cat([query + links @ document, document + links.transpose(1, 2) @ query, rest], dim=1)


def to_pieces(words: Tensor, slots: Tensor) -> Tensor:
    """Give every piece the row of its word: ``words`` [B, W, d], ``slots`` [B, m] -> [B, m, d]."""
    batch, count, width = words.shape
    rows = words.reshape(batch * count, width).index_select(0, _rows(slots, count))
    return rows.view(batch, slots.shape[1], width)


def _rows(slots: Tensor, words: int) -> Tensor:
    """Numbers of the rows of a [B * W, d] table that ``slots`` [B, m] mean; flat, [B * m]."""
    first = torch.arange(slots.shape[0], device=slots.device).unsqueeze(1) * words
    return (slots + first).flatten()


class TranslationHead(nn.Module):
    """``TH(h) = W_o (M^tr (W_v h))``; two d x d maps with biases."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)
        self._folded: tuple[Tensor, Tensor] | None = None

    def forward(self, h: Tensor, knowledge: Knowledge | None) -> Tensor:
        """``h`` [B, m, d] -> [B, m, d]; without knowledge M^tr is the identity (the paper's placebo)."""
        if knowledge is None:
            return self.map(h)
        return to_pieces(self.map(mix_words(h, knowledge)), knowledge.slots)

    def map(self, x: Tensor) -> Tensor:
        """``W_o (W_v x + b_v) + b_o``, [.., d] -> [.., d]."""
        if self._folded is not None:
            return functional.linear(x, *self._folded)
        mapped: Tensor = self.output(self.value(x))
        return mapped

    @torch.no_grad()
    def fold(self) -> None:
        """Until ``unfold``, map by the one matrix ``W_o W_v`` and the one bias ``W_o b_v + b_o``: half the work.

        Exact, for nothing stands between the two maps: the rows of M^tr sum to one, so both run after it.
        """
        weight = self.output.weight @ self.value.weight
        self._folded = weight, functional.linear(self.value.bias, self.output.weight, self.output.bias)

    def unfold(self) -> None:
        self._folded = None


@contextmanager
def folded_heads(model: nn.Module) -> Iterator[None]:
    """Within the block every translation head of ``model`` is folded; its weights must not change there."""
    heads = [part for part in model.modules() if isinstance(part, TranslationHead)]
    with torch.autocast(next(model.parameters()).device.type, enabled=False):
        for head in heads:
            head.fold()
    try:
        yield
    finally:
        for head in heads:
            head.unfold()


class MixedAttention(nn.Module):
    """What MART puts into a layer's ``mix`` place: ``a' = a + LN_2(h + TH(h))`` with ``a = LN_1(h + MH(h))``.

    2 d^2 + 2 d + 2 d new parameters: 1,182,720 at d = 768.
    """

    def __init__(self, width: int, *, dropout: float, epsilon: float = 1e-12) -> None:
        super().__init__()
        self.head = TranslationHead(width)
        self.norm = nn.LayerNorm(width, eps=epsilon)
        self.dropout = nn.Dropout(dropout)

    def forward(self, h: Tensor, a: Tensor, knowledge: Knowledge | None) -> Tensor:
        """``h`` what came into the layer, ``a`` what attention made of it, both [B, m, d] -> [B, m, d]."""
        return a + self.norm(h + self.dropout(self.head(h, knowledge)))

    def start(self, init: Literal["paper", "identity"], seed: int, name: str) -> None:
        """Draw new weights.

        ``paper``: N(0, 0.02) at a width of 768 (``deviation`` for others), biases 0, layer norm 1 and 0. The layer's
        output is then not the plain layer's, even with nothing to translate: h' is the sum of two layer norms.
        ``identity``: LN_2's weight is 0 too, so that the branch adds exactly nothing at step 0 and MART is m2BERT. The
        first steps can move only LN_2 (the gradient of its weight is the normalised branch, which is not 0); as soon
        as its weight is not 0 the gradients reach W_o and W_v as well.
        """
        draw_weights(self, seed, name, deviation(self.norm.weight.numel()))
        if init == "identity":
            nn.init.zeros_(self.norm.weight)
