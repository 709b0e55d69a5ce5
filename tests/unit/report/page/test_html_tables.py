"""Sheets as HTML cells: headings, and what a cell is sorted by."""

import pytest

from clir_cli.report.page.content import PlainTable
from clir_cli.report.page.html_tables import of_plain, of_sheet, sort_value
from clir_cli.report.sheets import sheets
from clir_cli.report.tables import ResultsTable


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.7296", "0.7296"), ("+0.0100", "0.01"), ("−0.5", "-0.5"), ("-16.0 %", "-16"), ("[-0.1422, +0.2]", "-0.1422"),
        ("19/4/97", "19"), ("–", ""), ("n/a", ""), ("not available", ""), ("", ""), ("89.4 % (422/472)", "89.4"),
        ("1 h 30 min", "5400"), ("2.5 MB", "2500000"),
    ],
)  # fmt: skip
def test_a_printed_value_has_a_number_to_sort_by(text: str, value: str) -> None:
    assert sort_value(text) == value


def test_less_than_the_smallest_comes_before_it() -> None:
    assert float(sort_value("<0.0001")) < float(sort_value("0.0001"))


def test_headings_span_their_columns_and_the_last_ones_sort(table: ResultsTable) -> None:
    made = of_sheet(sheets(table)[0], "results")
    top, pairs, measures = made.heads
    assert [(head.text, head.rows, head.columns) for head in top] == [
        ("System", 3, 1), ("Forward (into English)", 1, 2), ("Backward (from English)", 1, 2),
    ]  # fmt: skip
    assert [(head.text, head.columns, head.sorts) for head in pairs] == [("deu-eng", 2, False), ("eng-deu", 2, False)]
    assert [(head.text, head.column, head.sorts) for head in measures] == [
        ("MAP", 1, True), ("P@10", 2, True), ("MAP", 3, True), ("P@10", 4, True),
    ]  # fmt: skip
    for row in made.rows:
        assert len(row) == 5
    assert made.rows[-1][0].text == "MART"
    assert (made.rows[-1][1].mark, made.rows[-1][1].best) == ("abc", True)
    assert made.is_marked
    assert made.notes[0].startswith("Bold: ")


def test_a_plain_table_sorts_numbers_as_numbers() -> None:
    made = of_plain(PlainTable("t", "T", ["pair", "known"], [["Deu-eng", "12"]], frozenset({"known"})))
    assert [cell.sort for cell in made.rows[0]] == ["deu-eng", "12"]
    assert [head.is_number for head in made.heads[0]] == [False, True]
