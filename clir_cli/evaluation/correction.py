"""Corrections of p values for a family of tests: what is asked together is corrected together.

A nan (a test that could not be made) stays nan and does not count as a member of the family.
"""

from collections.abc import Sequence
from math import isnan, nan


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction (1979), in the order given: keeps the chance of one false finding below alpha."""
    made = _made(p_values)
    corrected = [nan] * len(p_values)
    highest = 0.0
    for step, (p, index) in enumerate(made):
        highest = max(highest, min(1.0, (len(made) - step) * p))
        corrected[index] = highest
    return corrected


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's step-up correction (1995), in the order given: of what is found, alpha is false.

    That share is an expectation, for tests that are independent or positively dependent, as those of systems against
    one baseline are.
    """
    made = _made(p_values)
    corrected = [nan] * len(p_values)
    lowest = 1.0
    for place, (p, index) in reversed(list(enumerate(made, start=1))):
        lowest = min(lowest, max(p, len(made) * p / place))  # rounding must not put it below p
        corrected[index] = lowest
    return corrected


def _made(p_values: Sequence[float]) -> list[tuple[float, int]]:
    return sorted((p, index) for index, p in enumerate(p_values) if not isnan(p))
