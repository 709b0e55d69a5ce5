"""Wilcoxon's signed-rank test (1945): do differences lean to one side, whatever their sizes but by their order?"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from clir_cli.evaluation.significance import paired_differences

_ENUMERATED = 13
"""Topics up to which all 2^n signs are gone through."""


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """Two-sided signed-rank test."""

    n: int
    """All topics."""
    used: int
    """Topics that differ: Wilcoxon leaves the others out."""
    statistic: float
    """The smaller of the two sums of ranks."""
    p: float


def rank_signs(system: Mapping[str, float], baseline: Mapping[str, float]) -> SignedRanks:
    """Wilcoxon's test of the topics that differ, as ``scipy.stats.wilcoxon`` makes it by default.

    Differences that only rounding parts are ties (they get the mean of their ranks); to scipy they would not be. p is
    exact where there are no ties, up to 50 topics, and with ties up to 13; else of the normal distribution.

    No topic that differs: statistic 0, p = 1 (scipy gives nan). One that does: p = 1.

    Raises ``DataError`` where the topics differ.
    """
    from scipy.stats import rankdata, wilcoxon  # a second to import, which no other test needs

    every = np.round(paired_differences(system, baseline), 12)
    differences = every[every != 0]
    n, used = len(every), len(differences)
    if not used:
        return SignedRanks(n, 0, 0.0, 1.0)
    if used > _ENUMERATED:
        found = wilcoxon(differences)
        return SignedRanks(n, used, float(found.statistic), min(1.0, float(found.pvalue)))
    # All signs at once: scipy comes to the same, but where there are ties it takes a second.
    ranks = rankdata(np.abs(differences))
    sums = np.zeros(1)
    for rank in ranks:
        sums = np.concatenate([sums, sums + rank])
    above = float(ranks[differences > 0].sum())
    smaller = min(above, float(ranks.sum()) - above)
    return SignedRanks(n, used, smaller, min(1.0, 2 * float(np.mean(sums <= smaller))))
