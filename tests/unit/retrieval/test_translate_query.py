from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.retrieval.translate_query import TEN_BEST, TranslatedWord, human, to_combine, translate, weigh
from clir_cli.translation.table import TranslationTable

TABLE = TranslationTable.from_dict({"haus": {"house": 0.5, "home": 0.25}, "buch": {"book": 1.0}})
DROPPING = replace(TEN_BEST, out_of_table="drop")


def test_words_outside_the_table_stay_or_go():
    assert translate(["obama", "buch"], TABLE) == [
        TranslatedWord("obama", [("obama", 1.0)]),
        TranslatedWord("buch", [("book", 1.0)]),
    ]
    assert translate(["obama", "buch"], TABLE, DROPPING) == [TranslatedWord("buch", [("book", 1.0)])]


def test_the_mass_of_the_kept_translations_is_remembered():
    assert [word.mass for word in translate(["haus", "buch", "obama"], TABLE)] == [0.75, 1.0, 1.0]
    assert translate(["haus"], TABLE, replace(TEN_BEST, top=1)) == [TranslatedWord("haus", [("house", 1.0)], 0.5)]


def test_a_repeated_query_word_counts_twice():
    assert weigh(translate(["buch", "buch", "obama"], TABLE)) == pytest.approx({"book": 2 / 3, "obama": 1 / 3})


@pytest.mark.parametrize("structure", ["nested", "flat"])
def test_a_query_without_words_is_empty(structure):
    assert weigh([], structure) == {}
    assert to_combine([], structure) == "#combine( )"
    assert weigh(translate(["obama"], TABLE, DROPPING), structure) == {}


WORD = st.sampled_from(["haus", "buch", "obama", "x"])


@given(st.lists(WORD, min_size=1), st.sampled_from(["nested", "flat"]), st.integers(1, 3))
def test_weights_sum_to_one(words, structure, count):
    assert sum(weigh(translate(words, TABLE, replace(TEN_BEST, top=count)), structure).values()) == pytest.approx(1)


@given(st.lists(WORD, min_size=1))
def test_structure_makes_no_difference_to_a_human_translation(words):
    assert weigh(human(words), "flat") == pytest.approx(weigh(human(words), "nested"))
