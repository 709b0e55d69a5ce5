"""Tells a dictionary's format by a look at its beginning."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Literal

from clir_cli.errors import DataError
from clir_cli.lines import read_lines
from clir_cli.translation.dictionaries.panlex import is_sqlite
from clir_cli.translation.dictionaries.panlex_meanings import has_meanings

DictionaryFormat = Literal["tsv", "muse", "panlex", "freedict", "ding"]

_LOOKED_AT = 100  # lines


def recognise_format(path: Path) -> DictionaryFormat:
    """SQLite is PanLex, and so is a header that names its columns; XML is FreeDict; text with `` :: `` in most lines is
    Ding, with a tab TSV, and lines of two words MUSE. (A MUSE file with tabs is read the same as TSV.) An empty file is
    TSV.

    Raises ``DataError`` where it is none of these or cannot be read.
    """
    if is_sqlite(path) or has_meanings(path):
        return "panlex"
    lines = list(islice(_filled(path), _LOOKED_AT))
    if lines and lines[0].lstrip().startswith(("<?xml", "<!", "<TEI", "<tei")):
        return "freedict"
    content = [line for line in lines if not line.startswith("#")]
    if content and 2 * sum(" :: " in line for line in content) > len(content):
        return "ding"
    if not lines or any("\t" in line for line in lines):
        return "tsv"
    if all(len(line.split(" ")) == 2 for line in lines):
        return "muse"
    raise DataError(
        f"{path}: its format cannot be told: no tabs, no XML, no `::`, and not two words a line.",
        "Set `format` to tsv, muse, panlex, freedict or ding.",
    )


def _filled(path: Path) -> Iterator[str]:
    # A byte that is not UTF-8 is for the reader to report, with its line.
    return (line for _, line in read_lines(path, "iso-8859-1") if line and not line.isspace())
