"""A translation table from word vectors: every word's nearest neighbours in the other language.

MAT (CIKM 2021, section 4.1): the 5 nearest of MUSE's vectors, weighted by cosine over the sum of their 5 cosines.
CSLS (Conneau and others, ICLR 2018, section 2.3) ranks by 2 cos(s, t) - r_T(s) - r_S(t), where r_T(s) is the mean
cosine of s with its 10 nearest targets and r_S(t) that of t with its 10 nearest sources: words that are near to
everything ("hubs") fall.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.translation.embeddings.vectors import WordVectors, read_vectors
from clir_cli.translation.table import TranslationTable

_CSLS_NEIGHBOURS = 10
_LARGEST_BLOCK = 1 << 25  # similarities in memory at a time: 128 MB
_PAIRS = 1 << 16  # measured exactly at a time
_SLACK, _SLACK_GPU = 1e-5, 2e-3  # more than a cosine errs in single precision, and in that of a GPU's short cuts


@dataclass(frozen=True, slots=True)
class EmbeddingsReport:
    """``source_rows``, ``target_rows``: words in the files; ``source_words``, ``target_words``: of them those in the
    vocabularies; ``source_missing``, ``target_missing``: words of the vocabularies without a vector; ``words``: query
    words in the table; ``no_neighbour``: those left out, as no cosine was above 0."""

    source_rows: int
    target_rows: int
    source_words: int
    target_words: int
    source_missing: int
    target_missing: int
    words: int
    no_neighbour: int


def nearest_table(
    source_vectors: Path,
    target_vectors: Path,
    source_words: Collection[str] | None,
    target_words: Collection[str] | None,
    *,
    neighbours: int = 5,
    csls: bool = False,
    device: str = "cpu",
    block: int = 1024,
    on_fault: FaultHandler = stop_at_fault,
    progress: ProgressCallback = no_progress,
) -> tuple[TranslationTable, EmbeddingsReport]:
    """P(target | source) from two ``.vec`` files in one space, for the words (keys) of the vocabularies; None: all.

    What counts as near to everything depends on the vocabularies: for ``csls`` pass large ones (all words of the
    collection, and None or as many for the source). ``block``: source words looked up at a time; it changes nothing in
    the result, nor does ``device`` ("cpu", "cuda").

    Raises ``DataError`` as ``read_vectors`` does, and where the files' dimensions differ or no word has a vector.
    """
    source, target = (
        read_vectors(path, words, on_fault)
        for path, words in ((source_vectors, source_words), (target_vectors, target_words))
    )
    for vectors, path in ((source, source_vectors), (target, target_vectors)):
        if not vectors.words:
            raise DataError(f"{path}: none of its {vectors.rows} words is wanted.", "Are they of the right language?")
    if source.values.shape[1] != target.values.shape[1]:
        raise DataError(
            f"{source_vectors} has {source.values.shape[1]} dimensions and {target_vectors} {target.values.shape[1]}.",
            "Both must come from one space, such as MUSE's wiki.multi files.",
        )
    table = weigh_nearest(
        source, target, neighbours=neighbours, csls=csls, device=device, block=block, progress=progress
    )
    return table, EmbeddingsReport(
        source_rows=source.rows,
        target_rows=target.rows,
        source_words=len(source.words),
        target_words=len(target.words),
        source_missing=_count_missing(source_words, source),
        target_missing=_count_missing(target_words, target),
        words=len(table),
        no_neighbour=len(source.words) - len(table),
    )


def _count_missing(wanted: Collection[str] | None, vectors: WordVectors) -> int:
    return 0 if wanted is None else len(frozenset(wanted)) - len(vectors.words)


def weigh_nearest(
    source: WordVectors,
    target: WordVectors,
    *,
    neighbours: int = 5,
    csls: bool = False,
    device: str = "cpu",
    block: int = 1024,
    progress: ProgressCallback = no_progress,
) -> TranslationTable:
    """Each source word's ``neighbours`` best targets, by cosine or CSLS, with cosine / sum of their cosines.

    The weights are cosines under ``csls`` too: it says who is near, and its scores may be below 0. A cosine that is not
    above 0 has weight 0 and leaves the table; a word with no other has no row.
    """
    near, far = _on_sphere(source.values), _on_sphere(target.values)
    penalty = np.zeros(len(far))
    if csls:
        # r_T(s) is the same for all candidates of s: it does not change who is nearest.
        for rows, _, cosines in _nearest(far, near, np.zeros(len(near)), _CSLS_NEIGHBOURS, device, block):
            penalty[rows] = cosines.mean(axis=1) / 2
            progress(int(rows[-1]) + 1, len(far), "target words")
    found = []
    for rows, columns, cosines in _nearest(near, far, penalty, neighbours, device, block):
        weights = np.maximum(cosines, 0.0)
        total = weights.sum(axis=1, keepdims=True)
        weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
        found.append((np.repeat(rows, columns.shape[1]), columns.ravel(), weights.ravel()))
        progress(int(rows[-1]) + 1, len(near), "source words")
    rows, columns, weights = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return _table(source.words, target.words, rows[weights > 0], columns[weights > 0], weights[weights > 0])


def _nearest(
    near: np.ndarray, far: np.ndarray, penalty: np.ndarray, count: int, device: str, block: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """For blocks of rows of ``near``: their numbers [b], the ``count`` best columns of ``far`` by cosine - penalty
    [b, count], best first, equal ones in order, and their cosines [b, count], float64.

    Single precision finds the candidates: all that may be among the best, its error considered. Double precision, pair
    by pair, puts them in order: so neither block nor device shows in the result.
    """
    import torch

    count = min(count, len(far))
    block = max(1, min(block, _LARGEST_BLOCK // len(far)))
    slack = _SLACK if device == "cpu" else _SLACK_GPU
    columns_there = torch.from_numpy(far).to(device).T
    penalty_there = torch.from_numpy(penalty.astype(np.float32)).to(device)
    for first in range(0, len(near), block):
        part = near[first : first + block]
        scores = torch.from_numpy(part).to(device) @ columns_there - penalty_there
        bar = scores.topk(count, dim=1).values[:, -1:] - slack
        r, c = (found.cpu().numpy() for found in torch.nonzero(scores >= bar, as_tuple=True))
        cosines = np.concatenate(
            [_cosines(part, far, r[k : k + _PAIRS], c[k : k + _PAIRS]) for k in range(0, len(r), _PAIRS)]
        )
        # The last digits of equal vectors' cosines may differ where the processor adds in another order.
        order = np.lexsort((c, -np.round(cosines - penalty[c], 12), r))
        start = np.searchsorted(r, np.arange(len(part)))
        best = order[start[:, None] + np.arange(count)]
        yield np.arange(first, first + len(part)), c[best], cosines[best]


def _cosines(near: np.ndarray, far: np.ndarray, r: np.ndarray, c: np.ndarray) -> np.ndarray:
    return np.asarray(np.einsum("ij,ij->i", near[r], far[c], dtype=np.float64))


def _on_sphere(values: np.ndarray) -> np.ndarray:
    """The rows with length 1, float32."""
    lengths = np.sqrt(np.einsum("ij,ij->i", values, values, dtype=np.float64))
    return np.asarray(values / lengths[:, None].astype(np.float32))


def _table(
    sources: list[str], targets: list[str], rows: np.ndarray, columns: np.ndarray, weights: np.ndarray
) -> TranslationTable:
    used_rows, rows = np.unique(rows, return_inverse=True)
    used_columns, columns = np.unique(columns, return_inverse=True)
    shape = (len(used_rows), len(used_columns))
    matrix = csr_matrix((weights.astype(np.float32), (rows, columns)), shape=shape)
    matrix.sort_indices()
    return TranslationTable([sources[s] for s in used_rows], [targets[t] for t in used_columns], matrix)
