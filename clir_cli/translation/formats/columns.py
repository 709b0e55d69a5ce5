"""Text of three columns: two words and a number a line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_text
from clir_cli.translation.formats.entries import Entries, EntryCollector

_BLANKS = re.compile("[ \t]+")
# White space to Python, but not what parts columns: words of crawled text hold some of it.
_ODD_SPACE = re.compile("[\x0b\x0c\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_HEADS = frozenset({"p", "prob", "probability", "score", "weight"})


@dataclass(frozen=True)
class Columns:
    """What stands in the columns of a format.

    ``condition``: the column, 0 or 1, of the word that the number is conditional on. ``are_logs``: numbers are natural
    logarithms. ``are_cells``: columns end at tabs and may hold several words (such entries are left out and counted),
    and the first line may be a head. ``hint``: the columns in a sentence.
    """

    condition: int
    hint: str
    are_logs: bool = False
    are_cells: bool = False


def read_columns(
    path: Path,
    columns: Columns,
    encoding: str = "utf-8",
    on_fault: FaultHandler = stop_at_fault,
) -> Entries:
    """Every entry of a file, plain or gzipped; blank lines are nothing.

    A fault with file and line is a line that is not two words and a number of the kind that the format has.
    """
    collector = EntryCollector(path, columns.condition)
    for first, text in read_text(path, encoding, on_fault):
        if columns.are_cells or not _take_portion(collector, columns, first, text):
            _take_lines(collector, columns, first, text, on_fault)
    return collector.entries()


def _take_portion(collector: EntryCollector, columns: Columns, first: int, text: str) -> bool:
    """Take many lines at once, in a fifth of the time; False, and nothing taken, where one is not as it should be."""
    if _ODD_SPACE.search(text):
        return False
    count = text.count("\n") + (not text.endswith("\n"))
    parts = text.replace("\n", " \0 ").split()  # the mark says that a line had three columns, no more, no less
    if len(parts) % 4 == 3:
        parts.append("\0")
    if len(parts) != 4 * count or set(parts[3::4]) != {"\0"}:
        return False
    try:
        values = np.array(list(map(float, parts[2::4])), np.float64)
    except ValueError:
        return False
    if not _are_probabilities(values, columns).all():
        return False
    values = np.exp(np.minimum(values, 0)) if columns.are_logs else values
    collector.add_lines(parts[0::4], parts[1::4], values, first)
    return True


def _take_lines(collector: EntryCollector, columns: Columns, first: int, text: str, on_fault: FaultHandler) -> None:
    for number, line in _lines(first, text):
        if not line.strip():
            continue
        try:
            words, value = _entry(collector.path, number, line, columns)
        except DataError as fault:
            on_fault(fault)
            continue
        if value is None:
            continue
        if columns.are_cells and any(len(word.split()) != 1 for word in words):
            collector.several_words += 1
            continue
        p = float(np.exp(min(value, 0.0))) if columns.are_logs else value
        collector.add(*words, p, number)


def _lines(first: int, text: str) -> Iterator[tuple[int, str]]:
    """As ``lines.read_lines`` splits them."""
    if first == 1 and "\n" not in text:
        text = text.replace("\r", "\n")
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=first):
        yield number, line.removesuffix("\r")


def _entry(path: Path, number: int, line: str, columns: Columns) -> tuple[tuple[str, str], float | None]:
    """The words in the order of the line, and the number as written; None for a head."""
    parts = [cell.strip() for cell in line.split("\t")] if columns.are_cells else _BLANKS.split(line.strip(" \t"))
    if len(parts) != 3:
        raise DataError(f"{path}:{number}: {len(parts)} columns, not 3.", columns.hint)
    if columns.are_cells and number == 1 and parts[2].lower() in _HEADS:
        return (parts[0], parts[1]), None
    if not parts[0] or not parts[1]:
        raise DataError(f"{path}:{number}: a column is empty.", columns.hint)
    return (parts[0], parts[1]), read_number(f"{path}:{number}", parts[2], columns.hint, columns.are_logs)


def read_number(place: str, text: str, hint: str, is_log: bool = False) -> float:
    """The probability, or the logarithm of one, that ``text`` is."""
    try:
        value = float(text)
    except ValueError:
        raise DataError(f"{place}: {text!r} is no number.", hint) from None
    if is_log and not value <= _HIGHEST_LOG:
        raise DataError(f"{place}: {text} is no logarithm of a probability.", hint)
    if not is_log and not 0 <= value <= 1:
        raise DataError(f"{place}: {text} is no probability.", hint)
    return value


_HIGHEST_LOG = 1e-6
"""What a probability of 1 may come to where sums are rounded."""


def _are_probabilities(values: np.ndarray, columns: Columns) -> np.ndarray:
    return values <= _HIGHEST_LOG if columns.are_logs else (values >= 0) & (values <= 1)
