"""Several runs and baselines at once."""

from math import isnan

import pytest
from scipy import stats

from clir_cli.errors import DataError
from clir_cli.evaluation.question import Correction, Family, PairedTest, Question
from clir_cli.evaluation.run_comparison import compare_runs, join_repetitions, spell_topics


def by_topic(values: list[float]) -> dict[str, float]:
    return {str(topic): value for topic, value in enumerate(values, start=1)}


VALUES = {
    "low": {"AP": by_topic([0.1, 0.2, 0.1, 0.3]), "P@10": by_topic([0.1, 0.1, 0.1, 0.1])},
    "middle": {"AP": by_topic([0.2, 0.25, 0.3, 0.35]), "P@10": by_topic([0.1, 0.2, 0.1, 0.2])},
    "high": {"AP": by_topic([0.5, 0.6, 0.55, 0.7]), "P@10": by_topic([0.4, 0.5, 0.4, 0.5])},
}


def test_runs_against_two_baselines() -> None:
    findings = compare_runs(VALUES, ["low", "middle"])
    assert [(one.measure, one.system, one.baseline) for one in findings] == [
        ("AP", "high", "low"), ("AP", "high", "middle"), ("P@10", "high", "low"), ("P@10", "high", "middle"),
    ]  # fmt: skip
    p_values = [
        float(stats.ttest_rel(list(VALUES["high"][m].values()), list(VALUES[b][m].values())).pvalue)
        for m, b in [("AP", "low"), ("AP", "middle"), ("P@10", "low")]
    ]
    assert [one.p for one in findings[:3]] == pytest.approx(p_values)
    assert findings[3].p == 0.0  # all differences are .3
    # Holm over two: twice the smaller, the larger at least as large.
    small, large = sorted(p_values[:2])
    assert sorted(one.corrected for one in findings[:2]) == pytest.approx([2 * small, max(2 * small, large)])
    assert all(one.beats for one in findings)


def test_a_family_of_all_measures_is_stricter() -> None:
    of_measure = compare_runs(VALUES, ["low"])
    of_all = compare_runs(VALUES, ["low"], Question(family=Family.all))
    p_values = [one.p for one in of_measure]
    assert [one.corrected for one in of_all] == pytest.approx(
        [min(1.0, 4 * p) if p == min(p_values) else one.corrected for p, one in zip(p_values, of_all, strict=True)]
    )
    assert all(strict.corrected >= one.corrected for strict, one in zip(of_all, of_measure, strict=True))
    assert sum(one.corrected for one in of_all) > sum(one.corrected for one in of_measure)
    found = compare_runs(VALUES, ["low"], Question(family=Family.all, correction=Correction.bh))
    assert [one.corrected for one in found] == pytest.approx(list(stats.false_discovery_control(p_values)))


@pytest.mark.parametrize(("test", "p"), [(PairedTest.randomisation, 2 / 2**4), (PairedTest.wilcoxon, 2 / 2**4)])
def test_other_tests_of_four_wins(test: PairedTest, p: float) -> None:
    (found, *_) = compare_runs(VALUES, ["low", "middle"], Question(test=test))
    assert (found.p, found.corrected, found.beats) == (p, 2 * p, False)
    assert (found.comparison.wins, found.comparison.ties, found.comparison.losses) == (4, 0, 0)


def test_worse_is_significant_and_beats_nothing() -> None:
    found, _ = compare_runs({"high": VALUES["high"], "low": VALUES["low"]}, ["high"])
    assert found.corrected < 0.05
    assert found.effect < 0
    assert not found.beats


def test_one_topic_and_topics_that_differ() -> None:
    (found,) = compare_runs({"a": {"AP": {"1": 0.1}}, "b": {"AP": {"1": 0.3}}}, ["a"])
    assert isnan(found.p)
    assert isnan(found.corrected)
    assert not found.beats
    with pytest.raises(DataError, match="the system lacks topic 2"):
        compare_runs({"a": {"AP": {"1": 0.1, "2": 0.1}}, "b": {"AP": {"1": 0.3}}}, ["a"])


def test_repetitions_by_hand() -> None:
    joined = join_repetitions([{"AP": {"1": 0.1, "2": 0.3}}, {"AP": {"1": 0.3, "2": 0.5}}])
    assert joined.values["AP"] == pytest.approx({"1": 0.2, "2": 0.4})
    assert joined.means["AP"] == pytest.approx([0.2, 0.4])
    assert joined.deviations["AP"] == pytest.approx(0.2 / 2**0.5)
    alone = join_repetitions([VALUES["low"]])
    assert alone.values == VALUES["low"]
    assert isnan(alone.deviations["AP"])


def test_topics_take_the_spelling_of_the_judgements() -> None:
    scores = {"41": {"a": 1.0}, "C042": {"b": 1.0}, "42": {"c": 1.0}, "99": {"d": 1.0}, "q-1": {"e": 1.0}}
    spelt = spell_topics(scores, ["C041", "C042", "q-1", "7"])
    assert spelt == {"C041": {"a": 1.0}, "C042": {"b": 1.0}, "q-1": {"e": 1.0}}


@pytest.mark.parametrize(
    ("run", "judged", "problem"),
    [
        (["C041", "041", "42"], ["41", "42"], "a.trec: topic 41 of the judgements is there twice, as C041 and as 041."),
        (["041", "7"], ["41", "C041", "7"], "a.trec: topic 041 may be 41 or C041 of the judgements."),
    ],
)
def test_which_of_two_spellings_is_meant_is_not_guessed(run: list[str], judged: list[str], problem: str) -> None:
    scores = {topic: {"d": float(number)} for number, topic in enumerate(run)}
    with pytest.raises(DataError) as caught:
        spell_topics(scores, judged, "a.trec")
    assert caught.value.problem == problem
    plain = {topic: scores[topic] for topic in run if topic not in ("C041", "041")} | {"41": {"d": 9.0}}
    assert spell_topics(plain, ["41", "7", "42"]) == plain
    both = {"C041": {"d": 1.0}, "41": {"d": 2.0}}
    assert spell_topics(both, ["41", "C041"]) == both
