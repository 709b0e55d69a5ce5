"""The sparse engine against Lucene's own IndexSearcher: the same store and queries, CPU seconds of the search loop.

    python -m benchmarks.search [--documents 100000] [--words 300] [--queries 250] [--terms 150] [--depth 1000]

Documents are drawn from a vocabulary whose frequencies fall as in text (Zipf), queries are that many weighted terms, as
translated topics have them. What counts is the loop over the queries, from weights to ranked ids and scores; not
starting Java, opening an index or compiling. Both sides answer some of the queries first, so that what compiles while
it runs has compiled, and both run on one thread in a process that does nothing else. Lucene's searcher is given every
advantage: it returns its own objects, which nobody turns into Python's, and may skip what cannot reach the top; its CPU
time is that of its whole process, the Java machine's compiler and collector included, so the loop is run several times
and the fastest counts. Then both engines, as the project calls them, must give the same documents and scores.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from clir_cli.corpora.document_store import DocumentStore, write_store
from clir_cli.records import Document, ProgressCallback, Run
from clir_cli.retrieval import lucene
from clir_cli.retrieval.child import run_in_child
from clir_cli.retrieval.java import start_java
from clir_cli.retrieval.search import build_index, search
from clir_cli.retrieval.sparse import search as sparse
from clir_cli.retrieval.sparse.index import SparseIndex, write_index
from clir_cli.retrieval.sparse.scorer import Scorer

TARGET = 7.0
VOCABULARY = 200_000
CHECKED = 25  # queries whose answers are compared
ROUNDS = 5
HEAP = "4g"
K1, B = 1.2, 0.75

Queries = Mapping[str, Mapping[str, float]]


def draw_word(number: int) -> str:
    """Letters only: a word of a store."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    word = ""
    while number or not word:
        number, rest = divmod(number, 26)
        word += letters[rest]
    return f"w{word}"


