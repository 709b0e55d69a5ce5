"""What is wrong with a configuration, said in one place and all at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from clir_cli.errors import ConfigError

_NEAR, _NEAR_SHORT, _SHORT = 0.6, 0.5, 5
"""Likeness from which a name may be meant; less is asked of names of up to five letters, where two swapped are half."""
_AS_NEAR = 0.05
"""How far behind the best another name may be to be offered as well."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value was written: ``experiments.yaml:12`` and its key path, or ``--set training.epochs=x``."""

    where: str
    key: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Problem:
    """One rule that one value breaks; ``rule`` is a sentence without its full stop."""

    place: Place
    rule: str

    def __str__(self) -> str:
        key = f" {self.place.key}:" if self.place.key else ""
        return f"{self.place.where}:{key} {self.rule}"


def near_miss(name: str, known: Iterable[str]) -> str:
    """``": did you mean `retrieval`?"`` where a known name is near, else the list of what is known."""
    candidates = sorted(set(known))
    if not candidates:
        return " (there are none)"
    likeness = {other: SequenceMatcher(None, name.lower(), other.lower()).ratio() for other in candidates}
    best = max(likeness.values())
    if best < (_NEAR if len(name) > _SHORT else _NEAR_SHORT):
        return f" (known: {', '.join(candidates)})"
    near = [other for other in candidates if likeness[other] >= best - _AS_NEAR]
    return f": did you mean {' or '.join(f'`{other}`' for other in near[:3])}?"


def raise_problems(file: Path, problems: Sequence[Problem]) -> None:
    """Raise one ``ConfigError`` that lists every problem in the order of the file; nothing where there is none.

    A problem of an experiment that others extend is the same place again: it is listed once.
    """
    unique: dict[tuple[str, str], Problem] = {}
    for problem in problems:
        unique.setdefault((problem.place.where, problem.rule), problem)
    listed = sorted(
        unique.values(), key=lambda problem: (problem.place.line == 0, problem.place.line, problem.place.key)
    )
    if not listed:
        return
    if len(listed) == 1:
        raise ConfigError(f"{listed[0]}".rstrip(".") + ("" if str(listed[0]).endswith("?") else "."), _hint(listed))
    lines = "".join(f"\n  {problem}" for problem in listed)
    raise ConfigError(f"{file.name} has {len(listed)} problems:{lines}", _hint(listed))


def _hint(problems: Sequence[Problem]) -> str:
    if any("does not exist" in problem.rule and "sample" in problem.rule for problem in problems):
        return "Write the sample data with `clir sample`."
    return ""
