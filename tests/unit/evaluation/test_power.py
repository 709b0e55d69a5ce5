"""Power of the paired t-test: known values, scipy's noncentral t, and tests made on drawn differences."""

from math import inf, isnan, nan, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from clir_cli.evaluation.power import (
    assumed_deviation,
    detectable_difference,
    measured_deviation,
    power_of,
    topics_needed,
)


def test_values_that_books_print() -> None:
    # Cohen's medium effect, d = .5, two-sided .05: 34 pairs for a power of .80, 54 pairs for .95 (G*Power's manual).
    assert topics_needed(0.5, 1.0) == 34
    assert topics_needed(0.5, 1.0, power=0.95) == 54
    assert power_of(0.5, 34) == pytest.approx(0.8077775, abs=1e-6)
    assert detectable_difference(34, 2.0, power=power_of(0.5, 34)) == pytest.approx(1.0)


@given(st.floats(0.05, 1.5), st.integers(3, 300), st.sampled_from([0.05, 0.01]))
def test_power_is_that_of_the_noncentral_t(effect: float, n: int, alpha: float) -> None:
    critical = stats.t.ppf(1 - alpha / 2, n - 1)
    shifted = stats.nct(n - 1, effect * sqrt(n))
    theirs = shifted.sf(critical) + shifted.cdf(-critical)
    assume(not isnan(theirs))  # far out scipy has none
    assert power_of(effect, n, alpha) == pytest.approx(theirs, abs=1e-6)


def test_power_is_how_often_the_test_finds_the_difference() -> None:
    drawn = np.random.default_rng(7).normal(0.4, 1.0, size=(20_000, 30))
    found = np.mean(stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05)
    assert power_of(0.4, 30) == pytest.approx(found, abs=4 * sqrt(0.25 / 20_000))


@settings(max_examples=40)
@given(st.integers(2, 400), st.floats(0.001, 5), st.sampled_from([0.5, 0.8, 0.95]))
def test_difference_and_topics_answer_each_other(n: int, deviation: float, power: float) -> None:
    difference = detectable_difference(n, deviation, power=power)
    assert power_of(difference / deviation, n) == pytest.approx(power, abs=1e-6)
    assert topics_needed(difference * 1.001, deviation, power=power) <= n
    assert n == 2 or topics_needed(difference * 0.999, deviation, power=power) >= n
    assert detectable_difference(n + 1, deviation, power=power) < difference


def test_where_there_is_nothing_to_go_by() -> None:
    assert isnan(power_of(0.5, 1))
    assert isnan(detectable_difference(1, 0.1))
    assert detectable_difference(50, 0.0) == 0.0
    assert topics_needed(0.0, 0.1) == inf
    assert topics_needed(1e-9, 1.0) == inf
    assert topics_needed(0.1, 0.0) == 2
    assert isnan(topics_needed(0.1, nan))
    assert power_of(0.0, 20) == pytest.approx(0.05)
    assert power_of(50.0, 1000) == 1.0


def test_deviations_by_hand() -> None:
    baseline, system = {"1": 0.1, "2": 0.2, "3": 0.3}, {"1": 0.2, "2": 0.4, "3": 0.6}
    assert measured_deviation(system, baseline) == pytest.approx(0.1)  # .1, .2, .3
    assert measured_deviation(dict(baseline), baseline) == 0.0
    assert isnan(measured_deviation({"1": 0.5}, {"1": 0.4}))
    assert assumed_deviation(baseline, 0.5) == pytest.approx(0.1)  # sqrt(2 (1 - .5)) = 1
    assert assumed_deviation(baseline, 0.98) == pytest.approx(0.02)
    assert assumed_deviation(baseline, 1.0) == 0.0


def test_a_chance_of_alpha_or_less_needs_no_difference() -> None:
    assert detectable_difference(30, 1.0, power=0.1, alpha=0.5) == 0
    assert detectable_difference(30, 1.0, power=0.05, alpha=0.05) == 0
