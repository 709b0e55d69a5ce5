"""One adapter: a bottleneck for every layer and, for a language, an invertible one after the embeddings."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from torch import nn

from clir_cli.encoders.adapters.bottleneck import Bottleneck
from clir_cli.encoders.adapters.invertible import Invertible

LANGUAGE_REDUCTION, TASK_REDUCTION = 2, 16
"""By how much MAD-X narrows the hidden vector in adapters of a language and of a task."""


@dataclass(frozen=True, slots=True)
class AdapterShape:
    """What decides the weights of an adapter.

    ``width`` d and ``layers`` are the encoder's. A bottleneck has d / ``reduction`` inner numbers. ``invertible``: the
    reduction of F and G, None without them. ``left_out``: layers, from 0, that have no bottleneck (MAD-X 2.0: the
    last). ``activation`` is that of the bottlenecks and of F and G.
    """

    width: int
    layers: int
    reduction: float = LANGUAGE_REDUCTION
    invertible: float | None = 2
    activation: str = "relu"
    left_out: tuple[int, ...] = ()

    def without_invertible(self) -> "AdapterShape":
        """The same for a task, which has nothing after the embeddings."""
        return replace(self, invertible=None)


class Adapter(nn.Module):
    """The weights of one language, or of one task."""

    invertible: Invertible | None

    def __init__(self, shape: AdapterShape) -> None:
        super().__init__()
        self.shape = shape
        inner = max(1, int(shape.width // shape.reduction))
        self.layers = nn.ModuleDict(
            {
                str(number): Bottleneck(shape.width, inner, shape.activation)
                for number in range(shape.layers)
                if number not in shape.left_out
            }
        )
        made = None if shape.invertible is None else Invertible(shape.width, shape.invertible, shape.activation)
        self.invertible = made

    def bottleneck(self, number: int) -> Bottleneck | None:
        """That of a layer, from 0; None where the layer has none."""
        key = str(number)
        return cast(Bottleneck, self.layers[key]) if key in self.layers else None

    def start(self, seed: int, name: str) -> "Adapter":
        """Fresh weights that change nothing, decided by ``seed`` and ``name``; the same object comes back."""
        for number, part in self.layers.items():
            cast(Bottleneck, part).start(seed, f"{name}.{number}")
        if self.invertible is not None:
            self.invertible.start(seed, f"{name}.invertible")
        return self


def count_weights(parts: Sequence[nn.Module], *, biases: bool = True) -> int:
    """Parameters of ``parts``, with or without biases (the paper counts without)."""
    return sum(p.numel() for part in parts for p in part.parameters() if biases or p.dim() > 1)
