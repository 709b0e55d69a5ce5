"""Moses' lexical tables: ``predicted conditioning p``, the conditioning word SECOND, unlike every other format.

With f the source and e the target of a Moses system, ``lex.f2e`` has lines ``e f p(e|f)`` and ``lex.e2f`` lines
``f e p(f|e)``. Either gives a table of the language of its second column; a pair needs the file whose second column is
the query language. NULL is the empty word, on both sides.
"""

from pathlib import Path

from clir_cli.lines import write_whole
from clir_cli.translation.formats.columns import Columns, read_columns
from clir_cli.translation.formats.entries import Entries
from clir_cli.translation.formats.format import Request, TableFormat
from clir_cli.translation.table import TranslationTable

COLUMNS = "A line is `target source p`, and p is P(target | source), 0 to 1."


def read_entries(request: Request) -> Entries:
    columns = Columns(int(not request.is_swapped), COLUMNS)
    return read_columns(request.path, columns, request.encoding, request.on_fault)


MOSES_LEX = TableFormat(
    "moses-lex", read_entries,
    "If its lines are `source target p`, name the format, matclir; else read it with `swap: true`.",
    null=frozenset({"NULL"}), names=(".e2f", ".f2e"),
)  # fmt: skip


def write_moses_lex(path: Path, table: TranslationTable) -> None:
    """Write P(target | source) as ``target source p``, seven digits as Moses writes them.

    With source f and target e this is ``lex.f2e``; the inverse of the table, written so, is ``lex.e2f``. Entries below
    half of the last digit would read 0 and are left out.
    """
    with write_whole(path) as file:
        for source, row in table.rows():
            file.writelines(f"{target} {source} {p:.7f}\n" for target, p in row if p >= 0.5e-7)
