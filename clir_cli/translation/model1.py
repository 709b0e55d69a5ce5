"""IBM Model 1: a translation table from parallel text by expectation-maximisation (Brown et al. 1993).

P(target sentence | source sentence) = const * prod_j sum_i p(t_j | s_i), i over the source words and NULL. The
likelihood has one maximum up to ties, and EM from the uniform table goes towards it: no seed is involved.

A departure that pays: a rare source word has nothing but its few sentences to explain, so plain EM lets it explain
their frequent words too ("garbage collector"). Adding a small count to every cell while EM looks for alignments
(Moore 2004, "Improving IBM Word-Alignment Model 1") stops that; ``smoothing=0`` is the plain model.
"""

import zipfile
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from clir_cli.errors import DataError
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.translation import model1_kernels as kernels
from clir_cli.translation.table import TranslationTable

NULL = "\0"
"""Stands for "no source word"; sorts before every word and never leaves this module."""


@dataclass(frozen=True, slots=True)
class AlignmentReport:
    """What was learned from. ``log_likelihoods[i]``: of the text (natural log) before iteration i + 1."""

    pairs: int
    skipped_long: int
    skipped_empty: int
    source_tokens: int
    target_tokens: int
    source_words: int
    target_words: int
    entries: int
    log_likelihoods: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Bitext:
    """Sentence pairs as word numbers, end to end; words sorted, NULL first among the source words if asked for."""

    source_words: list[str]
    target_words: list[str]
    sources: np.ndarray
    source_start: np.ndarray
    targets: np.ndarray
    target_start: np.ndarray
    skipped_long: int
    skipped_empty: int

    def fingerprint(self) -> str:
        """Changes when anything that EM sees changes."""
        digest = sha256()
        for words in (self.source_words, self.target_words):
            digest.update("\n".join(words).encode() + b"\n\n")
        for numbers in (self.sources, self.source_start, self.targets, self.target_start):
            digest.update(numbers.tobytes())
        return digest.hexdigest()


def learn_model1(
    pairs: Iterable[tuple[list[str], list[str]]],
    *,
    iterations: int = 5,
    null_word: bool = True,
    smoothing: float = 0.01,
    min_probability: float = 1e-4,
    max_translations: int = 100,
    max_length: int = 100,
    state: Path | None = None,
    progress: ProgressCallback = no_progress,
) -> tuple[TranslationTable, AlignmentReport]:
    """Learn P(target word | source word) from ``(source words, target words)`` pairs of one sentence each.

    ``smoothing`` is added to the count of every cell in all iterations but the last, whose counts make the table: it
    decides which words align, not how much a rare word's probabilities are worth. Log-likelihoods may then fall.

    Pairs with an empty side, or over ``max_length`` words on a side, are left out and counted. After the last
    iteration entries below ``min_probability`` go, the best ``max_translations`` of a word stay (equal p: by word),
    and NULL's row goes. What stays is **not** renormalised, so rows may sum to less than 1: M^tr wants probabilities
    as they are, and the first stage normalises within a query word itself. Words left without entries leave the
    table, so that "in the table" means "has a translation".

    ``state``: a folder where every iteration is saved; a run that was killed goes on after its last whole one and
    ends with the same bits. State of other text or settings is ignored. Delete it once the table is saved.

    Raises ``DataError`` where no pair is left. Deterministic, single-threaded.
    """
    text = _read(pairs, null_word, max_length)
    if len(text.source_start) < 2:
        raise DataError(
            f"The parallel text has no usable sentence pair ({text.skipped_empty} with an empty side, "
            f"{text.skipped_long} over {max_length} words).",
            "Check that the two files belong to this pair and are not empty.",
        )
    p, likelihoods, cell_start, cell_target = _maximise(text, iterations, null_word, smoothing, state, progress)
    table = _pruned(text, p, cell_start, cell_target, null_word, min_probability, max_translations)
    report = AlignmentReport(
        pairs=len(text.source_start) - 1,
        skipped_long=text.skipped_long,
        skipped_empty=text.skipped_empty,
        source_tokens=len(text.sources),
        target_tokens=len(text.targets),
        source_words=len(table.source_words),
        target_words=len(table.target_words),
        entries=int(table.probabilities.nnz),
        log_likelihoods=tuple(likelihoods),
    )
    return table, report


