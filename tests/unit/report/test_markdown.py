"""Markdown: pipes that line up, and text that does not act."""

import re

from clir_cli.report.markdown import escape, render
from clir_cli.report.sheets import results_sheet, sheets
from clir_cli.report.tables import ResultsTable


def test_results(table: ResultsTable) -> None:
    lines = render(results_sheet(table)).split("\n")
    assert lines[0] == "**Sample & more**"
    assert lines[2:4] == [
        "| System | deu-eng MAP | deu-eng P@10 | eng-deu MAP | eng-deu P@10 |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    assert lines[7] == "| MART-PLB | 0.3260 | 0.1630 | – | – |"
    assert lines[8].startswith("| MART | **0.4350**<sup>abc</sup> | **0.2175**<sup>abc</sup> |")
    assert "- Bold: best neural system of the column." in lines


def test_every_row_has_as_many_cells_as_the_head(table: ResultsTable) -> None:
    for sheet in sheets(table):
        rows = [line for line in render(sheet).split("\n") if line.startswith("|")]
        assert len(rows) == len(sheet.rows) + 2
        assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {len(sheet.stub) + len(sheet.heads) + 1}


def test_escape() -> None:
    assert escape("a|b *c* d_e\n<f> [g] `h` \\") == r"a\|b \*c\* d\_e \<f\> \[g\] \`h\` \\"
