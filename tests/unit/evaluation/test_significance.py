"""Tests equal scipy's where scipy has one, and have a defined answer where it gives nan."""

from math import inf, isnan, nan

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from clir_cli.errors import DataError
from clir_cli.evaluation.correction import holm
from clir_cli.evaluation.significance import (
    Comparison,
    compare,
    effect_size,
    non_inferiority,
    paired_t,
    tost,
)

# Multiples of 1/100: the differences of measures, without the ones that only rounding makes.
value = st.integers(0, 100).map(lambda hundredths: hundredths / 100)
pairs = st.lists(st.tuples(value, value), min_size=2, max_size=30)


def by_topic(values: list[float]) -> dict[str, float]:
    return {f"C{topic:03}": value for topic, value in enumerate(values, start=1)}


def split(pairs: list[tuple[float, float]]) -> tuple[dict[str, float], dict[str, float]]:
    return by_topic([new for new, _ in pairs]), by_topic([old for _, old in pairs])


def varies(pairs: list[tuple[float, float]]) -> bool:
    return len({round(new - old, 6) for new, old in pairs}) > 1


@given(pairs, st.sampled_from([0.05, 0.01]))
def test_paired_t_equals_scipy(sample: list[tuple[float, float]], alpha: float) -> None:
    assume(varies(sample))
    system, baseline = split(sample)
    ours, theirs = paired_t(system, baseline, alpha), stats.ttest_rel(list(system.values()), list(baseline.values()))
    assert ours.t == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-9)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-6, abs=1e-12)
    interval = theirs.confidence_interval(1 - alpha)
    assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high), rel=1e-9, abs=1e-9)


@given(pairs, st.sampled_from([0.02, 0.05, 0.5]))
def test_margins_equal_scipy(sample: list[tuple[float, float]], margin: float) -> None:
    assume(varies(sample))
    system, baseline = split(sample)
    slack = margin * sum(baseline.values()) / len(baseline)
    above = stats.ttest_1samp([new - old + slack for new, old in sample], 0, alternative="greater").pvalue
    below = stats.ttest_1samp([new - old - slack for new, old in sample], 0, alternative="less").pvalue
    assert non_inferiority(system, baseline, margin) == pytest.approx(above, rel=1e-6, abs=1e-12)
    assert tost(system, baseline, margin) == pytest.approx(max(above, below), rel=1e-6, abs=1e-12)


@given(pairs, st.randoms())
def test_order_of_topics_changes_nothing(sample: list[tuple[float, float]], random: object) -> None:
    system, baseline = split(sample)
    shuffled = list(system.items())
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert compare(dict(shuffled), baseline) == compare(system, baseline)


@given(pairs)
def test_swapping_the_two_mirrors_everything(sample: list[tuple[float, float]]) -> None:
    system, baseline = split(sample)
    one, other = compare(system, baseline), compare(baseline, system)
    assert (one.wins, one.ties, one.losses) == (other.losses, other.ties, other.wins)
    assert one.p == other.p
    assert (one.difference, one.t) == (-other.difference, -other.t)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


@given(st.lists(st.floats(0, 1), max_size=8), st.randoms())
def test_holm_is_monotone_and_moves_with_its_members(p_values: list[float], random: object) -> None:
    corrected = holm(p_values)
    by_p = sorted(zip(p_values, corrected, strict=True))
    assert [p for _, p in by_p] == sorted(corrected)
    assert all(p <= q <= min(1.0, len(p_values) * p) for p, q in by_p)
    order = list(range(len(p_values)))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert holm([p_values[index] for index in order]) == [corrected[index] for index in order]


def test_holm_leaves_out_tests_that_could_not_be_made() -> None:
    corrected = holm([0.02, nan, 0.01])
    assert corrected[0::2] == [0.02, 0.02]
    assert isnan(corrected[1])
    assert holm([]) == []


def test_all_differences_zero() -> None:
    same = by_topic([0.1, 0.2, 0.3])
    found = compare(same, dict(same))
    assert (found.difference, found.t, found.p, found.low, found.high) == (0.0, 0.0, 1.0, 0.0, 0.0)
    assert (found.wins, found.ties, found.losses) == (0, 3, 0)
    assert [(test.non_inferiority, test.equivalence) for test in found.margins] == [(0.0, 0.0), (0.0, 0.0)]


def test_differences_that_only_rounding_makes_are_ties() -> None:
    system, baseline = {"1": 0.1 + 0.2, "2": 0.5}, {"1": 0.3, "2": 0.5}
    assert system["1"] != baseline["1"]
    assert compare(system, baseline).ties == 2
    assert compare(system, baseline).p == 1.0


