"""How an alignment moves on: the weight of a jump from one aligned word to the next one's, by its width."""

from dataclasses import dataclass

import numpy as np

from clir_cli.translation.alignment.kernels import WIDTHS, WINDOW

_LEAST = 1e-7


@dataclass(frozen=True, slots=True)
class Jumps:
    """``weights`` float64 [WIDTHS]: of the jumps -WINDOW to WINDOW (0: the same word again); ``far``: of each wider
    jump; ``first`` float64 [WIDTHS + 1]: of where a sentence begins (the last: there or later).

    From position i' of I, position i has the probability weight(i - i') / sum over all positions (Vogel et al. 1996).
    """

    weights: np.ndarray
    far: float
    first: np.ndarray

    @classmethod
    def at_first(cls) -> "Jumps":
        """The next word is the likeliest."""
        widths = np.arange(-WINDOW, WINDOW + 1)
        first = np.exp(-np.arange(WIDTHS + 1) / 2) + 1e-3
        return cls(np.exp(-np.abs(widths - 1) / 2) + 1e-3, 1e-3, first)

    def re_estimated(self, counted: "JumpCounts") -> "Jumps":
        """The weights by expected counts."""
        near = counted.near * self.weights
        wide = counted.far * self.far
        total = near.sum() + wide
        if total <= 0 or counted.first.sum() <= 0:  # sentences of one word
            return self
        far = wide / total / max(counted.far_places / max(counted.steps, 1.0), 1.0)
        return Jumps(near / total + _LEAST, far + _LEAST, counted.first / counted.first.sum() + 1e-4)


class JumpCounts:
    """What an iteration counts: ``near`` float64 [WIDTHS] and ``far``, both still to be multiplied by the weights they
    were counted with; ``first`` [WIDTHS + 1]; and of ``steps`` how many places were ``far_places``."""

    def __init__(self) -> None:
        self.array = np.zeros(2 * WIDTHS + 4)

    near = property(lambda self: self.array[:WIDTHS])
    far = property(lambda self: float(self.array[WIDTHS]))
    first = property(lambda self: self.array[WIDTHS + 1 : 2 * WIDTHS + 2])
    steps = property(lambda self: float(self.array[2 * WIDTHS + 2]))
    far_places = property(lambda self: float(self.array[2 * WIDTHS + 3]))
