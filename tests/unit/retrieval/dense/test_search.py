"""Exact search against all scores at once, sorted."""

import json
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.errors import DataError
from clir_cli.retrieval.dense import search as module
from clir_cli.retrieval.dense.search import search
from clir_cli.retrieval.dense.vectors import SHARD, VectorStore


def write(folder, ids, vectors, shard=SHARD):
    """A store of vectors that no encoder made."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, first in enumerate(range(0, len(ids), shard)):
        np.save(folder / f"vectors-{number:05}.npy", vectors[first : first + shard])
    (folder / "ids.txt").write_text("".join(f"{id}\n" for id in ids), encoding="utf-8")
    (folder / "about.json").write_text(json.dumps({"model": "x", "width": vectors.shape[1], "shard": shard}))
    report = {"documents": len(ids), "cut": 0, "empty": 0, "max_pieces": 512}
    (folder / "report.json").write_text(json.dumps(report))
    return VectorStore(folder)


def sorted_out(ids, vectors, queries, similarity, depth):
    """The definition: every score in float64, rounded; best first, ids descending where they are equal."""
    a, b = queries.astype(np.float64), vectors.astype(np.float64)
    lengths = np.linalg.norm(b, axis=1)
    if similarity == "cosine":
        a, b = a / np.linalg.norm(a, axis=1, keepdims=True), b / np.where(lengths, lengths, 1)[:, None]
    runs = []
    for row in (a @ b.T).round(7) + 0.0:
        found = [(float(row[n]), ids[n]) for n in range(len(ids)) if lengths[n]]
        runs.append([(id, score) for score, id in sorted(found, reverse=True)][:depth])
    return runs


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    """Documents in several shards, the third without text; of whole numbers, so that many scores tie."""
    numbers = np.random.default_rng(4)
    vectors = numbers.integers(-2, 3, (700, 5)).astype(np.float32)
    vectors[2] = 0
    ids = [f"d{n}" for n in numbers.permutation(700)]
    queries = numbers.integers(-2, 3, (9, 5)).astype(np.float32) + np.float32(0.5)
    return ids, vectors, queries, write(tmp_path_factory.mktemp("search") / "v", ids, vectors, shard=64)


@pytest.mark.parametrize("similarity", ["cosine", "dot"])
@pytest.mark.parametrize("depth", [1, 10, 200, 5000])
def test_the_best_are_found_ties_by_id_descending(collection, similarity, depth):
    ids, vectors, queries, store = collection
    topics = [f"t{n}" for n in range(len(queries))]
    found = search(store, topics, queries, similarity=similarity, depth=depth)
    expected = sorted_out(ids, vectors, queries, similarity, depth)
    assert [[id for id, _ in found[topic]] for topic in topics] == [[id for id, _ in run] for run in expected]
    for topic, run in zip(topics, expected, strict=True):
        assert [score for _, score in found[topic]] == pytest.approx([score for _, score in run], rel=1e-6, abs=1e-7)
    if depth == 200:  # there are ties to break
        assert len({score for _, score in found["t0"]}) < 200


def test_equal_vectors_tie_wherever_they_are(tmp_path):
    numbers = np.random.default_rng(5)
    vectors = np.repeat(numbers.normal(size=(3, 384)), 301, axis=0).astype(np.float32)
    vectors = vectors[numbers.permutation(len(vectors))]
    ids = [f"{n:04}" for n in range(len(vectors))]
    store = write(tmp_path / "v", ids, vectors, shard=100)
    for block in (1, 33, 10_000):
        run = search(store, ["t"], numbers.normal(size=(1, 384)).astype(np.float32) * 0 + vectors[:1], block=block)["t"]
        assert len({score for _, score in run}) == 3
        assert run == sorted(run, key=lambda found: (found.score, found.document), reverse=True)


def test_blocks_and_topics_at_once_change_nothing(tmp_path, monkeypatch):
    numbers = np.random.default_rng(6)
    vectors, queries = numbers.normal(size=(500, 48)).astype(np.float32), numbers.normal(size=(13, 48))
    store = write(tmp_path / "v", [f"d{n}" for n in range(500)], vectors, shard=70)
    topics = [f"t{n}" for n in range(13)]
    whole = search(store, topics, queries.astype(np.float32), depth=50)
    for block in (1, 7, 70, 333, 10**6):
        assert search(store, topics, queries.astype(np.float32), depth=50, block=block) == whole
    monkeypatch.setattr(module, "QUERIES", 4)
    assert search(store, topics, queries.astype(np.float32), depth=50, block=100) == whole
    alone = {
        topic: search(store, [topic], queries[[n]].astype(np.float32), depth=50)[topic]
        for n, topic in enumerate(topics)
    }
    assert alone == whole


def test_a_query_without_text_finds_nothing(collection):
    _, _, queries, store = collection
    asked = np.stack([queries[0], np.zeros(5, np.float32)])
    found = search(store, ["some", "none"], asked)
    assert len(found["some"]) == 699  # all but the document without text
    assert found["none"] == []
    assert search(store, ["none"], asked[1:]) == {"none": []}
    assert search(store, [], queries[:0]) == {}


def test_only_what_is_searched_is_found(collection):
    ids, vectors, queries, store = collection

    def even(id):
        return int(id[1:]) % 2 == 0

    found = search(store, ["t"], queries[:1], depth=100, is_searched=even)["t"]
    kept = [n for n in range(len(ids)) if even(ids[n])]
    expected = sorted_out([ids[n] for n in kept], vectors[kept], queries[:1], "cosine", 100)[0]
    assert [id for id, _ in found] == [id for id, _ in expected]
    assert search(store, ["t"], queries[:1], is_searched=lambda id: False) == {"t": []}


def test_vectors_of_another_length_are_refused(collection):
    with pytest.raises(DataError, match=r"Queries of shape \[1, 4\] do not fit 1 topics and vectors of 5"):
        search(collection[3], ["t"], np.ones((1, 4), np.float32))


@settings(max_examples=60)
@given(st.lists(st.floats(width=32, allow_nan=False), min_size=2, max_size=9), st.randoms())
def test_keys_order_as_scores_and_then_places(scores, random):
    import torch

    places = list(range(len(scores)))
    random.shuffle(places)
    keys = module._keys(torch.tensor(scores, dtype=torch.float32), torch.tensor(places))
    by_key = sorted(range(len(scores)), key=lambda n: int(keys[n]))
    by_score = sorted(range(len(scores)), key=lambda n: (scores[n], places[n]))
    assert by_key == by_score
    opened = module._opened(keys)
    assert opened[0].tolist() == places
    assert opened[1].tolist() == scores


def test_memory_is_that_of_blocks(tmp_path):
    """Python's and numpy's share of it: a tenth of what all vectors would take."""
    vectors = np.random.default_rng(7).normal(size=(40_000, 64)).astype(np.float32)
    store = write(tmp_path / "v", [f"{n}" for n in range(len(vectors))], vectors, shard=4096)
    queries = vectors[:3].copy()
    size = vectors.nbytes
    del vectors
    search(store, ["a", "b", "c"], queries, depth=10, block=512)
    tracemalloc.start()
    for first, block in store.blocks(512):
        assert first % 512 == 0
        assert block.shape[1] == 64
    assert tracemalloc.get_traced_memory()[1] < size / 10
    tracemalloc.stop()
