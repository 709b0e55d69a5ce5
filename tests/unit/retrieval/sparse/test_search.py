"""The sparse engine against Lucene on the same store, and against BM25 written out in numpy."""

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.corpora.document_store import write_store
from clir_cli.corpora.documents import read_documents
from clir_cli.corpora.normalise import content_keys, stop_words
from clir_cli.corpora.topics import read_topics
from clir_cli.errors import DataError
from clir_cli.records import Document
from clir_cli.retrieval import search as lucene
from clir_cli.retrieval.sparse.index import SparseIndex, write_index
from clir_cli.retrieval.sparse.lengths import decode, encode
from clir_cli.retrieval.sparse.search import search

WORDS = [f"{a}{b}" for a in "bcdfghjklm" for b in "aeiou"]


def write(folder, documents):
    write_store((Document(id, text) for id, text in documents.items()), folder, frozenset())
    return folder


def generated(seed=5):
    """Documents of 1 to 3000 words of a skewed vocabulary, twins, one empty, letters beyond 16 bits."""
    random = np.random.default_rng(seed)
    shares = np.arange(50, 0, -1) / 1275
    lengths = [*random.integers(1, 90, 300), *random.integers(90, 700, 60), 3000]
    documents = {f"d{n:03}": " ".join(random.choice(WORDS, length, p=shares)) for n, length in enumerate(lengths)}
    documents |= {f"twin{number:03}": "zwilling bruder" for number in range(150)}
    return documents | {"empty": "... 12 !", "x": "bruder " * 300 + "𐐷𐐷", "D10": "ba", "d9": "ba", "Ünder": "ba bruder"}


QUERIES = {
    "plain": {"ba": 1.0, "ca": 1.0, "mo": 1.0},
    "one": {"bruder": 1.0},
    "weighted": {"ba": 0.05, "fe": 0.7, "mu": 0.25, "nowhere": 3.0, "ca": -1.0, "de": 0.0},
    "beyond": {"𐐷𐐷": 1.0, "bruder": 0.001},
    "ties": {"zwilling": 1.0},
    "many": {word: 1 / (n + 3) for n, word in enumerate(WORDS)},
    "none": {"nowhere": 1.0},
    "zero": {"ba": 0.0},
    "empty": {},
}


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("both")
    store = write(folder / "store", generated())
    for name, build in (("lucene", lucene.build_index), ("sparse", write_index)):
        assert build(store, folder / name) == lucene.IndexReport(len(generated()) - 1, 1)
    return folder


def assert_same(ours, theirs):
    assert list(ours) == list(theirs)
    for topic, ranking in theirs.items():
        assert [document for document, _ in ours[topic]] == [document for document, _ in ranking]
        scores = [score for _, score in ranking]
        np.testing.assert_allclose([score for _, score in ours[topic]], scores, rtol=1e-6)


@pytest.mark.parametrize("options", [{}, {"k1": 0.9, "b": 0.4}, {"k1": 0.0}, {"b": 1.0, "depth": 7}, {"depth": 1}])
def test_documents_and_scores_are_lucenes(both, options):
    assert_same(search(both / "sparse", QUERIES, **options), lucene.search(both / "lucene", QUERIES, **options))


def test_a_pool_is_an_index_of_its_own(both):
    beginnings = ["d0", "twin"]
    lucene.build_index(both / "store", both / "lucene-pool", beginnings=beginnings)
    report = write_index(both / "store", both / "sparse-pool", beginnings=beginnings)
    assert report.documents == 250
    assert_same(search(both / "sparse-pool", QUERIES), lucene.search(both / "lucene-pool", QUERIES))


def test_ties_go_by_document_id_descending_and_a_cut_through_them_too(both):
    expected = [f"twin{number:03}" for number in range(149, -1, -1)]
    assert [document for document, _ in search(both / "sparse", QUERIES)["ties"]] == expected
    assert [document for document, _ in search(both / "sparse", QUERIES, depth=3)["ties"]] == expected[:3]


def test_a_query_leaves_nothing_behind_for_the_next(both):
    alone = {topic: search(both / "sparse", {topic: query})[topic] for topic, query in QUERIES.items()}
    assert search(both / "sparse", QUERIES) == alone


def reference(documents, query, k1, b, depth, is_exact):
    """BM25 of every document, term by term in doubles."""
    texts = {id: Counter(text.split()) for id, text in documents.items()}
    lengths = {id: counts.total() for id, counts in texts.items()}
    average = sum(lengths.values()) / len(texts)
    scores = {}
    for word, weight in query.items():
        df = sum(word in counts for counts in texts.values())
        idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
        for id, counts in texts.items():
            if counts[word] and weight > 0:
                length = lengths[id] if is_exact else int(decode(encode(np.array([lengths[id]])))[0])
                norm = k1 * (1 - b + b * length / average)
                scores[id] = scores.get(id, 0.0) + weight * idf * counts[word] / (counts[word] + norm)
    return sorted(scores.items(), key=lambda entry: (entry[1], entry[0]), reverse=True)[:depth]


