"""Pairwise losses: the relevant document should score above the other one."""

from collections.abc import Callable

from torch import Tensor
from torch.nn import functional as F

from clir_cli.errors import ClirError


def cross_entropy(positive: Tensor, negative: Tensor) -> Tensor:
    """-log softmax([s+, s-])[0] = log(1 + exp(s- - s+)); scores and losses [pairs], the loss of each pair.

    "Pairwise cross-entropy" as MAT (section 4.2) takes it from Dehghani et al. 2017. softplus keeps large
    differences finite.
    """
    return F.softplus(negative.float() - positive.float())


def softmax_margin(positive: Tensor, negative: Tensor) -> Tensor:
    """1 - softmax([s+, s-])[0] = sigmoid(s- - s+), the loss of the authors' code (from CEDR); [pairs] -> [pairs]."""
    return (negative.float() - positive.float()).sigmoid()


def pairwise_loss(name: str) -> Callable[[Tensor, Tensor], Tensor]:
    """``cross_entropy`` or ``softmax_margin`` by name."""
    losses = {"cross_entropy": cross_entropy, "softmax_margin": softmax_margin}
    if name not in losses:
        raise ClirError(f"There is no loss {name!r}.", f"Choose one of: {', '.join(losses)}.")
    return losses[name]
