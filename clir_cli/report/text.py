"""A sheet as aligned plain text, no wider than the terminal wherever its columns allow."""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

from clir_cli.report.sheet import Cell, Sheet

GAP = 2
"""Blanks between columns; one more where a new block begins."""


def render(sheet: Sheet, width: int = 100) -> str:
    """The sheet as lines that end in a newline. Too wide, it is split between blocks (pairs), the stub repeated.

    The best of a column carries a ``*``; letters stand behind their value without moving its digits.
    """
    parts = [_part(sheet, columns) for columns in _split(sheet, width)]
    notes = [f"*: {sheet.best}.", *sheet.notes] if sheet.best else sheet.notes
    lines = [line for note in notes for line in textwrap.wrap(note, width, subsequent_indent="  ")]
    return "\n".join([sheet.title, "", "\n\n".join(parts), "", *lines, ""])


def blocks(sheet: Sheet) -> list[list[int]]:
    """Column numbers that belong together: neighbours that share all headings but the last."""
    grouped = groupby(range(len(sheet.heads)), key=lambda index: sheet.heads[index][:-1])
    return [list(columns) for _, columns in grouped]


def _split(sheet: Sheet, width: int) -> Iterator[list[int]]:
    """Greedy: as many whole blocks in a part as fit; a block that does not fit alone goes by columns."""

    def fits(columns: list[int]) -> bool:
        return max(map(len, _part(sheet, columns).split("\n"))) <= width

    part: list[int] = []
    for block in blocks(sheet):
        for piece in [block] if fits(block) else [[column] for column in block]:
            if part and not fits(part + piece):
                yield part
                part = []
            part = part + piece
    yield part


def _part(sheet: Sheet, columns: Sequence[int]) -> str:
    """Heading lines, a rule, one line a row; the given columns only."""
    stub = [max(len(title), *(len(words[i]) for words, _ in sheet.rows), 0) for i, title in enumerate(sheet.stub)]
    texts = {c: max(len(cells[c].text) for _, cells in sheet.rows) for c in columns}
    marks = {c: max(len(_mark(cells[c])) for _, cells in sheet.rows) for c in columns}
    widths = {c: max(texts[c] + marks[c], len(sheet.heads[c][-1])) for c in columns}
    levels = len(sheet.heads[columns[0]])
    starts = {
        c: GAP + (position > 0 and sheet.heads[c][:-1] != sheet.heads[columns[position - 1]][:-1])
        for position, c in enumerate(columns)
    }
    # A heading over several columns may be wider than they are: its last column makes room.
    for level in range(levels - 1):
        for group in _spans(sheet, columns, level):
            span = sum(widths[c] + starts[c] for c in group) - starts[group[0]]
            widths[group[-1]] += max(0, len(sheet.heads[group[0]][level]) - span)

    blank = (sum(stub) + GAP * (len(stub) - 1)) * " "
    lines = []
    for level in range(levels - 1):
        line = blank
        for group in _spans(sheet, columns, level):
            span = sum(widths[c] + starts[c] for c in group) - starts[group[0]]
            line += " " * starts[group[0]] + sheet.heads[group[0]][level].ljust(span)
        lines.append(line.rstrip())
    titles = (GAP * " ").join(title.ljust(size) for title, size in zip(sheet.stub, stub, strict=True))
    for c in columns:
        lead = max(texts[c], len(sheet.heads[c][-1]) - marks[c])
        titles += " " * starts[c] + sheet.heads[c][-1].rjust(lead).ljust(widths[c])
    lines.append(titles.rstrip())
    lines.append("-" * (len(blank) + sum(widths[c] + starts[c] for c in columns)))
    for words, cells in sheet.rows:
        line = (GAP * " ").join(word.ljust(size) for word, size in zip(words, stub, strict=True))
        for c in columns:
            lead = max(texts[c], len(sheet.heads[c][-1]) - marks[c])
            line += " " * starts[c] + (cells[c].text.rjust(lead) + _mark(cells[c])).ljust(widths[c])
        lines.append(line.rstrip())
    return "\n".join(lines)


def _spans(sheet: Sheet, columns: Sequence[int], level: int) -> list[list[int]]:
    return [list(group) for _, group in groupby(columns, key=lambda c: sheet.heads[c][: level + 1])]


def _mark(cell: Cell) -> str:
    return ("*" if cell.best else "") + cell.mark
