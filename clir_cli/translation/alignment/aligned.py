"""What an aligner has learned from a text: tables in both directions, and links."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from clir_cli.translation.alignment.model import Model
from clir_cli.translation.alignment.prepared_text import PreparedText
from clir_cli.translation.alignment.pruned import prune_cells
from clir_cli.translation.alignment.symmetrise import Links, Method, symmetrise
from clir_cli.translation.table import TranslationTable

Symmetrisation = Method | Literal["agreement"]


@dataclass(frozen=True, slots=True)
class AlignmentReport:
    """``log_likelihoods``: of the text before each iteration and before the last pass, natural log, a sum over both
    directions (trained by agreement it need not rise). ``cells``: word pairs that were considered."""

    pairs: int
    source_tokens: int
    target_tokens: int
    source_words: int
    target_words: int
    cells: int
    models: tuple[str, ...]
    log_likelihoods: tuple[float, ...]


class Alignment:
    """What was learned: tables in both directions, and links.

    ``forward`` int16 [target tokens]: the source position of each target word or -1; ``backward`` int16 [source tokens]
    the target position of each source word; ``agreed``: the links on which both directions agree.
    """

    def __init__(
        self, text: PreparedText, model: Model, forward: np.ndarray, backward: np.ndarray, agreed: Links,
        report: AlignmentReport,
    ) -> None:  # fmt: skip
        self.text = text
        self.forward = forward
        self.backward = backward
        self.agreed = agreed
        self.report = report
        self._model = model

    def links(self, method: Symmetrisation = "agreement") -> Links:
        """The links by ``method``: ``agreement``, or one of ``symmetrise``'s."""
        if method == "agreement":
            return self.agreed
        return symmetrise(self.forward, self.backward, self.text.source_start, self.text.target_start, method)

    def table(
        self, *, inverse: bool = False, min_probability: float = 1e-4, max_translations: int = 100
    ) -> TranslationTable:
        """P(target word | source word), or with ``inverse`` P(source word | target word), by the expected counts of the
        last pass; pruned as ``prune_cells`` says, and without what comes from or goes to nothing."""
        model, text = self._model, self.text
        sources = np.repeat(np.arange(len(text.source_words), dtype=np.int32), np.diff(model.pairs.start))
        sides, words = (sources, model.pairs.target), (text.source_words, text.target_words)
        if inverse:
            sides, words = sides[::-1], words[::-1]
        return prune_cells(
            *words, *sides, model.cells[:-1, int(inverse)],
            min_probability=min_probability, max_translations=max_translations,
        )  # fmt: skip
