"""What the beginning of a topic file tells: its layout, and the encoding that it states itself.

The beginning is read as ISO-8859-1, in which every byte is a character: looking never fails on an encoding.
"""

import re
from pathlib import Path

from clir_cli.errors import DataError
from clir_cli.lines import read_lines

_ENOUGH = 1 << 16
_BYTE_ORDER_MARK = "\xef\xbb\xbf"  # of UTF-8
_DECLARATION = re.compile(r"""<\?xml\s[^<>]*?\bencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_QUERY_ID = re.compile(r"^\s*query_id\s*:", re.IGNORECASE | re.MULTILINE)
_ROOTS = re.compile(r"<(?:[\w.-]{1,40}:)?(top|topic|topics)(?=[\s/>])", re.IGNORECASE)
_TOP_EDGE = re.compile(r"</?top(?=[\s>])", re.IGNORECASE)
_FIELD_EDGE = re.compile(r"<(/?)(?:[a-z]{1,3}-)?(?:num|title|desc|narr)\s*>", re.IGNORECASE)


def read_head(path: Path) -> str:
    """The first lines of a file, some 65,000 bytes as ISO-8859-1, without a byte order mark in front of them.

    Raises ``DataError`` for a file that cannot be opened, that is empty, or that is UTF-16.
    """
    lines: list[str] = []
    length = 0
    try:
        for _, line in read_lines(path, "iso-8859-1"):
            lines.append(line)
            length += len(line) + 1
            if length > _ENOUGH:
                break
    except DataError:
        if not lines:  # else a later reader reports the fault, after what can be read before it
            raise
    head = "\n".join(lines)
    if not head.removeprefix(_BYTE_ORDER_MARK).strip():
        raise DataError(f"{path}: the file is empty.", "Check the path; was it copied whole?")
    if head.count("\0") * 10 > len(head):
        raise DataError(f"{path}: many bytes are NUL: this looks like utf-16.", "Convert the file to utf-8.")
    return head


def stated_encoding(head: str, layout: str) -> str:
    """The encoding that a byte order mark or an XML declaration states, else empty."""
    if head.startswith(_BYTE_ORDER_MARK):
        return "utf-8"
    declared = _DECLARATION.match(head.lstrip()) if layout == "direct" else None
    return declared[1] if declared else ""


def tell_layout(path: Path, head: str) -> str:
    """The layout of a file by its ``head``.

    Raises ``DataError`` for one that looks like none.
    """
    head = head.removeprefix(_BYTE_ORDER_MARK).lstrip()
    first = head.partition("\n")[0]
    if _QUERY_ID.match(first):
        return "blocks"
    if first.startswith("{"):
        return "jsonl"
    if "\t" in first and not first.startswith("<"):
        return "tsv"
    return _tell_tags(head) or _complain(path)


def _tell_tags(head: str) -> str:
    roots = False
    for match in _ROOTS.finditer(head):
        name = match[1].lower()
        if name == "top":
            return _tell_year(head, match.end())
        if name == "topic":
            return "direct"
        roots = True
    if roots or head.startswith("<?xml"):
        return "direct"
    if head.startswith("<"):
        return "clef"
    return "blocks" if _QUERY_ID.search(head) else ""


def _tell_year(head: str, start: int) -> str:
    """Whether most fields of the first topic are closed: they were from 2001 on."""
    edge = _TOP_EDGE.search(head, start)
    closes = [bool(match[1]) for match in _FIELD_EDGE.finditer(head, start, edge.start() if edge else len(head))]
    return "clef" if 0 < len(closes) <= 3 * sum(closes) else "clef2000"


def _complain(path: Path) -> str:
    raise DataError(
        f"{path}: this looks like no layout of topics.",
        "TSV needs tabs; else set format: tsv, jsonl, clef, clef2000, direct or blocks.",
    )
