"""Measures over the declared topics, through ir_measures."""

import math
from random import Random

import ir_measures
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.errors import DataError, UsageError
from clir_cli.evaluation.average_precision import average_precision
from clir_cli.evaluation.measures import (
    cutoff_of,
    evaluate,
    fold_of,
    judged_beside,
    mean_over_folds,
    mean_over_topics,
    parse_measures,
)
from clir_cli.records import ScoredDoc
from clir_cli.trec import rank

documents = st.sampled_from([f"d{number}" for number in range(12)])
runs = st.dictionaries(
    st.sampled_from(["1", "2", "3"]), st.dictionaries(documents, st.integers(0, 3).map(float), max_size=12)
)
# No negative grades here: trec_eval's nDCG takes them for gains.
judgements = st.dictionaries(documents, st.integers(0, 2), min_size=1)


@given(runs, st.fixed_dictionaries(dict.fromkeys(("1", "2", "3"), judgements)), st.permutations(["1", "2", "3"]))
def test_equals_trec_eval_on_runs_with_ties(
    scores: dict[str, dict[str, float]], qrels: dict[str, dict[str, int]], topics: list[str]
) -> None:
    measures = ["AP@100", "P@10", "nDCG@5", "AP(rel=2)@3", "R@2", "RR"]
    relevant = [topic for topic in topics if any(grade > 0 for grade in qrels[topic].values())]
    run = {topic: rank(entries.items()) for topic, entries in scores.items()}
    if not relevant:
        with pytest.raises(DataError):
            evaluate(run, qrels, topics, measures)
        return
    ours = evaluate(run, qrels, topics, measures)
    assert all(list(values) == relevant for values in ours.values())
    parsed = [ir_measures.parse_measure(name) for name in measures]
    for metric in ir_measures.iter_calc(parsed, {topic: qrels[topic] for topic in relevant}, scores):
        name = measures[parsed.index(metric.measure)]
        assert ours[name][metric.query_id] == pytest.approx(metric.value, abs=1e-12)
    for topic in relevant:
        assert ours["AP@100"][topic] == pytest.approx(average_precision(run.get(topic, []), qrels[topic]), abs=1e-12)


@given(st.permutations([ScoredDoc("a", 1.0), ScoredDoc("b", 1.0), ScoredDoc("c", 1.0)]))
def test_order_of_ties_in_a_list_changes_nothing(ranking: list[ScoredDoc]) -> None:
    assert evaluate({"1": ranking}, {"1": {"b": 1}}, ["1"], ["AP@100"]) == {"AP@100": {"1": 0.5}}


def test_scores_that_differ_in_double_precision_only_are_no_tie() -> None:
    run = {"1": [ScoredDoc("a", 1.0 + 1e-9), ScoredDoc("b", 1.0)]}
    assert evaluate(run, {"1": {"a": 1}}, ["1"], ["P@1"]) == {"P@1": {"1": 1.0}}


def test_missing_and_empty_lists_count_zero_and_undeclared_topics_nothing() -> None:
    run = {"1": [ScoredDoc("a", 1.0)], "2": [], "9": [ScoredDoc("a", 1.0)]}
    qrels = {topic: {"a": 1} for topic in ("1", "2", "3", "9")} | {"4": {"a": 0}}
    values = evaluate(run, qrels, ["3", "2", "1", "4", "5"], ["AP@100"])
    assert values == {"AP@100": {"3": 0.0, "2": 0.0, "1": 1.0}}
    assert list(values["AP@100"]) == ["3", "2", "1"]


def test_no_run_at_all() -> None:
    assert evaluate({}, {"1": {"a": 1}}, ["1"], ["AP@100"]) == {"AP@100": {"1": 0.0}}


def test_two_names_of_one_measure() -> None:
    values = evaluate({"1": [ScoredDoc("a", 1.0)]}, {"1": {"a": 1}}, ["1"], ["MAP@100", "AP@100"])
    assert values == {"MAP@100": {"1": 1.0}, "AP@100": {"1": 1.0}}


