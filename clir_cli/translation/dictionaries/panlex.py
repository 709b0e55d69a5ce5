"""PanLex: the SQLite database, or pairs that somebody took from it, parted by tabs.

The database (PanLex Lite) has language varieties ``lv(lv, uid)``, expressions ``ex(ex, lv, tt)`` and meanings
``dnx(mn, ex, uq, ap, ui)``. Two expressions that share a meaning ``mn`` translate each other; all expressions of a
meaning are taken. A meaning comes from one source, of quality ``uq`` (0 to 9) and source group ``ui``; the quality of a
translation is the best one of each group, summed over groups, so that a book entered twice counts once.
(Fact: the same sum as NLTK's ``panlex_lite`` reader's.)
"""

import difflib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import not_regular, read_lines, unreadable
from clir_cli.translation.dictionaries.entries import DictionaryEntry
from clir_cli.translation.dictionaries.tsv import read_tsv

# PanLex names varieties after the single language where ISO 639-3 has a code for a group of them.
_SINGLE = {
    "ara": "arb", "aze": "azj", "est": "ekk", "fas": "pes", "lav": "lvs", "mon": "khk", "msa": "zsm", "nor": "nob",
    "ori": "ory", "sqi": "als", "swa": "swh", "uzb": "uzn", "yid": "ydd", "zho": "cmn",
}  # fmt: skip
_TABLES = {"lv": {"lv", "uid"}, "ex": {"ex", "lv", "tt"}, "dnx": {"mn", "ex", "uq", "ui"}}
_IS_SQLITE = b"SQLite format 3\0"

# CROSS JOIN keeps SQLite to this order: from the expressions of the smaller side through their meanings to the other.
_QUERY = """
SELECT near, far, SUM(quality) FROM (
    SELECT small.ex AS s, large.ex AS l, small.tt AS near, large.tt AS far, MAX(said.uq) AS quality
    FROM ex AS small
    CROSS JOIN dnx AS said ON said.ex = small.ex
    CROSS JOIN dnx AS other ON other.mn = said.mn
    CROSS JOIN ex AS large ON large.ex = other.ex
    WHERE small.lv IN ({small}) AND large.lv IN ({large}) AND small.ex <> large.ex
    GROUP BY small.ex, large.ex, said.ui
) GROUP BY s, l
"""


def uids_of(language: str, given: Mapping[str, Sequence[str]]) -> list[str]:
    """The varieties that stand for ``language`` (ISO 639-3): those ``given`` for it, else its main one, ``deu-000``."""
    return list(given.get(language, ())) or [f"{_SINGLE.get(language, language)}-000"]


def is_sqlite(path: Path) -> bool:
    """Whether ``path`` begins as every SQLite 3 database does. Raises ``DataError`` where it cannot be read."""
    if fault := not_regular(path):
        raise fault
    try:
        with path.open("rb") as file:
            return file.read(len(_IS_SQLITE)) == _IS_SQLITE
    except OSError as error:
        raise unreadable(path, error) from None


def read_panlex(
    path: Path,
    varieties: Sequence[Sequence[str]],
    columns: tuple[int, int] = (1, 2),
    quality_column: int | None = None,
    on_fault: FaultHandler = stop_at_fault,
) -> Iterator[DictionaryEntry]:
    """Entries of a database, or of a list parted by tabs, which holds one pair of languages.

    ``varieties``: uids of the source language and of the target language, by which a database is asked. In a list
    ``columns`` and ``quality_column`` say what stands where, as in ``read_tsv``.

    A database is opened for reading only and asked one question, which uses its indexes and sorts on disk.
    Faults: a file that is neither, a database that is not PanLex's or is damaged, a uid that it lacks (with those that
    are near), an expression that is not UTF-8.
    """
    try:
        if is_sqlite(path):
            yield from _read_database(path, varieties, on_fault)
            return
        if not any("\t" in line for _, line in read_lines(path)):
            raise DataError(
                f"{path}: this is neither a SQLite database nor text parted by tabs.",
                "PanLex Lite's file is db.sqlite, unpacked.",
            )
    except DataError as fault:
        on_fault(fault)
        return
    yield from read_tsv(path, columns, quality_column, on_fault)


def _read_database(path: Path, varieties: Sequence[Sequence[str]], on_fault: FaultHandler) -> Iterator[DictionaryEntry]:
    if len(varieties) != 2:
        raise DataError(f"{path}: a PanLex database holds all languages.", "Say which two are meant.")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            database.text_factory = bytes  # decoded below, where a fault can be told
            _check_tables(database, path)
            found = database.execute("SELECT uid, lv FROM lv")
            numbers = {bytes(uid).decode(errors="replace"): number for uid, number in found}
            near, far = (_numbers_of(uids, numbers, path) for uids in varieties)
            turned = _count_expressions(database, far) < _count_expressions(database, near)
            small, large = (far, near) if turned else (near, far)
            query = _QUERY.format(small=_places(small), large=_places(large))
            for *texts, quality in database.execute(query, (*small, *large)):
                try:
                    source, target = (bytes(text).decode() for text in (reversed(texts) if turned else texts))
                except UnicodeDecodeError as error:
                    problem = f"{path}: the expression {error.object!r} is not utf-8."
                    on_fault(DataError(problem, "Get the database again."))
                    continue
                yield DictionaryEntry(source, target, float(quality or 0))
    except sqlite3.Error as error:
        problem = f"{path}: SQLite cannot read this database ({error})."
        raise DataError(problem, "Is it whole, and is there room for temporary files?") from None


def _check_tables(database: sqlite3.Connection, path: Path) -> None:
    for table, wanted in _TABLES.items():
        columns = {bytes(row[1]).decode(errors="replace") for row in database.execute(f"PRAGMA table_info({table})")}
        if lacking := sorted(wanted - columns):
            problem = f"table {table} has no column {', '.join(lacking)}" if columns else f"it has no table {table}"
            raise DataError(
                f"{path}: this SQLite database is not PanLex's: {problem}.", "Is it PanLex Lite's db.sqlite?"
            )


def _numbers_of(uids: Sequence[str], numbers: Mapping[str, object], path: Path) -> list[object]:
    for uid in uids:
        if uid not in numbers:
            same = sorted(known for known in numbers if known[:3] == uid[:3])
            near = (same or difflib.get_close_matches(uid, numbers, cutoff=0.5))[:5]
            hint = f"It has {', '.join(near)}." if near else f"It has {len(numbers)} others."
            raise DataError(f"{path}: there is no language variety {uid}.", f"{hint} Name the uids that are meant.")
    return [numbers[uid] for uid in uids]


def _count_expressions(database: sqlite3.Connection, numbers: Sequence[object]) -> int:
    query = f"SELECT COUNT(*) FROM ex WHERE lv IN ({_places(numbers)})"
    return int(database.execute(query, tuple(numbers)).fetchone()[0])


def _places(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
