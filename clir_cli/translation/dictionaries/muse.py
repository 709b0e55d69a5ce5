"""MUSE's bilingual dictionaries: ``word translation``, one pair a line, parted by a space or a tab.

A word with several translations has several lines. (Facts: facebookresearch/MUSE, ``src/evaluation/word_translation``.)
"""

import re
from collections.abc import Iterator
from pathlib import Path

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_lines
from clir_cli.translation.dictionaries.entries import DictionaryEntry

_GAP = re.compile("[ \t]+")  # not \s: words may hold a no-break space


def read_muse(path: Path, on_fault: FaultHandler = stop_at_fault) -> Iterator[DictionaryEntry]:
    """Entries of a file, plain or gzipped; its blank lines are passed over.

    A line that is not two words is a fault, with file and line.
    """
    for number, line in read_lines(path, on_fault=on_fault):
        words = _GAP.split(line.strip(" \t"))
        if words == [""]:
            continue
        if len(words) == 2:
            yield DictionaryEntry(words[0], words[1])
        else:
            problem = f"{path}:{number}: {len(words)} words, but a MUSE dictionary has two on a line."
            on_fault(DataError(problem, "If columns are parted by tabs, set `format: tsv`."))
