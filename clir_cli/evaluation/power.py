"""Which difference can so many topics show? Power of the two-sided paired t-test (a noncentral t distribution).

Sakai (Information Retrieval 19, 2016) uses the same reckoning to design test collections. The answer hangs on how much
differences vary from topic to topic, which has to be measured on a pair of runs, or assumed.
"""

from collections.abc import Mapping
from math import inf, isnan, lgamma, log, nan, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, stdtrit

from clir_cli.evaluation.significance import paired_differences, spread

MOST_TOPICS = 1_000_000
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(200)


def power_of(effect: float, n: int, alpha: float = 0.05) -> float:
    """The chance that n topics give p < ``alpha`` where the true difference is ``effect`` standard deviations.

    One topic has no test: nan.
    """
    if n < 2:
        return nan
    critical, shift = float(stdtrit(n - 1, 1 - alpha / 2)), abs(effect) * sqrt(n)
    # Given the standard error s (in units of the true one) the mean is normal: sum over s, which is chi-distributed.
    # scipy's noncentral t has gaps, of two topics and of large effects.
    freedom, reach = n - 1, 12 / sqrt(2 * (n - 1))
    low, high = max(0.0, 1 - reach), 1 + reach
    s = (low + high) / 2 + (high - low) / 2 * _NODES
    logarithm = freedom / 2 * log(freedom / 2) - lgamma(freedom / 2) + log(2)
    density = np.exp(logarithm + (freedom - 1) * np.log(s) - freedom * s**2 / 2)
    found = ndtr(shift - critical * s) + ndtr(-shift - critical * s)
    return min(1.0, float(np.sum(_WEIGHTS * density * found)) * (high - low) / 2)


def detectable_difference(n: int, deviation: float, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """The true mean difference that n topics find with the chance ``power``, in the units of ``deviation``.

    ``deviation`` is the standard deviation of the differences over topics. Where it is 0 any difference shows: 0. One
    topic shows none: nan. A chance of ``alpha`` or less needs no difference: 0.
    """
    if n < 2 or isnan(deviation):
        return nan
    if not deviation or power <= alpha:
        return 0.0
    high = 1.0
    while power_of(high, n, alpha) < power:
        high *= 2
    return deviation * float(brentq(lambda effect: power_of(effect, n, alpha) - power, 0.0, high, xtol=1e-12))


def topics_needed(difference: float, deviation: float, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """The fewest topics (at least 2) that find a true ``difference`` with the chance ``power``.

    Infinite where it would take more than a million; nan where ``deviation`` is not known.
    """
    if isnan(deviation) or isnan(difference):
        return nan
    if not difference:
        return inf
    effect = inf if not deviation else abs(difference) / deviation
    few, many = 1, 2  # few are too few
    while effect < inf and power_of(effect, many, alpha) < power:
        few, many = many, 2 * many
        if many > MOST_TOPICS:
            return inf
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if power_of(effect, middle, alpha) >= power else (middle, many)
    return many


def measured_deviation(system: Mapping[str, float], baseline: Mapping[str, float]) -> float:
    """Standard deviation over topics of the differences of two runs (n - 1 in the denominator); nan of one topic.

    Raises ``DataError`` where their topics differ.
    """
    return spread(paired_differences(system, baseline))


def assumed_deviation(baseline: Mapping[str, float], correlation: float) -> float:
    """The same where there is no second run: one that varies over topics as the first does, and correlates with it so.

    Var(a - b) = 2 (1 - correlation) Var(b).
    """
    return spread(list(baseline.values())) * sqrt(2 * (1 - correlation))
