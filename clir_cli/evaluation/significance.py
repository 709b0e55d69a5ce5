"""Is a difference real? Paired tests on per-topic values, their correction, and tests of "not worse" and "the same".

With cross-validation each topic is tested once, in its own test fold; the values of all folds are put together and
tested as one sample. Means of five folds are never tested.

Answers where a test has nothing to go by:

* one topic: t, p and the interval are nan, because one difference says nothing about its spread;
* all differences 0: t = 0, p = 1;
* all differences equal and not 0: t is infinite, p = 0 (the limit, and what scipy gives);
* baseline mean 0: the relative gain is nan, and every relative margin is 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import copysign, fsum, inf, isfinite, isnan, nan, sqrt

from scipy.special import stdtr, stdtrit

from clir_cli.errors import DataError

ROUNDING = 1e-12
"""Differences closer than this are equal: measures are ratios of small integers, only rounding parts them so little."""


@dataclass(frozen=True, slots=True)
class PairedT:
    """Two-sided paired t-test of the mean difference."""

    n: int
    difference: float
    low: float
    """Lower end of the confidence interval of the mean difference."""
    high: float
    t: float
    p: float


@dataclass(frozen=True, slots=True)
class MarginTest:
    """Tests against a margin that is relative to the baseline's mean."""

    margin: float
    non_inferiority: float
    """p of "worse by more than the margin": small says the system is not worse than that."""
    equivalence: float
    """p of TOST: small says the two differ by less than the margin."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One system against one baseline on the same topics; everything a table prints about it."""

    n: int
    mean: float
    baseline_mean: float
    difference: float
    """Mean over topics of system - baseline."""
    low: float
    high: float
    relative_gain: float
    """difference / baseline_mean: the ratio of means, not the mean of ratios."""
    t: float
    p: float
    wins: int
    ties: int
    losses: int
    margins: tuple[MarginTest, ...]


def align(system: Mapping[str, float], baseline: Mapping[str, float]) -> list[tuple[float, float]]:
    """(system, baseline) per topic, topics sorted by id, so that no result depends on the order of a file.

    Raises ``DataError`` naming the topics that only one of the two has, or whose value is not a finite number.
    """
    alone = [
        f"{side} lacks {_some(sorted(others.keys() - values.keys()))}"
        for side, values, others in (("the system", system, baseline), ("the baseline", baseline, system))
        if others.keys() - values.keys()
    ]
    if alone:
        raise DataError(f"The topics differ: {'; '.join(alone)}.", "Evaluate both over the same declared topics.")
    if not system:
        raise DataError("There is no topic to compare on.")
    bad = [topic for topic in sorted(system) if not (isfinite(system[topic]) and isfinite(baseline[topic]))]
    if bad:
        raise DataError(f"The value of {_some(bad)} is not a finite number.", "Evaluate the run again.")
    return [(system[topic], baseline[topic]) for topic in sorted(system)]


def paired_differences(system: Mapping[str, float], baseline: Mapping[str, float]) -> list[float]:
    """system - baseline per topic, topics sorted by id; exactly 0 where only rounding parts the two.

    Raises ``DataError`` as ``align`` does.
    """
    differences = [new - old for new, old in align(system, baseline)]
    return [0.0 if abs(difference) <= ROUNDING else difference for difference in differences]


def effect_size(system: Mapping[str, float], baseline: Mapping[str, float]) -> float:
    """Cohen's d for pairs (d_z, 1988): the mean difference in standard deviations of the differences; t = d_z sqrt(n).

    One topic: nan. All differences 0: 0. All equal and not 0: infinite, with their sign.
    """
    n, (mean, error) = len(system), _mean_and_error(paired_differences(system, baseline))
    if n < 2:
        return nan
    return _t(mean, error) / sqrt(n)


