"""SGML as TREC and CLEF wrote it: blocks of tagged fields, with no root element and raw ``&`` and ``<`` in the text.

No XML parser accepts these files, and HTML parsers change them. What is read here is little: blocks (``<DOC>``) one
after another, and in a block the text of named fields. Tags may stand anywhere in a line, in any case. A file is
searched in large portions with compiled patterns; lines are counted from one block to the next.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from clir_cli.corpora.plain_text import without_comments
from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_text

_LONGEST_TAG = 1000  # characters between < and >; a longer one is text


class Block(NamedTuple):
    """What stands between ``<DOC>`` and ``</DOC>``, without comments, and where it begins."""

    path: Path
    line: int
    content: str

    def place(self, offset: int = 0) -> str:
        """``file:line`` of an offset in the content."""
        return f"{self.path}:{self.line + self.content.count(chr(10), 0, offset)}"


def read_blocks(path: Path, tag: str, encoding: str, on_fault: FaultHandler = stop_at_fault) -> Iterator[Block]:
    """Stream the blocks of ``tag``; what stands outside them is skipped.

    Faults, with file and line: a block that is not closed before the next one or the end of the file, one that is
    closed without having been opened, a file with text and no tag of a block, and those of ``lines.read_text``.
    """
    edge = re.compile(rf"<(/?){tag}(?:\s[^<>]{{0,{_LONGEST_TAG}}})?>", re.IGNORECASE)
    begun = 0  # the line of the opening tag; 0 outside
    parts: list[str] = []  # of the block that is open
    line, held = 1, ""
    has_text = has_tags = False
    for _, portion in read_text(path, encoding, on_fault):
        text = held + portion
        end = _end_of_whole_tags(text)
        start = counted = 0
        for match in edge.finditer(text, 0, end):
            line += text.count("\n", counted, match.start())
            counted = match.start()
            has_tags, closes = True, bool(match[1])
            if closes and begun:
                yield _block(path, begun, "".join((*parts, text[start : match.start()])))
            elif closes:
                on_fault(_stray_end(path, line, tag))
            elif begun:
                on_fault(_unclosed(path, begun, tag, line))
            begun = 0 if closes else line
            start = match.end()
            parts.clear()
        if begun:
            parts.append(text[start:end])
        line += text.count("\n", counted, end)
        held = text[end:]
        has_text = has_text or not text.isspace()
    if has_text and not has_tags:
        on_fault(DataError(f"{path}: there is no <{tag}> in it.", "Is it SGML? Set its format, or move it away."))
    if begun:
        on_fault(_unclosed(path, begun, tag))


def read_fields(block: Block, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """``(name in upper case, content)`` of each field of ``names``, in order; other tags count as text and stay in it.

    Raises ``DataError`` with file and line for a field that is not closed, or closed without having been opened.
    """
    content = block.content
    name, start, opened_at = "", 0, 0
    for match in _field_tags(names).finditer(content):
        closes, found = match.groups()
        found = found.upper()
        if not name and not closes:
            name, (opened_at, start) = found, match.span()
        elif name and found == name and closes:
            yield name, content[start : match.start()]
            name = ""
        elif not name or found == name:
            problem = "is opened again before it is closed" if name else "closes what was not opened"
            raise DataError(f"{block.place(match.start())}: <{closes}{found}> {problem}.", "Mend the tags.")
    if name:
        raise DataError(f"{block.place(opened_at)}: the field {name} is not closed.", f"Close it with </{name}>.")


@lru_cache(maxsize=64)
def _field_tags(names: tuple[str, ...]) -> re.Pattern[str]:
    alternatives = "|".join(map(re.escape, names))
    return re.compile(rf"<(/?)({alternatives})(?:\s[^<>]*)?>", re.IGNORECASE)


def _end_of_whole_tags(text: str) -> int:
    """Where ``text`` ends, or the tag begins that may go on in the next portion."""
    at = text.rfind("<", max(0, len(text) - _LONGEST_TAG))
    return len(text) if at < 0 or text.find(">", at) >= 0 else at


def _block(path: Path, line: int, content: str) -> Block:
    return Block(path, line, without_comments(content))


def _stray_end(path: Path, line: int, tag: str) -> DataError:
    return DataError(f"{path}:{line}: </{tag}> closes what was not opened.", f"Add <{tag}> where it begins.")


def _unclosed(path: Path, begun: int, tag: str, next_begins: int = 0) -> DataError:
    if next_begins:
        problem = f"{path}:{begun}: <{tag}> is not closed before the next one in line {next_begins}."
        return DataError(problem, f"Add </{tag}>.")
    problem = f"{path}:{begun}: <{tag}> is not closed before the file ends."
    return DataError(problem, f"Is the file cut short? Add </{tag}>.")
