"""What each term adds to a score: by hand, and adding up to the score of the run, in both engines and in PSQ."""

import math

import numpy as np
import pytest

from clir_cli.corpora.document_store import write_store
from clir_cli.records import Document
from clir_cli.retrieval import search as lucene
from clir_cli.retrieval.score_parts import TermScore, split_score
from clir_cli.retrieval.sparse import score_parts as sparse
from clir_cli.retrieval.sparse.index import write_index
from clir_cli.retrieval.sparse.psq import search_structured
from clir_cli.retrieval.sparse.search import search
from clir_cli.retrieval.translate_query import weigh, weigh_each
from clir_cli.translation.rules import TranslatedWord

WORDS = [f"{a}{b}" for a in "bcdfghjklm" for b in "aeiou"]


def write(folder, documents):
    write_store((Document(id, text) for id, text in documents.items()), folder / "store", frozenset())
    lucene.build_index(folder / "store", folder / "lucene")
    write_index(folder / "store", folder / "sparse")
    return folder


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    return write(
        tmp_path_factory.mktemp("four"),
        {"a": "house house tree", "b": "house", "c": "tree river stone bird", "d": "bird bird", "none": "12 ..."},
    )


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    dice = np.random.default_rng(3)
    lengths = [*dice.integers(1, 90, 120), 700, 3000]
    shares = np.arange(50, 0, -1) / 1275
    return write(
        tmp_path_factory.mktemp("many"),
        {f"d{n}": " ".join(dice.choice(WORDS, length, p=shares)) for n, length in enumerate(lengths)} | {"Ö": "𐐷𐐷 ba"},
    )


def test_a_split_by_hand(four):
    # four documents with 3 + 1 + 4 + 2 = 10 words: 2.5 on average; "a" has 3, so its norm is 1.2 (.25 + .75 * 3 / 2.5)
    norm = 1.2 * (0.25 + 0.75 * 3 / 2.5)
    idf = math.log(1 + 2.5 / 2.5)  # house and tree are in two of four
    expected = {"house": 0.7 * idf * 2 / (2 + norm), "tree": 0.2 * idf * 1 / (1 + norm)}
    query = {"house": 0.7, "tree": 0.2, "bird": 0.1, "nowhere": 1.0, "stone": 0.0}
    for found in (split_score(four / "lucene", query, "a"), sparse.split_score(four / "sparse", query, "a")):
        assert [part[:3] for part in found] == [("house", 2, 2), ("tree", 1, 2)]
        assert {part.term: part.score for part in found} == pytest.approx(expected, rel=1e-6)
    assert sparse.split_score(four / "sparse", {"stone": 1.0, "house": 0.0, "tree": -1.0}, "a") == []


def test_a_document_that_is_not_indexed_has_no_split(four):
    for document in ("none", "elsewhere"):  # the first has no word
        assert split_score(four / "lucene", {"house": 1.0}, document) is None
        assert sparse.split_score(four / "sparse", {"house": 1.0}, document) is None


QUERIES = {"many": {word: 1 / (n + 3) for n, word in enumerate(WORDS)}, "few": {"ba": 0.3, "fe": 0.7, "𐐷𐐷": 2.0}}


@pytest.mark.parametrize("options", [{}, {"k1": 0.9, "b": 0.4}])
def test_parts_add_up_to_the_score_in_the_run(many, options):
    for topic, ranking in search(many / "sparse", QUERIES, **options).items():
        for document, score in [*ranking[:20], *ranking[-3:]]:
            parts = sparse.split_score(many / "sparse", QUERIES[topic], document, **options)
            assert sum(part.score for part in parts) == pytest.approx(score, abs=1e-6)


def test_parts_of_lucene_add_up_to_the_score_in_the_run(many):
    options = {"k1": 0.9, "b": 0.4}
    runs = {topic: dict(run) for topic, run in lucene.search(many / "lucene", QUERIES, **options).items()}
    for topic, document in (("many", "d120"), ("few", "Ö")):
        parts = split_score(many / "lucene", QUERIES[topic], document, **options)
        assert sum(part.score for part in parts) == pytest.approx(runs[topic][document], abs=1e-6)
        ours = sparse.split_score(many / "sparse", QUERIES[topic], document, **options)
        assert [part[:3] for part in parts] == [part[:3] for part in ours]


def test_lengths_may_be_exact(many):
    weights = {"ba": 1.0, "ca": 0.5}
    run = {
        exact: dict(search(many / "sparse", {"q": weights}, exact_lengths=exact)["q"])["d121"]
        for exact in (True, False)
    }
    assert run[True] != run[False]
    for exact, score in run.items():
        parts = sparse.split_score(many / "sparse", weights, "d121", exact_lengths=exact)
        assert sum(part.score for part in parts) == pytest.approx(score, abs=1e-6)


def test_psq_by_hand(four):
    # tf = .5 * 2 + .25 * 1 = 1.25; asked once among two words
    haus = TranslatedWord("haus", [("house", 0.5), ("tree", 0.25), ("bird", 0.1)])
    words = [haus, TranslatedWord("fluss", [("river", 1.0)])]
    df = 0.5 * 2 + 0.25 * 2 + 0.1 * 2
    norm = 1.2 * (0.25 + 0.75 * 3 / 2.5)
    score = 0.5 * math.log(1 + (4 - df + 0.5) / (df + 0.5)) * 1.25 / (1.25 + norm)
    (found,) = sparse.split_structured(four / "sparse", words, "a")
    assert (found.word, found.score) == ("haus", pytest.approx(score, rel=1e-6))
    assert found.terms == [
        TermScore("house", 2, 2, pytest.approx(score * 1 / 1.25, rel=1e-6)),
        TermScore("tree", 1, 2, pytest.approx(score * 0.25 / 1.25, rel=1e-6)),
    ]


def test_parts_of_psq_add_up_to_the_score_in_the_run(many):
    rows = [[(WORDS[n], 0.6), (WORDS[n + 9], 0.7), ("none", 0.1)] for n in range(5)]
    words = [TranslatedWord(f"w{n % 5}", rows[n % 5]) for n in range(7)]
    for document, score in search_structured(many / "sparse", {"q": words})["q"][:30]:
        parts = sparse.split_structured(many / "sparse", words, document)
        assert sum(part.score for part in parts) == pytest.approx(score, abs=1e-6)
        assert sum(term.score for part in parts for term in part.terms) == pytest.approx(score, abs=1e-6)


def test_weights_are_what_the_words_bring_together():
    words = [TranslatedWord("haus", [("house", 0.75), ("home", 0.25)]), TranslatedWord("heim", [("home", 1.0)])]
    assert list(weigh_each(words)) == [("haus", "house", 0.375), ("haus", "home", 0.125), ("heim", "home", 0.5)]
    assert weigh(words) == {"house": 0.375, "home": 0.625}
