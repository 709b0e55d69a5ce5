"""CLEF's own layouts: ``<top>`` blocks with fields that are closed (2001 to 2006) or not (2000).

They look like XML and are none: there is no root element, and ``&`` and ``<`` stand bare in the text.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from clir_cli.corpora.ids import shortened
from clir_cli.corpora.plain_text import plain_text, without_comments
from clir_cli.corpora.topic_formats.found import FoundTopic
from clir_cli.corpora.topic_formats.languages import language_of_2000, language_of_tag
from clir_cli.errors import DataError, FaultHandler
from clir_cli.lines import read_lines
from clir_cli.records import Topic

_EDGE = re.compile(r"<(/?)top(?:\s[^<>]*)?>", re.IGNORECASE)
_FIELD = re.compile(r"<(/?)(?:([a-z]{1,3})-)?(num|title|desc|narr)(?:\s[^<>]*)?>", re.IGNORECASE)
_ANY_FIELD = re.compile(r"<(/?)(?:([a-z]{1,3})-)?((?<=-)[a-z]+|num|title|desc|narr)(?:\s[^<>]*)?>", re.IGNORECASE)
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_NAMES = ("num", "title", "desc", "narr")


class _Top(NamedTuple):
    """What stands between ``<top>`` and ``</top>``, and where it begins."""

    path: Path
    line: int
    content: str

    def line_at(self, offset: int) -> int:
        return self.line + self.content.count("\n", 0, offset)

    def place(self, offset: int = 0) -> str:
        return f"{self.path}:{self.line_at(offset)}"


class _Field(NamedTuple):
    name: str
    prefix: str
    text: str
    place: str


def read_clef(path: Path, encoding: str, on_fault: FaultHandler) -> Iterator[FoundTopic]:
    """Topics of 2001 to 2006: ``<num> C141 </num>``, ``<EN-title> ... </EN-title>``; other fields are skipped.

    Faults: a topic that is not closed, has a field that is not closed or there twice, has fields of two languages, or
    has no number or title.
    """
    return _read(path, encoding, on_fault, _closed_fields, language_of_tag)


def read_clef_2000(path: Path, encoding: str, on_fault: FaultHandler) -> Iterator[FoundTopic]:
    """Topics of 2000: ``<num> C001``, ``<E-title> ...``, whose fields are not closed.

    A field goes on to the next tag, or to the blank line after its text; only the narrative goes on to ``</top>``.
    Faults: as for the later years, but for fields that are not closed.
    """
    return _read(path, encoding, on_fault, _open_fields, language_of_2000)


def _read(
    path: Path,
    encoding: str,
    on_fault: FaultHandler,
    split: Callable[[_Top], Iterator[_Field]],
    language_of: Callable[[str], str],
) -> Iterator[FoundTopic]:
    for top in _read_tops(path, encoding, on_fault):
        try:
            found = _topic_of(top, split(top), language_of)
        except DataError as fault:
            on_fault(fault)
        else:
            yield found


def _read_tops(path: Path, encoding: str, on_fault: FaultHandler) -> Iterator[_Top]:
    begun = 0  # the line of <top>, or 0 outside
    parts: list[str] = []
    for number, line in read_lines(path, encoding, on_fault):
        start = 0
        for match in _EDGE.finditer(line):
            closes = bool(match[1])
            if closes and begun:
                content = "\n".join([*parts, line[start : match.start()]])
                yield _Top(path, begun, without_comments(content))
            elif closes:
                on_fault(DataError(f"{path}:{number}: </top> closes what was not opened.", "Add <top> before it."))
            elif begun:
                problem = f"{path}:{begun}: <top> is not closed before the next one in line {number}."
                on_fault(DataError(problem, "Add </top>."))
            begun = 0 if closes else number
            parts, start = [], match.end()
        if begun:
            parts.append(line[start:])
    if begun:
        problem = f"{path}:{begun}: <top> is not closed before the file ends."
        on_fault(DataError(problem, "Is the file cut short? Add </top>."))


def _closed_fields(top: _Top) -> Iterator[_Field]:
    opened: re.Match[str] | None = None
    for match in _FIELD.finditer(top.content):
        closes = bool(match[1])
        if opened is None and not closes:
            opened = match
        elif opened is None:
            raise DataError(f"{top.place(match.start())}: {_tag(match)} closes what was not opened.", "Mend the tags.")
        elif closes and match[3].lower() == opened[3].lower():
            yield _field_of(top, opened, plain_text(top.content[opened.end() : match.start()]))
            opened = None
        else:
            line = top.line_at(match.start())
            problem = f"{top.place(opened.start())}: {_tag(opened)} is not closed before {_tag(match)} in line {line}."
            raise DataError(problem, f"Close it with </{_tag(opened)[1:]}.")
    if opened is not None:
        problem = f"{top.place(opened.start())}: {_tag(opened)} is not closed before the topic ends."
        raise DataError(problem, f"Close it with </{_tag(opened)[1:]}.")


def _tag(match: re.Match[str]) -> str:
    """A tag as it stands there, without what follows its name, which can be text."""
    slash, prefix, name = match.groups()
    return f"<{slash}{f'{prefix}-' if prefix else ''}{name}>"


def _open_fields(top: _Top) -> Iterator[_Field]:
    tags = list(_ANY_FIELD.finditer(top.content))
    ends = [*(tag.start() for tag in tags), len(top.content)]
    for tag, end in zip(tags, ends[1:], strict=True):
        if not tag[1] and tag[3].lower() in _NAMES:
            text = top.content[tag.end() : end].strip()
            if tag[3].lower() != "narr":
                text = _BLANK_LINE.split(text, maxsplit=1)[0]
            yield _field_of(top, tag, plain_text(text))


def _field_of(top: _Top, tag: re.Match[str], text: str) -> _Field:
    return _Field(tag[3].lower(), (tag[2] or "").upper(), text, top.place(tag.start()))


def _topic_of(top: _Top, fields: Iterable[_Field], language_of: Callable[[str], str]) -> FoundTopic:
    texts: dict[str, str] = {}
    prefix = ""
    for field in fields:
        if field.prefix and prefix and field.prefix != prefix:
            problem = f"{field.place}: this topic has fields of two languages, {prefix} and {field.prefix}."
            raise DataError(problem, "Keep one language in a file.")
        if field.name in texts:
            raise DataError(f"{field.place}: this topic has a second field {field.name}.", "Keep one of the two.")
        prefix = prefix or field.prefix
        texts[field.name] = field.text
    for name in ("num", "title"):
        if not texts.get(name):
            whose = f"topic {shortened(texts['num'])}" if texts.get("num") else "this topic"
            raise DataError(f"{top.place()}: {whose} has no {name}.", "A <top> holds <num> and <XX-title>.")
    topic = Topic(texts["num"], texts["title"], texts.get("desc", ""), texts.get("narr", ""))
    return FoundTopic(top.place(), topic, language_of(prefix) if prefix else "")
