"""A sheet as LaTeX, set with the booktabs package."""

import re
from itertools import groupby

from clir_cli.report.sheet import Cell, Sheet
from clir_cli.report.text import blocks

MOST_COLUMNS = 10
"""Columns beside the stub that one tabular holds; more are stacked in a second one."""

ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",
    "]": "{]}",
    '"': "''",
    "–": "--",
    "−": r"\(-\)",
    "²": r"\textsuperscript{2}",
    "→": r"\(\rightarrow\)",
    "≥": r"\(\geq\)",
    "≤": r"\(\leq\)",
}


def render(sheet: Sheet) -> str:
    """One ``table*`` float: caption from title and notes, tabulars of whole blocks stacked in it."""
    notes = " ".join([f"Bold: {sheet.best}.", *sheet.notes] if sheet.best else sheet.notes)
    tabulars = [_tabular(sheet, columns) for columns in _split(sheet)]
    return "\n".join(
        [
            r"\begin{table*}[t]",
            r"\centering",
            r"\small",
            rf"\caption{{{escape(sheet.title.rstrip('.'))}. {escape(notes)}}}",
            rf"\label{{tab:{sheet.name}}}",
            "\n\n\\medskip\n\n".join(tabulars),
            r"\end{table*}",
            "",
        ]
    )


def escape(words: str) -> str:
    """Text in which no letter acts as LaTeX."""
    return "".join(ESCAPES.get(letter, letter) for letter in words)


def _split(sheet: Sheet) -> list[list[int]]:
    parts: list[list[int]] = [[]]
    for block in blocks(sheet):
        if parts[-1] and len(parts[-1]) + len(block) > MOST_COLUMNS:
            parts.append([])
        parts[-1] += block
    return parts


def _tabular(sheet: Sheet, columns: list[int]) -> str:
    lead = len(sheet.stub)
    lines = [rf"\begin{{tabular}}{{{'l' * lead}{'r' * len(columns)}}}", r"\toprule"]
    for level in range(len(sheet.heads[columns[0]]) - 1):
        spans = [list(group) for _, group in groupby(columns, key=lambda c: sheet.heads[c][: level + 1])]
        cells, rules, start = [""] * lead, [], lead + 1
        for span in spans:
            title = escape(sheet.heads[span[0]][level])
            cells.append(rf"\multicolumn{{{len(span)}}}{{c}}{{{title}}}")
            rules.append(rf"\cmidrule(lr){{{start}-{start + len(span) - 1}}}")
            start += len(span)
        lines += [_row(cells), " ".join(rules)]
    lines += [_row([escape(title) for title in [*sheet.stub, *(sheet.heads[c][-1] for c in columns)]]), r"\midrule"]
    lines += [_row([*map(escape, words), *(_cell(cells[c]) for c in columns)]) for words, cells in sheet.rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(cell: Cell) -> str:
    # Numbers use the true minus; words (deu-eng, 1-2) keep their hyphen, so this is not done in ``escape``.
    text = re.sub(r"(?<![\w.])-(?=\d)", r"\\(-\\)", escape(cell.text))
    bold = rf"\textbf{{{text}}}" if cell.best else text
    return bold + (rf"\textsuperscript{{{cell.mark}}}" if cell.mark else "")
