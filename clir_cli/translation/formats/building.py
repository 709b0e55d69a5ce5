"""From the entries of a file to a table: words in the project's form, equal ones merged, nothing twice."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from clir_cli.corpora.normalise import fold
from clir_cli.errors import DataError
from clir_cli.translation.formats.direction import ABOUT_ONE
from clir_cli.translation.formats.entries import Entries
from clir_cli.translation.pruning import row_sums
from clir_cli.translation.table import TranslationTable, table_without_empty


@dataclass(frozen=True, slots=True)
class TableReport:
    """What became of a file. ``entries``: those read; ``several_words``, ``null``, ``zero``: left out because a side is
    not one word, is the empty word, or the probability is 0; ``other_lines``: lines that hold no entry.
    ``merged_words``: spellings that became equal to another one of their side. Of the table: ``words`` and
    ``translations`` (entries), and ``pruned_rows``, which sum to less than 0.95. ``is_inverted``: Bayes' rule was
    applied."""

    format: str
    entries: int
    several_words: int
    null: int
    zero: int
    other_lines: int
    merged_words: int
    words: int
    translations: int
    pruned_rows: int
    is_inverted: bool = False

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def build_table(
    entries: Entries, format: str = "", *, are_counts: bool = False
) -> tuple[TranslationTable, TableReport]:
    """P(outcome | condition), words in the form that topics and documents have (``fold``).

    Where folding makes outcomes equal, their probabilities add up; where it makes conditions equal (``Haus``,
    ``haus``), the new row is the mean of theirs. Counts add up on both sides, and each row is then divided by its sum.
    Entries of 0 are dropped. Raises ``DataError`` for an entry that comes twice, and where none is left.
    """
    if not len(entries):
        raise DataError(f"{entries.path}: the table is empty.", "It needs entries of two words and a number.")
    _refuse_repeated(entries)
    sources, targets = _Folded.of(entries.conditions), _Folded.of(entries.outcomes)
    rows, columns = sources.number[entries.condition], targets.number[entries.outcome]
    values = entries.values if are_counts else entries.values / sources.spellings[rows]
    folded = csr_matrix((values, (rows, columns)), (len(sources.words), len(targets.words)))  # equal cells add up
    folded.sort_indices()
    folded = folded.astype(np.float32)
    folded.eliminate_zeros()
    table = table_without_empty(sources.words, targets.words, folded)
    if not len(table):
        raise DataError(f"{entries.path}: every entry has the number 0.", "Is this the right file?")
    table = table.renormalised() if are_counts else table
    report = TableReport(
        format,
        entries.read,
        entries.several_words,
        entries.null,
        int((entries.values == 0).sum()),
        entries.other_lines,
        sources.merged + targets.merged,
        len(table),
        int(table.probabilities.nnz),
        int((row_sums(table.probabilities) < ABOUT_ONE).sum()),
    )
    return table, report


@dataclass(frozen=True)
class _Folded:
    """Distinct folded ``words``, sorted; the ``number`` of each spelling's word; how many ``spellings`` words have."""

    words: list[str]
    number: np.ndarray
    spellings: np.ndarray

    @classmethod
    def of(cls, spelt: list[str]) -> "_Folded":
        keys = list(map(fold, spelt))
        words = sorted(set(keys))
        number = {key: i for i, key in enumerate(words)}
        numbers = np.array([number[key] for key in keys], np.int64)
        return cls(words, numbers, np.bincount(numbers, minlength=len(words)))

    @property
    def merged(self) -> int:
        return len(self.number) - len(self.words)


def _refuse_repeated(entries: Entries) -> None:
    cells = entries.condition * np.int64(len(entries.outcomes)) + entries.outcome
    order = np.argsort(cells, kind="stable")
    again = order[1:][cells[order[1:]] == cells[order[:-1]]]
    if len(again):
        entry = int(again.min())
        problem = f"{entries.path}:{entries.lines[entry]}: {entries.spelt(entry)} is there a second time."
        raise DataError(problem, "Keep one of the lines.")
