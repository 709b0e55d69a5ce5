from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.errors import DataError
from clir_cli.translation.alignment.prepared_text import SHORT, PreparationReport, prepare

TOY = [
    (["das", "haus"], ["the", "house"]),
    ([], ["nothing"]),
    (["ein", "haus", "ein"], ["a", "home"]),
    (["nichts"], []),
    (["das", "heim"], ["the", "home", "!"]),
]

words = st.text("abc", min_size=1, max_size=2)
sentences = st.lists(words, max_size=8)


def read_back(text):
    """The pairs that a prepared text stands for."""

    def side(names, numbers, start):
        return [[names[n] for n in numbers[first:last]] for first, last in pairwise(start)]

    return list(
        zip(
            side(text.source_words, text.sources, text.source_start),
            side(text.target_words, text.targets, text.target_start),
            strict=True,
        )
    )


def test_words_are_numbered_in_sorted_order_and_pairs_stay_in_theirs():
    text = prepare(TOY)
    assert text.source_words == ["das", "ein", "haus", "heim"]
    assert text.target_words == ["!", "a", "home", "house", "the"]
    assert text.sources.tolist() == [0, 2, 1, 2, 1, 0, 3]
    assert text.source_start.tolist() == [0, 2, 5, 7]
    assert text.targets.tolist() == [4, 3, 1, 2, 4, 2, 0]
    assert text.target_start.tolist() == [0, 2, 4, 7]
    assert len(text) == 3


def test_blank_sides_leave_both_sides_and_lines_tell_what_stayed():
    text = prepare(TOY)
    assert text.lines.tolist() == [0, 2, 4]
    assert text.report == PreparationReport(3, 2, 0, 0, 7, 7)
    assert text.report.read == 5


def test_the_arrays_have_the_promised_types():
    text = prepare(TOY)
    assert text.sources.dtype == text.targets.dtype == np.int32
    assert text.source_start.dtype == text.target_start.dtype == text.lines.dtype == np.int64


def test_long_pairs_are_left_out_on_either_side():
    pairs = [(["a"] * 4, ["b"]), (["a"], ["b"] * 4), (["a"] * 3, ["b"] * 3)]
    text = prepare(pairs, max_length=3)
    assert text.report == PreparationReport(1, 0, 2, 0, 3, 3)


def test_unequal_pairs_are_left_out_unless_they_are_short():
    allowed, unequal = (["a"] * 2, ["b"] * 18), (["a"] * 2, ["b"] * 19)
    short = (["a"], ["b"] * SHORT)
    barely_long = (["a"] * (SHORT + 1), ["b"])
    text = prepare([allowed, unequal, unequal[::-1], short, barely_long])
    assert text.lines.tolist() == [0, 3]
    assert text.report == PreparationReport(2, 0, 0, 3, 3, 18 + SHORT)


def test_no_pair_left_is_an_error_that_says_why():
    with pytest.raises(DataError) as error:
        prepare([([], ["b"]), (["a"] * 21, ["b"]), (["a"], []), (["a"], ["b"] * 12)], max_length=20)
    assert str(error.value) == (
        "The parallel text has no usable sentence pair (4 read: 2 with an empty side, 1 over 20 words, 1 of too "
        "unequal lengths). Check that the two files belong to this pair and are not empty."
    )


def test_positions_must_fit_into_16_bits():
    with pytest.raises(ValueError, match="max_length is 32768"):
        prepare(TOY, max_length=32768)


def test_swapped_exchanges_the_sides():
    text = prepare(TOY)
    assert read_back(text.swapped()) == [(target, source) for source, target in read_back(text)]
    assert text.swapped().swapped().fingerprint() == text.fingerprint() != text.swapped().fingerprint()


def test_the_fingerprint_changes_with_words_and_order_only():
    text = prepare(TOY)
    assert prepare([pair for pair in TOY if all(pair)]).fingerprint() == text.fingerprint()
    assert prepare(TOY[::-1]).fingerprint() != text.fingerprint()
    assert prepare([*TOY, (["das"], ["the"])]).fingerprint() != text.fingerprint()


def test_progress_is_told():
    told = []
    prepare([(["a"], ["b"])] * 45_000, progress=lambda *state: told.append(state))
    assert [done for done, _, _ in told] == [20_000, 40_000, 45_000]


@given(st.lists(st.tuples(sentences, sentences), max_size=8))
@settings(max_examples=100, deadline=None)
def test_nothing_is_lost_or_made_up(pairs):
    kept = [pair for pair in pairs if all(pair) and max(map(len, pair)) <= 6]
    if not kept:
        with pytest.raises(DataError):
            prepare(pairs, max_length=6)
        return
    text = prepare(pairs, max_length=6)
    assert read_back(text) == kept == [pairs[line] for line in text.lines]
    report = text.report
    assert (report.pairs, report.read) == (len(kept), len(pairs))
    assert (report.source_tokens, report.target_tokens) == tuple(
        sum(map(len, side)) for side in zip(*kept, strict=True)
    )
