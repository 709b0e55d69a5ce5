"""Tables as rows of HTML cells: headings that span, values to sort by."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from clir_cli.report.page.content import PlainTable
from clir_cli.report.sheets import Cell, Sheet


@dataclass(frozen=True)
class Head:
    """A heading: ``sorts`` where it stands right above its column, else it spans ``columns`` of them."""

    text: str
    columns: int = 1
    rows: int = 1
    sorts: bool = False
    column: int = 0
    """Which one it sorts by."""
    is_number: bool = False


@dataclass(frozen=True)
class HtmlCell:
    """``sort``: a number, or the text in lower case, or "" for what goes last."""

    text: str
    sort: str
    mark: str = ""
    best: bool = False
    is_number: bool = True


@dataclass(frozen=True)
class HtmlTable:
    """What the template of a table is given."""

    name: str
    title: str
    heads: Sequence[Sequence[Head]]
    stub: int
    """How many leading columns are row headings."""
    rows: Sequence[Sequence[HtmlCell]]
    notes: Sequence[str]

    @property
    def is_marked(self) -> bool:
        """Whether marks stand behind some of its values."""
        return any(cell.mark for row in self.rows for cell in row)


def of_sheet(sheet: Sheet, name: str) -> HtmlTable:
    """A sheet of results; ``name`` is its id on the page."""
    levels = len(sheet.heads[0]) if sheet.heads else 1
    heads: list[list[Head]] = [[] for _ in range(levels)]
    heads[0] += [Head(title, rows=levels, sorts=True, column=place) for place, title in enumerate(sheet.stub)]
    for level in range(levels):
        if level == levels - 1:
            heads[level] += [
                Head(head[-1], sorts=True, column=place, is_number=True)
                for place, head in enumerate(sheet.heads, len(sheet.stub))
            ]
        else:
            heads[level] += [
                Head(words[level], columns=len(list(columns)))
                for words, columns in groupby(sheet.heads, key=lambda head: head[: level + 1])
            ]
    rows = [
        [*(HtmlCell(word, word.lower(), is_number=False) for word in words), *map(_of_cell, cells)]
        for words, cells in sheet.rows
    ]
    notes = [f"Bold: {sheet.best}.", *sheet.notes] if sheet.best else list(sheet.notes)
    return HtmlTable(name, sheet.title, heads, len(sheet.stub), rows, notes)


def of_plain(table: PlainTable) -> HtmlTable:
    """A plain table; its first column is the row's heading."""
    heads = [
        [
            Head(title, sorts=True, column=place, is_number=title in table.right)
            for place, title in enumerate(table.head)
        ]
    ]
    numbers = [title in table.right for title in table.head]
    rows = [
        [
            HtmlCell(text, sort_value(text) if is_number else text.lower(), is_number=is_number)
            for text, is_number in zip(row, numbers, strict=True)
        ]
        for row in table.rows
    ]
    return HtmlTable(table.name, table.title, heads, 1, rows, list(table.notes))


def _of_cell(cell: Cell) -> HtmlCell:
    return HtmlCell(cell.text, sort_value(cell.text), cell.mark, cell.best)


def sort_value(text: str) -> str:
    """The first number of a printed value, so that it can be sorted by; "" where it has none.

    ``+0.0100``, ``5.2 %``, ``[-0.1, +0.2]``, ``12/3/4``; ``<0.0001`` comes before ``0.0001``. Byte counts and durations
    are turned into one unit.
    """
    found = re.search(r"[-+−]?\d+(?:\.\d+)?", text)
    if found is None:
        return ""
    value = float(found[0].replace("−", "-"))
    if text.startswith("<"):
        value -= 1e-9
    units = re.findall(r"([\d.]+) (h|min|s|B|kB|MB|GB)\b", text)
    if units:
        value = sum(float(number) * _UNITS[unit] for number, unit in units)
    return f"{value:.10g}"


_UNITS = {"h": 3600.0, "min": 60.0, "s": 1.0, "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9}
