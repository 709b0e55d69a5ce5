import numpy as np
import pytest

from clir_cli.translation.alignment.jumps import WIDTHS, WINDOW, JumpCounts, Jumps


def counted(near=None, far=0.0, first=(1.0,), steps=0.0, far_places=0.0) -> JumpCounts:
    counts = JumpCounts()
    if near is not None:
        counts.near[:] = near
    counts.array[WIDTHS] = far
    counts.first[: len(first)] = first
    counts.array[-2:] = steps, far_places
    return counts


def test_counts_are_views_of_one_array():
    counts = counted(np.arange(WIDTHS), 99.0, np.arange(WIDTHS + 1) + 100, 7, 8)
    assert counts.array.tolist() == [*range(WIDTHS), 99, *range(100, 101 + WIDTHS), 7, 8]
    assert (counts.far, counts.steps, counts.far_places) == (99, 7, 8)


def test_at_first_the_next_word_is_the_likeliest_and_nothing_is_impossible():
    jumps = Jumps.at_first()
    assert jumps.weights.argmax() == WINDOW + 1
    assert jumps.first.argmax() == 0
    assert min(jumps.weights.min(), jumps.far, jumps.first.min()) > 0
    assert (len(jumps.weights), len(jumps.first)) == (WIDTHS, WIDTHS + 1)


def test_counts_are_multiplied_by_the_weights_they_were_counted_with():
    old = Jumps(np.arange(1.0, WIDTHS + 1), 0.5, np.ones(WIDTHS + 1))
    near = np.zeros(WIDTHS)
    near[[3, 8]] = 2.0, 1.0  # expected jumps: 2 x 4 and 1 x 9
    new = old.re_estimated(counted(near, far=6.0, first=(3.0, 1.0), steps=10, far_places=30))  # and 6 x 0.5
    expected = np.zeros(WIDTHS)
    expected[[3, 8]] = 8 / 20, 9 / 20
    np.testing.assert_allclose(new.weights, expected, atol=1e-6)
    # the 3 wide jumps are shared by the 3 places that were too far to have a weight of their own
    assert new.far == pytest.approx(3 / 20 / 3, abs=1e-6)
    np.testing.assert_allclose(new.first[:3], [0.75, 0.25, 0], atol=1e-3)
    assert min(new.weights.min(), new.first.min()) > 0


def test_without_jumps_nothing_changes():
    old = Jumps.at_first()
    assert old.re_estimated(JumpCounts()) is old
    assert old.re_estimated(counted(first=(5.0,))) is old  # sentences of one word


def test_short_sentences_have_no_wide_jumps():
    near = np.zeros(WIDTHS)
    near[WINDOW + 1] = 4
    new = Jumps.at_first().re_estimated(counted(near, steps=4))
    assert 0 < new.far < 1e-6
    assert new.weights[WINDOW + 1] == pytest.approx(1, abs=1e-5)
