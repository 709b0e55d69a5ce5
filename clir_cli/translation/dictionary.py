"""Bilingual word lists as translation tables: every translation of a word is as probable as the others.

MAT (CIKM 2021, section 4.1) takes PanLex so: uniform weights over all translations of a word.
"""

from dataclasses import dataclass
from pathlib import Path

from clir_cli.corpora.normalise import content_keys
from clir_cli.errors import DataError
from clir_cli.lines import read_lines
from clir_cli.translation.table import TranslationTable


@dataclass(frozen=True, slots=True)
class DictionaryReport:
    """``entries``: lines read; ``used``: those that are one word on both sides; ``several_words``: left out, as tables
    are about words; ``no_word``: left out, nothing but stop words, digits or punctuation on a side; ``words``: query
    words in the table."""

    entries: int
    used: int
    several_words: int
    no_word: int
    words: int


def read_dictionary(
    path: Path, stop_source: frozenset[str], stop_target: frozenset[str], *, columns: tuple[int, int] = (1, 2)
) -> tuple[TranslationTable, DictionaryReport]:
    """Read TSV, plain or gzipped. ``columns``: those of query language and document language, from 1; others are not
    read. Words are brought into the form of topics and documents; an entry given twice counts once.

    Raises ``DataError`` with file and line for a line without those columns, and where no entry is left.
    """
    rows: dict[str, set[str]] = {}
    entries = several = empty = used = 0
    for number, line in read_lines(path):
        if not line or line.isspace():
            continue
        fields = line.split("\t")
        if len(fields) < max(columns):
            raise DataError(
                f"{path}:{number}: {len(fields)} columns, but column {max(columns)} is asked for.",
                "Columns are parted by tabs; `dictionary: {path: .., source: 1, target: 2}` says which are read.",
            )
        entries += 1
        source = content_keys(fields[columns[0] - 1], stop_source)
        target = content_keys(fields[columns[1] - 1], stop_target)
        if not source or not target:
            empty += 1
        elif len(source) > 1 or len(target) > 1:
            several += 1
        else:
            used += 1
            rows.setdefault(source[0], set()).add(target[0])
    if not rows:
        raise DataError(
            f"{path}: none of its {entries} entries is one word on both sides.", "Is it a word list, parted by tabs?"
        )
    table = TranslationTable.from_dict(
        {source: dict.fromkeys(sorted(targets), 1 / len(targets)) for source, targets in rows.items()}
    )
    return table, DictionaryReport(entries, used, several, empty, len(rows))
