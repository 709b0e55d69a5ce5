"""Tab-separated text: source, target, P(target | source). A cell may hold several words; such entries are left out."""

from clir_cli.translation.formats.columns import Columns, read_columns
from clir_cli.translation.formats.entries import Entries
from clir_cli.translation.formats.format import Request, TableFormat

COLUMNS = "A line is source, target and P(target | source), 0 to 1, parted by tabs."


def read_entries(request: Request) -> Entries:
    """A first line that ends in `p`, `probability`, `score` or the like is a head."""
    columns = Columns(int(request.is_swapped), COLUMNS, are_cells=True)
    return read_columns(request.path, columns, request.encoding, request.on_fault)


TSV = TableFormat(
    "tsv", read_entries, "Read it with `swap: true` if its first column is the word that is translated to.",
)  # fmt: skip
