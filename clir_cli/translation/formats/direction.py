"""Which side of a table its numbers are conditional on, by the numbers themselves.

The probabilities of all outcomes of one conditioning word sum to 1, or to less where a table was pruned; never to
more. Added up by outcome instead, they sum to anything. So a row above 1 shows the wrong side; and where no row is
above 1, the other side still is the right one if its rows sum to 1 and these do not. A table in which both sides fit
(as where every word has one translation) says nothing, and passes.
"""

from typing import NamedTuple

import numpy as np

from clir_cli.errors import DataError
from clir_cli.translation.formats.entries import Entries

MOST_MASS = 1.01
"""A row may sum to this: printed probabilities are rounded."""
ABOUT_ONE = 0.95
"""A row that sums to this at least was hardly pruned."""
NEARLY_ALL, FEW = 0.9, 0.5
"""The other side is the right one where this share of its rows sums to 1, and of this side's rows fewer do."""


class Sums(NamedTuple):
    """What the rows of one side sum to."""

    of_rows: np.ndarray

    @property
    def above_one(self) -> bool:
        """Whether a row has more than there is."""
        return bool((self.of_rows > MOST_MASS).any())

    @property
    def whole(self) -> int:
        """Rows that sum to about 1."""
        return int(((self.of_rows >= ABOUT_ONE) & (self.of_rows <= MOST_MASS)).sum())

    @property
    def share(self) -> float:
        """Of the rows, how many sum to about 1."""
        return self.whole / max(len(self.of_rows), 1)


def check_direction(entries: Entries, remedy: str) -> None:
    """Raise ``DataError`` where the numbers are not conditional on the side that the format says.

    ``remedy``: a sentence on what to do where the other side fits.
    """
    given, other = (
        Sums(np.bincount(numbers, entries.values, len(words)))
        for numbers, words in ((entries.condition, entries.conditions), (entries.outcome, entries.outcomes))
    )
    here, there = entries.sides[entries.condition_side], entries.sides[1 - entries.condition_side]
    if given.above_one:
        worst = int(given.of_rows.argmax())
        problem = f"{entries.path}: the probabilities of {entries.conditions[worst]} sum to {given.of_rows[worst]:.3g}"
        if other.above_one:
            raise DataError(
                f"{problem}, and those of {entries.outcomes[int(other.of_rows.argmax())]} in {there} "
                f"sum to {other.of_rows.max():.3g}.",
                "The numbers are probabilities of neither direction: are they counts, or is the file two tables?",
            )
        raise DataError(
            f"{problem}; in {there} no word's sum is above 1: the numbers are conditional on {there}, not on {here}.",
            remedy,
        )
    if other.share >= NEARLY_ALL and given.share < FEW and not other.above_one:
        fit, misfit = (f"{sums.whole:,} of {len(sums.of_rows):,}" for sums in (other, given))
        raise DataError(
            f"{entries.path}: the probabilities of {fit} words in {there} sum to 1, but of {misfit} in {here}: "
            f"the numbers are conditional on {there}, not on {here}.",
            remedy,
        )
