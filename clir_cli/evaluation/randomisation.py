"""Fisher's randomisation test for pairs: if the two systems were one, the sign of each difference would be chance.

Nothing is assumed about how differences are spread. Smucker, Allan and Carterette (CIKM 2007) compare it with the other
tests on runs of TREC.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from clir_cli.errors import UsageError
from clir_cli.evaluation.significance import ROUNDING, paired_differences

EXACT_UP_TO = 20
"""Topics with a difference up to which all 2^n signs are gone through."""

FEWEST_DRAWS = 10_000
_BLOCK = 1 << 20  # signs drawn at a time


@dataclass(frozen=True, slots=True)
class SignFlips:
    """Two-sided sign-flip test of the mean difference."""

    n: int
    difference: float
    p: float
    draws: int
    """Assignments of signs that were looked at: drawn ones, or all there are."""
    is_exact: bool


def flip_signs(
    system: Mapping[str, float], baseline: Mapping[str, float], *, draws: int = 100_000, seed: int = 0
) -> SignFlips:
    """How often random signs make the mean difference as large as it is, either way.

    Where at most ``EXACT_UP_TO`` topics differ, p is exact: the share of all assignments. Else signs are drawn and
    p = (b + 1) / (draws + 1), b being how many came as far (Phipson and Smyth 2010): the assignment seen is one of
    them, and p is never 0. The same seed gives the same p, in whatever order topics come.

    Topics without a difference change nothing. One topic, or none that differs: p = 1, for every sign is as good. All
    n differences equal: p = 2 / 2^n.

    Raises ``UsageError`` for fewer than 10,000 draws; ``DataError`` where the topics differ.
    """
    if draws < FEWEST_DRAWS:
        raise UsageError(f"{draws} draws are too few for a p value.", f"Draw {FEWEST_DRAWS} times at least.")
    differences = paired_differences(system, baseline)
    sizes = np.abs([difference for difference in differences if difference])
    n, total = len(differences), float(np.sum(differences))
    # Assignments that only rounding parts from the one seen are as far as it.
    far = abs(total) - ROUNDING * max(1.0, float(np.sum(sizes)))
    if len(sizes) <= EXACT_UP_TO:
        sums = np.zeros(1)
        for size in sizes:
            sums = np.concatenate([sums + size, sums - size])
        return SignFlips(n, total / n, float(np.mean(np.abs(sums) >= far)), len(sums), True)
    random = np.random.default_rng(seed)
    as_far, left = 0, draws
    while left:
        count = min(left, max(1, _BLOCK // len(sizes)))
        drawn = random.integers(0, 256, size=(count, (len(sizes) + 7) // 8), dtype=np.uint8)
        keeps_sign = np.unpackbits(drawn, axis=1, count=len(sizes)).astype(np.float64)  # a bit a topic
        as_far += int(np.count_nonzero(np.abs(2 * (keeps_sign @ sizes) - np.sum(sizes)) >= far))
        left -= count
    return SignFlips(n, total / n, (as_far + 1) / (draws + 1), draws, False)
