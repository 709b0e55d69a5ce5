"""SGML as TREC and CLEF wrote it: blocks of tagged fields, with no root element and raw ``&`` and ``<`` in the text.

No XML parser accepts these files, and HTML parsers change them. What is read here is little: blocks (``<DOC>``,
``<top>``) one after another, and in a block the text of named fields. Tags may stand anywhere in a line, in any case.
"""

import html
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from clir_cli.errors import DataError
from clir_cli.lines import read_lines

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});")


class Block(NamedTuple):
    """What stands between ``<DOC>`` and ``</DOC>``, and where it begins."""

    path: Path
    line: int
    content: str

    def place(self, offset: int = 0) -> str:
        """``file:line`` of an offset in the content."""
        return f"{self.path}:{self.line + self.content.count(chr(10), 0, offset)}"


def read_blocks(path: Path, tag: str, encoding: str) -> Iterator[Block]:
    """Stream the blocks of ``tag``; what stands outside them is skipped.

    Raises ``DataError`` with file and line for a block that is not closed, or closed without having been opened.
    """
    edge = re.compile(rf"<(/?){tag}(?:\s[^<>]*)?>", re.IGNORECASE)
    begun: int | None = None
    parts: list[str] = []
    for number, line in read_lines(path, encoding):
        start = 0
        for match in edge.finditer(line):
            closes = bool(match[1])
            if closes == (begun is None):
                raise _unbalanced(path, number, tag, begun)
            if begun is None:
                begun = number
            else:
                yield Block(path, begun, "\n".join([*parts, line[start : match.start()]]))
                begun = None
            parts, start = [], match.end()
        if begun is not None:
            parts.append(line[start:])
    if begun is not None:
        raise DataError(
            f"{path}:{begun}: <{tag}> is not closed before the file ends.", f"Is the file cut short? Add </{tag}>."
        )


def read_fields(block: Block, names: Collection[str], prefix: str = "") -> Iterator[tuple[str, str]]:
    """``(name in upper case, text)`` of each field of ``names``, in order; other tags count as text and go.

    ``prefix`` is a regular expression for what may precede a name, such as the ``EN-`` of CLEF topics.
    Raises ``DataError`` with file and line for a field that is not closed, or closed without having been opened.
    """
    if "<!--" in block.content:  # blank comments out, but keep the lines they stand on
        block = block._replace(content=_COMMENT.sub(lambda match: "\n" * match[0].count("\n"), block.content))
    name, start, opened_at = "", 0, 0
    for match in _field_tags(tuple(names), prefix).finditer(block.content):
        closes, found = bool(match[1]), match[2].upper()
        if not name and not closes:
            name, start, opened_at = found, match.end(), match.start()
        elif name and found == name and closes:
            yield name, plain_text(block.content[start : match.start()])
            name = ""
        elif not name or found == name:
            problem = "is opened again before it is closed" if name else "closes what was not opened"
            raise DataError(f"{block.place(match.start())}: {match[0]} {problem}.", "Mend the tags.")
    if name:
        raise DataError(f"{block.place(opened_at)}: the field {name} is not closed.", f"Close it with </{name}>.")


def plain_text(content: str) -> str:
    """``content`` without tags, entities resolved, white space as single spaces.

    A bare ``&`` or ``<`` is text, and so is an entity that HTML does not know.
    """
    if "<" in content:
        content = _TAG.sub(" ", content)
    if "&" in content:
        content = _ENTITY.sub(lambda match: html.unescape(match[0]), content)
    return " ".join(content.split())


@lru_cache(maxsize=32)
def _field_tags(names: tuple[str, ...], prefix: str) -> re.Pattern[str]:
    alternatives = "|".join(map(re.escape, names))
    return re.compile(rf"<(/?){prefix}({alternatives})(?:\s[^<>]*)?>", re.IGNORECASE)


def _unbalanced(path: Path, number: int, tag: str, begun: int | None) -> DataError:
    if begun is None:
        return DataError(f"{path}:{number}: </{tag}> closes what was not opened.", f"Add <{tag}> where it begins.")
    return DataError(f"{path}:{begun}: <{tag}> is not closed before the next one in line {number}.", f"Add </{tag}>.")
