"""PanLex as one list a language: TSV with a header, in which `meaning`, `txt` and `langvar_uid` are named.

So it is mirrored on the Hugging Face hub (cointegrated/panlex-meanings, ``data/swa.tsv``, ``data/eng.tsv``). Two lists
give a dictionary: expressions that share a meaning translate each other, and all expressions of a meaning are taken.
Sources and their qualities are not in the lists.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_lines
from clir_cli.translation.dictionaries.entries import DictionaryEntry

_NEEDED = ("meaning", "txt", "langvar_uid")


def has_meanings(path: Path) -> bool:
    """Whether the first line names the columns of such a list."""
    return set(_NEEDED) <= set(next(read_lines(path, "iso-8859-1"), (1, ""))[1].split("\t"))


def read_meanings(
    paths: Sequence[Path], varieties: Sequence[Sequence[str]], on_fault: FaultHandler = stop_at_fault
) -> Iterator[DictionaryEntry]:
    """Entries of the lists ``paths`` taken together; ``varieties``: uids of the source and of the target language.

    The lists are read twice: first the numbers of the meanings, then the expressions of those that both languages have,
    so that memory goes with the dictionary and not with the lists.
    Faults, with file and line: a line with fewer columns than the first, a meaning that is no number. Raises
    ``DataError`` where the lists have no expression of one of the languages.
    """
    names = ", ".join(map(str, paths))
    if len(varieties) != 2:
        raise DataError(f"{names}: PanLex's lists are of single languages.", "Say which two are meant.")
    meanings = [array("q"), array("q")]
    seen: set[str] = set()
    for meaning, _, uid in _rows(paths, on_fault):
        seen.add(uid)
        for numbers, wanted in zip(meanings, varieties, strict=True):
            if uid in wanted:
                numbers.append(meaning)
    for numbers, wanted in zip(meanings, varieties, strict=True):
        if not numbers:
            near = sorted(uid for uid in seen if uid[:3] in {one[:3] for one in wanted})[:5] or sorted(seen)[:5]
            problem = f"{names}: there is no expression of {', '.join(wanted)}."
            raise DataError(problem, f"There are {', '.join(near)}. Name the uids, and one list of each language.")
    first, second = (np.frombuffer(numbers, np.int64) for numbers in meanings)
    shared = set(np.intersect1d(first, second).tolist())
    expressions: tuple[dict[int, list[str]], ...] = (defaultdict(list), defaultdict(list))
    for meaning, text, uid in _rows(paths, lambda fault: None):  # told the first time
        if meaning in shared:
            for side, wanted in zip(expressions, varieties, strict=True):
                if uid in wanted:
                    side[meaning].append(text)
    for meaning, sources in expressions[0].items():
        yield from (DictionaryEntry(source, target) for source in sources for target in expressions[1][meaning])


def _rows(paths: Sequence[Path], on_fault: FaultHandler) -> Iterator[tuple[int, str, str]]:
    """(meaning, expression, uid) of every line of every list."""
    for path in paths:
        lines = read_lines(path, on_fault=on_fault)
        names = next(lines, (1, ""))[1].split("\t")
        meaning, text, uid = (names.index(name) for name in _NEEDED)
        for number, line in lines:
            fields = line.split("\t")
            if len(fields) < len(names):
                if line:
                    problem = f"{path}:{number}: {len(fields)} columns, but the first line names {len(names)}."
                    on_fault(DataError(problem, "Get the file again."))
            elif not fields[meaning].isdecimal():
                problem = f"{path}:{number}: the meaning {fields[meaning]!r} is no number."
                on_fault(DataError(problem, "Get the file again."))
            else:
                yield int(fields[meaning]), fields[text], fields[uid]
