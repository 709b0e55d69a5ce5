"""Random choices that come out the same on every machine and Python."""

import random
from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Draws for one part of the sample.

    Of Python's generator only ``random()`` is promised to stay the same between versions (``choice``, ``sample`` and
    ``shuffle`` are not), so every draw here is made from it. Parts have their own dice: a change in one part of the
    sample leaves the others as they were.
    """

    def __init__(self, seed: int, part: str) -> None:
        self._random = random.Random(int.from_bytes(sha256(f"{seed}/{part}".encode()).digest(), "big")).random

    def below(self, bound: int) -> int:
        """A whole number from 0 to ``bound - 1``."""
        return int(self._random() * bound)

    def between(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both possible."""
        return low + self.below(high - low + 1)

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self._random() < probability

    def choose(self, options: Sequence[T]) -> T:
        """One of the options, each as likely as the others."""
        return options[self.below(len(options))]

    def weigh(self, options: Sequence[T], weights: Sequence[float]) -> T:
        """One of the options, with likelihood in proportion to its weight."""
        point = self._random() * sum(weights)
        for option, weight in zip(options, weights, strict=True):
            point -= weight
            if point < 0:
                return option
        return options[-1]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """All the options in random order (Fisher and Yates)."""
        order = list(options)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def some(self, options: Sequence[T], count: int) -> list[T]:
        """``count`` different options (all of them where there are fewer)."""
        return self.shuffled(options)[:count]
