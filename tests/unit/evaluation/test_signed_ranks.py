"""Wilcoxon's test: by hand, as scipy has it, and where scipy gives nothing."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from clir_cli.errors import DataError
from clir_cli.evaluation.signed_ranks import rank_signs


def by_topic(values: list[float]) -> dict[str, float]:
    return {f"C{topic:03}": value for topic, value in enumerate(values, start=1)}


def test_five_topics_by_hand() -> None:
    # Ranks 1 to 4 of .1, .2, .3, .4 (the tie is left out); the one loss has rank 1. Of the 16 sets of signs two have
    # a sum of at most 1 on the losing side, and as many on the other: p = 4 / 16.
    found = rank_signs(by_topic([0.4, 0.9, 0.5, 0.7, 0.5]), by_topic([0.5, 0.5, 0.2, 0.5, 0.5]))
    assert (found.n, found.used, found.statistic, found.p) == (5, 4, 1.0, 0.25)


def test_where_there_is_nothing_to_go_by() -> None:
    tied = rank_signs(by_topic([0.1, 0.2]), by_topic([0.1, 0.2]))
    assert (tied.used, tied.statistic, tied.p) == (0, 0.0, 1.0)
    assert rank_signs({"1": 0.5}, {"1": 0.4}).p == 1.0
    assert rank_signs(by_topic([0.5] * 6), by_topic([0.4] * 6)).p == pytest.approx(2 / 2**6)
    with pytest.raises(DataError, match="the baseline lacks topic 2"):
        rank_signs({"1": 0.0, "2": 0.0}, {"1": 0.0})


def test_differences_that_only_rounding_parts_share_a_rank() -> None:
    assert 0.3 - 0.2 != 0.2 - 0.1
    found = rank_signs(by_topic([0.3, 0.1, 0.5]), by_topic([0.2, 0.2, 0.2]))
    assert found.statistic == 1.5  # +.1 and -.1 have the ranks 1 and 2 together


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 64), st.integers(0, 64)), min_size=30, max_size=70))
def test_equals_scipy_called_by_hand(pairs: list[tuple[int, int]]) -> None:
    new, old = [new / 64 for new, _ in pairs], [old / 64 for _, old in pairs]  # sixty-fourths: exact in binary
    differences = [a - b for a, b in zip(new, old, strict=True) if a != b]
    assume(len(differences) > 13)
    found, theirs = rank_signs(by_topic(new), by_topic(old)), stats.wilcoxon(differences)
    assert (found.statistic, found.p) == pytest.approx((theirs.statistic, min(1.0, theirs.pvalue)))
    assert rank_signs(by_topic(old), by_topic(new)).p == pytest.approx(found.p)


@settings(max_examples=60)
@given(st.lists(st.integers(-64, 64).filter(bool), min_size=1, max_size=13, unique_by=abs))
def test_few_topics_equal_scipy_called_by_hand(whole: list[int]) -> None:
    differences = [difference / 64 for difference in whole]
    found, theirs = rank_signs(by_topic(differences), by_topic([0.0] * len(whole))), stats.wilcoxon(differences)
    assert (found.statistic, found.p) == pytest.approx((theirs.statistic, theirs.pvalue))


@pytest.mark.parametrize("differences", [[0.25, 0.25, 0.5, -0.25, 0.75], [0.5, -0.5, 0.5, 0.25, 0.25, 0.25, -0.125]])
def test_few_topics_with_equal_sizes_too(differences: list[float]) -> None:
    found, theirs = rank_signs(by_topic(differences), by_topic([0.0] * len(differences))), stats.wilcoxon(differences)
    assert (found.statistic, found.p) == pytest.approx((theirs.statistic, theirs.pvalue))
