"""Tables are refused where results are missing, and everything missing is named at once."""

import pytest

from clir_cli.errors import DataError
from clir_cli.report.completeness import complete_values


def test_all_faults_at_once() -> None:
    values = {
        "deu-eng": {"a": {"P@10": {f"C{t}": 0.0 for t in range(1, 9)}}, "b": {"P@10": {"C8": 0.0}}},
        "som-eng": {"a": {"P@10": {"C1": 0.0}}, "b": {}},
    }
    with pytest.raises(DataError) as caught:
        complete_values(values, ["a", "b"], ["P@10"], {})
    assert caught.value.problem == (
        "deu-eng: b has no P@10 for 7 of 8 topics (C1, C2, C3, C4, C5, ...). "
        "som-eng: b has no P@10 for 1 of 1 topics (C1)."
    )


def test_declared_topics_have_to_be_there() -> None:
    values = {"deu-eng": {"a": {"P@10": {"C1": 0.0, "C2": 1.0}}}}
    with pytest.raises(DataError, match=r"a has no P@10 for 1 of 2 topics \(C3\)"):
        complete_values(values, ["a"], ["P@10"], {"deu-eng": ["C2", "C3"]})
    with pytest.raises(DataError, match="deu-eng has no topics"):
        complete_values(values, ["a"], ["P@10"], {"deu-eng": []})


def test_only_rows_and_measures_of_the_table_are_kept() -> None:
    values = {"deu-eng": {"a": {"P@10": {"C1": 0.0}, "RR": {"C1": 0.0}}, "b": {}}, "fra-eng": {"b": {}}}
    complete, notes = complete_values(values, ["a"], ["P@10"], {})
    assert complete == {"deu-eng": {"a": {"P@10": {"C1": 0.0}}}}
    assert notes == []


def test_nothing_to_print() -> None:
    with pytest.raises(DataError, match="None of the systems has results"):
        complete_values({"deu-eng": {"b": {}}}, ["a"], ["P@10"], {})
