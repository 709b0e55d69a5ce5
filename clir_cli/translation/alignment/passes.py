"""Passes over the text: its blocks are dealt to threads, each with counts of its own, and the counts add up."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import numpy as np

from clir_cli.translation.alignment import kernels
from clir_cli.translation.alignment.jumps import JumpCounts
from clir_cli.translation.alignment.model import Model
from clir_cli.translation.alignment.prepared_text import PreparedText
from clir_cli.translation.alignment.symmetrise import Links

THRESHOLD = 0.3
"""Links of ``agreement`` have a product of posteriors above this; chosen on the Hansards' trial set and German."""
_PRIVATE_MEMORY = 1 << 30
"""Bytes that the threads' own counts may take together."""
_NOTHING = np.empty(0, np.int16)


class LinkWriting:
    """The links of the last pass, as they come: ``forward``, ``backward`` and the links of ``Alignment``."""

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
        """All of them."""
        pair, source, target = (np.concatenate(parts) for parts in zip(*self._parts, strict=True))
        start = np.zeros(len(self._widths) + 1, np.int64)
        np.cumsum(np.bincount(pair, minlength=len(self._widths)), out=start[1:])
        return Links(start, source, target)


def expect(
    text: PreparedText,
    model: Model,
    name: str,
    counted: int,
    does_forward: bool,
    does_backward: bool,
    *,
    threads: int | None,
    tell: Callable[[float], None],
    writing: LinkWriting | None = None,
) -> float:
    """One E-step over all of the text with the model ``name`` (model1, model2, hmm); returns the log-likelihood.

    ``counted``: PRODUCT, FORWARD or BACKWARD (``kernels``). Expected counts are in ``model`` afterwards. ``threads``:
    default all cores; fewer where their counts would take too much memory. ``tell`` is told the share that is done.
    """
    model.clear()
    copies: SimpleQueue[tuple[np.ndarray, ...]] = SimpleQueue()
    workers = _threads(threads, model)
    own = [model.private(first=worker == 0) for worker in range(workers)]
    for copy in own:
        copies.put(copy)
    likelihood = 0.0
    longest = int(max(np.diff(text.source_start).max(), np.diff(text.target_start).max()))
    with ThreadPoolExecutor(workers) as pool:
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
                        writing.backward if writing else _NOTHING, agreed, longest,
                    )  # fmt: skip
                finally:
                    copies.put(mine)  # or the next block would wait for ever
                return block, found, forward, backward, distances

            # Results come in the order of the text, whichever thread was first: sums of floats are always the same.
            for block, found, forward, backward, distances in pool.map(run, stretch.blocks):
                likelihood += found
                model.jump_counts[0].array += forward.array
                model.jump_counts[1].array += backward.array
                model.distances += distances
                tell(block[1] / len(text))
            if writing:
                writing.take(stretch.first, agreed)
    for copy in own[1:]:
        model.add(copy)
    return likelihood


def _threads(asked: int | None, model: Model) -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(asked or cores, 1 + _PRIVATE_MEMORY // model.cells.nbytes))
