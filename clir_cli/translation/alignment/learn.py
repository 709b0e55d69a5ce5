"""Learn to align: IBM Models 1 and 2 and an HMM, both directions at once.

Trained by agreement (Liang, Taskar, Klein 2006): the expected count of a link is the product of its posteriors in the
two directions, so that each keeps the other from its favourite faults, such as rare words that explain everything.
After the last iteration one more pass over the text gives the links and the counts that make the tables.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import inf
from pathlib import Path
from queue import SimpleQueue
from typing import Literal

import numpy as np

from clir_cli.records import ProgressCallback, no_progress
from clir_cli.translation.alignment import kernels
from clir_cli.translation.alignment.jumps import JumpCounts
from clir_cli.translation.alignment.kernels import BACKWARD, FORWARD, PRODUCT
from clir_cli.translation.alignment.model import Model
from clir_cli.translation.alignment.prepared_text import PreparedText
from clir_cli.translation.alignment.pruned import prune_cells
from clir_cli.translation.alignment.state import State
from clir_cli.translation.alignment.symmetrise import Links, Method, symmetrise
from clir_cli.translation.table import TranslationTable

Symmetrisation = Method | Literal["agreement"]
THRESHOLD = 0.3
"""Links of ``agreement`` have a product of posteriors above this; chosen on the Hansards' trial set and German."""
_PRIVATE_MEMORY = 3 << 30
"""Bytes that the threads' own counts may take together."""


@dataclass(frozen=True, slots=True)
class AlignerSettings:
    """``model1``, ``model2``, ``hmm``: iterations of each, in this order. ``agreement``: both directions are trained
    together, else each by itself. ``null``: probability that a word comes from nothing. ``family_weight``: with how
    many pseudo-counts words that begin alike back each other off, families being words of more than
    ``family_letters`` letters that share those. ``bayes``: a symmetric Dirichlet prior by variational Bayes instead;
    0 for none. ``threads``: default all cores; it changes no result.

    Raises ``ValueError`` for numbers outside their range, and where both kinds of smoothing are asked for.
    """

    model1: int = 3
    model2: int = 0
    hmm: int = 5
    agreement: bool = True
    null: float = 0.1
    family_weight: float = 20.0
    family_letters: int = 5
    bayes: float = 0.0
    threads: int | None = None

    def __post_init__(self) -> None:
        if min(self.model1, self.model2, self.hmm) < 0 or self.model1 + self.model2 + self.hmm == 0:
            raise ValueError("the iterations of the models are 0 or more, and one at least")
        weights_fit = 0 <= self.family_weight < inf and 0 <= self.bayes < inf
        if not 0 < self.null < 1 or not weights_fit or self.family_letters < 1:
            raise ValueError("null lies between 0 and 1, weights are 0 or more, family_letters 1 or more")
        if self.threads is not None and self.threads < 1:
            raise ValueError("threads are 1 or more, or None for all cores")
        if self.bayes and self.family_weight:
            raise ValueError("family_weight and bayes are two ways to smooth: set one of them to 0")

    @property
    def schedule(self) -> list[str]:
        """The model of each iteration."""
        return ["model1"] * self.model1 + ["model2"] * self.model2 + ["hmm"] * self.hmm

    def deciding(self) -> tuple[object, ...]:
        """All settings that results depend on."""
        return (
            self.model1, self.model2, self.hmm, self.agreement, self.null, self.family_weight, self.family_letters,
            self.bayes,
        )  # fmt: skip


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
        p = model.cells[:-1, int(inverse)]
        rows = np.repeat(np.arange(len(text.source_words), dtype=np.int32), np.diff(model.pairs.start))
        kept = np.flatnonzero((p >= min_probability) & (p > 0))
        sides = (rows[kept], model.pairs.target[kept])
        words = (text.source_words, text.target_words)
        if inverse:
            sides, words = sides[::-1], words[::-1]
        order = np.lexsort((sides[1], sides[0]))
        start = np.searchsorted(sides[0][order], np.arange(len(words[0]) + 1)).astype(np.int64)
        return prune_cells(
            *words, start, sides[1][order], p[kept][order],
            min_probability=min_probability, max_translations=max_translations,
        )  # fmt: skip


