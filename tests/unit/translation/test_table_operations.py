"""Operations on whole tables, against the same said word by word."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from clir_cli.translation.rules import TranslationRules
from clir_cli.translation.table import TranslationTable

ROWS = {"haus": {"house": 0.5, "home": 0.25, "building": 0.25}, "heim": {"home": 0.5}, "dom": {"cathedral": 1.0}}
PROBABILITIES = st.sampled_from([1 / 16, 1 / 8, 0.25, 0.3, 0.1])
TABLES = st.dictionaries(
    st.sampled_from("abcdef"), st.dictionaries(st.sampled_from("uvwxyz"), PROBABILITIES, max_size=6), max_size=6
).map(TranslationTable.from_dict)


@pytest.fixture(params=["made", "saved"])
def table(request, tmp_path):
    made = TranslationTable.from_dict(ROWS)
    if request.param == "made":
        return made
    made.save(tmp_path / "table")
    return TranslationTable.load(tmp_path / "table")


def rows_of(table):
    return {word: table.row(word) for word in table.source_words}


def test_above_is_strict_and_words_that_lose_all_leave(table):
    some = table.above(0.25)
    assert rows_of(some) == {"dom": {"cathedral": 1.0}, "haus": {"house": 0.5}, "heim": {"home": 0.5}}
    assert some.target_words == ["cathedral", "home", "house"]
    assert rows_of(table.above(0.5)) == {"dom": {"cathedral": 1.0}}
    assert len(table.above(1.0)) == 0


def test_best_takes_equal_ones_by_word(table):
    assert rows_of(table.best(2))["haus"] == {"house": 0.5, "building": 0.25}
    assert rows_of(table.best(9)) == ROWS


def test_a_cut_keeps_the_first_whatever_it_is(table):
    assert rows_of(table.cut(0.2)) == {"dom": {"cathedral": 1.0}, "haus": {"house": 0.5}, "heim": {"home": 0.5}}
    assert rows_of(table.cut(0.75))["haus"] == {"house": 0.5, "building": 0.25}


def test_a_cut_is_of_probability_not_of_what_a_pruned_row_has():
    table = TranslationTable.from_dict({"haus": {"house": 0.4, "home": 0.4}})
    assert table.cut(0.8).row("haus") == table.row("haus")
    assert table.renormalised().cut(0.8).row("haus") == {"home": 0.5}


def test_renormalised_rows_sum_to_one(table):
    assert rows_of(table.renormalised()) == {**ROWS, "heim": {"home": 1.0}}


def test_the_inverse_is_bayes_with_equally_probable_words(table):
    inverse = table.inverse()
    assert inverse.source_words == ["building", "cathedral", "home", "house"]
    assert inverse.row("home") == pytest.approx({"haus": 1 / 3, "heim": 2 / 3})
    assert inverse.row("house") == {"haus": 1.0}


def test_the_inverse_with_a_prior(table):
    counts = {"haus": 30, "heim": 5, "dom": 1}
    expected = pytest.approx({"haus": 0.25 * 30 / 10, "heim": 0.5 * 5 / 10})
    assert table.inverse(counts).row("home") == expected
    assert table.inverse(np.array([1, 30, 5])).row("home") == expected
    assert rows_of(table.inverse({"heim": 2})) == {"home": {"heim": 1.0}}


@pytest.mark.parametrize("prior", [np.array([1.0]), np.array([1, 1, -1]), np.array([1, 1, np.nan])])
def test_a_prior_is_one_number_a_word(table, prior):
    with pytest.raises(ValueError, match="a prior is 3 numbers of 0 or more"):
        table.inverse(prior)


def test_transposed_numbers_stay_as_they_are(table):
    assert table.transposed().row("home") == {"haus": 0.25, "heim": 0.5}
    assert rows_of(table.transposed().transposed()) == ROWS


def test_the_table_itself_is_left_as_it_was(table):
    for made in (table.above(0.3), table.best(1), table.cut(0.1), table.renormalised(), table.inverse()):
        assert made.probabilities.dtype == np.float32
        made.probabilities.data[:] = 9
    assert rows_of(table) == ROWS


@given(TABLES, st.integers(1, 4), st.sampled_from([0.0, 0.2, 0.25, 0.5, 1.0]), st.sampled_from([0.0, 0.125, 0.25]))
@settings(max_examples=150)
def test_whole_tables_and_the_rules_of_one_word_agree(table, top, cut, threshold):
    rules = TranslationRules(threshold=threshold, cut=cut, top=top)
    chosen = rules.choose_each(table.source_words, table)
    pruned = table.above(threshold)
    pruned = (pruned.cut(cut) if cut < 1 else pruned).best(top)
    assert rows_of(pruned) == {word: pytest.approx(dict(row.translations)) for word, row in chosen.items()}


@given(TABLES)
def test_a_second_cut_changes_nothing_and_an_inverse_sums_to_one(table):
    once = table.cut(0.4)
    assert rows_of(once.cut(0.4)) == rows_of(once)
    assert np.asarray(table.inverse().probabilities.sum(axis=1)).ravel() == pytest.approx(1)
    assert set(table.inverse().source_words) == set(table.target_words)


def test_a_million_entries_take_well_under_a_second():
    random = np.random.default_rng(1)
    cells = np.unique(random.integers(0, 50_000 * 40_000, 1_000_000))
    matrix = csr_matrix((random.random(len(cells), np.float32), (cells // 40_000, cells % 40_000)), (50_000, 40_000))
    matrix.sort_indices()
    words = [f"{number:05}" for number in range(50_000)]
    table = TranslationTable(words, words[:40_000], matrix)
    begun = time.process_time()
    table.above(0.5).cut(0.9).best(5).renormalised().inverse()
    assert time.process_time() - begun < 2
