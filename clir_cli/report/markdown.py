"""A sheet as a Markdown pipe table."""

import re

from clir_cli.report.sheet import Cell, Sheet


def render(sheet: Sheet) -> str:
    """Title, one pipe table, notes as a list; Markdown has one heading line, so pair and measure share it."""
    heads = [" ".join(filter(None, head[-2:])) for head in sheet.heads]
    lines = [
        f"**{escape(sheet.title)}**",
        "",
        _row([escape(title) for title in [*sheet.stub, *heads]]),
        _row(["---"] * len(sheet.stub) + ["---:"] * len(heads)),
    ]
    lines += [_row([*map(escape, words), *map(_cell, cells)]) for words, cells in sheet.rows]
    notes = [f"Bold: {sheet.best}.", *sheet.notes] if sheet.best else sheet.notes
    lines += ["", *(f"- {escape(note)}" for note in notes), ""]
    return "\n".join(lines)


def escape(words: str) -> str:
    """Text in which no letter acts as Markdown, on one line."""
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", " ".join(words.split()))


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    text = escape(cell.text)
    return (f"**{text}**" if cell.best else text) + (f"<sup>{cell.mark}</sup>" if cell.mark else "")
