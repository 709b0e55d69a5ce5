"""Scores that were written down, beside those that come out."""

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """A mean over topics that was expected, and the one ``found``: None where there is none."""

    expected: float
    within: float
    found: float | None

    @property
    def holds(self) -> bool:
        """Whether what was found is as near to what was expected as it is to be; both ends count."""
        if self.found is None:
            return False
        distance = abs(self.found - self.expected)
        return distance <= self.within or math.isclose(distance, self.within, abs_tol=1e-12)


def compare_mean(by_topic: Mapping[str, float] | None, expected: float, within: float) -> Verdict:
    """The mean of one measure over the declared topics against what was ``expected``.

    ``by_topic``: topic -> value; None or empty where nothing was measured, which is never what was expected.
    """
    return Verdict(expected, within, math.fsum(by_topic.values()) / len(by_topic) if by_topic else None)