def paired_t(system: Mapping[str, float], baseline: Mapping[str, float], alpha: float = 0.05) -> PairedT:
    """Student's paired t-test, two-sided, with the (1 - ``alpha``) interval of the mean difference.

    The module's docstring says what happens with one topic and with equal differences.
    """
    differences = paired_differences(system, baseline)
    n, mean, error = len(differences), *_mean_and_error(differences)
    if n < 2:
        return PairedT(n, mean, nan, nan, nan, nan)
    t = _t(mean, error)
    half = float(stdtrit(n - 1, 1 - alpha / 2)) * error
    return PairedT(n, mean, mean - half, mean + half, t, min(1.0, 2 * float(stdtr(n - 1, -abs(t)))))


def non_inferiority(system: Mapping[str, float], baseline: Mapping[str, float], margin: float) -> float:
    """p of the hypothesis that the system is worse by more than ``margin`` (relative to the baseline's mean).

    One-sided paired t-test of d + margin * mean(baseline) > 0, as in MORES (CIKM 2020): a small p says "not worse by
    more than the margin". The margin is taken as fixed although the baseline's mean is estimated.
    """
    return _one_sided(paired_differences(system, baseline), margin * _mean(baseline))


def tost(system: Mapping[str, float], baseline: Mapping[str, float], margin: float) -> float:
    """p of two one-sided tests for equivalence within ``margin`` (relative to the baseline's mean).

    A small p says that the two differ by less than the margin, either way; "not significant" alone never says so.
    """
    differences, slack = paired_differences(system, baseline), margin * _mean(baseline)
    sides = [_one_sided(differences, slack), _one_sided([-difference for difference in differences], slack)]
    return nan if any(map(isnan, sides)) else max(sides)


def compare(
    system: Mapping[str, float],
    baseline: Mapping[str, float],
    *,
    margins: Sequence[float] = (0.02, 0.05),
    alpha: float = 0.05,
) -> Comparison:
    """Everything about one system and one baseline (topic -> value); p is the t-test's, and not corrected.

    Raises ``DataError`` where their topics differ.
    """
    test = paired_t(system, baseline, alpha)
    differences = paired_differences(system, baseline)
    mean, baseline_mean = _mean(system), _mean(baseline)
    return Comparison(
        n=test.n,
        mean=mean,
        baseline_mean=baseline_mean,
        difference=test.difference,
        low=test.low,
        high=test.high,
        relative_gain=test.difference / baseline_mean if baseline_mean else nan,
        t=test.t,
        p=test.p,
        wins=sum(difference > 0 for difference in differences),
        ties=sum(difference == 0 for difference in differences),
        losses=sum(difference < 0 for difference in differences),
        margins=tuple(
            MarginTest(margin, non_inferiority(system, baseline, margin), tost(system, baseline, margin))
            for margin in margins
        ),
    )


def spread(values: Sequence[float]) -> float:
    """Standard deviation with n - 1 in the denominator; exactly 0 where only rounding parts the values, nan of one."""
    return _mean_and_error(values)[1] * sqrt(len(values)) if len(values) > 1 else nan


def _mean(values: Mapping[str, float]) -> float:
    return fsum(values.values()) / len(values)


def _mean_and_error(differences: Sequence[float]) -> tuple[float, float]:
    """Mean and its standard error; exactly 0 where differences cancel, and where only rounding parts them."""
    n = len(differences)
    mean = fsum(differences) / n
    if abs(mean) <= ROUNDING:  # differences that cancel: no sign, above nobody
        mean = 0.0
    if n < 2 or max(differences) - min(differences) <= ROUNDING:
        return mean, 0.0
    return mean, sqrt(fsum((difference - mean) ** 2 for difference in differences) / (n - 1) / n)


def _t(mean: float, error: float) -> float:
    if error:
        return mean / error
    return copysign(inf, mean) if mean else 0.0


def _one_sided(differences: Sequence[float], slack: float) -> float:
    """p of the hypothesis mean(difference) + slack <= 0."""
    if len(differences) < 2:
        return nan
    mean, error = _mean_and_error(differences)
    if not error:
        return 0.0 if mean + slack > ROUNDING else 1.0
    return float(stdtr(len(differences) - 1, -_t(mean + slack, error)))


def _some(topics: Sequence[str], most: int = 5) -> str:
    noun = "topic" if len(topics) == 1 else f"{len(topics)} topics"
    return f"{noun} {', '.join(topics[:most])}{', ...' if len(topics) > most else ''}"