@pytest.mark.parametrize(
    ("ranking", "problem"),
    [
        ([ScoredDoc("a", 1.0), ScoredDoc("b", 0.5), ScoredDoc("a", 0.1)], "Topic 1: document a is in the list twice"),
        ([ScoredDoc("a", math.nan)], "Topic 1: .*document a is not a number"),
    ],
)
def test_bad_lists_name_topic_and_document(ranking: list[ScoredDoc], problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        evaluate({"1": ranking}, {"1": {"a": 1}}, ["1"], ["AP@100"])


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("ap@100", r"did you mean AP@100\?"),
        ("p@10", r"did you mean P@10\?"),
        ("p(rel=2)@10", r"did you mean P\(rel=2\)@10\?"),
        (" rprec", r"did you mean Rprec\?"),
        ("nDGC@10", "did you mean nDCG or"),
        ("xyzzy", "no such name"),
        ("", "no such name"),
        ("P", "cut-off, as in P@10"),
        ("P@0", "at least 1"),
        ("AP(cutoff=0)", "at least 1"),
        ("P@2.5", "cutoff"),
        ("AP@", "is no measure"),
        ("AP@100; AP", "is no measure"),
        ("AP(rel=0)", "is no measure"),
        ("alpha_nDCG@20", "is no measure"),
    ],
)
def test_bad_names_are_found_before_anything_runs(name: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        parse_measures([name])


def test_all_bad_names_at_once() -> None:
    with pytest.raises(UsageError) as caught:
        parse_measures(["AP@100", "MPA", "p@10"])
    assert "'MPA'" in caught.value.problem
    assert "'p@10'" in caught.value.problem
    assert "'AP@100'" not in caught.value.problem


def test_simple_names_mean_what_the_package_reads_in_them() -> None:
    names = ["AP", "AP@100", " P @ 10 ", "NDCG@20", "Rprec", "NumRelRet", "Success@3"]
    for name, measure in parse_measures(names).items():
        assert measure == ir_measures.parse_measure(name.strip())


@given(st.permutations([(f"C{topic:03}", 1 / topic) for topic in range(1, 12)]))
def test_means_do_not_depend_on_the_order_of_topics(shuffled: list[tuple[str, float]]) -> None:
    values = dict(sorted(shuffled))
    folds = {topic: index % 3 + 1 for index, topic in enumerate(values)}
    assert mean_over_topics(dict(shuffled)) == mean_over_topics(values)
    assert mean_over_folds(dict(shuffled), folds) == mean_over_folds(values, folds)


def test_folds_are_found_by_topic_or_key() -> None:
    assert fold_of("C041", {"41": 3}) == 3
    assert fold_of("C041", {"C041": 2}) == 2
    with pytest.raises(DataError, match="Topic C041 belongs to no fold"):
        mean_over_folds({"C041": 1.0}, {"42": 1})


def test_no_topics_have_no_mean() -> None:
    with pytest.raises(DataError):
        mean_over_topics({})


def test_names_of_other_papers() -> None:
    names = ["MRR@10", "NDCG@10", "ndcg@10", "NDCG@20", "AP@1000", "P@20", "NDCG(judged_only=True)@10", " nDcG @ 5 "]
    parsed = parse_measures(names)
    assert list(parsed) == names
    assert [str(measure) for measure in parsed.values()] == [
        "RR@10", "nDCG@10", "nDCG@10", "nDCG@20", "AP@1000", "P@20", "nDCG(judged_only=True)@10", "nDCG@5",
    ]  # fmt: skip


def test_measures_of_mores_by_hand() -> None:
    # Twelve documents; the third, the eleventh and one that is not found are relevant.
    run = {"1": [ScoredDoc(f"d{place:02}", float(-place)) for place in range(1, 13)]}
    qrels = {"1": {"d03": 1, "d11": 1, "z": 1}}
    names = ["MRR@10", "NDCG@10", "NDCG@20", "AP@1000", "P@20"]
    values = {name: by_topic["1"] for name, by_topic in evaluate(run, qrels, ["1"], names).items()}
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert values == pytest.approx(
        {
            "MRR@10": 1 / 3,
            "NDCG@10": (1 / math.log2(4)) / ideal,
            "NDCG@20": (1 / math.log2(4) + 1 / math.log2(12)) / ideal,
            "AP@1000": (1 / 3 + 2 / 11) / 3,
            "P@20": 2 / 20,
        }
    )
    assert list(values) == names
    without = {"1": [entry for entry in run["1"] if entry.document != "d03"]}
    assert evaluate(without, qrels, ["1"], ["MRR@10", "MRR@9"]) == {"MRR@10": {"1": 1 / 10}, "MRR@9": {"1": 0.0}}


def test_a_cut_off_beyond_the_list_sees_no_more_of_it() -> None:
    """AP@1000 of a list that was re-ranked to depth 100 is its AP@100: what lies below was not ranked, so not found."""
    ranking = [ScoredDoc(f"d{place:04}", float(-place)) for place in range(300)]
    qrels = {"1": {"d0004": 1, "d0090": 1, "d0150": 1}}
    whole = evaluate({"1": ranking}, qrels, ["1"], ["AP@100", "AP@1000"])
    cut = evaluate({"1": ranking[:100]}, qrels, ["1"], ["AP@100", "AP@1000"])
    assert cut["AP@1000"] == cut["AP@100"] == whole["AP@100"]
    assert whole["AP@1000"]["1"] == pytest.approx((1 / 5 + 2 / 91 + 3 / 151) / 3)


@pytest.mark.parametrize(
    ("name", "cutoff"), [("P@10", 10), ("AP @ 1000", 1000), ("AP(cutoff=30)", 30), ("AP(rel=2)@5", 5), ("AP", None)]
)
def test_cut_offs(name: str, cutoff: int | None) -> None:
    assert cutoff_of(name) == cutoff


def test_judged_by_hand() -> None:
    # In the order of trec_eval: d (2.0), then c before b (equal scores), then a.
    run = {"1": [("a", 0.5), ("b", 1.0), ("c", 1.0), ("d", 2.0)], "2": [("a", 1.0)]}
    qrels = {"1": {"d": 0, "b": -1, "e": 1}, "2": {"a": 1}, "3": {"a": 1}}
    values = evaluate(run, qrels, ["1", "2", "3"], ["judged@1", "judged@2", "Judged@3", "judged@10"])
    assert values == {
        "judged@1": {"1": 1.0, "2": 1.0, "3": 0.0},  # judged not relevant is judged
        "judged@2": {"1": 0.5, "2": 1.0, "3": 0.0},  # a list of one document has no second one; no list is 0
        "Judged@3": {"1": pytest.approx(2 / 3), "2": 1.0, "3": 0.0},
        "judged@10": {"1": 0.5, "2": 1.0, "3": 0.0},
    }


@given(runs, st.fixed_dictionaries(dict.fromkeys(("1", "2", "3"), judgements)), st.integers(1, 6))
def test_judged_is_the_share_of_judged_documents(
    scores: dict[str, dict[str, float]], qrels: dict[str, dict[str, int]], depth: int
) -> None:
    qrels = {topic: {**grades, "relevant": 1} for topic, grades in qrels.items()}
    values = evaluate({topic: list(entries.items()) for topic, entries in scores.items()}, qrels, list(qrels), [
        f"judged@{depth}"
    ])[f"judged@{depth}"]  # fmt: skip
    for topic, value in values.items():
        top = rank(scores.get(topic, {}).items(), depth)
        assert value == pytest.approx(sum(entry.document in qrels[topic] for entry in top) / max(1, len(top)))


@given(runs, st.fixed_dictionaries(dict.fromkeys(("1", "2", "3"), judgements)), st.randoms())
def test_equals_pytrec_eval_called_directly_in_whatever_order_ties_come(
    scores: dict[str, dict[str, float]], qrels: dict[str, dict[str, int]], random: Random
) -> None:
    judged = {topic: found for topic, found in qrels.items() if any(grade > 0 for grade in found.values())}
    if not judged:
        return
    shuffled = {topic: random.sample(list(entries.items()), len(entries)) for topic, entries in scores.items()}
    ours = evaluate(shuffled, qrels, ["1", "2", "3"], ["AP", "AP@100", "P@10", "nDCG@10"])
    theirs = pytrec_eval.RelevanceEvaluator(judged, {"map", "map_cut.100", "P.10", "ndcg_cut.10"}).evaluate(scores)
    names = {"AP": "map", "AP@100": "map_cut_100", "P@10": "P_10", "nDCG@10": "ndcg_cut_10"}
    for topic in judged:
        found = theirs.get(topic, dict.fromkeys(names.values(), 0.0))
        assert {name: ours[name][topic] for name in names} == pytest.approx(
            {name: found[their] for name, their in names.items()}, abs=1e-12
        )
    ordered = {topic: list(entries.items()) for topic, entries in scores.items()}
    assert evaluate(ordered, qrels, ["1", "2", "3"], list(names)) == ours


def test_what_stands_beside_precision() -> None:
    names = ["AP@100", "P@10", "P(rel=2)@5", "PR", "nDCG@10"]
    assert judged_beside(names) == {"P@10": "judged@10", "P(rel=2)@5": "judged@5"}
