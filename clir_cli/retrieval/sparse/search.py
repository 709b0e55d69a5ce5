"""The sparse engine from outside: the same answers as ``retrieval.search`` gives with Lucene, without Java."""

from collections.abc import Mapping
from pathlib import Path

from clir_cli.records import ProgressCallback, Run, no_progress
from clir_cli.retrieval.sparse.index import SparseIndex
from clir_cli.retrieval.sparse.scorer import Scorer


def search(
    index: Path,
    queries: Mapping[str, Mapping[str, float]],
    *,
    k1: float = 1.2,
    b: float = 0.75,
    depth: int = 1000,
    exact_lengths: bool = False,
    progress: ProgressCallback = no_progress,
) -> Run:
    """BM25: for each topic the best ``depth`` documents by sum over terms of weight * BM25(term, document).

    ``queries``: topic -> term -> weight (``translate_query.weigh``); weights of 0 or less are ignored, terms that are
    not in the index are harmless, a topic that finds nothing has an empty list. Order: score, then document id, both
    descending. ``exact_lengths``: without Lucene's rounding of document lengths.
    Raises ``DataError`` for an index that is not whole.
    """
    scorer = Scorer(SparseIndex(index), k1=k1, b=b, exact_lengths=exact_lengths)
    run: Run = {}
    for number, (topic, weights) in enumerate(queries.items(), 1):
        scorer.add_terms(weights)
        run[topic] = scorer.take(depth)
        progress(number, len(queries), "searching")
    return run
