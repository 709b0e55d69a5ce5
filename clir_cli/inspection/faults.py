"""Faults that readers report, as findings."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from clir_cli.errors import DataError
from clir_cli.inspection.findings import Level, Part
from clir_cli.inspection.places import split_place

_QUOTED = re.compile(r"(['\"]).*\1", re.DOTALL)


class Kind(NamedTuple):
    """A kind of fault: how its message is told, its code, and what is said of many."""

    pattern: str
    code: str
    many: str
    level: Level | None = None
    """None: the level of the recorder."""


MISSING = Kind("there is no such file", "missing-file", "{count} files are not there.", Level.error)
UNDECODABLE = Kind("byte 0x[0-9a-f]{2} at", "undecodable-byte", "{count} lines have bytes that cannot be decoded.")


class FaultRecorder:
    """A fault handler that goes on: each fault becomes a finding of ``about``, like ones of a file a single one.

    ``kinds``: what is told apart, the last being for every other fault. ``shows_text`` False: what is quoted from a
    file is left out where it could be text, not an id.
    """

    def __init__(
        self,
        about: Part,
        paths: Sequence[Path],
        kinds: Sequence[Kind],
        *,
        level: Level = Level.error,
        shows_text: bool = True,
    ) -> None:
        self.codes: set[str] = set()
        self._about = about
        self._paths = paths
        self._kinds = (MISSING, UNDECODABLE, *kinds)
        self._level = level
        self._shows_text = shows_text

    def __call__(self, fault: DataError) -> None:
        """Record ``fault``."""
        place, message = split_place(fault.problem, self._paths)
        kind = next((kind for kind in self._kinds if re.search(kind.pattern, message)), self._kinds[-1])
        self.codes.add(kind.code)
        hint = fault.hint
        if not self._shows_text:
            message, hint = _without_text(message), _without_text(hint)
        self._about.grow(kind.level or self._level, kind.code, message, many=kind.many, place=place, hint=hint)


def _without_text(sentence: str) -> str:
    return _QUOTED.sub(lambda quoted: "'...'" if " " in quoted[0] or len(quoted[0]) > 40 else quoted[0], sentence)
