"""The sign-flip test: by hand, by enumeration, against scipy, and where there is nothing to go by."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from clir_cli.errors import DataError, UsageError
from clir_cli.evaluation.randomisation import flip_signs

value = st.integers(0, 20).map(lambda twentieths: twentieths / 20)


def by_topic(values: list[float]) -> dict[str, float]:
    return {f"C{topic:03}": value for topic, value in enumerate(values, start=1)}


def against_zero(differences: list[float]) -> tuple[dict[str, float], dict[str, float]]:
    return by_topic(differences), by_topic([0.0] * len(differences))


def test_three_topics_by_hand() -> None:
    # .1, .2, -.05: sums of all signs are +-.35, +-.25, +-.15, +-.05; four of eight are at least .25 away from 0.
    found = flip_signs(*against_zero([0.1, 0.2, -0.05]))
    assert (found.n, found.draws, found.is_exact, found.p) == (3, 8, True, 0.5)
    assert found.difference == pytest.approx(0.25 / 3)


def test_equal_differences_are_the_two_ends_of_all_signs() -> None:
    assert flip_signs(*against_zero([0.1] * 6)).p == 2 / 2**6
    assert flip_signs(*against_zero([-0.1] * 20)).p == 2 / 2**20


def test_where_there_is_nothing_to_go_by() -> None:
    assert flip_signs(*against_zero([0.3])).p == 1.0
    tied = flip_signs(*against_zero([0.0, 0.0, 0.0]))
    assert (tied.p, tied.difference, tied.is_exact) == (1.0, 0.0, True)
    with pytest.raises(DataError, match="the system lacks topic 2"):
        flip_signs({"1": 0.0}, {"1": 0.0, "2": 0.0})
    with pytest.raises(UsageError, match="9999 draws are too few"):
        flip_signs({"1": 0.1}, {"1": 0.0}, draws=9999)


@settings(max_examples=40)
@given(st.lists(st.tuples(value, value), min_size=1, max_size=9))
def test_exact_p_is_the_share_of_all_signs(pairs: list[tuple[float, float]]) -> None:
    system, baseline = by_topic([new for new, _ in pairs]), by_topic([old for _, old in pairs])
    whole = [round(20 * (new - old)) for new, old in pairs]  # in integers nothing is rounded
    sums = [
        abs(sum(sign * size for sign, size in zip(signs, whole, strict=True)))
        for signs in product((1, -1), repeat=len(whole))
    ]
    found = flip_signs(system, baseline)
    assert found.p == pytest.approx(sum(far >= abs(sum(whole)) for far in sums) / len(sums))
    assert flip_signs(baseline, system).p == found.p


def test_equals_scipy_where_it_is_exact() -> None:
    differences = np.random.default_rng(3).normal(0.2, 0.5, size=11)
    theirs = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert flip_signs(*against_zero(list(differences))).p == pytest.approx(theirs.pvalue)


def test_drawn_signs_come_near_the_exact_p_and_near_scipy() -> None:
    differences = list(np.random.default_rng(5).normal(0.15, 0.5, size=40))
    found = flip_signs(*against_zero(differences))
    assert (found.draws, found.is_exact) == (100_000, False)
    theirs = stats.permutation_test(
        (np.array(differences),), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(1)
    )
    assert found.p == pytest.approx(theirs.pvalue, abs=0.015)
    # With 21 topics that differ signs are drawn; one of them differs by nothing to speak of, so 20 give the exact p.
    small = [*np.random.default_rng(6).normal(0.2, 0.5, size=20)]
    exact, drawn = flip_signs(*against_zero(small)), flip_signs(*against_zero([*small, 1e-9]))
    assert (exact.is_exact, drawn.is_exact) == (True, False)
    assert drawn.p == pytest.approx(exact.p, abs=0.01)


def test_the_same_seed_and_any_order_give_the_same_p() -> None:
    system, baseline = against_zero(list(np.random.default_rng(8).normal(0.1, 0.5, size=50)))
    found = flip_signs(system, baseline, draws=10_000, seed=4)
    assert flip_signs(dict(reversed(system.items())), baseline, draws=10_000, seed=4) == found
    assert flip_signs(baseline, system, draws=10_000, seed=4).p == found.p
    assert len({flip_signs(system, baseline, draws=10_000, seed=seed).p for seed in range(3)}) > 1


def test_a_p_from_draws_is_never_zero() -> None:
    assert flip_signs(*against_zero([0.5 + 0.001 * i for i in range(60)]), draws=10_000).p == 1 / 10_001
