"""A transformer layer with places where something can be put in.

    a   = LN_1(h + MH(h))        attend
    a'  = mix(h, a, knowledge)   empty in BERT; MART adds its translation branch here
    r   = a' + FFN(a')           feed
    out = LN_3(adapt(r, LN_3))   empty in BERT (out = LN_3(r)); adapters go here

The leaf modules (linear maps, layer norms) are a loaded BERT's own, so nothing has to be copied or renamed.
"""

from collections.abc import Callable
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

Sides = Tensor | Literal["query", "document"] | None
"""Which pieces are the document's: boolean [B, m], or all of one text; None: nobody said."""


class Attention(nn.Module):
    """Multi-head attention with its residual and layer norm.

    ``head_i(h) = softmax((W_i^q h)(W_i^k h)^T / sqrt(d/n)) W_i^v h``, ``MH(h) = [head_1; ..; head_n] W^o``.
    """

    def __init__(
        self,
        query: nn.Linear,
        key: nn.Linear,
        value: nn.Linear,
        output: nn.Linear,
        norm: nn.LayerNorm,
        *,
        heads: int,
        dropout: float,
        attention_dropout: float,
    ) -> None:
        super().__init__()
        self.query, self.key, self.value, self.output, self.norm = query, key, value, output, norm
        self.heads = heads
        self.dropout = nn.Dropout(dropout)
        self.attention_dropout = nn.Dropout(attention_dropout)  # only its rate is read: the kernel drops by itself

    def forward(self, h: Tensor, mask: Tensor | None) -> Tensor:
        """``LN_1(h + MH(h))``; ``h`` [B, m, d], ``mask`` boolean [B, m], False at padding, None where there is none."""
        return self.norm(add(self.attend(h, *self.keys_and_values(h), mask), h))

    def keys_and_values(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """What is attended over: ``source`` [B, s, d] -> two [B, n, s, d/n]."""
        return self.split(self.key(source)), self.split(self.value(source))

    def attend(self, h: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Tensor:
        """``MH``: ``h`` [B, m, d] over keys and values [B, n, s, d/n]; ``mask`` [B, s] speaks of the latter."""
        attended = functional.scaled_dot_product_attention(
            self.split(self.query(h)),
            keys,
            values,
            attn_mask=None if mask is None else mask[:, None, None, :],
            dropout_p=self.attention_dropout.p if self.training else 0.0,
        )
        joined = attended.transpose(1, 2).flatten(2)  # [B, m, d]
        return self.dropout(self.output(joined))

    def attend_absorbed(self, q: Tensor, over: Tensor, mask: Tensor | None) -> Tensor:
        """``attend`` over vectors as they are, without making keys and values of them; exact, without dropout.

            (W_q q + b_q)_h . (W_k d + b_k)_h  =  (W_k,h^T (W_q q + b_q)_h) . d  +  what is the same for all d
            sum_d a_d (W_v d + b_v)_h          =  W_v,h (sum_d a_d d) + b_v,h

        Softmax does not see what is the same for all d, and its weights a sum to one. So W_k moves to the query and W_v
        behind the pooling: for q queries and n heads over m vectors of d numbers 2 q n m d products in place of
        2 m d^2. It pays where q n < d, and where what is attended over is all there is.

        ``q`` [1 or B, q, d] over ``over`` [B, m, d] -> [B, q, d]; ``mask`` boolean [B, m], False at padding, None
        where there is none.
        """
        heads, width = self.heads, over.shape[-1]
        batch, length = len(over), q.shape[1]
        asked = self.split(self.query(q)) * (width // heads) ** -0.5  # [1 or B, n, q, d/n]
        by_head = self.key.weight.view(heads, -1, width)  # [n, d/n, d]
        absorbed = (asked.transpose(0, 1).flatten(1, 2) @ by_head).view(heads, len(q), length, width)
        absorbed = absorbed.transpose(0, 1).reshape(len(q), heads * length, width)  # [1 or B, n q, d]
        scores = absorbed.expand(batch, -1, -1) @ over.transpose(1, 2)  # [B, n q, m]
        if mask is not None:
            scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
        pooled = scores.softmax(dim=-1) @ over  # [B, n q, d]
        pooled = pooled.view(batch, heads, length, width).transpose(0, 1).flatten(1, 2)  # [n, B q, d]
        found = pooled @ self.value.weight.view(heads, -1, width).transpose(1, 2)  # [n, B q, d/n]
        found = found.view(heads, batch, length, -1).permute(1, 2, 0, 3).flatten(2) + self.value.bias
        output: Tensor = self.output(found)
        return output

    def split(self, x: Tensor) -> Tensor:
        """[B, s, d] -> [B, n, s, d/n], by heads."""
        return torch.unflatten(x, -1, (self.heads, -1)).transpose(1, 2)


class FeedForward(nn.Module):
    """``FFN(a) = W_2 f(W_1 a)``, without residual and layer norm."""

    def __init__(
        self, inner: nn.Linear, activation: Callable[[Tensor], Tensor], outer: nn.Linear, *, dropout: float
    ) -> None:
        super().__init__()
        self.inner, self.outer, self.activation = inner, outer, activation
        self.dropout = nn.Dropout(dropout)

    def forward(self, a: Tensor) -> Tensor:
        """[B, m, d] -> [B, m, d]."""
        return self.dropout(self.outer(self.activation(self.inner(a))))


class Layer(nn.Module):
    """One layer: ``attend`` and ``feed`` always there, ``mix`` and ``adapt`` empty until something is put in."""

    mix: nn.Module | None
    adapt: nn.Module | None

    def __init__(self, attend: Attention, feed: FeedForward, norm: nn.LayerNorm) -> None:
        super().__init__()
        self.attend, self.feed, self.norm = attend, feed, norm
        self.mix = None
        self.adapt = None
        self.goes_twice = False

    def forward(self, h: Tensor, mask: Tensor | None = None, knowledge: Any = None, sides: Sides = None) -> Tensor:
        """``h`` [B, m, d] -> [B, m, d]; ``knowledge`` is handed to ``mix`` as it is, ``sides`` to ``adapt``."""
        if self.goes_twice and torch.is_grad_enabled():
            twice: Tensor = checkpoint(self._forward, h, mask, knowledge, sides, use_reentrant=False)
            return twice
        return self._forward(h, mask, knowledge, sides)

    def _forward(self, h: Tensor, mask: Tensor | None, knowledge: Any, sides: Sides) -> Tensor:
        return self._after(h, self.attend(h, mask), knowledge, sides)

    def first(self, h: Tensor, mask: Tensor | None = None, sides: Sides = None) -> Tensor:
        """The row of ``forward`` for the first piece, [CLS], alone: ``h`` [B, m, d] -> [B, 1, d].

        All that a ranker reads of the last layer, for next to nothing outside of training. ``mix`` gets no knowledge:
        [CLS] is a word of its own that nothing is linked to, so its row of M^tr is the identity's.
        """
        top = h[:, :1]
        if self.training or not isinstance(self.attend.key, nn.Linear):  # dropout, or weights in int8
            attended = self.attend.attend(top, *self.attend.keys_and_values(h), mask)
        else:
            attended = self.attend.attend_absorbed(top, h, mask)
        if isinstance(sides, Tensor):
            sides = sides[:, :1]
        return self._after(top, self.attend.norm(add(attended, top)), None, sides)

    def _after(self, h: Tensor, a: Tensor, knowledge: Any, sides: Sides) -> Tensor:
        """What follows attention."""
        if self.mix is not None:
            a = self.mix(h, a, knowledge)
        r = add(self.feed(a), a)
        if self.adapt is not None:
            r = self.adapt(r, self.norm, sides)
        return self.norm(r)


def add(new: Tensor, residual: Tensor) -> Tensor:
    """``new + residual``, in the memory of ``new`` where nothing else will ask for it: less to keep in a cache."""
    if torch.is_grad_enabled() or new.dtype != residual.dtype:
        return new + residual
    return new.add_(residual)


def gelu(x: Tensor) -> Tensor:
    """``x Phi(x)``, by the error function; in the memory of ``x`` where no gradient will ask for it."""
    if torch.is_grad_enabled():
        return functional.gelu(x)
    found: Tensor = torch.ops.aten.gelu_(x)
    return found


def checkpoint_layers(module: nn.Module) -> None:
    """Keep only what goes into each layer; the rest is made again, bit for bit, when the backward pass needs it.

    Less memory for about a third more time (gradient checkpointing, Chen et al. 2016).
    """
    for part in module.modules():
        if isinstance(part, Layer):
            part.goes_twice = True


def compile_layers(module: nn.Module, backend: str = "inductor") -> None:
    """Give all layers code made for them (``torch.compile``), on the first call; lengths may differ from call to call.

    Weights and their names stay as they are. Only calls of a layer are compiled, not ``Layer.first``. Layers that are
    alike share their code.
    """
    for part in module.modules():
        if isinstance(part, Layer):
            part.compile(dynamic=True, backend=backend)


def set_dropout(module: nn.Module, rate: float) -> None:
    """Make every dropout in ``module`` drop with probability ``rate``."""
    for part in module.modules():
        if isinstance(part, nn.Dropout):
            part.p = rate
