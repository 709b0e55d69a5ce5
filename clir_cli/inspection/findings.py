"""Findings: what was noticed about the files of an experiment, few lines even where much is wrong.

A finding as plain data (``Finding.plain``), the shape of ``clir validate --json``, is kept stable:
``level`` (error, warning, note), ``code`` (a slug such as ``duplicate-id``), ``part`` (``collection eng``), ``place``
(``file:line``, a file, or empty), ``message`` (one sentence), ``hint`` (what to do, or empty), ``count`` (how many
things it stands for) and ``examples`` (the first of them where there are many).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from typing import Any

from clir_cli.inspection.places import file_of

FEW = 5
"""Examples that a finding keeps unless all are asked for."""


class Level(StrEnum):
    """How bad it is: an error stops a run or makes its numbers wrong, a warning may, a note is worth knowing."""

    error = "error"
    warning = "warning"
    note = "note"


@dataclass
class Finding:
    """One thing, or many alike of one file."""

    level: Level
    code: str
    part: str
    message: str
    place: str = ""
    hint: str = ""
    count: int = 1
    examples: list[str] = field(default_factory=list)
    left_out: int = 0
    """Examples that are not shown."""

    def plain(self) -> dict[str, Any]:
        """As plain data, in the order of the keys above."""
        return {
            "level": self.level.value, "code": self.code, "part": self.part, "place": self.place,
            "message": self.message, "hint": self.hint, "count": self.count, "examples": self.examples,
        }  # fmt: skip


@dataclass
class _Many:
    """A finding that grows: what it says of many, and the first of them."""

    finding: Finding
    many: str
    examples: list[str]


class Findings:
    """Collects findings; ``keep`` examples of each (None: all)."""

    def __init__(self, keep: int | None = FEW) -> None:
        self.keep = keep
        self._entries: list[Finding | _Many] = []
        self._growing: dict[tuple[Level, str, str, str], _Many] = {}

    def about(self, part: str) -> "Part":
        """Where findings about one part of the experiment go."""
        return Part(self, part)

    def add(self, finding: Finding) -> None:
        """Take a finding that is whole."""
        self._entries.append(finding)

    def grow(self, finding: Finding, many: str) -> None:
        """Take one of perhaps many: those of the same level, code, part and file become one finding.

        ``many`` is what it says then, with ``{count}`` in it.
        """
        key = (finding.level, finding.code, finding.part, file_of(finding.place))
        entry = self._growing.get(key)
        example = f"{finding.place}: {finding.message}" if finding.place else finding.message
        if entry is None:
            entry = self._growing[key] = _Many(finding, many, [example])
            self._entries.append(entry)
            return
        entry.finding.count += finding.count
        if self.keep is None or len(entry.examples) < self.keep:
            entry.examples.append(example)

    def first(self, things: Iterable[str]) -> list[str]:
        """As many of ``things`` as a finding shows."""
        return list(islice(things, self.keep))

    def __iter__(self) -> Iterator[Finding]:
        """Every finding: errors first, then by the part that was looked at first."""
        found = [entry if isinstance(entry, Finding) else _said_of_many(entry) for entry in self._entries]
        parts = list(dict.fromkeys(finding.part for finding in found))
        levels = list(Level)
        return iter(sorted(found, key=lambda finding: (levels.index(finding.level), parts.index(finding.part))))

    def counts(self) -> dict[str, int]:
        """Findings of each level."""
        counted = Counter(finding.level for finding in self)
        return {level.value: counted[level] for level in Level}

    def has_errors(self) -> bool:
        """Whether something must be mended before a run."""
        return any(finding.level is Level.error for finding in self)

    def plain(self) -> dict[str, Any]:
        """All of it as plain data: the levels, how many findings each has, and the findings."""
        return {
            "levels": [level.value for level in Level],
            "counts": self.counts(),
            "findings": [finding.plain() for finding in self],
        }


class Part:
    """Findings about one part: ``collection eng``, ``topics deu``, ``bitext deu-eng``."""

    def __init__(self, findings: Findings, name: str) -> None:
        self.findings = findings
        self.name = name

    def error(self, code: str, message: str, **rest: Any) -> None:
        """Something that stops a run or spoils it. ``rest``: place, hint, count, examples."""
        self.add(Level.error, code, message, **rest)

    def warning(self, code: str, message: str, **rest: Any) -> None:
        """Something that may be wrong."""
        self.add(Level.warning, code, message, **rest)

    def note(self, code: str, message: str, **rest: Any) -> None:
        """Something worth knowing."""
        self.add(Level.note, code, message, **rest)

    def add(
        self,
        level: Level,
        code: str,
        message: str,
        *,
        place: str = "",
        hint: str = "",
        count: int = 1,
        examples: Iterable[str] = (),
        is_listed: bool = False,
    ) -> None:
        """Add a finding that is whole. ``examples``: each one of the ``count`` things, or, where ``is_listed``, a list
        of something else, such as the groups that the things fall into."""
        every = list(examples)
        shown = self.findings.first(every)
        left_out = (len(every) if is_listed else count) - len(shown) if shown else 0
        self.findings.add(Finding(level, code, self.name, message, place, hint, count, shown, left_out))

    def grow(self, level: Level, code: str, message: str, *, many: str, place: str = "", hint: str = "") -> None:
        """Add one of perhaps many alike; see ``Findings.grow``."""
        self.findings.grow(Finding(level, code, self.name, message, place, hint), many)


def _said_of_many(entry: _Many) -> Finding:
    found = entry.finding
    if found.count == 1:
        return found
    message = entry.many.format(count=f"{found.count:,}")
    left_out = found.count - len(entry.examples)
    return replace(found, message=message, place=file_of(found.place), examples=entry.examples, left_out=left_out)
