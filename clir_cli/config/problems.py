"""What is wrong with a configuration, said in one place and all at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from clir_cli.errors import ConfigError


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
    folded = {candidate.lower(): candidate for candidate in candidates}
    close = get_close_matches(name.lower(), folded, n=2, cutoff=0.6)
    if close:
        return f": did you mean {' or '.join(f'`{folded[match]}`' for match in close)}?"
    if not candidates:
        return " (there are none)"
    return f" (known: {', '.join(candidates)})"


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
