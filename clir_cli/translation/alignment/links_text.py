"""Links as text in the Pharaoh format, which all alignment tools read and write: ``0-0 1-2``, one line a pair."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numba
import numpy as np

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_lines, write_whole
from clir_cli.translation.alignment.prepared_text import LONGEST, PreparedText
from clir_cli.translation.alignment.symmetrise import Links

HINT = "A line holds one pair's links, `source-target`, positions from 0, parted by spaces."
_LINK = re.compile("[0-9]{1,9}-[0-9]{1,9}")
_BLOCK = 10_000  # pairs that are written or read at once

_compiled: Any = numba.njit(cache=True)


def write_links_text(path: Path, links: Links, text: PreparedText) -> None:
    """Write a line for every line of the input that ``text`` was prepared from; pairs left out have empty lines."""
    written_link = _WrittenLinks()
    with write_whole(path) as file:
        written = 0
        for first in range(0, len(links), _BLOCK):
            last = min(first + _BLOCK, len(links))
            start = links.start[first : last + 1].tolist()
            span = slice(start[0], start[-1])
            codes = links.source[span].astype(np.int32) << 16 | links.target[span]
            words = list(map(written_link.__getitem__, codes.tolist()))
            for pair, line in enumerate(text.lines[first:last].tolist()):
                file.write("\n" * (line - written))
                file.write(" ".join(words[start[pair] - start[0] : start[pair + 1] - start[0]]) + "\n")
                written = line + 1
        file.write("\n" * (text.report.read - written))


class _WrittenLinks(dict[int, str]):
    """source << 16 | target -> what is written; there are few different links, and each many times."""

    def __missing__(self, code: int) -> str:
        text = self[code] = f"{code >> 16}-{code & 0xFFFF}"
        return text


def read_links_text(path: Path, text: PreparedText | None = None, on_fault: FaultHandler = stop_at_fault) -> Links:
    """Read links, plain or gzipped. With ``text``: those of its pairs, by the lines of its input, positions checked.

    Faults, with file and line: what is no link, a link that is there twice, a position over 32766 or outside the
    sentence; the pair then has no links. Raises ``DataError`` where the number of lines is not that of the input.
    """
    counts: list[np.ndarray] = [np.zeros(1, np.int64)]
    parts: list[tuple[np.ndarray, np.ndarray]] = []
    pairs = lines = 0
    for read, block in _in_blocks(read_lines(path, on_fault=on_fault), text):
        lines = read
        if text is None:
            lengths = (np.full(len(block), LONGEST, np.int64),) * 2
        else:
            span = slice(pairs, pairs + len(block) + 1)
            lengths = (np.diff(text.source_start[span]), np.diff(text.target_start[span]))
        pairs += len(block)
        raw = "".join(f"{line}\n" for _, line in block).encode("utf-8", "surrogatepass")
        source, target, count, faulty = _scan(np.frombuffer(raw, np.uint8), *lengths)
        for at in np.flatnonzero(faulty).tolist():
            number, line = block[at]
            on_fault(DataError(f"{path}:{number}: {_complaint(line, lengths[0][at], lengths[1][at])}", HINT))
        counts.append(count)
        parts.append((source, target))
    if text is not None and lines != text.report.read:
        raise DataError(
            f"{path} has {lines} lines, the parallel text {text.report.read}.",
            "Links need a line for every line of the text, also where it is blank.",
        )
    none = [np.empty(0, np.int16)]
    source, target = (np.concatenate([part[side] for part in parts] or none) for side in (0, 1))
    return Links(np.cumsum(np.concatenate(counts)), source, target)


def _in_blocks(
    lines: Iterable[tuple[int, str]], text: PreparedText | None
) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """``(lines read so far, the numbered lines of some of the text's pairs)``; the last block may be empty."""
    block: list[tuple[int, str]] = []
    number = 0
    wanted = iter(text.lines.tolist() if text is not None else ())
    following = next(wanted, None)
    for number, line in lines:
        if text is not None:
            if number - 1 != following:
                continue  # a pair that was left out
            following = next(wanted, None)
        block.append((number, line))
        if len(block) == _BLOCK:
            yield number, block
            block = []
    yield number, block


_ZERO, _NINE, _DASH, _SPACE, _TAB, _NEWLINE = b"09- \t\n"


@_compiled
def _scan(raw, source_lengths, target_lengths):  # type: ignore[no-untyped-def]
    """Read lines of links from bytes: ``source, target`` int16 [links], sorted within a line; links of each line
    (int64), and which lines are at fault (and have no links)."""
    source, target = np.empty(len(raw) // 4 + 1, np.int16), np.empty(len(raw) // 4 + 1, np.int16)
    count, faulty = np.zeros(len(source_lengths), np.int64), np.zeros(len(source_lengths), np.bool_)
    line = begin = found = at = 0
    while at < len(raw):
        if raw[at] == _NEWLINE:
            if faulty[line]:
                found = begin
            count[line] = found - begin
            line += 1
            begin = found
            at += 1
        elif raw[at] == _SPACE or raw[at] == _TAB:
            at += 1
        else:
            i, at = _number(raw, at)
            j = -1
            if i >= 0 and raw[at] == _DASH:
                j, at = _number(raw, at + 1)
            ends = raw[at] == _SPACE or raw[at] == _TAB or raw[at] == _NEWLINE
            if j < 0 or not ends or i >= source_lengths[line] or j >= target_lengths[line]:
                faulty[line] = True
                while raw[at] != _NEWLINE:
                    at += 1
                continue
            place = found
            while place > begin and (source[place - 1] > i or (source[place - 1] == i and target[place - 1] > j)):
                source[place] = source[place - 1]
                target[place] = target[place - 1]
                place -= 1
            if place > begin and source[place - 1] == i and target[place - 1] == j:
                faulty[line] = True
            source[place] = i
            target[place] = j
            found += 1
    return source[:found].copy(), target[:found].copy(), count, faulty


@_compiled
def _number(raw, at):  # type: ignore[no-untyped-def]
    """The number that begins at ``at``, or -1, and where it ends; too large a number is LONGEST."""
    if not _ZERO <= raw[at] <= _NINE:
        return -1, at
    value = 0
    while _ZERO <= raw[at] <= _NINE:
        value = min(value * 10 + (raw[at] - _ZERO), LONGEST)
        at += 1
    return value, at


def _complaint(line: str, source_length: int, target_length: int) -> str:
    """What is wrong with a line that is at fault."""
    words = line.split()
    for word in words:
        if not _LINK.fullmatch(word):
            return f"{word!r} is no link."
        for name, length, position in zip(
            ("source", "target"), (source_length, target_length), map(int, word.split("-")), strict=True
        ):
            if position >= length == LONGEST:
                return f"position {position} is larger than {LONGEST - 1}."
            if position >= length:
                return f"position {position} is outside the {name} sentence, which has {length} words."
    for word, after in pairwise(sorted(words, key=lambda word: tuple(map(int, word.split("-"))))):
        if word == after:
            return f"{word} is there a second time."
    return f"{line!r} is no line of links."
