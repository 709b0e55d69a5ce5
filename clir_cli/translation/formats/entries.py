"""The entries of a file as they stand there: a number for each pair of a conditioning word and an outcome.

Files have tens of millions of lines: entries are arrays of machine numbers, and words are touched once each.
"""

from array import array
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

COLUMNS = ("the first column", "the second column")


class Numbering(dict[str, int]):
    """Word -> its number, which it gets when it is first asked for."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


@dataclass(frozen=True)
class Entries:
    """P(outcome | condition), or a count of the two, for distinct words as the file spells them.

    ``condition`` and ``outcome`` [entries] int32 number the words; ``values`` [entries] float64; ``lines`` [entries].
    ``sides``: what the two words of an entry are called, in the order of the file; ``condition_side``: which of them,
    0 or 1, is the condition. Of what was read, ``several_words`` entries were left out because a side is not one word,
    ``null`` because a side is the empty word; ``other_lines`` hold no entry. ``weights``: how often conditions occur,
    where the file or its vocabulary tells.
    """

    path: Path
    conditions: list[str]
    outcomes: list[str]
    condition: np.ndarray
    outcome: np.ndarray
    values: np.ndarray
    lines: np.ndarray
    sides: tuple[str, str] = COLUMNS
    condition_side: int = 0
    several_words: int = 0
    null: int = 0
    other_lines: int = 0
    weights: dict[str, float] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def read(self) -> int:
        """Entries of the file, those left out included."""
        return len(self) + self.several_words + self.null

    def spelt(self, entry: int) -> str:
        """The words of an entry in the order of the file."""
        words = (self.conditions[self.condition[entry]], self.outcomes[self.outcome[entry]])
        return " ".join(words if self.condition_side == 0 else words[::-1])

    def without(self, empty: Collection[str]) -> "Entries":
        """Without entries that have a word of ``empty`` on a side; they count as ``null``."""
        if not empty:
            return self
        is_null = np.zeros(len(self), bool)
        for words, numbers in ((self.conditions, self.condition), (self.outcomes, self.outcome)):
            is_empty = np.array([word in empty for word in words], bool)
            if is_empty.any():
                is_null |= is_empty[numbers]
        if not is_null.any():
            return self
        arrays = {name: getattr(self, name)[~is_null] for name in ("condition", "outcome", "values", "lines")}
        return replace(self, null=self.null + int(is_null.sum()), **arrays)


class EntryCollector:
    """Takes entries one by one, or many at a time, their words in the order of the file."""

    def __init__(self, path: Path, condition_side: int, sides: tuple[str, str] = COLUMNS) -> None:
        self.path = path
        self.several_words = 0
        self.other_lines = 0
        self._sides = sides
        self._condition_side = condition_side
        self._words = Numbering(), Numbering()
        self._numbers = array("i"), array("i")
        self._values = array("d")
        self._lines = array("Q")

    def add(self, first: str, second: str, value: float, line: int) -> None:
        """Take one entry, found in ``line``."""
        self._numbers[0].append(self._words[0][first])
        self._numbers[1].append(self._words[1][second])
        self._values.append(value)
        self._lines.append(line)

    def add_lines(self, first: Iterable[str], second: Iterable[str], values: np.ndarray, line: int) -> None:
        """Take the entries of neighbouring lines, of which the first is ``line``."""
        self._numbers[0].extend(map(self._words[0].__getitem__, first))
        self._numbers[1].extend(map(self._words[1].__getitem__, second))
        self._values.frombytes(values.astype(np.float64).tobytes())
        self._lines.frombytes(np.arange(line, line + len(values), dtype=np.uint64).tobytes())

    def entries(self) -> Entries:
        """All that were taken."""
        condition, outcome = self._condition_side, 1 - self._condition_side
        return Entries(
            self.path,
            list(self._words[condition]),
            list(self._words[outcome]),
            np.frombuffer(self._numbers[condition], np.int32),
            np.frombuffer(self._numbers[outcome], np.int32),
            np.frombuffer(self._values, np.float64),
            np.frombuffer(self._lines, np.uint64),
            self._sides,
            condition,
            self.several_words,
            other_lines=self.other_lines,
        )
