"""A transformer layer with places where something can be put in.

    a   = LN_1(h + MH(h))        attend
    a'  = mix(h, a, knowledge)   empty in BERT; MART adds its translation branch here
    r   = a' + FFN(a')           feed
    out = LN_3(adapt(r, LN_3(r)))  empty in BERT (out = LN_3(r)); adapters go here

The leaf modules (linear maps, layer norms) are a loaded BERT's own, so nothing has to be copied or renamed.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint


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
        return self.norm(self.attend(h, *self.keys_and_values(h), mask) + h)

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

    def forward(self, h: Tensor, mask: Tensor | None = None, knowledge: Any = None) -> Tensor:
        """``h`` [B, m, d] -> [B, m, d]; ``knowledge`` is handed to ``mix`` as it is."""
        if self.goes_twice and torch.is_grad_enabled():
            twice: Tensor = checkpoint(self._forward, h, mask, knowledge, use_reentrant=False)
            return twice
        return self._forward(h, mask, knowledge)

    def _forward(self, h: Tensor, mask: Tensor | None, knowledge: Any) -> Tensor:
        return self._after(h, self.attend(h, mask), knowledge)

    def first(self, h: Tensor, mask: Tensor | None = None) -> Tensor:
        """The row of ``forward`` for the first piece, [CLS], alone: ``h`` [B, m, d] -> [B, 1, d].

        All that a ranker reads of the last layer, for little more than the keys and values. ``mix`` gets no knowledge:
        [CLS] is a word of its own that nothing is linked to, so its row of M^tr is the identity's.
        """
        top = h[:, :1]
        a = self.attend.norm(self.attend.attend(top, *self.attend.keys_and_values(h), mask) + top)
        return self._after(top, a, None)

    def _after(self, h: Tensor, a: Tensor, knowledge: Any) -> Tensor:
        """What follows attention."""
        if self.mix is not None:
            a = self.mix(h, a, knowledge)
        r = self.feed(a) + a
        if self.adapt is not None:
            r = self.adapt(r, self.norm(r))
        return self.norm(r)


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
