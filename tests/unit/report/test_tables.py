"""What a table holds: order of columns, means, marks, families, gains."""

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.errors import DataError, UsageError
from clir_cli.evaluation.correction import holm
from clir_cli.evaluation.significance import compare
from clir_cli.report.sheets import results_sheet
from clir_cli.report.tables import Column, Contrast, Result, ResultsTable, build_table, direction

from .conftest import SYSTEMS

TWO = {"old": "Old", "new": "New"}


def small(new: dict[str, float], old: dict[str, float]) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    return {"deu-eng": {"old": {"AP@100": old}, "new": {"AP@100": new}}}


def test_forward_pairs_come_first(table: ResultsTable) -> None:
    assert table.columns == [
        Column("deu-eng", "AP@100", "forward", 10),
        Column("deu-eng", "P@10", "forward", 10),
        Column("eng-deu", "AP@100", "backward", 10),
        Column("eng-deu", "P@10", "backward", 10),
    ]
    assert [direction(pair) for pair in ("som-eng", "eng-som", "deu-fra")] == ["forward", "backward", "other"]


def test_a_system_that_was_not_run_leaves_a_gap(table: ResultsTable) -> None:
    assert [result is None for result in table.results["mart-plb"]] == [False, False, True, True]
    assert "mart-plb" not in {row.contrast.baseline for row in table.answers if row.pair == "eng-deu"}


def test_marks_follow_holm_within_one_column(table: ResultsTable, values: dict) -> None:  # type: ignore[type-arg]
    of = values["deu-eng"]
    raw = [compare(of["mart"]["P@10"], of[name]["P@10"]).p for name in ("smt", "m2bert", "mart-plb")]
    column = [row for row in table.answers if (row.pair, row.measure) == ("deu-eng", "P@10")]
    assert [row.comparison.p for row in column[:3]] == raw
    assert [row.corrected for row in column[:3]] == holm(raw)
    assert column[3].contrast == Contrast("mart-plb", "m2bert", False)
    assert column[3].corrected is None
    # Only two of them were run in the other pair: a family of two.
    other = [row for row in table.answers if (row.pair, row.measure) == ("eng-deu", "P@10")]
    assert [row.corrected for row in other] == holm([row.p for row in other])
    assert table.letters == {"smt": "a", "m2bert": "b", "mart-plb": "c"}
    assert table.results["mart"][1].beats == ("smt", "m2bert", "mart-plb")  # type: ignore[union-attr]
    assert table.results["mart"][3].beats == ("smt", "m2bert")  # type: ignore[union-attr]


def test_a_p_that_only_the_correction_lifts_over_alpha_gives_no_mark() -> None:
    new = {"1": 0.5, "2": 0.55, "3": 0.4, "4": 0.62}
    old = {"1": 0.4, "2": 0.42, "3": 0.36, "4": 0.44}
    values = small(new, old)
    values["deu-eng"] |= {"same1": {"AP@100": dict(new)}, "same2": {"AP@100": dict(new)}}
    systems = TWO | {"same1": "S1", "same2": "S2"}
    assert 0.05 / 3 < compare(new, old).p < 0.05
    alone = build_table(values, systems, ["AP@100"], contrasts=[Contrast("new", "old")])
    three = [Contrast("new", name) for name in ("old", "same1", "same2")]
    assert alone.results["new"] == [Result(pytest.approx(0.5175), ("old",))]
    assert build_table(values, systems, ["AP@100"], contrasts=three).results["new"][0].beats == ()  # type: ignore[union-attr]


def test_a_system_that_is_significantly_worse_is_not_marked() -> None:
    worse = {str(t): 0.1 + 0.01 * (t % 2) for t in range(8)}
    better = {str(t): 0.5 for t in range(8)}
    table = build_table(small(worse, better), TWO, ["AP@100"], contrasts=[Contrast("new", "old")])
    assert table.answers[0].corrected < 0.001  # type: ignore[operator]
    assert table.results["new"][0].beats == ()  # type: ignore[union-attr]


def test_a_contrast_outside_the_family_never_marks() -> None:
    better = {str(t): 0.5 + 0.01 * (t % 2) for t in range(8)}
    outside = [Contrast("new", "old", in_family=False)]
    table = build_table(small(better, {str(t): 0.1 for t in range(8)}), TWO, ["AP@100"], contrasts=outside)
    assert table.letters == {}
    assert table.results["new"][0].beats == ()  # type: ignore[union-attr]
    assert table.answers[0].comparison.p < 0.001


def test_best_is_of_neural_systems_as_printed() -> None:
    values = {"deu-eng": {n: {"P@10": {"1": v}} for n, v in {"a": 0.9, "b": 0.30001, "c": 0.3, "d": 0.2}.items()}}
    labels = {name: name for name in "abcd"}
    table = build_table(values, labels, ["P@10"], neural=["b", "c", "d"])
    assert {name: results[0].best for name, results in table.results.items()} == {  # type: ignore[union-attr]
        "a": False,
        "b": True,
        "c": True,
        "d": False,
    }
    lone = build_table(values, labels, ["P@10"], neural=["d"])
    assert not lone.results["d"][0].best  # type: ignore[union-attr]


