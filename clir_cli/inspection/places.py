"""Places in messages and files: where a fault is, and in which line a document begins."""

import json
import re
from collections.abc import Collection, Sequence
from pathlib import Path

from clir_cli.lines import read_lines

_DOCNO = re.compile(r"<DOCNO>\s*([^<>]*?)\s*</DOCNO>", re.IGNORECASE)
_JSON_ID = re.compile(r'"(?:id|_id|docno)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(-?[0-9]+))')
_NUMBERED = re.compile(r"(.+):[0-9]+", re.DOTALL)


def file_of(place: str) -> str:
    """``a.tsv`` of ``a.tsv:12``; what has no line stays."""
    match = _NUMBERED.fullmatch(place)
    return match[1] if match else place


def split_place(problem: str, paths: Sequence[Path]) -> tuple[str, str]:
    """``a.tsv:12: there is no tab.`` -> (``a.tsv:12``, ``there is no tab.``).

    ``paths``: the file, or a folder above it, is among them; else there is no place, and the message is the whole.
    """
    for path in sorted(map(str, paths), key=len, reverse=True):
        if problem.startswith(path) and problem[len(path) : len(path) + 1] in ("/", "\\", ":"):
            match = re.match(r"((?:[/\\].*?)?(?::[0-9]+)?): ", problem[len(path) :], re.DOTALL)
            if match:
                end = len(path) + match.end()
                return problem[: end - 2], problem[end:]
    return "", problem


def places_of(sources: Sequence[tuple[Path, str]], ids: Collection[str]) -> dict[str, list[str]]:
    """Where documents of these ids are named: id -> ``file:line`` of each mention as an id, in order.

    ``sources``: files with their encodings. A second look, line by line, for the few documents that are in question:
    the readers give no places. An id that is told in another way than on a line of its own format is not found.
    """
    wanted = set(ids)
    found: dict[str, list[str]] = {}
    if not wanted:
        return found
    for path, encoding in sources:
        opened = False
        for number, line in read_lines(path, encoding, lambda fault: None):
            for id in _ids_named(line, opened):
                if id in wanted:
                    found.setdefault(id, []).append(f"{path}:{number}")
            stripped = line.strip()
            if stripped:
                opened = stripped.lower().endswith("<docno>")
    return found


def _ids_named(line: str, is_after_docno: bool) -> list[str]:
    """The ids that a line of TSV, JSON lines or SGML may name its document by."""
    start = line.lstrip()[:1]
    if start == "{":
        return [_unescaped(match[1]) if match[1] is not None else match[2] for match in _JSON_ID.finditer(line)]
    if start == "<" or "<DOCNO>" in line.upper():
        return [match[1] for match in _DOCNO.finditer(line)]
    if is_after_docno:
        return [line.partition("<")[0].strip()]
    first, tab, _ = line.partition("\t")
    return [first.strip()] if tab else []


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text
