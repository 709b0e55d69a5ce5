"""Mixtures and pivots: by hand, against dense matrices, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import random as random_matrix

from clir_cli.errors import DataError
from clir_cli.translation import combine
from clir_cli.translation.combine import mix, pivot
from clir_cli.translation.table import TranslationTable

Rows = dict[str, dict[str, float]]


def table(rows: Rows) -> TranslationTable:
    return TranslationTable.from_dict(rows)


def rows(of: TranslationTable) -> Rows:
    return {word: of.row(word) for word in of.source_words}


def test_a_mixture_by_hand() -> None:
    learned = table({"haus": {"house": 0.75, "home": 0.25}, "krieg": {"war": 0.9}})
    looked_up = table({"haus": {"house": 0.5, "building": 0.5}, "baum": {"tree": 1.0}})
    mixed = mix({"bitext": learned, "panlex": looked_up}, {"bitext": 8, "panlex": 2})
    assert rows(mixed) == {
        "haus": pytest.approx({"house": 0.7, "home": 0.2, "building": 0.1}),
        "krieg": pytest.approx({"war": 0.9}),  # one table knows it: its row stays as it is
        "baum": {"tree": 1.0},
    }
    assert mixed.target_words == ["building", "home", "house", "tree", "war"]
    assert mixed.probabilities.dtype == np.float32


@pytest.mark.parametrize("scale", [1e308, 1e-300, 5e-324])
def test_the_scale_of_weights_does_not_matter(scale: float) -> None:
    one, other = table({"haus": {"house": 0.75, "home": 0.25}}), table({"haus": {"house": 0.5, "home": 0.5}})
    mixed = mix({"a": one, "b": other}, {"a": scale, "b": scale})
    assert rows(mixed) == {"haus": pytest.approx({"house": 0.625, "home": 0.375})}


def test_a_mixture_is_pruned_if_asked() -> None:
    learned = table({"haus": {"house": 0.75, "home": 0.25}})
    looked_up = table({"haus": {"house": 0.5, "building": 0.5}})
    tables, weights = {"a": learned, "b": looked_up}, {"a": 0.8, "b": 0.2}
    assert mix(tables, weights, max_translations=1).row("haus") == pytest.approx({"house": 0.7})
    assert mix(tables, weights, min_probability=0.15).row("haus") == pytest.approx({"house": 0.7, "home": 0.2})


ROWS = st.dictionaries(
    st.sampled_from("abcd"),
    st.dictionaries(st.sampled_from("vwxyz"), st.integers(1, 9), min_size=1),
    min_size=1,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(ROWS, min_size=1, max_size=3), st.lists(st.floats(0.1, 5), min_size=3, max_size=3))
def test_a_mixture_of_whole_rows_is_whole(many: list[dict[str, dict[str, int]]], numbers: list[float]) -> None:
    shares = [{s: {t: n / sum(row.values()) for t, n in row.items()} for s, row in part.items()} for part in many]
    tables = {f"t{i}": table(part | {"e": {"v": 1.0}}) for i, part in enumerate(shares)}  # all have `v` in common
    weights = {f"t{i}": numbers[i] for i in range(len(many))}
    mixed = mix(tables, weights)
    for word in mixed.source_words:
        knowing = {name: one for name, one in tables.items() if word in one}
        total = sum(weights[name] for name in knowing)
        expected: dict[str, float] = {}
        for name, one in knowing.items():
            for target, p in one.row(word).items():
                expected[target] = expected.get(target, 0) + weights[name] / total * p
        assert mixed.row(word) == pytest.approx(expected, rel=1e-5)
        assert sum(mixed.row(word).values()) == pytest.approx(1, rel=1e-5)


def test_mixtures_that_are_refused() -> None:
    forward, backward = table({"haus": {"house": 1.0}}), table({"house": {"haus": 1.0}})
    with pytest.raises(DataError) as caught:
        mix({"giza": forward, "panlex": backward}, {"giza": 1, "panlex": 1})
    assert str(caught.value) == (
        "The tables giza and panlex have no document word in common. Is each for the same pair, in the same direction?"
    )
    with pytest.raises(DataError) as caught:
        mix({"giza": forward}, {"giza": 1, "panlex": 1})
    assert str(caught.value) == (
        "The mixture has weights for giza, panlex, but tables giza. Give each table one weight."
    )
    with pytest.raises(DataError) as caught:
        mix({"giza": forward}, {"giza": 0})
    assert str(caught.value) == "The mixture weighs giza with 0. Weights are numbers above 0."


def test_a_pivot_by_hand() -> None:
    first = table({"guri": {"house": 0.6, "home": 0.3, "hut": 0.1}, "dagaal": {"fight": 1.0}})
    second = table({"house": {"haus": 0.9, "heim": 0.1}, "home": {"heim": 0.8}, "tree": {"baum": 1.0}})
    joined, report = pivot(first, second, min_probability=0.0, max_translations=10)
    assert rows(joined) == {"guri": pytest.approx({"haus": 0.54, "heim": 0.06 + 0.24})}
    assert joined.target_words == ["haus", "heim"]
    assert (report.words, report.source_words) == (1, 2)
    assert (report.pivot_words, report.first_pivot_words, report.second_pivot_words) == (2, 4, 3)
    assert report.mass == pytest.approx(1.0)
    assert report.lost == pytest.approx((0.1 + 1.0) / 2)  # hut and fight have no row
    assert report.kept == pytest.approx(0.84 / 2)
    assert report.pruned == 0
    joined, report = pivot(first, second, min_probability=0.4, max_translations=10)
    assert joined.row("guri") == pytest.approx({"haus": 0.54})
    assert report.pruned == pytest.approx(0.3 / 2)
    assert rows(pivot(first, second, min_probability=0.0, max_translations=1)[0]) == {
        "guri": pytest.approx({"haus": 0.54})
    }


def test_a_pivot_against_dense_matrices_and_over_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(4)
    made = []
    for shape in ((40, 30), (35, 50)):
        matrix = random_matrix(*shape, density=0.2, format="csr", dtype=np.float32, random_state=generator)
        matrix.sort_indices()
        made.append(matrix)
    middle = [f"m{n:02}" for n in range(40)]
    first = TranslationTable([f"s{n:02}" for n in range(40)], middle[:30], made[0])
    second = TranslationTable(middle[5:], [f"t{n:02}" for n in range(50)], made[1])
    wanted = made[0].toarray().astype(float)[:, 5:] @ made[1].toarray().astype(float)[:25]
    tables = []
    for size in (1, 100, 1 << 24):
        monkeypatch.setattr(combine, "_PRODUCTS", size)
        joined, report = pivot(first, second, min_probability=0.1, max_translations=7)
        tables.append(rows(joined))
    assert tables[0] == tables[1] == tables[2]
    for s, word in enumerate(first.source_words):
        order = sorted(range(50), key=lambda t: (-wanted[s, t], t))
        kept = [t for t in order if wanted[s, t] >= 0.1][:7]
        assert joined.row(word) == pytest.approx({f"t{t:02}": wanted[s, t] for t in kept}, rel=1e-5)
    assert report.kept + report.pruned == pytest.approx(wanted.sum() / 40)


def test_tables_without_a_common_word() -> None:
    first, second = table({"guri": {"house": 1.0}}), table({"haus": {"house": 1.0}})
    with pytest.raises(DataError) as caught:
        pivot(first, second, min_probability=0.0, max_translations=10, names=("som-eng", "eng-deu"))
    assert str(caught.value) == (
        "som-eng translates into none of the words that eng-deu translates. "
        "The second table's query language must be the first one's document language."
    )
