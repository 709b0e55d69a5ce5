"""Translation tables as the MATCLIR code reads them: one ``source target p`` a line, p = P(target | source)."""

from array import array
from pathlib import Path

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix, diags

from clir_cli.corpora.normalise import fold
from clir_cli.errors import DataError
from clir_cli.lines import read_lines, write_whole
from clir_cli.translation.table import TranslationTable

COLUMNS = "A line is `source target p`, and p is P(target | source), 0 to 1."
MOST_MASS = 1.01
"""A row may sum to this: printed probabilities are rounded."""


def read_table(path: Path) -> TranslationTable:
    """Read a table, plain or gzipped, and bring its words into the form that topics and documents have (``fold``).

    Where folding makes target words equal, their probabilities add up; where it makes source words equal
    (``Haus``, ``haus``), the new row is the mean of theirs. Entries of p = 0 are dropped. Rows may sum to less than 1.

    Raises ``DataError`` with file and line for a line that is not three columns, a p outside 0 to 1, an entry that
    comes twice; and for a row that sums to more than 1, which is what a table of the other direction looks like.
    """
    sources: dict[str, int] = {}
    targets: dict[str, int] = {}
    rows, columns, values, lines = array("i"), array("i"), array("d"), array("q")
    for number, line in read_lines(path):
        if not line.strip():
            continue
        source, target, p = _entry(path, number, line)
        rows.append(sources.setdefault(source, len(sources)))
        columns.append(targets.setdefault(target, len(targets)))
        values.append(p)
        lines.append(number)
    if not rows:
        raise DataError(f"{path}: the table is empty.", "It needs lines of `source target p`.")
    shape = (len(sources), len(targets))
    raw = coo_matrix((np.array(values), (np.array(rows, np.int64), np.array(columns, np.int64))), shape)
    _refuse_repeated(path, raw, np.array(lines, np.int64), list(sources), list(targets))
    _refuse_heavy(path, raw, list(sources))
    source_words, source_map = _folded(list(sources))
    target_words, target_map = _folded(list(targets))
    spellings = np.asarray(source_map.sum(axis=0)).ravel()
    folded = csr_matrix(diags(1.0 / spellings) @ source_map.T @ raw.tocsr() @ target_map).astype(np.float32)
    return _without_empty(source_words, target_words, folded)


def write_table(path: Path, table: TranslationTable) -> None:
    """Write a table: source words in order, best translation first, p with the digits that give the same p back."""
    with write_whole(path) as file:
        for source in table.source_words:
            row = table.top(source, len(table.target_words))
            file.writelines(f"{source} {target} {np.float32(p)!s}\n" for target, p in row)


def _entry(path: Path, number: int, line: str) -> tuple[str, str, float]:
    parts = line.split()
    if len(parts) != 3:
        raise DataError(f"{path}:{number}: {len(parts)} columns, not 3.", COLUMNS)
    try:
        p = float(parts[2])
    except ValueError:
        raise DataError(f"{path}:{number}: {parts[2]!r} is no number.", COLUMNS) from None
    if not 0 <= p <= 1:
        raise DataError(f"{path}:{number}: {parts[2]} is no probability.", COLUMNS)
    return parts[0], parts[1], p


def _refuse_repeated(path: Path, raw: coo_matrix, lines: np.ndarray, sources: list[str], targets: list[str]) -> None:
    cells = raw.row * np.int64(raw.shape[1]) + raw.col
    order = np.argsort(cells, kind="stable")
    again = order[1:][cells[order[1:]] == cells[order[:-1]]]
    if len(again):
        entry = int(again.min())
        source, target = sources[raw.row[entry]], targets[raw.col[entry]]
        raise DataError(f"{path}:{lines[entry]}: {source} {target} is there a second time.", "Keep one of the lines.")


def _refuse_heavy(path: Path, raw: coo_matrix, sources: list[str]) -> None:
    sums = np.asarray(raw.sum(axis=1)).ravel()
    if (sums > MOST_MASS).any():
        worst = int(sums.argmax())
        raise DataError(
            f"{path}: the probabilities of {sources[worst]} sum to {sums[worst]:.3g}.",
            "A row is P(target | source) of one source word, the first column; is this table the other direction?",
        )


def _folded(words: list[str]) -> tuple[list[str], csr_matrix]:
    """Distinct folded words, sorted, and the 0/1 matrix [words, distinct] that maps to them."""
    keys = [fold(word) for word in words]
    distinct = sorted(set(keys))
    number = {key: i for i, key in enumerate(distinct)}
    columns = np.array([number[key] for key in keys])
    shape = (len(words), len(distinct))
    return distinct, csr_matrix((np.ones(len(words)), (np.arange(len(words)), columns)), shape)


def _without_empty(source_words: list[str], target_words: list[str], matrix: csr_matrix) -> TranslationTable:
    """The table without words that have no entry, so that "in the table" means "has a translation"."""
    matrix.eliminate_zeros()
    matrix.sort_indices()
    rows, columns = (np.flatnonzero(matrix.getnnz(axis)) for axis in (1, 0))
    kept = csr_matrix(matrix[rows][:, columns])
    kept.sort_indices()
    return TranslationTable([source_words[i] for i in rows], [target_words[i] for i in columns], kept)
