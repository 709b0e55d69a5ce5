"""The parameters of the aligner, and what an iteration counts."""

import numpy as np

from clir_cli.translation.alignment import maximise
from clir_cli.translation.alignment.cells import Cells
from clir_cli.translation.alignment.families import Families
from clir_cli.translation.alignment.jumps import JumpCounts, Jumps
from clir_cli.translation.alignment.meetings import count_meetings
from clir_cli.translation.alignment.prepared_text import PreparedText

_TENSION = 4.0
_TENSIONS = 0.1, 14.0
"""Where fast_align's tension of the diagonal begins, and the bounds it stays within."""


class Model:
    """``cells`` float32 [cells + 1, 4] and ``counts`` int64 [cells + 1, 2]: ``kernels`` says how they share memory; the
    last one stands for words that have no cell. ``null_source``, ``null_target`` float32: P(word | nothing); ``null``:
    how probable nothing is. ``jumps``: of target words over source positions, and of source words over target
    positions. ``tensions``: of Model 2, forward and backward."""

    def __init__(self, text: PreparedText, null: float) -> None:
        self.text = text
        self.pairs = Cells(text)
        self.cells = np.zeros((len(self.pairs) + 1, 4), np.float32)
        self.counts = self.cells.view(np.int64)
        self.null = null
        self.null_source = _shares(np.bincount(text.sources, minlength=len(text.source_words)))
        self.null_target = _shares(np.bincount(text.targets, minlength=len(text.target_words)))
        self.null_counts = (np.zeros(len(text.source_words), np.int64), np.zeros(len(text.target_words), np.int64))
        self.jumps = (Jumps.at_first(), Jumps.at_first())
        self.tensions = (_TENSION, _TENSION)
        self.jump_counts = (JumpCounts(), JumpCounts())
        self.distances = np.zeros((2, 3))
        self._families: Families | None = None

    def clear(self) -> None:
        """No counts."""
        self.counts[:, 1] = 0
        for counts in self.null_counts:
            counts[:] = 0
        self.jump_counts = (JumpCounts(), JumpCounts())
        self.distances = np.zeros((2, 3))

    def private(self, first: bool) -> tuple[np.ndarray, ...]:
        """What one thread counts with: the model's own arrays for the ``first``, copies for others."""
        if first:
            return self.cells, self.counts, *self.null_counts
        cells = self.cells.copy()
        return cells, cells.view(np.int64), *(np.zeros_like(counts) for counts in self.null_counts)

    def add(self, private: tuple[np.ndarray, ...]) -> None:
        """Add what another thread counted."""
        self.counts[:, 1] += private[1][:, 1]
        for mine, other in zip(self.null_counts, private[2:], strict=True):
            mine += other

    def count_meetings(self) -> None:
        """Expected counts from the uniform table."""
        self.clear()
        for stretch in self.pairs.stretches():
            count_meetings(
                stretch.first, stretch.last, self.pairs.offsets, self.text.source_start, self.text.target_start,
                stretch.ids, self.counts,
            )  # fmt: skip

    def likelihood_at_first(self) -> float:
        """Of the uniform table: every word is as probable as any other."""
        text = self.text
        return float(
            -len(text.targets) * np.log(len(text.target_words)) - len(text.sources) * np.log(len(text.source_words))
        )

    def maximise(self, direction: int) -> None:
        """Probabilities by relative counts."""
        maximise.normalise(
            self.counts, self.cells, self.pairs.start, self.pairs.target, len(self.text.target_words), direction
        )

    def maximise_with_families(self, direction: int, weight: float, letters: int) -> None:
        """Probabilities by counts with the words' families behind them."""
        if self._families is None:
            self._families = Families(self.text, self.pairs, letters)
        families = self._families
        maximise.normalise_with_families(
            self.counts, self.cells, self.pairs.start, self.pairs.target, direction, weight, families.cell,
            families.count, families.source, families.target, families.source_share, families.target_share,
        )  # fmt: skip

    def maximise_by_bayes(self, direction: int, prior: float) -> None:
        """Probabilities under a Dirichlet prior."""
        maximise.normalise_by_bayes(
            self.counts, self.cells, self.pairs.start, self.pairs.target, len(self.text.target_words), direction, prior
        )

    def take_counts(self) -> None:
        """Everything but the cells by what was counted; what was not counted stays."""
        source, target = self.null_counts
        if source.any():
            self.null_source = _shares(source)
        if target.any():
            self.null_target = _shares(target)
        forward, backward = (
            jumps.re_estimated(counted) for jumps, counted in zip(self.jumps, self.jump_counts, strict=True)
        )
        self.jumps = (forward, backward)
        first, second = map(_stepped, self.tensions, self.distances)
        self.tensions = (first, second)


def _stepped(tension: float, distances: np.ndarray) -> float:
    """``tension`` after a step of Newton's method."""
    too_far, variance, words = distances.tolist()
    return float(np.clip(tension + too_far / variance, *_TENSIONS)) if words and variance > 0 else tension


def _shares(counts: np.ndarray) -> np.ndarray:
    return (counts / counts.sum()).astype(np.float32)
