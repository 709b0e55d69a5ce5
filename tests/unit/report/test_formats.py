"""Every format holds every table."""

import pytest

from clir_cli.report.formats import FILES, to_csv, to_latex, to_markdown, to_text
from clir_cli.report.tables import ResultsTable


@pytest.mark.parametrize("name", ["table.txt", "table.md", "table.tex"])
def test_three_tables_and_the_notes_of_the_caller(table: ResultsTable, name: str) -> None:
    text = FILES[name](table)
    assert text.index("Sample") < text.index("Relative gain of MART") < text.index("Tests behind the marks")
    assert "Reduced: 10 epochs" in text
    assert "MAP" in text
    assert text.endswith("\n")


def test_files_are_the_formats(table: ResultsTable) -> None:
    assert FILES["table.txt"](table) == to_text(table)
    assert FILES["table.md"](table) == to_markdown(table)
    assert FILES["table.tex"](table) == to_latex(table)
    assert FILES["table.csv"](table) == to_csv(table)


def test_console_text_obeys_the_width(table: ResultsTable) -> None:
    assert max(map(len, to_text(table, 80).split("\n"))) <= 80
    assert max(map(len, to_text(table, 120).split("\n"))) > 80
