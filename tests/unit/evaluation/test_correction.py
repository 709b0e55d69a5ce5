"""Benjamini and Hochberg's correction; Holm's has its tests beside the t-test's."""

from math import isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from clir_cli.evaluation.correction import benjamini_hochberg, holm


def test_four_tests_by_hand() -> None:
    # Largest times 4/4, next times 4/3, 4/2, 4/1; from the largest down never above the one before.
    assert benjamini_hochberg([0.01, 0.04, 0.03, 0.5]) == pytest.approx([0.04, 0.04 * 4 / 3, 0.04 * 4 / 3, 0.5])
    # 3 * .02 = .06 for the smallest, but 3 / 2 * .03 = .045 for the next.
    assert benjamini_hochberg([0.02, 0.9, 0.03]) == pytest.approx([0.045, 0.9, 0.045])


def test_tests_that_could_not_be_made_are_no_members() -> None:
    corrected = benjamini_hochberg([0.02, nan, 0.01])
    assert corrected[0::2] == pytest.approx([0.02, 0.02])
    assert isnan(corrected[1])
    assert benjamini_hochberg([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.randoms())
def test_equals_scipy_and_moves_with_its_members(p_values: list[float], random: object) -> None:
    corrected = benjamini_hochberg(p_values)
    assert corrected == pytest.approx(list(stats.false_discovery_control(p_values)), abs=1e-15)
    for p, q, strict in zip(p_values, corrected, holm(p_values), strict=True):
        assert p <= q <= strict + 1e-15
    order = list(range(len(p_values)))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert benjamini_hochberg([p_values[index] for index in order]) == [corrected[index] for index in order]
