"""Everything that is written to the terminal goes through here: results on stdout, everything else on stderr.

This module and ``progress`` are the only users of rich; commands import them when they have something to say.
"""

import sys
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.theme import Theme

THEME = Theme({"good": "green", "bad": "bold red", "odd": "yellow", "quiet": "dim", "head": "bold"})

out = Console(theme=THEME, highlight=False, markup=False, soft_wrap=True)
err = Console(theme=THEME, highlight=False, markup=False, soft_wrap=True, stderr=True)


def say(text: str = "", style: str = "") -> None:
    """A result, for whoever reads or pipes stdout."""
    out.print(text, style=style)


def show_text(text: str) -> None:
    """A finished text (a table, YAML) exactly as it is."""
    sys.stdout.write(text if text.endswith("\n") or not text else text + "\n")
    sys.stdout.flush()


def tell(text: str, style: str = "quiet") -> None:
    """A remark about what is going on, on stderr."""
    err.print(text, style=style)


def tell_error(problem: str, hint: str = "") -> None:
    """One sentence that says what is wrong, and what to do."""
    err.print("Error:", style="bad", end=" ")
    err.print(problem)
    if hint:
        err.print(hint, style="odd")


def show_table(head: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[str] = ()) -> None:
    """Rows under a head; columns named in ``right`` are numbers. Without a terminal the columns are split by tabs."""
    rows = [list(row) for row in rows]
    if not out.is_terminal:
        show_text("".join("\t".join(row) + "\n" for row in [list(head), *rows]))
        return
    table = Table(box=None, pad_edge=False, header_style="head")
    right = set(right)
    for name in head:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    out.print(table)


def duration(seconds: float) -> str:
    """``75`` as ``1 min 15 s``."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"


def size(count: float) -> str:
    """Bytes as ``12 MB``."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
