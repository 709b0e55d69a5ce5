"""LaTeX: balanced, with as many cells as its columns promise, and nothing that acts by accident."""

import re

import pytest

from clir_cli.report.latex import MOST_COLUMNS, escape, render
from clir_cli.report.sheets import Cell, Sheet, results_sheet, sheets
from clir_cli.report.tables import ResultsTable


def tabulars(text: str) -> list[tuple[str, list[str]]]:
    """(column letters, rows) of every tabular."""
    found = re.findall(r"\\begin\{tabular\}\{([lr]+)\}\n(.*?)\\end\{tabular\}", text, flags=re.S)
    return [(letters, [line for line in body.split("\n") if line.endswith(r"\\")]) for letters, body in found]


def test_results(table: ResultsTable) -> None:
    text = render(results_sheet(table))
    assert r"\caption{Sample \& more. Bold: best neural system of the column. MAP (AP@100), P@10" in text
    assert r"100\% of the documents." in text
    assert (
        r" & \multicolumn{2}{c}{Forward (into English)} & \multicolumn{2}{c}{Backward (from English)} \\"
        "\n"
        r"\cmidrule(lr){2-3} \cmidrule(lr){4-5}"
    ) in text
    assert r"tiny\_BERT & " in text
    assert r"MART-PLB & 0.3260 & 0.1630 & -- & -- \\" in text
    assert r"MART & \textbf{0.4350}\textsuperscript{abc} & " in text


def test_every_row_fills_its_columns(table: ResultsTable) -> None:
    for sheet in sheets(table):
        text = render(sheet)
        assert text.count("{") == text.count("}")
        assert len(re.findall(r"\\begin\{", text)) == len(re.findall(r"\\end\{", text))
        for letters, rows in tabulars(text):
            for row in rows:
                spanned = sum(int(span) - 1 for span in re.findall(r"\\multicolumn\{(\d+)\}", row))
                assert len(re.findall(r"(?<!\\)&", row)) + 1 + spanned == len(letters)


def test_rules_reach_over_their_columns_and_no_further(table: ResultsTable) -> None:
    for sheet in sheets(table):
        for letters, _ in tabulars(render(sheet)):
            assert len(letters) <= MOST_COLUMNS + len(sheet.stub)
    wide = Sheet("s", "T", ["S"], [(f"p{i // 2}", "m") for i in range(24)], [(["r"], [Cell("1")] * 24)], [])
    assert [len(letters) for letters, _ in tabulars(render(wide))] == [11, 11, 5]
    assert r"\cmidrule(lr){10-11}" in render(wide)
    assert r"\cmidrule(lr){12-13}" not in render(wide)


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("-0.5000", r"\(-\)0.5000"),
        ("[-0.1000, -0.0200]", r"{[}\(-\)0.1000, \(-\)0.0200{]}"),
        ("+1.5 %", r"+1.5 \%"),
        ("<0.0001", r"\textless{}0.0001"),
        ("68/1/31", "68/1/31"),
    ],
)
def test_numbers(text: str, latex: str) -> None:
    sheet = Sheet("s", "T", ["S"], [("h",)], [(["deu-eng 1-2"], [Cell(text)])], [])
    assert rf"deu-eng 1-2 & {latex} \\" in render(sheet)


def test_escape() -> None:
    assert escape("a_b & 5% #1 $x$ {y} ~ ^ \\") == (
        r"a\_b \& 5\% \#1 \$x\$ \{y\} \textasciitilde{} \textasciicircum{} \textbackslash{}"
    )
    assert escape("m²BERT – ß") == r"m\textsuperscript{2}BERT -- ß"