def draw(folder: Path, documents: int, words: int, queries: int, terms: int, seed: int = 1) -> dict[str, Any]:
    """Write a store of tokens and give queries. Lengths spread around ``words``; query terms come from the vocabulary
    as the words of documents do, common ones more often, as those of a translated topic."""
    numbers = np.random.default_rng(seed)
    names = np.array([draw_word(number) for number in range(VOCABULARY)], object)
    shares = np.cumsum(1 / np.arange(10, VOCABULARY + 10))  # the head of text is stop words, which are not indexed
    shares /= shares[-1]
    lengths = numbers.integers(words // 2, words * 3 // 2 + 1, documents)
    write_tokens(folder, (names[np.searchsorted(shares, numbers.random(length))] for length in lengths))
    asked = {}
    for number in range(queries):
        chosen = np.unique(np.searchsorted(shares, numbers.random(terms)))
        asked[f"q{number:03}"] = dict(zip(names[chosen].tolist(), numbers.random(len(chosen)).tolist(), strict=True))
    return asked


def write_tokens(folder: Path, documents: Iterator[np.ndarray]) -> None:
    """A store with tokens and no text: words that come as keys need no normalising, which takes minutes."""
    write_store([Document("d0000000", "")], folder, frozenset())
    store = DocumentStore(folder)
    ids = []
    with store.tokens_path.open("w", encoding="utf-8") as file:
        for number, words in enumerate(documents):
            ids.append(f"d{number:07}")
            file.write(" ".join(words) + "\n")
    (folder / "ids.txt").write_text("".join(f"{id}\n" for id in ids), encoding="utf-8")
    np.save(folder / "places.npy", np.zeros((len(ids) + 1, 2), np.int64))


def time_ours(index: str, queries: Queries, depth: int, progress: ProgressCallback) -> float:
    """CPU seconds of the sparse engine's loop, after some queries: everything that ``sparse.search`` does with them."""
    scorer = Scorer(SparseIndex(Path(index)), k1=K1, b=B)

    def loop(asked: Queries) -> Run:
        run = {}
        for topic, weights in asked.items():
            scorer.add_terms(weights)
            run[topic] = scorer.take(depth)
        return run

    return _fastest(loop, queries)


def time_lucene(index: str, queries: Queries, depth: int, progress: ProgressCallback) -> float:
    """CPU seconds of ``IndexSearcher.search(query, depth)`` over all queries, after some; queries are built before."""
    start_java(HEAP)
    from jnius import autoclass, cast

    reader = autoclass("org.apache.lucene.index.DirectoryReader").open(lucene._directory(Path(index)))
    searcher = autoclass("org.apache.lucene.search.IndexSearcher")(cast("org.apache.lucene.index.IndexReader", reader))
    searcher.setSimilarity(autoclass("org.apache.lucene.search.similarities.BM25Similarity")(K1, B))
    built = {topic: lucene._query(weights) for topic, weights in queries.items()}

    def loop(asked: Mapping[str, Any]) -> list[Any]:
        return [searcher.search(query, depth) for query in asked.values()]

    return _fastest(loop, built)


def _fastest(loop: Any, queries: Mapping[str, Any]) -> float:
    loop(dict(list(queries.items())[:100]))
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        loop(queries)
        times.append(time.process_time() - start)
    return min(times)


def compare(ours: Run, theirs: Run) -> tuple[float, int]:
    """Largest relative difference of scores, and how many places hold another document."""
    largest, moved = 0.0, 0
    for topic, ranking in theirs.items():
        if len(ranking) != len(ours[topic]):
            raise SystemExit(f"search: {len(ours[topic])} documents for {topic}, Lucene has {len(ranking)}")
        for one, other in zip(ours[topic], ranking, strict=True):
            largest = max(largest, abs(one.score - other.score) / other.score)
            moved += one.document != other.document
    return largest, moved


def main() -> None:
    """Draw, index twice, compare the answers, time both, print the ratio last."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("documents", 100_000), ("words", 300), ("queries", 250), ("terms", 150), ("depth", 1000)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.perf_counter()
        queries = draw(folder / "store", options.documents, options.words, options.queries, options.terms)
        print(f"{options.documents} documents drawn in {time.perf_counter() - began:.0f} s", flush=True)
        for engine, build in (("lucene", build_index), ("sparse", write_index)):
            began = time.perf_counter()
            build(folder / "store", folder / engine)
            size = sum(path.stat().st_size for path in (folder / engine).rglob("*") if path.is_file())
            print(f"{engine}: indexed in {time.perf_counter() - began:.0f} s, {size / 2**20:.0f} MiB", flush=True)
        index = SparseIndex(folder / "sparse")
        df = dict(zip(index.numbers, np.diff(index.starts).tolist(), strict=True))
        postings = [sum(df.get(term, 0) for term in weights) for weights in queries.values()]
        mean = sum(map(len, queries.values())) / len(queries)
        print(f"{len(queries)} queries of {mean:.0f} terms with {np.mean(postings):,.0f} postings on average")
        checked = dict(list(queries.items())[:CHECKED])
        ours = sparse.search(folder / "sparse", checked, k1=K1, b=B, depth=options.depth)
        theirs = search(folder / "lucene", checked, k1=K1, b=B, depth=options.depth, heap=HEAP)
        largest, moved = compare(ours, theirs)
        print(
            f"answers to {len(checked)}: scores differ by {largest:.1e} at most, {moved} places hold another document"
        )
        if largest > 1e-6 or moved > len(checked):
            raise SystemExit("search: the answers differ")
        seconds = {}
        for engine, function in (("sparse", "time_ours"), ("lucene", "time_lucene")):
            arguments = {"index": str(folder / engine), "queries": queries, "depth": options.depth}
            seconds[engine] = run_in_child(f"benchmarks.search:{function}", arguments)
            print(
                f"{engine}: {seconds[engine]:.2f} CPU s, {seconds[engine] / len(queries) * 1e3:.1f} ms a query",
                flush=True,
            )
        print(f"search: ratio {seconds['lucene'] / seconds['sparse']:.1f} (target {TARGET:.0f})")


if __name__ == "__main__":
    main()
