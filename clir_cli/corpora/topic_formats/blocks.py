"""Blocks of ``query_id: C041``, ``title: ...``, ``description: ...``, as the Somali and Swahili topics have them."""

import re
from collections.abc import Iterator
from pathlib import Path

from clir_cli.corpora.ids import shortened
from clir_cli.corpora.topic_formats.found import FoundTopic
from clir_cli.errors import DataError, FaultHandler
from clir_cli.lines import read_lines
from clir_cli.records import Topic

_NAMED = re.compile(r"\s*(query_id|title|description|narrative)\s*:(.*)", re.IGNORECASE | re.DOTALL)


def read_blocks(path: Path, encoding: str, on_fault: FaultHandler) -> Iterator[FoundTopic]:
    """Blocks that begin with ``query_id:``; a field may go on over lines, up to the next field or a blank line.

    Fields may come after a blank line too. Faults: a block without id or title, or with a field twice; a line that
    belongs to no field, which alone is left out.
    """
    block: _Block | None = None
    for number, line in read_lines(path, encoding, on_fault):
        match = _NAMED.fullmatch(line)
        name = match[1].lower() if match else ""
        if match and name == "query_id":
            if block is not None:
                yield from block.finish(on_fault)
            block = _Block(f"{path}:{number}", match[2])
        elif match and block is not None:
            block.begin_field(name, match[2], f"{path}:{number}")
        elif line.strip():
            if block is None or not block.goes_on(line):
                problem = f"{path}:{number}: this line belongs to no field."
                on_fault(DataError(problem, "A block begins with `query_id:`; a blank line ends a field."))
        elif block is not None:
            block.end_field()
    if block is not None:
        yield from block.finish(on_fault)


class _Block:
    """A block while its lines come in."""

    def __init__(self, place: str, id: str) -> None:
        self._place = place
        self._texts: dict[str, list[str]] = {"query_id": [id]}
        self._open: list[str] | None = None
        self._fault: DataError | None = None

    def begin_field(self, name: str, text: str, place: str) -> None:
        if name in self._texts and self._fault is None:
            self._fault = DataError(f"{place}: this topic has a second `{name}:`.", "Keep one of the two.")
        self._open = self._texts.setdefault(name, [])
        self._open.append(text)

    def goes_on(self, line: str) -> bool:
        """Whether a field is open, which then takes the line."""
        if self._open is not None:
            self._open.append(line)
        return self._open is not None

    def end_field(self) -> None:
        self._open = None

    def finish(self, on_fault: FaultHandler) -> Iterator[FoundTopic]:
        """The topic, or nothing and a fault."""
        names = ("query_id", "title", "description", "narrative")
        id, title, description, narrative = (" ".join(" ".join(self._texts.get(name, ())).split()) for name in names)
        fault = self._fault
        if fault is None and not (id and title):
            whose, what = (f"topic {shortened(id)}", "title") if id else ("this topic", "id")
            fault = DataError(f"{self._place}: {whose} has no {what}.", "A block holds `query_id:` and `title:`.")
        if fault is not None:
            on_fault(fault)
        else:
            yield FoundTopic(self._place, Topic(id, title, description, narrative), "")