def _read(pairs: Iterable[tuple[list[str], list[str]]], null_word: bool, max_length: int) -> _Bitext:
    """One pass over the pairs; arrays of machine numbers, never the sentences themselves, stay in memory."""
    source_numbers: dict[str, int] = {NULL: 0} if null_word else {}
    target_numbers: dict[str, int] = {}
    sources, targets, source_start, target_start = array("i"), array("i"), array("q", [0]), array("q", [0])
    skipped_long = skipped_empty = 0
    for source, target in pairs:
        if not source or not target:
            skipped_empty += 1
        elif max(len(source), len(target)) > max_length:
            skipped_long += 1
        else:
            sources.extend([source_numbers.setdefault(word, len(source_numbers)) for word in source])
            targets.extend([target_numbers.setdefault(word, len(target_numbers)) for word in target])
            source_start.append(len(sources))
            target_start.append(len(targets))
    source_words, renumbered_sources = _sorted_numbers(source_numbers, sources)
    target_words, renumbered_targets = _sorted_numbers(target_numbers, targets)
    return _Bitext(
        source_words, target_words, renumbered_sources, np.array(source_start, np.int64), renumbered_targets,
        np.array(target_start, np.int64), skipped_long, skipped_empty,
    )  # fmt: skip


def _sorted_numbers(numbers: dict[str, int], tokens: "array[int]") -> tuple[list[str], np.ndarray]:
    """The words sorted, and the tokens renumbered to match."""
    words = sorted(numbers)
    new = np.empty(len(words), np.int32)
    new[[numbers[word] for word in words]] = np.arange(len(words), dtype=np.int32)
    return words, new[np.array(tokens, np.int32)]


def _maximise(
    text: _Bitext, iterations: int, null_word: bool, smoothing: float, state: Path | None, progress: ProgressCallback
) -> tuple[np.ndarray, list[float], np.ndarray, np.ndarray]:
    """Run EM from the uniform table or the saved state; returns p [cells], log-likelihoods, cell_start, cell_target."""
    rows = kernels.group_by_source(text.sources, text.source_start, int(null_word), len(text.source_words))
    width = len(text.target_words)
    cell_start = kernels.count_cells(*rows, text.targets, text.target_start, width)
    cell_target = kernels.fill_cells(*rows, text.targets, text.target_start, width, cell_start)
    source_lengths = np.diff(text.source_start) + int(null_word)
    p = np.full(len(cell_target), 1.0 / width, np.float32)
    likelihoods: list[float] = []
    fingerprint = f"{text.fingerprint()} {iterations} {smoothing}" if state is not None else ""
    if state is not None and (saved := _load_state(state, fingerprint, len(p))):
        p, likelihoods = saved
    for iteration in range(len(likelihoods), iterations):
        progress(iteration, iterations, f"IBM Model 1, iteration {iteration + 1}")
        added = smoothing if iteration < iterations - 1 else 0.0
        tokens = (text.targets, text.target_start, source_lengths)
        likelihoods.append(kernels.iterate(p, *rows, *tokens, cell_start, cell_target, width, added))
        if state is not None:
            _save_state(state, fingerprint, p, likelihoods)
    progress(iterations, iterations, f"IBM Model 1, log-likelihood {likelihoods[-1]:.6g}")
    return p, likelihoods, cell_start, cell_target


def _save_state(folder: Path, fingerprint: str, p: np.ndarray, likelihoods: list[float]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / "em.npz.partial"
    with partial.open("wb") as file:
        np.savez(file, fingerprint=fingerprint, p=p, likelihoods=np.array(likelihoods))
    partial.replace(folder / "em.npz")


def _load_state(folder: Path, fingerprint: str, cells: int) -> tuple[np.ndarray, list[float]] | None:
    """The saved table, or None where there is none that fits."""
    try:
        with np.load(folder / "em.npz", allow_pickle=False) as file:
            if str(file["fingerprint"]) != fingerprint:
                return None
            p, likelihoods = file["p"], file["likelihoods"].tolist()
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return (p, likelihoods) if len(p) == cells else None


def _pruned(
    text: _Bitext,
    p: np.ndarray,
    cell_start: np.ndarray,
    cell_target: np.ndarray,
    null_word: bool,
    min_probability: float,
    max_translations: int,
) -> TranslationTable:
    """The table without NULL, small entries, long tails and words that lost every entry."""
    keep = (p >= min_probability) & (p > 0)
    keep[: cell_start[int(null_word)]] = False
    s = np.repeat(np.arange(len(cell_start) - 1, dtype=np.int32), np.diff(cell_start))[keep]
    t, p = cell_target[keep], p[keep]
    best_first = np.lexsort((t, -p, s))
    s, t, p = s[best_first], t[best_first], p[best_first]
    rank = np.arange(len(s)) - np.searchsorted(s, s)  # searchsorted: where the row of each entry begins
    s, t, p = (values[rank < max_translations] for values in (s, t, p))
    used_sources, rows = np.unique(s, return_inverse=True)
    used_targets, columns = np.unique(t, return_inverse=True)
    matrix = csr_matrix((p, (rows, columns)), (len(used_sources), len(used_targets)))
    matrix.sort_indices()
    source_words = [text.source_words[i] for i in used_sources]
    return TranslationTable(source_words, [text.target_words[i] for i in used_targets], matrix)
