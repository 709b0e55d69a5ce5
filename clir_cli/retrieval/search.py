"""The first stage from outside: build an index, search it. Java lives and dies in a child process."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clir_cli.records import ProgressCallback, Run, ScoredDoc, no_progress
from clir_cli.retrieval.child import run_in_child


@dataclass(frozen=True, slots=True)
class IndexReport:
    """``documents`` indexed; ``skipped``: those without a single token, which no query can find."""

    documents: int
    skipped: int


def build_index(
    store_folder: Path,
    index: Path,
    *,
    beginnings: Sequence[str] | None = None,
    heap: str = "1g",
    progress: ProgressCallback = no_progress,
) -> IndexReport:
    """Index the content keys of a document store into folder ``index``, anew if it is there.

    ``beginnings``: only documents whose ids begin with one of these; default: all.

    ``index.json`` in the folder is written last: an index without it is not whole, and ``search`` refuses it.
    Raises ``DataError`` for a store that is not whole or without a word, ``StageError`` where Java cannot finish.
    """
    arguments = {
        "store": str(store_folder.resolve()),
        "index": str(index.resolve()),
        "heap": heap,
        "beginnings": None if beginnings is None else list(beginnings),
    }
    return IndexReport(**run_in_child("clir_cli.retrieval.lucene:write_index", arguments, progress=progress))


def search(
    index: Path,
    queries: Mapping[str, Mapping[str, float]],
    *,
    k1: float = 1.2,
    b: float = 0.75,
    depth: int = 1000,
    heap: str = "1g",
    progress: ProgressCallback = no_progress,
) -> Run:
    """BM25: for each topic the best ``depth`` documents by sum over terms of weight * BM25(term, document).

    ``queries``: topic -> term -> weight (``translate_query.weigh``); weights of 0 or less are ignored, terms that are
    not in the index are harmless, a topic that finds nothing has an empty list. Scores are Lucene's floats unrounded;
    order: score, then document id, both descending. A smaller depth gives the beginning of the same list.
    Raises ``DataError`` for an index that is not whole, ``StageError`` where Java cannot finish.
    """
    arguments = {
        "index": str(index.resolve()),
        "queries": {topic: dict(weights) for topic, weights in queries.items()},
        "k1": k1,
        "b": b,
        "depth": depth,
        "heap": heap,
    }
    found = run_in_child("clir_cli.retrieval.lucene:search_index", arguments, progress=progress)
    return {topic: [ScoredDoc(document, score) for document, score in ranking] for topic, ranking in found.items()}