letters = st.sampled_from("abcdefg")
texts = st.lists(st.lists(letters, min_size=1, max_size=80).map(" ".join), min_size=1, max_size=25)
queries = st.dictionaries(letters, st.sampled_from([-0.5, 0.0]) | st.floats(0.001, 5.0), max_size=7)


@settings(max_examples=30)
@given(texts, queries, st.floats(0.01, 3), st.floats(0, 1), st.integers(1, 30), st.booleans())
def test_any_collection_is_scored_as_bm25_is_written(tmp_path_factory, documents, query, k1, b, depth, is_exact):
    folder = tmp_path_factory.mktemp("any")
    named = {f"d{number}": text for number, text in enumerate(documents)}
    write_index(write(folder / "store", named), folder / "index")
    found = search(folder / "index", {"q": query}, k1=k1, b=b, depth=depth, exact_lengths=is_exact)["q"]
    expected = reference(named, query, k1, b, len(named), is_exact)
    scores = dict(expected)
    assert len(found) == min(depth, len(expected))
    assert [score for _, score in found] == pytest.approx([score for _, score in expected[:depth]], rel=1e-5, abs=1e-30)
    assert [score for _, score in found] == pytest.approx([scores[id] for id, _ in found], rel=1e-5, abs=1e-30)
    assert found == sorted(found, key=lambda entry: (entry.score, entry.document), reverse=True)


def test_long_documents_differ_with_exact_lengths(tmp_path):
    # 41 words are 40 to Lucene, so the two tie there and not here
    documents = {"shorter": "haus " + "x " * 39, "longer": "haus " + "x " * 40}
    write_index(write(tmp_path / "store", documents), tmp_path / "index")
    rounded = search(tmp_path / "index", {"q": {"haus": 1.0}})["q"]
    exact = search(tmp_path / "index", {"q": {"haus": 1.0}}, exact_lengths=True)["q"]
    assert [document for document, _ in rounded] == ["shorter", "longer"]
    assert rounded[0].score == rounded[1].score
    assert exact[0].score > exact[1].score


def test_postings_are_what_the_documents_hold(tmp_path):
    write_index(write(tmp_path / "store", {"b": "zeit haus haus", "a": "... !", "c": "haus"}), tmp_path / "index")
    index = SparseIndex(tmp_path / "index")
    assert index.numbers == {"haus": 0, "zeit": 1}
    assert (index.starts.tolist(), index.documents.tolist(), index.frequencies.tolist()) == (
        [0, 2, 3],
        [0, 1, 0],
        [2, 1, 1],
    )
    assert (index.lengths.tolist(), index.sorted_ids, index.tokens, len(index)) == ([3, 1], ["b", "c"], 4, 2)
    assert {path.name for path in index.folder.iterdir()} == {
        "index.json", "terms.txt", "documents.txt",
        "starts.npy", "documents.npy", "frequencies.npy", "lengths.npy", "places.npy",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "index.json").unlink(), "holds no finished index."),
        (lambda folder: (folder / "index.json").write_text("{"), "holds a damaged index"),
        (lambda folder: (folder / "index.json").write_text('{"documents": 1}'), "it is of another kind"),
        (lambda folder: np.save(folder / "lengths.npy", np.zeros(1, np.int32)), "arrays and index.json disagree"),
        (lambda folder: (folder / "documents.npy").write_bytes(b"x"), "holds a damaged index"),
        (lambda folder: (folder / "terms.txt").write_text("haus\n"), "holds 1 lines, not 2."),
    ],
)
def test_an_index_that_is_not_whole_is_refused(tmp_path, damage, message):
    write_index(write(tmp_path / "store", {"b": "zeit haus", "c": "haus"}), tmp_path / "index")
    damage(tmp_path / "index")
    with pytest.raises(DataError, match=message):
        search(tmp_path / "index", {"1": {"haus": 1.0}})


def test_a_collection_without_a_word_is_refused(tmp_path):
    store = write(tmp_path / "store", {"a": "... 12 !", "b": ""})
    with pytest.raises(DataError, match="None of the 2 documents holds a word to index"):
        write_index(store, tmp_path / "index")
    with pytest.raises(DataError, match="No document's id begins with c or d"):
        write_index(store, tmp_path / "index", beginnings=["c", "d"])


def test_the_sample_is_ranked_as_lucene_ranks_it(tmp_path):
    sample = Path(__file__).parents[4] / "data" / "sample"
    stop = stop_words("iso", "eng")
    documents = read_documents([sample / "documents.eng.sgml.gz"], format="clef")
    write_store(documents, tmp_path / "store", stop)
    for name, build in (("lucene", lucene.build_index), ("sparse", write_index)):
        build(tmp_path / "store", tmp_path / name)
    topics = read_topics([sample / "topics.eng.sgml"], format="clef")
    random = np.random.default_rng(3)
    asked = {topic.id: content_keys(topic.text(), stop) for topic in topics}
    weighed = {id: dict(zip(keys, random.random(len(keys)).tolist(), strict=True)) for id, keys in asked.items()}
    assert_same(search(tmp_path / "sparse", weighed), lucene.search(tmp_path / "lucene", weighed))
