"""A stored table is the table."""

from dataclasses import asdict

import pytest

from clir_cli.errors import DataError
from clir_cli.report.formats import to_text
from clir_cli.report.stored import from_json, to_json
from clir_cli.report.tables import Contrast, ResultsTable, build_table


def test_it_comes_back_as_it_was(table: ResultsTable) -> None:
    back = from_json(to_json(table))
    assert asdict(back) == asdict(table)
    assert to_text(back) == to_text(table)
    assert to_json(back) == to_json(table)


def test_numbers_that_are_none_come_back_too() -> None:
    values = {"deu-eng": {"smt": {"AP@100": {"1": 0.5}}, "mart": {"AP@100": {"1": 0.6}}}}
    systems = {"smt": "SMT", "mart": "MART"}
    table = build_table(values, systems, ["AP@100"], contrasts=[Contrast("mart", "smt")])
    back = from_json(to_json(table))
    assert back.answers[0].comparison.p != back.answers[0].comparison.p  # one topic has no test: nan
    assert to_text(back) == to_text(table)


def test_what_is_no_table_is_told() -> None:
    with pytest.raises(DataError, match=r"table\.json: no results table \(title: .*\)\. Make the report again\."):
        from_json('{"title": 3}')
