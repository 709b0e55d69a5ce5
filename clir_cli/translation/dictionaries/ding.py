"""The Ding dictionary (TU Chemnitz, ``de-en.txt``; Debian's ``trans-de-en``) and others in its format.

    Haus {n}; Gebäude {n} [arch.] | Häuser {pl} :: house; building (structure) | houses

``::`` parts the languages, ``|`` the sub-entries (the n-th of the left belongs to the n-th of the right), ``;`` the
synonyms; each synonym of the left is paired with each of the right. Brackets hold grammar ``{}``, subjects ``[]``,
notes ``()`` and other spellings ``<>``, and go. So do the marks of the arguments of a verb (``etw.``, ``jdn.``,
``sth.``) and the ``to`` of English infinitives, which are the dictionary's notation and no part of the word. An
abbreviation between slashes, ``Europäische Union /EU/``, is one more synonym. Lines that begin with ``#`` are
comments.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_lines
from clir_cli.translation.dictionaries.entries import DictionaryEntry, without_notes

_ABBREVIATION = re.compile(r"(?<!\S)/([^\s/;|][^/;|]*)/(?=[\s;,|]|$)")
_ARGUMENT = re.compile(r"(?<!\w)(?:etw|jd[nms]?|jmd[nms]?|jmdn|sth|sb|so|sbd)\.(?:['\u2019]s)?(?!\w)|\u2026|\.\.\.")
_FORMAT = "A line is `left; synonym | sub-entry :: right; synonym | sub-entry`; is it Ding's format?"


def read_ding(path: Path, on_fault: FaultHandler = stop_at_fault) -> Iterator[DictionaryEntry]:
    """Entries of a file, plain or gzipped: every synonym on the left with every one on the right.

    Faults, with file and line: not exactly one ``::``, or another number of sub-entries on the left than on the right.
    """
    for number, line in read_lines(path, on_fault=on_fault):
        if line.startswith("#") or not line or line.isspace():
            continue
        sides = [_sub_entries(side) for side in line.split("::")]
        if len(sides) != 2:
            on_fault(DataError(f"{path}:{number}: {len(sides) - 1} times `::`, which stands once on a line.", _FORMAT))
        elif len(sides[0]) != len(sides[1]):
            parts = f"{len(sides[0])} sub-entries on the left and {len(sides[1])} on the right"
            on_fault(DataError(f"{path}:{number}: {parts}.", _FORMAT))
        else:
            for left, right in zip(*sides, strict=True):
                yield from (DictionaryEntry(source, target) for source in left for target in right)


def _sub_entries(side: str) -> list[list[str]]:
    """The synonyms of each sub-entry of one side of a line. Notes go first, as they may hold a ``;``."""
    marked = _ABBREVIATION.sub(r"; \1;", without_notes(side))
    return [[word for unit in part.split(";") if (word := _plain(unit))] for part in marked.split("|")]


def _plain(unit: str) -> str:
    return " ".join(_ARGUMENT.sub(" ", unit).split()).removeprefix("to ")
