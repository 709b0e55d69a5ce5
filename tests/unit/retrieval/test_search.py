"""Lucene against BM25 as it is written in books. One index, one search, one look at each answer."""

import math
from collections import Counter

import numpy as np
import pytest

from clir_cli.corpora.document_store import write_store
from clir_cli.errors import DataError, StageError
from clir_cli.records import Document
from clir_cli.retrieval.search import IndexReport, build_index, search

WORDS = [f"{a}{b}" for a in "bcdfghjklm" for b in "aeiou"]
LONG = "lang " * 110 + "haus " * 190
SAME = "zwilling bruder"


def make_documents():
    random = np.random.default_rng(5)
    documents = {}
    for number in range(200):
        length = int(random.integers(1, 90))
        documents[f"d{number:03}"] = " ".join(random.choice(WORDS, length, p=np.arange(50, 0, -1) / 1275))
    documents |= {f"twin{number:03}": SAME for number in range(150)}
    documents |= {"empty": "... 12 !", "long": LONG, "far-𐐷": "𐐷𐐷 haus", "near": "зз haus", "x": "bruder"}
    return documents


DOCUMENTS = make_documents()
QUERIES = {
    "plain": {"ba": 1.0, "ca": 1.0, "mo": 1.0},
    "weighted": {"ba": 0.05, "fe": 0.7, "mu": 0.25, "nowhere": 3.0},
    "long": {"haus": 0.5, "lang": 0.25},
    "beyond": {"𐐷𐐷": 1.0},
    "ties": {"zwilling": 1.0},
    "many": {**dict.fromkeys(WORDS, 0.5), **{f"none{n}": 1.0 for n in range(2000)}},
    "none": {"nowhere": 1.0},
    "zero": {"ba": 0.0, "ca": -1.0},
    "empty": {},
}


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("größe")  # Java must open it whatever the locale
    write_store((Document(id, text) for id, text in DOCUMENTS.items()), folder / "store", frozenset())
    report = build_index(folder / "store", folder / "index")
    assert report == IndexReport(documents=len(DOCUMENTS) - 1, skipped=1)
    return folder / "index"


@pytest.fixture(scope="module")
def run(index):
    return search(index, QUERIES)


def byte_length(length):
    """A document's length as Lucene keeps it: exact below 40, then four binary digits of what is above 24."""
    if length < 40:
        return length
    shift = (length - 24).bit_length() - 4
    return 24 + ((length - 24) >> shift << shift)


def bm25(query, k1=1.2, b=0.75):
    texts = {id: Counter(text.lower().split()) for id, text in DOCUMENTS.items() if id != "empty"}
    average = sum(sum(counts.values()) for counts in texts.values()) / len(texts)
    scores = {}
    for word, weight in query.items():
        df = sum(word in counts for counts in texts.values())
        idf = math.log(1 + (len(texts) - df + 0.5) / (df + 0.5))
        for id, counts in texts.items():
            if weight > 0 and counts[word]:
                norm = k1 * (1 - b + b * byte_length(sum(counts.values())) / average)
                scores[id] = scores.get(id, 0.0) + weight * idf * counts[word] / (counts[word] + norm)
    return scores


def test_lengths_are_rounded_as_lucene_rounds_them():
    assert [byte_length(n) for n in (39, 40, 41, 110, 300)] == [39, 40, 40, 104, 280]


@pytest.mark.parametrize("topic", ["plain", "weighted", "long", "ties", "many"])
def test_scores_are_bm25(run, topic):
    assert dict(run[topic]) == pytest.approx(bm25(QUERIES[topic]), rel=1e-5)
    assert len(run[topic]) > 0


def test_the_order_is_score_then_document_both_descending(run):
    for ranking in run.values():
        assert ranking == sorted(ranking, key=lambda entry: (entry.score, entry.document), reverse=True)
    assert [document for document, _ in run["ties"]] == [f"twin{number:03}" for number in range(149, -1, -1)]


def test_nothing_is_found_by_words_that_are_nowhere(run):
    assert run["none"] == run["zero"] == run["empty"] == []
    assert list(run) == list(QUERIES)


def test_letters_beyond_16_bits_are_themselves(run):
    # cut to 16 bits, 𐐷 would be з
    assert {"near", "far-𐐷"} <= set(dict(run["long"]))
    assert [document for document, _ in run["beyond"]] == ["far-𐐷"]


def test_a_smaller_depth_is_the_beginning_of_the_same_list(index, run):
    # 149 twins tie with the one at the cut: more than are fetched at first
    assert search(index, QUERIES, depth=3) == {topic: ranking[:3] for topic, ranking in run.items()}


def test_k1_and_b_are_settings(index):
    found = search(index, {"plain": QUERIES["plain"]}, k1=0.9, b=0.4)
    assert dict(found["plain"]) == pytest.approx(bm25(QUERIES["plain"], 0.9, 0.4), rel=1e-5)


def test_an_index_that_is_not_whole_is_refused(tmp_path):
    with pytest.raises(DataError, match="holds no finished index"):
        search(tmp_path, {"1": {"a": 1.0}})


def test_java_without_enough_memory_is_an_error_for_people(index):
    with pytest.raises(StageError, match="Java"):
        search(index, QUERIES, heap="1k")


def test_a_collection_without_a_word_is_refused(tmp_path):
    write_store([Document("a", "... 12 !"), Document("b", "")], tmp_path / "store", frozenset())
    with pytest.raises(DataError, match="None of the 2 documents holds a word to index"):
        build_index(tmp_path / "store", tmp_path / "index")