def test_means_over_folds_and_tests_over_topics() -> None:
    new, old = {"C1": 1.0, "C2": 0.0, "C3": 1.0}, {"C1": 0.0, "C2": 0.0, "C3": 0.5}
    folds = {"1": 1, "2": 1, "3": 2, "4": 3}
    table = build_table(
        small(new, old), TWO, ["AP@100"], contrasts=[Contrast("new", "old")], folds=folds, gain=("new", "old")
    )
    assert table.results["new"] == [Result(pytest.approx(0.75))]
    assert table.folds == 2  # fold 3 has no topic here
    assert table.answers[0].comparison.mean == pytest.approx(2 / 3)
    assert table.gains[0].pairs == {"deu-eng": pytest.approx(0.75 / 0.25 - 1)}


def test_gains_by_pair_and_direction() -> None:
    values = {
        pair: {"old": {"P@10": {"1": old}}, "new": {"P@10": {"1": new}}}
        for pair, old, new in [("deu-eng", 0.5, 0.6), ("fra-eng", 0.2, 0.2), ("eng-deu", 0.4, 0.3), ("swa-eng", 0, 0.1)]
    }
    values["ita-eng"] = {"old": {"P@10": {"1": 0.5}}}
    (gain,) = build_table(values, TWO, ["P@10"], gain=("new", "old")).gains
    assert gain.pairs == pytest.approx({"deu-eng": 0.2, "fra-eng": 0.0, "eng-deu": -0.25})
    assert gain.directions == pytest.approx({"forward": 0.1, "backward": -0.25})


def test_one_topic_is_a_table_without_marks() -> None:
    table = build_table(small({"1": 1.0}, {"1": 0.0}), TWO, ["AP@100"], contrasts=[Contrast("new", "old")])
    assert isnan(table.answers[0].corrected or 0.0)
    assert table.results["new"] == [Result(1.0)]


def test_a_system_that_lacks_topics_is_refused() -> None:
    values = small({"C1": 1.0}, {"C1": 0.5, "C2": 0.5})
    with pytest.raises(DataError, match=r"deu-eng: new has no AP@100 for 1 of 2 topics \(C2\)"):
        build_table(values, TWO, ["AP@100"])
    restricted = build_table(values, TWO, ["AP@100"], topics={"deu-eng": ["C1"]}, notes=["mine"])
    assert restricted.notes == ["deu-eng is restricted to 1 of its 2 topics.", "mine"]
    assert restricted.columns[0].topics == 1
    assert restricted.results["old"] == [Result(0.5)]


@pytest.mark.parametrize(
    "arguments",
    [{"contrasts": [Contrast("new", "odl")]}, {"neural": ["odl"]}, {"gain": ("odl", "new")}],
)
def test_systems_that_are_no_rows(arguments: dict) -> None:  # type: ignore[type-arg]
    with pytest.raises(UsageError, match=r"no system odl.* Its systems are old, new"):
        build_table(small({"1": 1.0}, {"1": 1.0}), TWO, ["AP@100"], **arguments)


@given(st.permutations([f"C{t}" for t in range(1, 9)]))
def test_order_of_topics_changes_nothing(order: list[str]) -> None:
    def made(topics: list[str]) -> ResultsTable:
        new = {topic: 1 / int(topic[1:]) for topic in topics}
        old = {topic: 0.3 + 0.01 * int(topic[1:]) for topic in reversed(topics)}
        folds = {topic: int(topic[1:]) % 3 for topic in topics}
        return build_table(small(new, old), TWO, ["AP@100"], contrasts=[Contrast("new", "old")], folds=folds)

    assert made(order) == made(sorted(order))


def test_systems_that_are_not_available_for_a_pair(values: dict[str, dict[str, dict[str, dict[str, float]]]]) -> None:
    del values["eng-deu"]["smt"]
    values["som-eng"] = {}
    lacking = {"eng-deu": ["smt"], "som-eng": ["smt", "mart"]}
    table = build_table(values, SYSTEMS, ["P@10"], not_available=lacking)
    found = [(column.pair, column.topics) for column in table.columns]
    assert found == [("deu-eng", 10), ("som-eng", 0), ("eng-deu", 10)]
    assert table.not_available == {("eng-deu", "smt"), ("som-eng", "smt"), ("som-eng", "mart")}
    assert [result is None for result in table.results["smt"]] == [False, True, True]
    cells = {words[0]: [cell.text for cell in cells] for words, cells in results_sheet(table).rows}
    assert cells["SMT"][1:] == ["not available", "not available"]
    assert cells["Human"][1] == "–"
    assert "10 topics for each pair." in results_sheet(table).notes
    assert "–: not run." in results_sheet(table).notes
    del values["som-eng"], values["eng-deu"]
    assert "–: not run." not in results_sheet(build_table(values, SYSTEMS, ["P@10"])).notes
