"""Two runs as one: the ends are the two runs, scales do not matter, and the weight comes from the topics given."""

import math
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clir_cli.errors import DataError
from clir_cli.evaluation.interpolation import NORMALISE, bring_together, choose_weight, weights
from clir_cli.evaluation.measures import evaluate, mean_over_topics
from clir_cli.records import Run, ScoredDoc
from clir_cli.trec import rank

documents = st.sampled_from([f"d{number}" for number in range(9)])
lists = st.dictionaries(documents, st.integers(-50, 50).map(lambda tenths: tenths / 10), max_size=9)
runs = st.dictionaries(st.sampled_from(["1", "2"]), lists)
ways = st.sampled_from(sorted(NORMALISE))


def as_run(scores: dict[str, dict[str, float]]) -> Run:
    return {topic: rank(found.items()) for topic, found in scores.items()}


def ids(ranking: list[ScoredDoc], among: dict[str, float] | None = None) -> list[str]:
    return [entry.document for entry in ranking if among is None or entry.document in among]


@given(runs, runs, ways)
def test_the_ends_are_the_two_runs(
    first: dict[str, dict[str, float]], second: dict[str, dict[str, float]], how: str
) -> None:
    blend = bring_together(as_run(first), as_run(second), ["1", "2"], normalise=how)
    for weight, own in ((1.0, first), (0.0, second)):
        mixed = blend.at(weight)
        for topic, scores in own.items():
            assert ids(mixed[topic], scores) == ids(as_run(own)[topic])
    union = {topic: first.get(topic, {}).keys() | second.get(topic, {}).keys() for topic in ("1", "2")}
    assert {topic: set(ids(ranking)) for topic, ranking in blend.at(0.3).items()} == union


@example({"1": {"d0": 0.1}}, {"1": {"d1": 0.0, "d2": 0.0}}, "zscore", 0.25, 1, 1.0)  # three times .1 has a rounded mean
@given(
    runs,
    runs,
    st.sampled_from(["minmax", "zscore"]),
    st.sampled_from([0.25, 3.0, 1000.0]),
    st.integers(-40, 40),
    st.floats(0, 1),
)
def test_scales_and_offsets_do_not_matter(
    first: dict[str, dict[str, float]],
    second: dict[str, dict[str, float]],
    how: str,
    scale: float,
    offset: float,
    weight: float,
) -> None:
    moved = {topic: {name: scale * score + offset for name, score in found.items()} for topic, found in first.items()}
    one, other = (
        {(topic, name): score for topic, ranking in mixed.items() for name, score in ranking}
        for run in (first, moved)
        for mixed in [bring_together(as_run(run), as_run(second), ["1", "2"], normalise=how).at(weight)]
    )
    assert one == pytest.approx(other, abs=1e-9)


@given(runs, runs, st.floats(0, 1), ways)
def test_a_run_with_itself_keeps_its_order(
    run: dict[str, dict[str, float]], other: dict[str, dict[str, float]], weight: float, how: str
) -> None:
    blend = bring_together(as_run(run), as_run(run), run, normalise=how)
    for topic, ranking in blend.at(weight).items():
        scores = [run[topic][name] for name in ids(ranking)]
        assert all(above >= below - 1e-9 for above, below in pairwise(scores))


def test_by_hand() -> None:
    first = {"1": [ScoredDoc("a", 30.0), ScoredDoc("b", 20.0), ScoredDoc("c", 10.0)]}
    second = {"1": [ScoredDoc("c", -1.0), ScoredDoc("b", -2.0), ScoredDoc("a", -5.0)]}
    mixed = bring_together(first, second, ["1"]).at(0.4)
    assert dict(mixed["1"]) == pytest.approx({"a": 0.4, "b": 0.2 + 0.45, "c": 0.6})
    assert ids(mixed["1"]) == ["b", "c", "a"]
    raw = bring_together(first, second, ["1"], normalise="none").at(0.5)
    assert dict(raw["1"]) == {"a": 12.5, "b": 9.0, "c": 4.5}
    deviation = math.sqrt(200 / 3)
    scaled = bring_together(first, first, ["1"], normalise="zscore").at(0.5)
    assert dict(scaled["1"]) == pytest.approx({"a": 10 / deviation, "b": 0, "c": -10 / deviation})


