"""A table in the format asked for: console text, Markdown, LaTeX (booktabs), CSV or JSON."""

from collections.abc import Callable

from clir_cli.report import latex, markdown, stored, text
from clir_cli.report.csv_files import comparisons_csv, results_csv, topics_csv
from clir_cli.report.sheets import sheets
from clir_cli.report.tables import ResultsTable


def to_text(table: ResultsTable, width: int = 100) -> str:
    """Aligned plain text; sheets wider than ``width`` columns are split between pairs."""
    return "\n".join(text.render(sheet, width) for sheet in sheets(table))


def to_markdown(table: ResultsTable) -> str:
    """Pipe tables, marks as superscripts."""
    return "\n".join(markdown.render(sheet) for sheet in sheets(table))


def to_latex(table: ResultsTable) -> str:
    """``table*`` environments for the booktabs package."""
    head = "% needs \\usepackage{booktabs}; and \\usepackage[utf8]{inputenc} before 2018\n"
    return head + "\n".join(latex.render(sheet) for sheet in sheets(table))


def to_csv(table: ResultsTable) -> str:
    """The results in long form, full precision; ``comparisons_csv`` and ``topics_csv`` hold the rest."""
    return results_csv(table)


FILES: dict[str, Callable[[ResultsTable], str]] = {
    "table.txt": to_text,
    "table.md": to_markdown,
    "table.tex": to_latex,
    "table.csv": results_csv,
    "comparisons.csv": comparisons_csv,
    "topics.csv": topics_csv,
    stored.FILE: stored.to_json,
}
"""File name -> what writes its text: every form of a table that is kept beside its run."""
