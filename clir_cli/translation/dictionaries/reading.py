"""A dictionary of any format as a translation table.

MAT (CIKM 2021, section 4.1) takes PanLex so: uniform weights over all translations of a word. Where the dictionary
tells qualities, they can be the weights instead.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from clir_cli.corpora.normalise import content_keys
from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.translation.dictionaries.ding import read_ding
from clir_cli.translation.dictionaries.entries import DictionaryEntry
from clir_cli.translation.dictionaries.freedict import read_freedict
from clir_cli.translation.dictionaries.muse import read_muse
from clir_cli.translation.dictionaries.panlex import is_sqlite, read_panlex, uids_of
from clir_cli.translation.dictionaries.panlex_meanings import has_meanings, read_meanings
from clir_cli.translation.dictionaries.recognise import DictionaryFormat, recognise_format
from clir_cli.translation.dictionaries.tsv import read_tsv
from clir_cli.translation.table import TranslationTable

Weights = Literal["uniform", "quality"]


@dataclass(frozen=True, slots=True)
class DictionaryReport:
    """``entries``: pairs of a word and a translation in the files; ``used``: those that are one word on both sides;
    ``several_words``: left out, as tables are about words; ``no_word``: left out, nothing but stop words, digits or
    punctuation on a side; ``no_quality``: left out, of quality 0 where qualities are the weights; ``words``: query
    words in the table; ``translations``: its entries; ``formats``: of the files, in order."""

    entries: int
    used: int
    several_words: int
    no_word: int
    no_quality: int
    words: int
    translations: int
    formats: tuple[str, ...]


def read_dictionary(
    paths: Path | Sequence[Path],
    stop_source: frozenset[str],
    stop_target: frozenset[str],
    *,
    format: Literal["auto"] | DictionaryFormat = "auto",
    columns: tuple[int, int] = (1, 2),
    languages: tuple[str, str] | None = None,
    uids: Mapping[str, Sequence[str]] | None = None,
    weights: Weights = "uniform",
    quality_column: int | None = None,
    on_fault: FaultHandler = stop_at_fault,
) -> tuple[TranslationTable, DictionaryReport]:
    """Read one or several files, plain or gzipped, as one dictionary: P(translation | word of the query language).

    ``columns``: where the words of query language and document language stand. In TSV any two columns, from 1;
    elsewhere an entry has two sides, and (2, 1) turns them round: a Swahili-English file then serves English queries.
    ``languages``: query and document language (ISO 639-3), by which PanLex's database and its lists of single languages
    are asked (they have no sides); ``uids``: the varieties that they take for a language. ``quality_column``: by
    default the one after ``columns``.

    Words are brought into the form of topics and documents, and what then is one word on both sides counts. One stop
    word may stand before it: `the house`, `to escape`, `sich irren` are words where those are stop words, and phrases
    where the list is empty (Ding's `to` is notation and goes in any case). More would not do: without its stop words
    `keep your hair on` would be a translation of `hair`. A translation given several times counts once under
    ``uniform``; under ``quality`` its qualities add up, 1 each where the format has none.

    Raises ``DataError`` (or calls ``on_fault``, as every reader) with file and line for damage; always raises where no
    entry is left.
    """
    files = [paths] if isinstance(paths, Path) else list(paths)
    rows: dict[str, dict[str, float]] = {}
    entries = several = empty = worthless = used = 0
    formats: list[str] = []
    quality = (quality_column or max(columns) + 1) if weights == "quality" else None
    varieties = [uids_of(language, uids or {}) for language in languages or ()]
    for entry in _read_all(files, format, formats, columns, varieties, quality, on_fault):
        entries += 1
        source, target = _word(entry.source, stop_source), _word(entry.target, stop_target)
        if source is None or target is None:
            several += 1
        elif not source or not target:
            empty += 1
        elif weights == "quality" and entry.quality == 0:
            worthless += 1
        else:
            used += 1
            row = rows.setdefault(source, {})
            row[target] = row.get(target, 0.0) + entry.quality if weights == "quality" else 1.0
    if not rows:
        names = ", ".join(map(str, files))
        raise DataError(
            f"{names}: none of its {entries} entries is one word on both sides.", "Is it a word list, parted by tabs?"
        )
    table = TranslationTable.from_dict({source: _normalised(row) for source, row in rows.items()})
    translations = int(table.probabilities.nnz)
    return table, DictionaryReport(entries, used, several, empty, worthless, len(rows), translations, tuple(formats))


def _read_all(
    files: Sequence[Path],
    wanted: Literal["auto"] | DictionaryFormat,
    formats: list[str],
    columns: tuple[int, int],
    varieties: Sequence[Sequence[str]],
    quality: int | None,
    on_fault: FaultHandler,
) -> Iterator[DictionaryEntry]:
    """Entries of all files, with the query language first; their formats are added to ``formats``."""
    lists: list[Path] = []  # of single languages, which make a dictionary together
    for path in files:
        try:
            formats.append(recognise_format(path) if wanted == "auto" else wanted)
            if formats[-1] == "panlex" and not is_sqlite(path) and has_meanings(path):
                lists.append(path)
                continue
        except DataError as fault:
            on_fault(fault)
            continue
        yield from _read(path, formats[-1], columns, varieties, quality, on_fault)
    if lists:
        yield from read_meanings(lists, varieties, on_fault)


def _read(
    path: Path,
    kind: str,
    columns: tuple[int, int],
    varieties: Sequence[Sequence[str]],
    quality: int | None,
    on_fault: FaultHandler,
) -> Iterator[DictionaryEntry]:
    """Entries of one file with the query language first."""
    if kind == "tsv":
        return read_tsv(path, columns, quality, on_fault)
    if kind == "panlex":
        return read_panlex(path, varieties, columns, quality, on_fault)
    readers = {"muse": read_muse, "freedict": read_freedict, "ding": read_ding}
    found = readers[kind](path, on_fault)
    if columns == (1, 2):
        return found
    if columns == (2, 1):
        return (DictionaryEntry(target, source, quality) for source, target, quality in found)
    raise DataError(
        f"{path}: sides {columns[0]} and {columns[1]} are asked for, but a {kind} entry has the sides 1 and 2.",
        "Set source: 1, target: 2, or the other way round.",
    )


@lru_cache(maxsize=1 << 14)  # synonyms stand in many pairs that follow each other
def _word(text: str, stop: frozenset[str]) -> str | None:
    """The key of ``text`` where that is a word, after a stop word or not; "" where it is no word; None for a phrase."""
    keys = content_keys(text, frozenset())
    if len(keys) == 2 and keys[0] in stop:
        del keys[0]
    if len(keys) == 1 and keys[0] not in stop:
        return keys[0]
    return "" if all(key in stop for key in keys) else None


def _normalised(row: Mapping[str, float]) -> dict[str, float]:
    total = sum(row.values())
    return {target: row[target] / total for target in sorted(row)}
