"""eflomal's priors: lines ``LEX TAB source TAB target TAB count`` among those of fertility and of jumps.

Numbers are pseudo-counts of word pairs, without a direction; they become P(target | source) here.
"""

import math

from clir_cli.errors import DataError
from clir_cli.lines import read_lines
from clir_cli.translation.formats.entries import Entries, EntryCollector
from clir_cli.translation.formats.format import Request, TableFormat

COLUMNS = "A line about words is LEX, source, target and a count, parted by tabs."
OTHERS = frozenset({"FERF", "FERR", "HMMF", "HMMR"})
SIDES = ("the second column", "the third column")


def read_entries(request: Request) -> Entries:
    """The counts of lines LEX; those of other kinds are counted as ``other_lines``.

    Faults with file and line: a line of no kind that eflomal has, or without four columns; a number that is no count.
    """
    path = request.path
    collector = EntryCollector(path, int(request.is_swapped), SIDES)
    for number, line in read_lines(path, request.encoding, request.on_fault):
        kind, *cells = line.split("\t")
        if kind in OTHERS:
            collector.other_lines += 1
            continue
        if not line.strip():
            continue
        place = f"{path}:{number}"
        if kind != "LEX":
            request.on_fault(DataError(f"{place}: {kind[:20]!r} is no kind of line in eflomal's priors.", COLUMNS))
        elif len(cells) != 3 or not cells[0].strip() or not cells[1].strip():
            request.on_fault(DataError(f"{place}: this is not LEX and three columns with something in them.", COLUMNS))
        elif (count := _count(cells[2])) is None:
            request.on_fault(DataError(f"{place}: {cells[2]} is no count.", COLUMNS))
        else:
            collector.add(cells[0].strip(), cells[1].strip(), count, number)
    return collector.entries()


def _count(text: str) -> float | None:
    try:
        count = float(text)
    except ValueError:
        return None
    return count if 0 <= count < math.inf else None


EFLOMAL = TableFormat("eflomal", read_entries, "", null=frozenset({"<NULL>"}), are_counts=True)
