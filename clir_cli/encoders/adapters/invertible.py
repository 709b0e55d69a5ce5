"""The invertible adapter after the embeddings (NICE coupling, Dinh et al. 2015; MAD-X, section 4.3).

    forward   o1 = e1 + F(e2),  o2 = e2 + G(o1)
    inverse   e2 = o2 - G(o1),  e1 = o1 - F(e2)

``e1`` and ``e2`` are the halves of a vector. What is subtracted is the very number that was added, so the inverse is
exact but for rounding, whatever ``F`` and ``G`` are.
"""

import torch
from torch import Tensor, nn

from clir_cli.encoders.adapters.bottleneck import Bottleneck


class Invertible(nn.Module):
    """Two bottlenecks between the halves of a vector; 2 * 2 * d/2 * d/4 weights, biases apart, at ``reduction`` 2."""

    def __init__(self, width: int, reduction: float = 2, activation: str = "relu") -> None:
        super().__init__()
        first, second = width // 2, width - width // 2
        self.sizes = [first, second]
        self.f = Bottleneck(second, max(1, int(second // reduction)), activation, out=first)
        self.g = Bottleneck(first, max(1, int(first // reduction)), activation, out=second)

    def forward(self, e: Tensor) -> Tensor:
        """[.., d] -> [.., d]."""
        first, second = torch.split(e, self.sizes, dim=-1)
        first = first + self.f(second)
        return torch.cat([first, second + self.g(first)], dim=-1)

    def inverse(self, o: Tensor) -> Tensor:
        """What ``forward`` made ``o`` from; [.., d] -> [.., d]."""
        first, second = torch.split(o, self.sizes, dim=-1)
        second = second - self.g(first)
        return torch.cat([first - self.f(second), second], dim=-1)

    def start(self, seed: int, name: str) -> None:
        """Fresh weights, with which it is the identity."""
        self.f.start(seed, f"{name}.f")
        self.g.start(seed, f"{name}.g")
