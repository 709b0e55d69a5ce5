"""From tables to the data of figures, by hand."""

from math import sqrt

import pytest
from scipy.stats import t as student

from clir_cli.pipeline.reporting.ablations import Finished, GainMatrix, gain_matrix, interval_sets
from clir_cli.pipeline.reporting.provenance import seeds_of
from clir_cli.pipeline.reporting.topics import differences, main_contrast
from clir_cli.report.figures.gain_matrix import Cell
from clir_cli.report.tables import Contrast, ResultsTable, build_table

VALUES = {"m2bert": (0.1, 0.2, 0.3), "one": (0.2, 0.4, 0.3), "two": (0.5, 0.4, 0.9)}
LAYERS = {"m2bert": {"layers": None}, "two": {"layers": [9, 10, 11]}, "one": {"layers": [-2]}, "lost": {"layers": [10]}}
LABELS = {"m2bert": "m2BERT", "one": "MART, layer 11", "two": "MART, layers 9, 10 and 11"}


def ablation(*systems: str, contrasts: tuple[Contrast, ...] = ()) -> ResultsTable:
    values = {
        "deu-eng": {name: {"AP@100": dict(zip(("C1", "C2", "C3"), VALUES[name], strict=True))} for name in systems}
    }
    return build_table(values, {name: LABELS[name] for name in systems}, ["AP@100"], contrasts=contrasts)


def test_an_interval_is_that_of_the_paired_difference() -> None:
    found = interval_sets(Finished(ablation("m2bert", "one", "two"), "layers", LAYERS), "AP@100")
    assert found.baselines == {"deu-eng": ("m2BERT", pytest.approx(0.2))}
    one, two = found.sets["deu-eng"]
    assert [one.label, two.label] == ["−2", "9, 10, 11"], "small sets first"
    # Differences 0.1, 0.2, 0.0: mean 0.1, standard deviation 0.1, three topics.
    half = student.ppf(0.975, 2) * 0.1 / sqrt(3)
    assert one.value == pytest.approx(0.3)
    assert (one.low, one.high) == (pytest.approx(0.3 - half), pytest.approx(0.3 + half))


def test_without_the_baseline_it_is_that_of_the_mean() -> None:
    found = interval_sets(Finished(ablation("one", "two"), "layers", LAYERS), "AP@100")
    assert found.baselines == {}
    half = student.ppf(0.975, 2) * 0.1 / sqrt(3)  # 0.2, 0.4, 0.3
    assert found.sets["deu-eng"][0].low == pytest.approx(0.3 - half)


def test_steps_are_in_their_order_and_other_ablations_have_no_axis() -> None:
    rows = {"m2bert": {"steps": {}}, "one": {"steps": {"deu-eng": 1000}}, "two": {"steps": {"deu-eng": 20}}}
    table = ablation("m2bert", "one", "two")
    found = interval_sets(Finished(table, "steps", rows), "AP@100")
    assert [(each.label, each.value) for each in found.sets["deu-eng"]] == [
        ("20", pytest.approx(0.6)), ("1000", pytest.approx(0.3)),
    ]  # fmt: skip
    assert found.axis == "steps in which the language was learned"
    assert interval_sets(Finished(table, "matrix", rows), "AP@100").sets == {}


def test_relative_gains_by_what_was_learned_on_and_ranked() -> None:
    """Of two sources and one target; by hand: 0.3 over 0.2 is half as much again, 0.6 over 0.3 twice."""
    contrasts = (Contrast("one", "m2bert"), Contrast("two", "one"))
    rows = {
        "one": {"task_from": {"deu-eng": "som-eng"}, "against": "m2bert"},
        "two": {"task_from": {"deu-eng": "deu-eng"}, "against": "one"},
    }
    table = ablation("m2bert", "one", "two", contrasts=contrasts)
    assert gain_matrix(Finished(table, "task", rows), "AP@100") == GainMatrix(
        ["som-eng", "deu-eng"],
        ["deu-eng"],
        {
            ("som-eng", "deu-eng"): Cell(pytest.approx(0.5), False),
            ("deu-eng", "deu-eng"): Cell(pytest.approx(1), False),
        },
        "MART, layer 11 over m2BERT, MART, layers 9, 10 and 11 over MART, layer 11",
    )
    assert gain_matrix(Finished(table, "layers", rows), "AP@100") is None


def test_differences_and_the_first_question() -> None:
    asked = (Contrast("two", "one", in_family=False), Contrast("two", "m2bert"))
    table = ablation("m2bert", "one", "two", contrasts=asked)
    assert main_contrast(table, "deu-eng") == ("two", "m2bert"), "the family comes first"
    assert main_contrast(ablation("one", "two"), "deu-eng") == ("two", "one")
    assert main_contrast(ablation("one"), "deu-eng") is None
    found = differences(table, "deu-eng", "AP@100", "two", "one")
    assert found == {"C1": pytest.approx(0.3), "C2": 0.0, "C3": pytest.approx(0.6)}


def test_every_seed_is_found_with_its_path() -> None:
    settings = {"training": {"seed": 42, "seeds": []}, "analysis": {"gap": {"seed": 0}}, "seed": None, "x": [1]}
    assert list(seeds_of(settings)) == [("training.seed", 42), ("analysis.gap.seed", 0)]
