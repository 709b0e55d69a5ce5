"""Translation tables as the MATCLIR code reads them: one ``source target p`` a line, p = P(target | source)."""

from pathlib import Path

from clir_cli.lines import write_whole
from clir_cli.translation.formats.building import build_table
from clir_cli.translation.formats.columns import Columns, read_columns
from clir_cli.translation.formats.direction import check_direction
from clir_cli.translation.formats.entries import Entries
from clir_cli.translation.formats.format import Request, TableFormat
from clir_cli.translation.table import TranslationTable

COLUMNS = "A line is `source target p`, and p is P(target | source), 0 to 1."


def read_entries(request: Request) -> Entries:
    """Columns are parted by spaces or tabs."""
    return read_columns(request.path, Columns(int(request.is_swapped), COLUMNS), request.encoding, request.on_fault)


MATCLIR = TableFormat(
    "matclir", read_entries,
    "If this is a lex file of Moses, name its format, moses-lex; else read it with `swap: true`.",
)  # fmt: skip


def read_table(path: Path) -> TranslationTable:
    """Read a table, plain or gzipped, and bring its words into the form that topics and documents have (``fold``).

    Raises ``DataError`` with file and line for a line that is not three columns, a p outside 0 to 1, an entry that
    comes twice; and for rows that sum to more than 1, which is what a table of the other direction looks like.
    """
    entries = read_entries(Request(path))
    check_direction(entries, MATCLIR.remedy)
    return build_table(entries, MATCLIR.name)[0]


def write_table(path: Path, table: TranslationTable) -> None:
    """Write a table: source words in order, best translation first, p with the digits that give the same p back."""
    with write_whole(path) as file:
        for source, row in table.rows():
            file.writelines(f"{source} {target} {p!s}\n" for target, p in row)
