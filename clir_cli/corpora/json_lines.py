"""JSON lines: one object a line, its string fields read with the place of every fault."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_lines

_DECODER = json.JSONDecoder(strict=False)


class JsonLine(NamedTuple):
    """One object and where it stands (``file:line``)."""

    place: str
    fields: dict[str, Any]

    def string(self, *names: str, needed: bool = False) -> str:
        """The first of ``names`` that is there, as text; a number is written out, a null counts as not there.

        Raises ``DataError`` where none is there though one is needed, and for a value that is no text or holds half of
        a surrogate pair.
        """
        for name in names:
            value = self.fields.get(name)
            if value is None:
                continue
            if isinstance(value, int) and not isinstance(value, bool):
                return str(value)
            if not isinstance(value, str):
                raise DataError(f"{self.place}: {name!r} is {type(value).__name__}, not text.", "Write it in quotes.")
            refuse_half_characters(value, self.place)
            return value
        if needed:
            spelt = " or ".join(repr(name) for name in names)
            raise DataError(f"{self.place}: there is no {spelt} in this line.", f"It has {_some(list(self.fields))}.")
        return ""


def read_json_lines(path: Path, encoding: str, on_fault: FaultHandler = stop_at_fault) -> Iterator[JsonLine]:
    """Stream the objects of a file, plain or gzipped; blank lines are skipped.

    A fault, with file and line, is a line that is no JSON object; bare control characters in its strings pass.
    """
    for number, line in read_lines(path, encoding, on_fault):
        if not line or line.isspace():
            continue
        place = f"{path}:{number}"
        try:
            value = _DECODER.decode(line)
        except (ValueError, RecursionError) as error:
            reason = f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else str(error)
            on_fault(DataError(f"{place}: not JSON ({reason}).", "Each line is one whole JSON object."))
            continue
        if isinstance(value, dict):
            yield JsonLine(place, value)
        else:
            hint = 'Each line is one object such as {"id": "a", "text": "b"}.'
            on_fault(DataError(f"{place}: not a JSON object.", hint))


def refuse_half_characters(text: str, place: str) -> None:
    """Raise ``DataError`` where ``text`` holds one half of a surrogate pair, as JSON's escapes can."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise DataError(f"{place}: an escape such as \\ud83d is half of a character.", "Write both halves.") from None


def _some(names: list[str], most: int = 8) -> str:
    if not names:
        return "no fields"
    return ", ".join(map(repr, names[:most])) + (", ..." if len(names) > most else "")
