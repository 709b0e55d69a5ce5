import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.translation.difference import compare_tables
from clir_cli.translation.table import TranslationTable

ROWS = st.dictionaries(
    st.sampled_from("abcd"),
    st.dictionaries(st.sampled_from("uvwxyz"), st.sampled_from([0.0625, 0.125, 0.25]), min_size=1, max_size=4),
    max_size=4,
)


def test_a_row_apart_has_distance_one_and_pruned_mass_counts():
    one = TranslationTable.from_dict({"haus": {"house": 1.0}, "heim": {"home": 0.5}, "dom": {"cathedral": 1.0}})
    other = TranslationTable.from_dict({"haus": {"building": 1.0}, "heim": {"home": 0.75}, "buch": {"book": 1.0}})
    found = compare_tables(one, other)
    assert (found.only_first, found.only_second, found.shared) == (["dom"], ["buch"], ["haus", "heim"])
    assert found.distances.tolist() == [1.0, 0.25]
    assert found.same_best.tolist() == [False, True]
    assert found.most_different(1) == [("haus", 1.0)]


def test_tables_that_share_nothing_and_rows_without_entries():
    empty, some = TranslationTable.from_dict({}), TranslationTable.from_dict({"a": {"x": 0.5}, "b": {}})
    assert compare_tables(empty, some).only_second == ["a", "b"]
    assert compare_tables(some, some).distances.tolist() == [0, 0]
    assert compare_tables(empty, empty).most_different(3) == []


@given(ROWS, ROWS)
def test_it_is_total_variation_with_the_missing_mass_as_one_more_translation(one, other):
    found = compare_tables(TranslationTable.from_dict(one), TranslationTable.from_dict(other))
    assert found.shared == sorted(set(one) & set(other))
    for word, distance, same in zip(found.shared, found.distances, found.same_best, strict=True):
        rows = [{**row, "": 1 - sum(row.values())} for row in (one[word], other[word])]
        expected = sum(abs(rows[0].get(t, 0) - rows[1].get(t, 0)) for t in {*rows[0], *rows[1]}) / 2
        assert distance == pytest.approx(expected)
        best = [min(row, key=lambda t: (-row[t], t)) for row in (one[word], other[word])]
        assert same == (best[0] == best[1])
