"""fast_align's table of parameters (its option ``-p``): ``conditioning TAB predicted TAB natural logarithm of p``.

The conditioning word is of the left side of ``|||``, of the right side with ``-r``. Rows are pruned, so they sum to a
bit less than 1; ``<eps>`` is the empty word.
"""

from clir_cli.translation.formats.columns import Columns, read_columns
from clir_cli.translation.formats.entries import Entries
from clir_cli.translation.formats.format import Request, TableFormat

COLUMNS = "A line is `source target log p`, and p is P(target | source): natural logarithms are 0 or less."


def read_entries(request: Request) -> Entries:
    columns = Columns(int(request.is_swapped), COLUMNS, are_logs=True)
    return read_columns(request.path, columns, request.encoding, request.on_fault)


FAST_ALIGN = TableFormat(
    "fast-align", read_entries, "Read it with `swap: true` if the word that is translated is in the second column.",
    null=frozenset({"<eps>"}),
)  # fmt: skip