def test_all_differences_equal() -> None:
    found = compare(by_topic([0.3, 0.4, 0.8]), by_topic([0.2, 0.3, 0.7]))
    assert (found.t, found.p) == (inf, 0.0)
    assert found.low == found.high == pytest.approx(0.1)
    worse = compare(by_topic([0.2, 0.3, 0.7]), by_topic([0.3, 0.4, 0.8]), margins=(0.05,))
    assert (worse.t, worse.p) == (-inf, 0.0)
    assert worse.margins[0].non_inferiority == 1.0


def test_one_topic_has_a_difference_and_no_test() -> None:
    found = compare({"1": 0.5}, {"1": 0.4})
    assert found.difference == pytest.approx(0.1)
    assert all(map(isnan, (found.t, found.p, found.low, found.high)))
    assert all(isnan(test.non_inferiority) and isnan(test.equivalence) for test in found.margins)
    assert isnan(holm([found.p])[0])


def test_a_baseline_of_zero_has_no_relative_gain() -> None:
    found = compare(by_topic([0.1, 0.3]), by_topic([0.0, 0.0]))
    assert isnan(found.relative_gain)
    # No margin is left: both are tests of the plain difference.
    assert found.margins[0].non_inferiority == pytest.approx(found.p / 2)
    nothing = compare(by_topic([0.0, 0.0]), by_topic([0.0, 0.0]))
    assert (nothing.p, nothing.margins[0].non_inferiority) == (1.0, 1.0)


def test_topics_that_differ_are_named_on_both_sides() -> None:
    with pytest.raises(DataError) as caught:
        compare({"C041": 1.0, "C042": 1.0}, {"C042": 1.0} | {f"C{topic}": 0.0 for topic in range(100, 107)})
    assert "the system lacks 7 topics C100, C101, C102, C103, C104, ..." in caught.value.problem
    assert "the baseline lacks topic C041" in caught.value.problem


@pytest.mark.parametrize(("system", "problem"), [({}, "no topic"), ({"1": nan, "2": 0.0}, "topic 1 is not a finite")])
def test_values_that_cannot_be_tested(system: dict[str, float], problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        paired_t(system, dict.fromkeys(system, 0.0))


def test_record_of_a_comparison_by_hand() -> None:
    found = compare({"1": 0.5, "2": 0.4, "3": 0.3}, {"1": 0.3, "2": 0.4, "3": 0.4}, margins=(0.1,))
    # Differences .2, 0, -.1: mean .0333, deviation .1528, error .0882.
    assert found == Comparison(
        n=3,
        mean=pytest.approx(0.4),
        baseline_mean=pytest.approx(0.36667, abs=1e-5),
        difference=pytest.approx(0.03333, abs=1e-5),
        low=pytest.approx(-0.34615, abs=1e-4),
        high=pytest.approx(0.41282, abs=1e-4),
        relative_gain=pytest.approx(1 / 11),
        t=pytest.approx(0.37796, abs=1e-5),
        p=pytest.approx(0.74180, abs=1e-4),
        wins=1,
        ties=1,
        losses=1,
        margins=found.margins,
    )
    assert found.margins[0].non_inferiority == pytest.approx(0.25528, abs=1e-4)
    assert found.margins[0].equivalence == pytest.approx(0.48664, abs=1e-4)


@given(pairs)
def test_effect_size_is_t_without_the_number_of_topics(sample: list[tuple[float, float]]) -> None:
    system, baseline = split(sample)
    assert effect_size(system, baseline) * len(sample) ** 0.5 == pytest.approx(paired_t(system, baseline).t)
    assume(varies(sample))
    differences = [new - old for new, old in sample]
    assert effect_size(system, baseline) == pytest.approx(
        stats.tmean(differences) / stats.tstd(differences), rel=1e-6, abs=1e-9
    )


def test_effect_size_by_hand_and_where_nothing_varies() -> None:
    zero = by_topic([0.0, 0.0, 0.0])
    assert effect_size(by_topic([0.1, 0.2, 0.3]), zero) == pytest.approx(2.0)  # mean .2, deviation .1
    assert effect_size(zero, zero) == 0.0
    assert (effect_size(by_topic([0.1] * 3), zero), effect_size(zero, by_topic([0.1] * 3))) == (inf, -inf)
    assert isnan(effect_size({"1": 0.5}, {"1": 0.0}))


def test_differences_that_cancel_have_no_sign() -> None:
    differences = [-0.3, 0.1, 0.2]
    found = compare({str(at): 0.5 + one for at, one in enumerate(differences)}, dict.fromkeys("012", 0.5))
    assert str(found.difference) == "0.0", "rounding must not print as -0.0000"
    assert (str(found.t), found.p, found.relative_gain) == ("0.0", 1.0, 0.0)
