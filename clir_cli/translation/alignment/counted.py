"""A translation table counted from links, as Moses makes its lexical tables (Koehn, Och, Marcu 2003)."""

from typing import Any

import numba
import numpy as np

from clir_cli.translation.alignment.prepared_text import PreparedText
from clir_cli.translation.alignment.pruned import prune_cells
from clir_cli.translation.alignment.symmetrise import Links
from clir_cli.translation.table import TranslationTable

_compiled: Any = numba.njit(cache=True)


def count_links(
    links: Links,
    text: PreparedText,
    *,
    inverse: bool = False,
    min_probability: float = 1e-4,
    max_translations: int = 100,
) -> TranslationTable:
    """P(target | source) = links between the two words / (links of the source word + its occurrences without link).

    An occurrence without link counts as one that NULL translates; NULL itself leaves the table, so the row of a word
    that is often left without link sums to less than 1. ``inverse``: P(source | target), rows are target words.
    Pruned as ``prune_cells`` says.

    Raises ``ValueError`` where links and text have different numbers of pairs or a link lies outside its sentence.
    """
    if len(links) != len(text):
        raise ValueError(f"{len(links)} pairs have links, the text has {len(text)}")
    rows = (text.sources, text.source_start, links.source)
    columns = (text.targets, text.target_start, links.target)
    row_words, column_words = text.source_words, text.target_words
    if inverse:
        rows, columns, row_words, column_words = columns, rows, column_words, row_words
    cells, mass = _linked_cells(*rows, *columns, links.start, len(row_words), len(column_words))
    cells.sort()
    begins = np.flatnonzero(np.concatenate(([True], cells[1:] != cells[:-1])) if len(cells) else cells)
    counts = np.diff(np.append(begins, len(cells)))
    row, column = np.divmod(cells[begins], len(column_words))
    del cells, begins
    return prune_cells(
        row_words, column_words, row, column, counts / mass[row],
        min_probability=min_probability, max_translations=max_translations,
    )  # fmt: skip


@_compiled
def _linked_cells(  # type: ignore[no-untyped-def]
    rows, row_start, row_position, columns, column_start, column_position, start, row_words, column_words
):
    """The cell (row word * ``column_words`` + column word) of every link, and what the counts of each row word sum to,
    NULL's included."""
    cells = np.empty(len(row_position), np.int64)
    mass = np.zeros(row_words, np.int64)
    has_link = np.zeros(len(rows), np.bool_)
    for k in range(len(start) - 1):
        for link in range(start[k], start[k + 1]):
            r, c = row_start[k] + row_position[link], column_start[k] + column_position[link]
            if r >= row_start[k + 1] or c >= column_start[k + 1] or row_position[link] < 0 or column_position[link] < 0:
                raise ValueError("a link lies outside its sentence")
            cells[link] = np.int64(rows[r]) * column_words + columns[c]
            mass[rows[r]] += 1
            has_link[r] = True
    for r in range(len(rows)):
        if not has_link[r]:
            mass[rows[r]] += 1
    return cells, mass
