"""Word vectors in MUSE's text form (fastText's ``.vec``).

The first line holds the number of words and the dimension; every other line a word, a space and as many numbers. Lines
end at LF only, and the word at the first space: words may hold other white space (a no-break space, a line separator).
"""

import warnings
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clir_cli.corpora.normalise import fold
from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_text

_FORMAT = "The first line of a .vec file is `words dimension`, every other one `word v1 v2 ...`."


@dataclass(frozen=True, slots=True)
class WordVectors:
    """``words``: keys, sorted by code point and distinct; ``values``: float32 [words, dimension], no row of zeros;
    ``rows``: words in the file; ``duplicates``: rows left out as their key was there already (``Haus``, ``haus``)."""

    words: list[str]
    values: np.ndarray
    rows: int
    duplicates: int


def read_vectors(
    path: Path, vocabulary: Collection[str] | None = None, on_fault: FaultHandler = stop_at_fault
) -> WordVectors:
    """Vectors of the words whose keys are in ``vocabulary``, or of all; plain or gzipped.

    The file is streamed, and only the numbers of those words are parsed: time and memory go with the vocabulary.
    Of rows with one key the first is kept, which is the most frequent form in the public files. Rows of zeros, which
    point nowhere, are left out.

    Faults, with file and line: a header that is none, or that lies about the number of words (line 1) or the dimension;
    in the rows that are parsed, a value that is no number or not finite.
    """
    wanted = None if vocabulary is None else frozenset(vocabulary)
    kept: dict[str, np.ndarray] = {}
    expected = dimension = rows = duplicates = 0
    # NumPy may only warn where it stops at something that is no number.
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        for first, text in read_text(path, on_fault=on_fault):
            for number, line in enumerate(text.removesuffix("\n").split("\n"), start=first):
                if number == 1:
                    expected, dimension = _header(line, path, on_fault)
                    continue
                rows += 1
                word, _, rest = line.partition(" ")
                rest = rest.rstrip(" \r")  # fastText ends lines with a space
                found = rest.count(" ") + 1 if rest else 0
                if found != dimension:
                    problem = f"{path}:{number}: {found} values, but the first line promises {dimension}."
                    on_fault(DataError(problem, _FORMAT))
                    continue
                key = fold(word)
                if not key or (wanted is not None and key not in wanted):
                    continue
                if key in kept:
                    duplicates += 1
                    continue
                try:
                    values = _parse(rest, dimension)
                except ValueError as error:
                    on_fault(DataError(f"{path}:{number}: the vector of {word!r} {error}.", "Get the file again."))
                    continue
                if values.any():
                    kept[key] = values
    if rows != expected:
        on_fault(DataError(f"{path}:1: the first line promises {expected} words, but there are {rows}.", _FORMAT))
    words = sorted(kept)
    values = np.stack([kept[word] for word in words]) if words else np.empty((0, dimension), np.float32)
    return WordVectors(words, values, rows, duplicates)


def _header(line: str, path: Path, on_fault: FaultHandler) -> tuple[int, int]:
    fields = line.split()
    if len(fields) == 2 and all(field.isascii() and field.isdigit() for field in fields) and int(fields[1]) > 0:
        return int(fields[0]), int(fields[1])
    on_fault(DataError(f"{path}:1: {line[:60]!r} is not a number of words and a dimension.", _FORMAT))
    return 0, max(len(fields) - 1, 1)


def _parse(text: str, dimension: int) -> np.ndarray:
    """Raises ``ValueError`` with what is wrong."""
    try:
        values = np.fromstring(text, np.float32, sep=" ")
    except (DeprecationWarning, ValueError):  # which, that depends on NumPy's version
        values = np.empty(0, np.float32)
    if len(values) != dimension:
        raise ValueError("holds what is no number")
    if not np.isfinite(values).all():
        raise ValueError("holds a value that is not finite")
    return values
