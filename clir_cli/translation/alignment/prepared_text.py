"""Parallel text as the aligners take it: numbered words end to end, and a report of what was left out and why."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from clir_cli.errors import DataError
from clir_cli.records import ProgressCallback, no_progress

LONGEST = np.iinfo(np.int16).max
"""No sentence may have more words: positions within a sentence are kept as int16."""
SHORT = 10
"""Pairs whose longer side has at most so many words are not judged by the ratio of their lengths: there a ratio says
little (``ja`` may well be six words)."""
_REPORT_EVERY = 20_000


@dataclass(frozen=True, slots=True)
class PreparationReport:
    """``pairs`` kept, with ``source_tokens`` and ``target_tokens`` words in all; and the pairs left out: ``blank`` on
    one side or both, ``too_long``, of too ``unequal`` lengths (each pair is counted once, in this order)."""

    pairs: int
    blank: int
    too_long: int
    unequal: int
    source_tokens: int
    target_tokens: int

    @property
    def read(self) -> int:
        """Pairs of the input."""
        return self.pairs + self.blank + self.too_long + self.unequal


@dataclass(frozen=True, slots=True)
class PreparedText:
    """Sentence pairs as word numbers, end to end.

    ``source_words`` and ``target_words`` are sorted by code point and distinct. Pair k has the source words
    ``sources[source_start[k]:source_start[k + 1]]`` (int32, numbers of ``source_words``; starts are int64 [pairs + 1]),
    likewise on the target side. ``lines`` int64 [pairs]: where each pair stood in the input, from 0.
    """

    source_words: list[str]
    target_words: list[str]
    sources: np.ndarray
    source_start: np.ndarray
    targets: np.ndarray
    target_start: np.ndarray
    lines: np.ndarray
    report: PreparationReport

    def __len__(self) -> int:
        """Number of sentence pairs."""
        return len(self.lines)

    def swapped(self) -> "PreparedText":
        """The same text with source and target exchanged; it shares the arrays."""
        seen = self.report
        report = PreparationReport(
            seen.pairs, seen.blank, seen.too_long, seen.unequal, seen.target_tokens, seen.source_tokens
        )
        return PreparedText(
            self.target_words, self.source_words, self.targets, self.target_start,
            self.sources, self.source_start, self.lines, report,
        )  # fmt: skip

    def fingerprint(self) -> str:
        """Changes when any word of any pair changes, or their order; not with the lines they stood on."""
        digest = sha256()
        for words in (self.source_words, self.target_words):
            digest.update("\n".join(words).encode("utf-8", "surrogatepass") + b"\n\n")
        for numbers in (self.sources, self.source_start, self.targets, self.target_start):
            digest.update(np.ascontiguousarray(numbers).data)
        return digest.hexdigest()


def prepare(
    pairs: Iterable[tuple[Sequence[str], Sequence[str]]],
    *,
    max_length: int = 100,
    max_ratio: float = 9.0,
    progress: ProgressCallback = no_progress,
) -> PreparedText:
    """Number the words of ``(source words, target words)``, one pair a sentence, in one pass.

    Left out, both sides at once, and counted: pairs with a side without words; with more than ``max_length`` words on
    a side; and with more than ``max_ratio`` times as many words on one side as on the other, unless both are short
    (at most ``SHORT`` words). The words are whatever the caller makes them, and empty pairs must be passed as such
    where ``lines`` shall number the lines of a file.

    Only machine numbers and the distinct words stay in memory: 12 bytes a word at the most, 4 at the end.
    Raises ``DataError`` where no pair is left, ``ValueError`` for a ``max_length`` that does not fit into int16.
    """
    if not 1 <= max_length <= LONGEST:
        raise ValueError(f"max_length is {max_length}, not 1 to {LONGEST}")
    source_numbers, target_numbers = _Numbers(), _Numbers()
    number_source, number_target = source_numbers.__getitem__, target_numbers.__getitem__
    sources, targets = array("i"), array("i")
    source_start, target_start, lines = array("q", [0]), array("q", [0]), array("q")
    line = blank = too_long = unequal = 0
    for line, (source, target) in enumerate(pairs, start=1):
        if not line % _REPORT_EVERY:
            progress(line, None, "reading sentence pairs")
        shorter, longer = len(source), len(target)
        if shorter > longer:
            shorter, longer = longer, shorter
        if not shorter:
            blank += 1
        elif longer > max_length:
            too_long += 1
        elif longer > SHORT and longer > max_ratio * shorter:
            unequal += 1
        else:
            sources.fromlist(list(map(number_source, source)))
            targets.fromlist(list(map(number_target, target)))
            source_start.append(len(sources))
            target_start.append(len(targets))
            lines.append(line - 1)
    if not lines:
        raise DataError(
            f"The parallel text has no usable sentence pair ({line} read: {blank} with an empty side, "
            f"{too_long} over {max_length} words, {unequal} of too unequal lengths).",
            "Check that the two files belong to this pair and are not empty.",
        )
    progress(line, line, "reading sentence pairs")
    report = PreparationReport(len(lines), blank, too_long, unequal, len(sources), len(targets))
    source_words, renumbered_sources = _sorted_numbers(source_numbers, sources)
    del sources
    target_words, renumbered_targets = _sorted_numbers(target_numbers, targets)
    return PreparedText(
        source_words, target_words, renumbered_sources, np.array(source_start, np.int64), renumbered_targets,
        np.array(target_start, np.int64), np.array(lines, np.int64), report,
    )  # fmt: skip


class _Numbers(dict[str, int]):
    """Word -> number, in the order of first sight."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def _sorted_numbers(numbers: dict[str, int], tokens: "array[int]") -> tuple[list[str], np.ndarray]:
    """The words sorted, and the tokens renumbered to match."""
    words = sorted(numbers)
    new = np.empty(len(words), np.int32)
    new[[numbers[word] for word in words]] = np.arange(len(words), dtype=np.int32)
    return words, new[np.frombuffer(tokens, np.int32)]
