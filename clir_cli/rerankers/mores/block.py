"""An interaction block: a query's vectors look at a document's, then at one another.

    Q_x    = LN(Attend(Q, D) + Q)                       cross-attention comes first
    Q_self = LN(Attend(Q_x, Q_x) + Q_x)
    Q'     = LN(FFN(Q_self) + Q_self)

With translation knowledge (ours, no paper's) a second, fixed cross-attention stands beside the first, as in MART:

    Q_x    = LN_1(Q + Attend(Q, D)) + LN_2(Q + TH(Q, D))

MORES: Gao, Dai and Callan, EMNLP 2020.
"""

from copy import deepcopy

from torch import Tensor, nn

from clir_cli.encoders.layer import Attention, Layer
from clir_cli.rerankers.mat import MixedAttention


class InteractionBlock(nn.Module):
    """``cross`` attends to the document; ``layer`` is self-attention and FFN; ``mix`` the translation branch."""

    mix: MixedAttention | None

    def __init__(self, cross: Attention, layer: Layer, mix: MixedAttention | None = None) -> None:
        super().__init__()
        self.cross, self.layer, self.mix = cross, layer, mix

    def forward(
        self, q: Tensor, attended: Tensor, mask: Tensor | None, rows: Tensor | None, *, first_only: bool = False
    ) -> Tensor:
        """Q' [B, q, d], or with ``first_only`` its row of [CLS] alone, [B, 1, d].

        ``q`` [B, q, d]; ``attended`` [B, q, d]: Attend(Q, D), made by ``cross``, of the document itself or of what is
        stored of it; ``mask`` [B, q], None where no query is padded; ``rows`` [B, q, d]: what the translation branch
        maps, None without one. All rows of Q_x are needed even for [CLS] alone: it attends to them.
        """
        crossed = self.cross_over(q, attended, rows)
        layer = self.layer.first if first_only else self.layer
        found: Tensor = layer(crossed, mask, sides="query")
        return found

    def cross_over(self, q: Tensor, attended: Tensor, rows: Tensor | None) -> Tensor:
        """Q_x: [B, q, d]."""
        crossed: Tensor = self.cross.norm(attended + q)
        if self.mix is None:
            return crossed
        if rows is None:
            raise ValueError("a block with a translation branch needs the rows it maps")
        return crossed + self.mix.norm(q + self.mix.dropout(self.mix.head.map(rows)))


def copy_layer(layer: Layer) -> Layer:
    """The same weights, of its own, with nothing in the places for more."""
    return Layer(deepcopy(layer.attend), deepcopy(layer.feed), deepcopy(layer.norm))


def copied_block(layer: Layer, mix: MixedAttention | None) -> InteractionBlock:
    """A block whose self-attention, cross-attention and FFN begin as those of ``layer``."""
    return InteractionBlock(copy_layer(layer).attend, copy_layer(layer), mix)