def test_what_a_run_lacks_gets_its_lowest_score_and_a_re_rankers_documents_are_the_candidates() -> None:
    first = {"1": [ScoredDoc("a", 9.0), ScoredDoc("b", 5.0), ScoredDoc("x", 1.0)], "2": [ScoredDoc("y", 1.0)]}
    second = {"1": [ScoredDoc("b", 2.0), ScoredDoc("a", 1.0), ScoredDoc("z", 0.0)]}
    union = bring_together(first, second, ["1", "2"], normalise="none")
    assert dict(zip(union.documents["1"], union.first["1"], strict=True)) == {"a": 9, "b": 5, "x": 1, "z": 1}
    assert dict(zip(union.documents["1"], union.second["1"], strict=True)) == {"a": 1, "b": 2, "x": 0, "z": 0}
    assert union.at(0.5)["2"] == [ScoredDoc("y", 0.5)]
    cut = bring_together(first, second, ["1", "2"], normalise="none", reranked=(False, True))
    assert dict(zip(cut.documents["1"], cut.first["1"], strict=True)) == {"b": 5, "a": 9, "z": 1}
    assert cut.at(0.5)["2"] == []
    other = bring_together(first, second, ["1"], reranked=(True, False))
    assert set(other.documents["1"]) == {"a", "b", "x"}


def test_equal_scores_weigh_nothing() -> None:
    flat = {"1": [ScoredDoc("b", 7.0), ScoredDoc("a", 7.0)]}
    other = {"1": [ScoredDoc("a", 2.0), ScoredDoc("b", 1.0)]}
    for how in ("minmax", "zscore"):
        assert ids(bring_together(flat, other, ["1"], normalise=how).at(0.99)["1"]) == ["a", "b"]


def test_infinite_scores_are_refused() -> None:
    with pytest.raises(DataError, match="Topic 7 has a score that is not a finite number"):
        bring_together({"7": [ScoredDoc("a", math.inf)]}, {}, ["7"])


def test_the_weight_that_is_best_on_the_topics_given() -> None:
    # Each run alone puts one of the two relevant documents last; only a middle weight has both above `x`.
    first = {"1": [ScoredDoc("a", 1.0), ScoredDoc("x", 0.5), ScoredDoc("b", 0.0)]}
    second = {"1": [ScoredDoc("b", 1.0), ScoredDoc("x", 0.4), ScoredDoc("a", 0.0)]}
    blend = bring_together(first, second, ["1"])
    choice = choose_weight(blend, {"1": {"a": 1, "b": 1}}, ["1"], step=0.1, measure="AP@100")
    # a: w, x: 0.4 + 0.1 w, b: 1 - w. Both are above x from w = 0.5 (0.45) to 0.5; the smallest of them wins.
    assert choice.weight == 0.5
    assert choice.value == 1.0
    assert choice.values[0.0] == choice.values[1.0] == pytest.approx((1 + 2 / 3) / 2)


def test_of_equal_weights_the_smallest() -> None:
    same = {"1": [ScoredDoc("a", 1.0), ScoredDoc("b", 0.0)]}
    qrels = {"1": {"a": 1}}
    assert choose_weight(bring_together(same, same, ["1"]), qrels, ["1"], step=0.25, measure="P@1").weight == 0.0
    turned = {"1": [ScoredDoc("b", 1.0), ScoredDoc("a", 0.0)]}
    chosen = choose_weight(bring_together(same, turned, ["1"]), qrels, ["1"], step=0.25, measure="P@1")
    assert chosen.weight == 0.75
    assert list(chosen.values) == [0.0, 0.25, 0.5, 0.75, 1.0]


@settings(max_examples=15)
@given(st.fixed_dictionaries({"1": lists, "2": lists}), st.fixed_dictionaries({"1": lists, "2": lists}), documents)
def test_no_weight_that_was_tried_is_better(
    first: dict[str, dict[str, float]], second: dict[str, dict[str, float]], relevant: str
) -> None:
    qrels = {"1": {relevant: 1}, "2": {relevant: 1, "d0": 1}}
    blend = bring_together(as_run(first), as_run(second), ["1", "2"])
    choice = choose_weight(blend, qrels, ["1", "2"], step=0.25, measure="AP@100")
    for weight in weights(0.25):
        mean = mean_over_topics(evaluate(blend.at(weight), qrels, ["1", "2"], ["AP@100"])["AP@100"])
        assert mean <= choice.value + 1e-12
        assert weight >= choice.weight or mean < choice.value


def test_steps_that_make_one() -> None:
    assert weights(0.5) == [0.0, 0.5, 1.0]
    assert len(weights(0.05)) == 21
    assert weights(1.0) == [0.0, 1.0]
    for step in (0.3, 0.7, 1.5):
        with pytest.raises(ValueError, match="no number of steps"):
            weights(step)
