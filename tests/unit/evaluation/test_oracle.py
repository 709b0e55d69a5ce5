"""The ceiling of re-ranking, against values by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.evaluation.measures import evaluate
from clir_cli.evaluation.oracle import rerank_by_judgements
from clir_cli.records import ScoredDoc
from clir_cli.trec import rank

CANDIDATES = {"1": [ScoredDoc(name, float(-place)) for place, name in enumerate("abcdef")], "2": [ScoredDoc("a", 1.0)]}
QRELS = {"1": {"c": 1, "e": 2, "f": 1, "z": 1, "a": -1, "b": 0}, "2": {"b": 1}}


def test_relevant_ones_first_higher_grades_before_lower_and_the_rest_as_it_was() -> None:
    run = rerank_by_judgements(CANDIDATES, QRELS, 100)
    assert [entry.document for entry in run["1"]] == ["e", "c", "f", "a", "b", "d"]
    assert [entry.score for entry in run["1"]] == [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]
    assert run["2"] == [ScoredDoc("a", 1.0)]


def test_what_lies_below_the_depth_or_outside_is_out_of_reach() -> None:
    values = evaluate(rerank_by_judgements(CANDIDATES, QRELS, 5), QRELS, ["1", "2"], ["AP@100", "P@2", "R@100"])
    # Four are relevant; c and e are among the first five candidates.
    assert values["AP@100"] == pytest.approx({"1": 2 / 4, "2": 0.0})
    assert values["P@2"] == {"1": 1.0, "2": 0.0}
    assert values["R@100"] == {"1": 0.5, "2": 0.0}
    whole = evaluate(rerank_by_judgements(CANDIDATES, QRELS, 6), QRELS, ["1"], ["AP@100"])
    assert whole["AP@100"] == pytest.approx({"1": 3 / 4})


@given(st.permutations("abcdef"), st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-1, 2), min_size=1))
def test_no_order_of_the_candidates_is_better_and_ap_is_their_recall(order: list[str], grades: dict[str, int]) -> None:
    qrels = {"1": {**grades, "h": 1}}
    measures = ["AP@100", "nDCG@3", "RR@10", "R@100"]
    # Negative grades are no gains here: trec_eval's nDCG would take them for losses.
    judged = {"1": {name: max(grade, 0) for name, grade in qrels["1"].items()}}
    candidates = {"1": rank((name, -place) for place, name in enumerate(order))}
    oracle = evaluate(rerank_by_judgements(candidates, qrels, 5), judged, ["1"], measures)
    plain = evaluate({"1": candidates["1"][:5]}, judged, ["1"], measures)
    for measure in measures:
        assert oracle[measure]["1"] >= plain[measure]["1"] - 1e-12
    assert oracle["AP@100"]["1"] == pytest.approx(oracle["R@100"]["1"])
    assert oracle["R@100"] == plain["R@100"]
