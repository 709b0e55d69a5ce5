"""Losses of pairs: the relevant document should score above the other one, or each be judged by itself."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

from clir_cli.errors import ClirError


def cross_entropy(positive: Tensor, negative: Tensor) -> Tensor:
    """-log softmax([s+, s-])[0] = log(1 + exp(s- - s+)); scores and losses [pairs], the loss of each pair.

    "Pairwise cross-entropy" as MAT (section 4.2) takes it from Dehghani et al. 2017. softplus keeps large
    differences finite.
    """
    return F.softplus(_exact(negative) - _exact(positive))


def softmax_margin(positive: Tensor, negative: Tensor) -> Tensor:
    """1 - softmax([s+, s-])[0] = sigmoid(s- - s+), the loss of the authors' code (from CEDR); [pairs] -> [pairs]."""
    return (_exact(negative) - _exact(positive)).sigmoid()


def pointwise(positive: Tensor, negative: Tensor) -> Tensor:
    """Binary cross-entropy of every document: -log sigmoid(s+) and -log(1 - sigmoid(s-)); [pairs] -> [2 pairs].

    The loss of MORES (section 3.3). Its code has two labels and their softmax: the same function of the difference of
    their two logits, which is the one logit here.
    """
    return torch.cat([F.softplus(-_exact(positive)), F.softplus(_exact(negative))])


def _exact(scores: Tensor) -> Tensor:
    """float32 at least."""
    return scores if scores.dtype == torch.float64 else scores.float()


def loss_of_pairs(name: str) -> Callable[[Tensor, Tensor], Tensor]:
    """``cross_entropy``, ``softmax_margin`` or ``pointwise`` by name: (s+, s-) -> the losses that are averaged."""
    losses = {"cross_entropy": cross_entropy, "softmax_margin": softmax_margin, "pointwise": pointwise}
    if name not in losses:
        raise ClirError(f"There is no loss {name!r}.", f"Choose one of: {', '.join(losses)}.")
    return losses[name]
