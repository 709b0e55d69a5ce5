"""Console text: aligned, and no wider than asked for."""

import pytest

from clir_cli.report.sheets import Cell, Sheet, results_sheet, sheets
from clir_cli.report.tables import ResultsTable
from clir_cli.report.text import render

PAIRS = ("deu-eng", "fra-eng", "ita-eng")
HEADS: list[tuple[str, ...]] = [("Forward", pair, measure) for pair in PAIRS for measure in ("MAP", "P@10")]
CELLS = [Cell("0.1000"), Cell("0.2000", "a"), Cell("–"), Cell("0.4000", "abc", True), Cell("0.5000"), Cell("0.6000")]
SHEET = Sheet("results", "Title", ["System"], HEADS, [(["SMT"], [Cell("0.0000")] * 6), (["MART"], CELLS)], ["A note."])


def test_the_whole_page() -> None:
    assert render(SHEET, 100) == (
        "Title\n"
        "\n"
        "        Forward\n"
        "        deu-eng           fra-eng              ita-eng\n"
        "System     MAP    P@10       MAP    P@10          MAP    P@10\n"
        "-------------------------------------------------------------\n"
        "SMT     0.0000  0.0000    0.0000  0.0000       0.0000  0.0000\n"
        "MART    0.1000  0.2000a        –  0.4000*abc   0.5000  0.6000\n"
        "\n"
        "A note.\n"
    )


def test_too_wide_it_is_split_between_pairs() -> None:
    lines = render(SHEET, 50).split("\n")
    assert lines[2:8] == [
        "        Forward",
        "        deu-eng           fra-eng",
        "System     MAP    P@10       MAP    P@10",
        "--------------------------------------------",
        "SMT     0.0000  0.0000    0.0000  0.0000",
        "MART    0.1000  0.2000a        –  0.4000*abc",
    ]
    assert lines[9:15] == [
        "        Forward",
        "        ita-eng",
        "System     MAP    P@10",
        "----------------------",
        "SMT     0.0000  0.0000",
        "MART    0.5000  0.6000",
    ]


@pytest.mark.parametrize("width", [40, 60, 80, 120, 500])
def test_no_line_is_wider_than_asked_and_no_value_is_lost(table: ResultsTable, width: int) -> None:
    for sheet in sheets(table):
        if width < 60 and sheet.name == "comparisons":
            continue  # three columns of words alone are wider than that
        text = render(sheet, width)
        assert max(map(len, text.split("\n"))) <= width
        for _, cells in sheet.rows:
            assert all(cell.text in text for cell in cells)


def test_a_pair_wider_than_the_page_is_split_too() -> None:
    text = render(SHEET, 16)
    assert max(map(len, text.split("\n"))) <= 18  # one column with its marks is what cannot be split
    assert text.count("System") == 6


def test_the_star_is_explained(table: ResultsTable) -> None:
    assert "\n*: best neural system of the column.\n" in render(results_sheet(table))
    assert "*:" not in render(SHEET)


def test_letters_do_not_move_the_digits(table: ResultsTable) -> None:
    lines = render(results_sheet(table), 200).split("\n")
    places = {line.index("0.") for line in lines if line.startswith(("SMT", "Human", "tiny", "MART"))}
    assert len(places) == 1


def test_wide_headings_make_room() -> None:
    heads: list[tuple[str, ...]] = [("A rather long heading", "x"), ("B", "y")]
    lines = render(Sheet("s", "T", ["S"], heads, [(["r"], [Cell("1"), Cell("2")])], [])).split("\n")
    assert lines[2] == "   A rather long heading   B"
    assert lines[5].index("2") == lines[2].index("B")