def learn(
    text: PreparedText,
    settings: AlignerSettings | None = None,
    *,
    state: Path | None = None,
    progress: ProgressCallback = no_progress,
) -> Alignment:
    """Align ``text``.

    ``state``: a folder where each iteration is saved; a run that was killed goes on after the last whole one and ends
    with the same bits. State of other text or settings is ignored. Delete it once the results are saved.
    Deterministic: no seed, and the same bits for any number of threads.
    """
    settings = settings or AlignerSettings()
    saved = State(state, text, settings.deciding()) if state is not None else None
    model = Model(text, settings.null)
    learning = _Learning(text, model, settings, progress)
    likelihoods = saved.load(model) if saved else []
    for iteration in range(len(likelihoods), len(settings.schedule)):
        likelihoods.append(learning.iterate(iteration))
        if saved:
            saved.save(model, likelihoods)
    forward, backward, agreed, likelihood = learning.finish()
    report = AlignmentReport(
        len(text), len(text.sources), len(text.targets), len(text.source_words), len(text.target_words),
        len(model.pairs), tuple(settings.schedule), (*likelihoods, likelihood),
    )  # fmt: skip
    return Alignment(text, model, forward, backward, agreed, report)


class _Learning:
    """The passes over the text."""

    def __init__(self, text: PreparedText, model: Model, settings: AlignerSettings, progress: ProgressCallback) -> None:
        self.text = text
        self.model = model
        self.settings = settings
        self.progress = progress
        self.longest = int(max(np.diff(text.source_start).max(), np.diff(text.target_start).max()))
        self.message = "aligning"
        self.done = 0.0
        self.weights: list[float] = [_weight(name) for name in [*settings.schedule, settings.schedule[-1]]]
        if not settings.agreement:
            self.weights[-1] *= 1.5  # one direction is done twice

    def iterate(self, iteration: int) -> float:
        """One iteration of EM; returns the log-likelihood before it."""
        self.done = sum(self.weights[:iteration])
        name = self.settings.schedule[iteration]
        self.message = f"{_TITLES[name]}, iteration {iteration + 1} of {len(self.settings.schedule)}" + self.message_end
        if iteration == 0:  # from the uniform table both posteriors of a link are known without a look
            self.model.count_meetings()
            self._maximise(PRODUCT)
            likelihood = self.model.likelihood_at_first()
        elif self.settings.agreement:
            likelihood = self._pass(name, PRODUCT, True, True)
            self._maximise(PRODUCT)
        else:
            likelihood = self._pass(name, FORWARD, True, False)
            self._maximise(FORWARD)
            likelihood += self._pass(name, BACKWARD, False, True)
            self._maximise(BACKWARD)
        self.message_end = f", log-likelihood {likelihood:.6g}"
        return likelihood

    message_end = ""

    def finish(self) -> tuple[np.ndarray, np.ndarray, Links, float]:
        """The last pass: links, and counts without smoothing for the tables."""
        self.done = sum(self.weights[:-1])
        self.message = "links and tables" + self.message_end
        name = self.settings.schedule[-1]
        writing = _Writing(self.text, self.model)
        if self.settings.agreement:
            likelihood = self._pass(name, PRODUCT, True, True, writing)
            self.model.maximise(PRODUCT)
        else:
            likelihood = self._pass(name, FORWARD, True, True, writing)
            self.model.maximise(FORWARD)
            self._pass(name, BACKWARD, False, True)
            self.model.maximise(BACKWARD)
        total = int(1000 * sum(self.weights))
        self.progress(total, total, f"aligned, log-likelihood {likelihood:.6g}")
        return writing.forward, writing.backward, writing.links(), likelihood

    def _maximise(self, direction: int) -> None:
        settings = self.settings
        if settings.bayes:
            self.model.maximise_by_bayes(direction, settings.bayes)
        elif settings.family_weight:
            self.model.maximise_with_families(direction, settings.family_weight, settings.family_letters)
        else:
            self.model.maximise(direction)
        self.model.take_counts()

    def _pass(
        self, name: str, counted: int, does_forward: bool, does_backward: bool, writing: "_Writing | None" = None
    ) -> float:
        """One E-step over all of the text; blocks of it are dealt to threads, each with counts of its own."""
        model, text = self.model, self.text
        model.clear()
        threads = self._threads()
        copies: SimpleQueue[tuple[np.ndarray, ...]] = SimpleQueue()
        own = [model.private(first=worker == 0) for worker in range(threads)]
        for copy in own:
            copies.put(copy)
        likelihood, pairs = 0.0, len(text)
        weight = _weight(name) if does_forward and does_backward else _weight(name) / 2
        begun = self.done
        with ThreadPoolExecutor(threads) as pool:
            for stretch in model.pairs.stretches():
                agreed = np.empty(len(stretch.ids) if writing else 0, np.uint8)

                def run(block: tuple[int, int], stretch=stretch, agreed=agreed):  # type: ignore[no-untyped-def]
                    cells, counts, null_source_counts, null_target_counts = mine = copies.get()
                    forward, backward, distances = JumpCounts(), JumpCounts(), np.zeros((2, 3))
                    try:
                        found = kernels.expect(
                            *block, model.pairs.offsets[stretch.first], stretch.ids, model.pairs.offsets,
                            text.sources, text.source_start, text.targets, text.target_start, cells, counts,
                            model.null_source, model.null_target, null_source_counts, null_target_counts,
                            np.float32(model.null), kernels.HMM if name == "hmm" else kernels.POSITIONS,
                            *(np.float32(tension if name == "model2" else 0.0) for tension in model.tensions),
                            model.jumps[0].weights, model.jumps[0].far, model.jumps[0].first,
                            model.jumps[1].weights, model.jumps[1].far, model.jumps[1].first,
                            forward.array, backward.array, distances, counted, does_forward, does_backward,
                            np.float32(THRESHOLD), writing.forward if writing else _NOTHING,
                            writing.backward if writing else _NOTHING, agreed, self.longest,
                        )  # fmt: skip
                    finally:
                        copies.put(mine)
                    return block, found, forward, backward, distances

                for block, found, forward, backward, distances in pool.map(run, stretch.blocks):
                    likelihood += found
                    model.jump_counts[0].array += forward.array
                    model.jump_counts[1].array += backward.array
                    model.distances += distances
                    self.done = begun + weight * block[1] / pairs
                    self.progress(int(1000 * self.done), int(1000 * sum(self.weights)), self.message)
                if writing:
                    writing.take(stretch.first, agreed)
        self.done = begun + weight
        for copy in own[1:]:
            model.add(copy)
        return likelihood

    def _threads(self) -> int:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        asked = self.settings.threads or cores
        return max(1, min(asked, 1 + _PRIVATE_MEMORY // self.model.cells.nbytes))


_TITLES = {"model1": "IBM Model 1", "model2": "IBM Model 2", "hmm": "HMM"}
_NOTHING = np.empty(0, np.int16)


def _weight(name: str) -> float:
    """How long an iteration takes: the HMM about three times as long as the others."""
    return 3.0 if name == "hmm" else 1.0


class _Writing:
    """The links of the last pass, as they come."""

    def __init__(self, text: PreparedText, model: Model) -> None:
        self.forward = np.empty(len(text.targets), np.int16)
        self.backward = np.empty(len(text.sources), np.int16)
        self._offsets = model.pairs.offsets
        self._widths = np.diff(text.target_start)
        self._parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []

    def take(self, first: int, agreed: np.ndarray) -> None:
        """The links of a stretch that begins with pair ``first``."""
        at = np.flatnonzero(agreed) + self._offsets[first]
        pair = np.searchsorted(self._offsets, at, "right") - 1
        source, target = np.divmod(at - self._offsets[pair], self._widths[pair])
        self._parts.append((pair, source.astype(np.int16), target.astype(np.int16)))

    def links(self) -> Links:
        pair, source, target = (np.concatenate(parts) for parts in zip(*self._parts, strict=True))
        start = np.zeros(len(self._widths) + 1, np.int64)
        np.cumsum(np.bincount(pair, minlength=len(self._widths)), out=start[1:])
        return Links(start, source, target)
