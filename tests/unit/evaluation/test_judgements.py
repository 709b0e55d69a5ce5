"""Which judgements leave, and that each of them is counted."""

import pytest

from clir_cli.errors import DataError
from clir_cli.evaluation.judgements import clean_judgements

QRELS = {
    "41": {"d1": 1, "d2": 0, "gone1": 1},
    "42": {"d1": 0},
    "43": {"gone1": 2, "gone2": 0},
    "99": {"d1": 1},
}
COLLECTION = {"d1", "d2"}


def test_report_counts_everything() -> None:
    qrels, report = clean_judgements(QRELS, ["C043", "C041", "C042", "C044"], COLLECTION.__contains__)
    assert qrels == {"C041": {"d1": 1, "d2": 0}}
    assert report.topics == ("C041",)
    assert report.excluded == ("C043", "C042", "C044")
    assert report.emptied == ("C043",)
    assert (report.absent, report.absent_relevant, report.undeclared) == (3, 2, 1)
    assert report.absent_examples == (("C041", "gone1"), ("C043", "gone1"), ("C043", "gone2"))


def test_the_given_qrels_stay_as_they_are() -> None:
    before = {topic: dict(grades) for topic, grades in QRELS.items()}
    clean_judgements(QRELS, ["C041"], COLLECTION.__contains__)
    assert before == QRELS


def test_a_second_cleaning_changes_nothing() -> None:
    once, _ = clean_judgements(QRELS, ["C041", "C042"], COLLECTION.__contains__)
    twice, report = clean_judgements(once, ["C041"], COLLECTION.__contains__)
    assert twice == once
    assert report.absent == 0


def test_two_spellings_of_one_declared_topic() -> None:
    with pytest.raises(DataError, match="C041 and 41-AH are the same topic"):
        clean_judgements(QRELS, ["C041", "41-AH"], COLLECTION.__contains__)


def test_two_spellings_in_the_qrels_are_joined_unless_they_disagree() -> None:
    qrels, _ = clean_judgements({"41": {"d1": 1}, "C041": {"d1": 1, "d2": 1}}, ["41"], COLLECTION.__contains__)
    assert qrels == {"41": {"d1": 1, "d2": 1}}
    with pytest.raises(DataError, match="document d1 twice for topic C041: 1 and 0"):
        clean_judgements({"41": {"d1": 1}, "C041": {"d1": 0}}, ["41"], COLLECTION.__contains__)


def test_nothing_left_is_an_error() -> None:
    with pytest.raises(DataError, match=r"None of the 2 topics .*1 had some that it does not hold"):
        clean_judgements(QRELS, ["C042", "C043"], COLLECTION.__contains__)
