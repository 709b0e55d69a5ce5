"""Tables that are wrong on purpose: wrong in what they should be, and right in all else."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.translation.altered import BAND, count_documents, shuffle_targets, turn_round
from clir_cli.translation.table import TranslationTable

WORDS = [f"w{number:02}" for number in range(40)]
TABLES = st.dictionaries(
    st.sampled_from("abcdef"),
    st.dictionaries(st.sampled_from(WORDS), st.sampled_from([1 / 16, 1 / 8, 0.25, 0.3, 0.1]), min_size=1, max_size=6),
    min_size=1,
    max_size=6,
)
FREQUENCIES = st.dictionaries(st.sampled_from(WORDS), st.integers(0, 5))


def mapping(table: TranslationTable, shuffled: TranslationTable) -> dict[str, str]:
    """What each document word became, read off a table in which every word has a p of its own."""
    before, after = table.row("a"), shuffled.row("a")
    by_p = {p: word for word, p in after.items()}
    return {word: by_p[p] for word, p in before.items() if p in by_p}


@settings(max_examples=40, deadline=None)
@given(TABLES, FREQUENCIES, st.integers(0, 3))
def test_a_shuffled_table_keeps_the_mass_and_moves_every_word(
    rows: dict[str, dict[str, float]], frequencies: dict[str, int], seed: int
) -> None:
    table = TranslationTable.from_dict(rows)
    shuffled = shuffle_targets(table, frequencies, seed)
    known = {word for row in rows.values() for word in row if frequencies.get(word, 0) > 0}
    assert set(shuffled.target_words) == known
    for source in rows:
        kept = {word: p for word, p in table.row(source).items() if word in known}
        assert Counter(shuffled.row(source).values()) == Counter(kept.values())
    again = shuffle_targets(table, frequencies, seed)
    assert {word: again.row(word) for word in rows} == {word: shuffled.row(word) for word in rows}


def test_a_word_becomes_another_one_of_its_band_the_same_in_every_row() -> None:
    numbers = np.linspace(0.01, 0.4, len(WORDS), dtype=np.float32)
    rows = {"a": dict(zip(WORDS, numbers.tolist(), strict=True)), "b": {"w03": 0.5, "w20": 0.25}}
    frequencies = {word: 100 - number for number, word in enumerate(WORDS)}
    table = TranslationTable.from_dict(rows)
    shuffled = shuffle_targets(table, frequencies, 7)
    became = mapping(table, shuffled)
    assert set(became) == set(became.values()) == set(WORDS)
    assert all(word != other for word, other in became.items())
    band = {word: number // BAND for number, word in enumerate(WORDS)}
    assert all(band[word] == band[other] for word, other in became.items())
    assert shuffled.row("b") == {became["w03"]: 0.5, became["w20"]: 0.25}
    assert mapping(table, shuffle_targets(table, frequencies, 8)) != became


def test_a_rest_of_one_word_is_not_left_alone() -> None:
    words = [f"x{number:02}" for number in range(BAND + 1)]
    numbers = np.linspace(0.01, 0.4, len(words), dtype=np.float32)
    table = TranslationTable.from_dict({"a": dict(zip(words, numbers.tolist(), strict=True))})
    became = mapping(table, shuffle_targets(table, dict.fromkeys(words, 2), 1))
    assert all(word != other for word, other in became.items())
    assert len(became) == BAND + 1
    alone = TranslationTable.from_dict({"a": {"x": 0.5, "gone": 0.5}})
    assert shuffle_targets(alone, {"x": 1}, 1).row("a") == {"x": 0.5}
    assert len(shuffle_targets(alone, {}, 1)) == 0


def test_a_table_turned_round_has_the_same_links_with_the_other_probability() -> None:
    table = TranslationTable.from_dict({"haus": {"house": 0.5, "home": 0.25}, "heim": {"home": 0.75}})
    turned = turn_round(table)
    # P(heim | home) = .75 / (.25 + .75), both query words being equally probable
    assert turned.row("haus") == pytest.approx({"house": 1.0, "home": 0.25})
    assert turned.row("heim") == pytest.approx({"home": 0.75})


def test_documents_are_counted_once_for_a_word() -> None:
    assert count_documents(["a b a\n", "\n", "b c\n"]) == {"a": 1, "b": 2, "c": 1}
