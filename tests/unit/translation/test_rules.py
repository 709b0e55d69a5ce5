"""Each rule by itself, then what must hold of any of them together."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clir_cli.translation.rules import ROUNDING, TranslatedWord, TranslationRules
from clir_cli.translation.table import TranslationTable

TABLE = TranslationTable.from_dict(
    {"bank": {"bank": 0.5, "bench": 0.25, "shore": 0.125, "settle": 0.125}, "der": {"the": 0.75, "of": 0.25}}
)


def chosen(word, vocabulary=None, **rules):
    found = TranslationRules(**rules).choose(word, TABLE, vocabulary)
    return None if found is None else dict(found.translations)


def test_without_rules_a_row_stays_as_it_is_best_first():
    assert TranslationRules().choose("bank", TABLE) == TranslatedWord(
        "bank", [("bank", 0.5), ("bench", 0.25), ("settle", 0.125), ("shore", 0.125)], 1.0
    )
    assert TranslationRules().choose("obama", TABLE) is None


def test_stop_words_of_either_side_go():
    assert chosen("der", stop=frozenset({"der"})) is None
    assert chosen("der", document_stop=frozenset({"the"})) == {"of": 0.25}


def test_the_threshold_is_strict():
    assert chosen("bank", threshold=0.125) == {"bank": 0.5, "bench": 0.25}


def test_a_float32_probability_is_not_above_the_number_it_was_made_of():
    table = TranslationTable.from_dict({"x": {"a": 0.9, "b": 0.1}})  # as float32, 0.1 is .10000000149
    assert dict(TranslationRules(threshold=0.1).choose("x", table).translations).keys() == {"a"}


@pytest.mark.parametrize(
    ("cut", "count"), [(0.0, 1), (0.5, 1), (0.74, 1), (0.75, 2), (0.874, 2), (0.875, 3), (0.99, 3), (1.0, 4)]
)
def test_the_cut_keeps_what_sums_to_no_more_and_the_first_always(cut, count):
    assert len(chosen("bank", cut=cut)) == count


def test_a_cut_that_float32_probabilities_reach_is_reached():
    table = TranslationTable.from_dict({"x": {"a": 0.9, "b": 0.07, "c": 0.03}})  # as float32 they sum to .97000001
    assert dict(TranslationRules(cut=0.97).choose("x", table).translations).keys() == {"a", "b"}


def test_the_vocabulary_restricts_before_the_best_are_taken():
    assert chosen("bank", {"shore", "settle"}, top=1) == {"settle": 0.125}
    assert chosen("bank", ["shore"]) == {"shore": 0.125}


def test_what_is_kept_is_renormalised_and_its_mass_is_known():
    found = TranslationRules(top=2, renormalise=True).choose("bank", TABLE)
    assert found == TranslatedWord("bank", [("bank", 2 / 3), ("bench", 1 / 3)], 0.75)


@pytest.mark.parametrize("copy", ["oov", "always"])
def test_a_copied_word_has_probability_1(copy):
    assert chosen("obama", copy=copy) == {"obama": 1.0}
    assert chosen("der", copy=copy) == {"the": 0.75, "of": 0.25} | ({"der": 1.0} if copy == "always" else {})
    assert chosen("bank", copy=copy)["bank"] == 0.5


def test_a_word_that_is_left_with_nothing_stands_for_itself_or_goes():
    assert chosen("obama", out_of_table="keep") == {"obama": 1.0}
    assert chosen("der", out_of_table="keep", threshold=0.75) == {"der": 1.0}
    assert chosen("obama", out_of_table="keep", document_stop=frozenset({"obama"})) is None
    assert chosen("obama", {"bank"}, out_of_table="keep") is None
    assert chosen("der", out_of_table="keep", stop=frozenset({"der"})) is None


def test_every_distinct_word_is_asked_once():
    found = TranslationRules(top=1).choose_each(["der", "obama", "bank", "der"], TABLE)
    assert list(found) == ["der", "bank"]


words = st.sampled_from("abcdefgh")
rows = st.dictionaries(words, st.dictionaries(words, st.floats(0.01, 1.0), max_size=6), max_size=5)


@given(
    rows, words, st.sampled_from(["never", "oov", "always"]), st.floats(0, 0.9), st.floats(0, 1), st.integers(1, 8),
    st.booleans(), st.sampled_from(["keep", "drop"]), st.frozensets(words), st.frozensets(words),
)  # fmt: skip
@example({"a": {"a": 0.19885867421400263}}, "a", "never", 0.19885867421400263, 0.0, 1, False, "drop", set(), set())
def test_any_rules_leave_a_beginning_of_what_may_be_linked(
    row, word, copy, threshold, cut, top, renormalise, out_of_table, stop, document_stop
):
    table = TranslationTable.from_dict(row)
    rules = TranslationRules(stop, document_stop, copy, threshold, cut, top, renormalise, out_of_table)
    found = rules.choose(word, table)
    allowed = table.row(word)
    if copy == "always" or (copy == "oov" and word not in table):
        allowed.setdefault(word, 1.0)
    above = float(np.float32(threshold))  # as probabilities are
    allowed = {t: p for t, p in allowed.items() if t not in document_stop and p > above}
    if word in stop or (not allowed and (out_of_table == "drop" or word in document_stop)):
        assert found is None
        return
    allowed = allowed or {word: 1.0}
    best = sorted(allowed, key=lambda t: (-allowed[t], t))
    kept = [t for t, _ in found.translations]
    assert kept == best[: len(kept)]
    assert 1 <= len(kept) <= top
    assert found.mass == pytest.approx(sum(allowed[t] for t in kept))
    assert len(kept) == 1 or found.mass <= cut + 2 * ROUNDING or cut == 1.0
    scale = found.mass if renormalise else 1.0
    assert [w * scale for _, w in found.translations] == pytest.approx([allowed[t] for t in kept])
