"""Every word pair that meets has one cell, and every position pair knows its number."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.translation.alignment import cells as module
from clir_cli.translation.alignment.cells import Cells
from clir_cli.translation.alignment.prepared_text import PreparedText, prepare

SENTENCE = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=5)
TEXTS = st.lists(st.tuples(SENTENCE, SENTENCE), min_size=1, max_size=12)


def meetings(text: PreparedText) -> list[tuple[int, int]]:
    """(source word, target word) of every position pair in the order of ``ids``."""
    found = []
    for k in range(len(text)):
        targets = text.targets[text.target_start[k] : text.target_start[k + 1]].tolist()
        for s in text.sources[text.source_start[k] : text.source_start[k + 1]].tolist():
            found += [(s, t) for t in targets]
    return found


def words_of(cells: Cells) -> list[tuple[int, int] | None]:
    """The words of each cell, and None for the number that no cell has."""
    rows = np.repeat(np.arange(len(cells.start) - 1), np.diff(cells.start))
    return [*zip(rows.tolist(), cells.target.tolist(), strict=True), None]


def numbers(cells: Cells) -> list[int]:
    """All ids, stretch by stretch; the stretches follow each other, and blocks fill each."""
    found, expected = [], 0
    for stretch in cells.stretches():
        assert stretch.first == expected
        expected = stretch.last
        assert [first for first, _ in stretch.blocks] == [stretch.first, *(last for _, last in stretch.blocks[:-1])]
        assert stretch.blocks[-1][1] == stretch.last
        assert len(stretch.ids) == cells.offsets[stretch.last] - cells.offsets[stretch.first]
        found += stretch.ids.tolist()
    assert expected == len(cells.offsets) - 1
    return found


@settings(max_examples=60)
@given(pairs=TEXTS, most=st.integers(1, 40), block=st.integers(1, 20))
def test_every_position_pair_has_the_cell_of_its_words(pairs, most, block):
    text = prepare(pairs)
    whole = Cells(text)
    words = words_of(whole)
    assert len(whole) == len(set(words)) - 1 == len(set(meetings(text)))
    ids = numbers(whole)
    assert [words[c] for c in ids] == meetings(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_NUMBERS", most)
        patch.setattr(module, "_BLOCK", block)
        parts = Cells(text)
        np.testing.assert_array_equal(parts.start, whole.start)
        np.testing.assert_array_equal(parts.target, whole.target)
        assert numbers(parts) == ids
        assert numbers(parts) == ids  # once more, as every iteration does
        for stretch in parts.stretches():
            assert len(stretch.ids) <= most or stretch.last == stretch.first + 1
            for first, last in stretch.blocks:
                assert parts.offsets[last] - parts.offsets[first] <= block or last == first + 1


@settings(max_examples=60)
@given(pairs=TEXTS, frequent=st.integers(0, 4))
def test_of_large_texts_only_frequent_words_that_meet_once_have_no_cell(pairs, frequent):
    text = prepare(pairs)
    met = Counter(meetings(text))
    sources, targets = Counter(text.sources.tolist()), Counter(text.targets.tolist())
    # A word is counted as met once where it stands once beside one source word.
    expected = {
        (s, t) for (s, t), n in met.items() if n > 1 or sources[s] <= frequent or targets[t] <= frequent
    }  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_NUMBERS", max(len(meetings(text)) - 1, 0))
        patch.setattr(module, "_FREQUENT", frequent)
        if len(meetings(text)) == 1:
            return
        cells = Cells(text)
        words = words_of(cells)
        assert set(words) == expected | {None}
        assert [words[c] for c in numbers(cells)] == [pair if pair in expected else None for pair in meetings(text)]


def test_a_text_of_one_pair_of_one_word():
    cells = Cells(prepare([(["a"], ["b"])]))
    assert (len(cells), cells.start.tolist(), cells.target.tolist(), numbers(cells)) == (1, [0, 1], [0], [0])


def test_more_cells_than_the_first_room_for_them():
    # one row longer than the array that the cells begin with, which then grows
    words = 300
    pairs = [([f"s{k}"] * 1 + ["all"], [f"t{k}.{j}" for j in range(words)]) for k in range(words)]
    text = prepare(pairs, max_length=words, max_ratio=words)
    cells = Cells(text)
    assert len(cells) == 2 * words * words
    # one row of all target words, and a row of 300 for each of the others; every target word meets two
    assert np.sort(np.diff(cells.start)).tolist() == [words] * words + [words * words]
    assert (np.bincount(cells.target) == 2).all()
