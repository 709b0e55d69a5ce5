"""The numbers behind the marks in a table, on examples that a pocket calculator can follow.

With three topics Student's t has a closed form: p (two-sided) = 1 - t / sqrt(t^2 + 2).
"""

from math import sqrt

import pytest

from clir_cli.evaluation.average_precision import average_precision, mean_average_precision
from clir_cli.evaluation.correction import holm
from clir_cli.evaluation.judgements import clean_judgements
from clir_cli.evaluation.measures import evaluate, mean_over_folds, mean_over_topics
from clir_cli.evaluation.significance import compare, non_inferiority, paired_t, tost
from clir_cli.records import ScoredDoc


def ranking(*documents: str) -> list[ScoredDoc]:
    return [ScoredDoc(document, -float(place)) for place, document in enumerate(documents)]


def test_average_precision_divides_by_all_relevant_documents() -> None:
    # Relevant at ranks 1 and 3, a third one never found: (1/1 + 2/3) / 3.
    judgements = {"a": 1, "b": 0, "c": 1, "never found": 1}
    assert average_precision(ranking("a", "b", "c"), judgements) == pytest.approx(5 / 9)
    # Looking at two documents only, the one at rank 3 is lost, but still counted as relevant.
    assert average_precision(ranking("a", "b", "c"), judgements, depth=2) == pytest.approx(1 / 3)


def test_a_topic_without_a_list_counts_zero() -> None:
    qrels = {"C041": {"a": 1}, "C042": {"b": 1}}
    values = evaluate({"C041": ranking("a")}, qrels, ["C041", "C042"], ["AP@100", "P@10"])
    assert values == {"AP@100": {"C041": 1.0, "C042": 0.0}, "P@10": {"C041": 0.1, "C042": 0.0}}
    assert mean_average_precision({"C041": ranking("a")}, qrels, ["C041", "C042"]) == 0.5


def test_a_topic_judged_in_another_collection_is_not_averaged() -> None:
    # 2004: English topics were judged on the Glasgow Herald only; with the LA Times indexed none can be found.
    qrels = {"141": {"LA1": 1, "GH1": 1}, "201": {"GH2": 1}}
    cleaned, report = clean_judgements(qrels, ["C141", "C201"], lambda document: document.startswith("LA"))
    assert cleaned == {"C141": {"LA1": 1}}
    assert report.excluded == report.emptied == ("C201",)
    assert report.absent == 2


def test_the_two_means_differ_where_folds_are_of_different_size() -> None:
    values, folds = {"41": 1.0, "42": 0.0, "43": 1.0}, {"41": 1, "42": 1, "43": 2}
    assert mean_over_topics(values) == pytest.approx(2 / 3)
    assert mean_over_folds(values, folds) == pytest.approx((1 / 2 + 1) / 2)


def test_paired_t() -> None:
    baseline = {"1": 0.1, "2": 0.2, "3": 0.3}
    system = {"1": 0.2, "2": 0.4, "3": 0.6}  # better by .1, .2, .3: mean .2, standard deviation .1
    test = paired_t(system, baseline)
    t = 0.2 / (0.1 / sqrt(3))
    assert test.difference == pytest.approx(0.2)
    assert test.t == pytest.approx(t)
    assert test.p == pytest.approx(1 - t / sqrt(t**2 + 2))  # .0742: twice the MAP, and still not significant
    # 4.3027 is the table's value of t for 2 degrees of freedom and 95 %.
    assert test.low == pytest.approx(0.2 - 4.302653 * 0.1 / sqrt(3), abs=1e-6)
    assert test.high == pytest.approx(0.2 + 4.302653 * 0.1 / sqrt(3), abs=1e-6)


def test_holm() -> None:
    # Smallest times 3, next times 2, largest times 1; never below the one before.
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_not_significant_is_not_the_same() -> None:
    """MART-PLB against m2BERT: "no significant difference" is what few topics always give."""
    m2bert = {"1": 0.40, "2": 0.50, "3": 0.60}
    placebo = {"1": 0.39, "2": 0.50, "3": 0.61}  # differences -.01, 0, .01
    assert paired_t(placebo, m2bert).p == 1.0

    # Margin 2 % of .5 is .01: t = .01 / (.01 / sqrt(3)) = sqrt(3), one-sided p = (1 - sqrt(3) / sqrt(5)) / 2 = .113.
    two_percent = (1 - sqrt(3) / sqrt(5)) / 2
    assert non_inferiority(placebo, m2bert, 0.02) == pytest.approx(two_percent)
    assert tost(placebo, m2bert, 0.02) == pytest.approx(two_percent)
    # Margin 5 % is .025: t = 2.5 sqrt(3), p = .025: within 5 % the two are the same.
    assert tost(placebo, m2bert, 0.05) == pytest.approx((1 - sqrt(18.75) / sqrt(20.75)) / 2)
    assert tost(placebo, m2bert, 0.05) < 0.05 < tost(placebo, m2bert, 0.02)


def test_a_better_system_is_not_worse_but_not_equivalent_either() -> None:
    baseline = {"1": 0.40, "2": 0.50, "3": 0.60}
    system = {"1": 0.49, "2": 0.60, "3": 0.71}
    assert non_inferiority(system, baseline, 0.05) < 0.01
    assert tost(system, baseline, 0.05) > 0.95


def test_a_percentage_is_relative_to_the_baseline() -> None:
    comparison = compare({"1": 0.24, "2": 0.30}, {"1": 0.20, "2": 0.30})
    assert comparison.relative_gain == pytest.approx(0.08)  # .27 over .25
    assert (comparison.wins, comparison.ties, comparison.losses) == (1, 1, 0)


def test_three_baselines_are_one_family() -> None:
    smt, m2bert, placebo = ({str(t): 0.1 * t for t in range(1, 5)} for _ in range(3))
    mart = {"1": 0.2, "2": 0.25, "3": 0.45, "4": 0.5}
    single = compare(mart, smt)
    family = [compare(mart, baseline).p for baseline in (smt, m2bert, placebo)]
    assert family == [single.p] * 3
    assert holm(family) == pytest.approx([3 * single.p] * 3)
