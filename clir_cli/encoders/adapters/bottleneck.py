"""A bottleneck: down to a few numbers, through an activation, up again."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from clir_cli.encoders.initial import deviation, draw_weights
from clir_cli.errors import DataError

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": functional.relu,
    "gelu": functional.gelu,
    "swish": functional.silu,
    "silu": functional.silu,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "leakyrelu": functional.leaky_relu,
}
"""Activations by the names that adapter files call them by; MAD-X has relu."""


class Bottleneck(nn.Module):
    """``U f(D x)``: without the residual, which belongs to the place it stands in."""

    def __init__(self, width: int, inner: int, activation: str = "relu", *, out: int | None = None) -> None:
        """[.., ``width``] -> [.., ``inner``] -> [.., ``out``] (default: ``width``).

        Raises ``DataError`` for an activation that is not known.
        """
        super().__init__()
        if activation not in ACTIVATIONS:
            raise DataError(f"Adapters know no activation {activation!r}.", f"Known: {', '.join(ACTIVATIONS)}.")
        with torch.random.fork_rng(devices=[]):  # building draws numbers that are thrown away
            self.down = nn.Linear(width, inner)
            self.up = nn.Linear(inner, width if out is None else out)
        self._activation = ACTIVATIONS[activation]

    def forward(self, x: Tensor) -> Tensor:
        """[.., width] -> [.., out]; never ``x`` itself, so that the caller may add in place."""
        found: Tensor = self.up(self._activation(self.down(x)))
        return found

    @torch.no_grad()
    def start(self, seed: int, name: str) -> None:
        """Fresh weights: ``D`` is drawn, ``U`` and the biases are 0, so that it adds exactly nothing.

        The first step moves ``U`` alone; from the second on there are gradients for ``D`` too. AdapterHub draws ``U``
        as well (N(0, 0.02)), and then a fresh adapter changes the encoder a little.
        """
        draw_weights(self.down, seed, name, deviation(self.down.in_features))
        self.up.weight.zero_()
        self.up.bias.zero_()
