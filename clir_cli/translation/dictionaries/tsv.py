"""Word lists parted by tabs: two columns of words and, it may be, one of qualities.

Public shapes: ``word TAB translation`` (MUSE, Wiktionary extracts, PanLex pairs), and with a third column that holds a
quality (PanLex exports), an origin or anything else, which is read only where qualities are asked for.
"""

import math
from collections.abc import Iterator
from pathlib import Path

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_lines
from clir_cli.translation.dictionaries.entries import DictionaryEntry

_COLUMNS = "Columns are parted by tabs; `dictionary: {path: .., source: 1, target: 2}` says which are read."
_QUALITY = "Set `weights: uniform`, or name a list that has qualities there."


def read_tsv(
    path: Path,
    columns: tuple[int, int] = (1, 2),
    quality_column: int | None = None,
    on_fault: FaultHandler = stop_at_fault,
) -> Iterator[DictionaryEntry]:
    """Entries of a file, plain or gzipped; its blank lines are passed over. Columns count from 1; ``columns`` gives
    source and target.

    Faults, with file and line: a line without those columns, a quality that is no number or below 0.
    """
    last = max(*columns, quality_column or 0)
    source, target = columns[0] - 1, columns[1] - 1
    for number, line in read_lines(path, on_fault=on_fault):
        if not line or line.isspace():
            continue
        fields = line.split("\t")
        if len(fields) < last:
            problem = f"{path}:{number}: {len(fields)} columns, but column {last} is asked for."
            on_fault(DataError(problem, _QUALITY if len(fields) >= max(columns) else _COLUMNS))
            continue
        if quality_column is None:
            yield DictionaryEntry(fields[source], fields[target])
            continue
        quality = _quality(fields[quality_column - 1])
        if quality is None:
            found = fields[quality_column - 1]
            problem = (
                f"{path}:{number}: column {quality_column} holds {found!r}, which is no quality (a number from 0)."
            )
            on_fault(DataError(problem, _QUALITY))
        else:
            yield DictionaryEntry(fields[source], fields[target], quality)


def _quality(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < math.inf else None
