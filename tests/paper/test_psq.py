"""Probabilistic structured queries (Darwish and Oard, SIGIR 2003), by hand.

A query word occurs in a document as often as its translations do, each counted by its probability: tf(q, d) = sum of
p(t|q) tf(t, d); and in as many documents: df(q) = sum of p(t|q) df(t). Then BM25 with one idf a query word.
"""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.corpora.document_store import write_store
from clir_cli.records import Document
from clir_cli.retrieval.sparse.index import write_index
from clir_cli.retrieval.sparse.psq import search_structured, to_text
from clir_cli.retrieval.sparse.search import search
from clir_cli.retrieval.translate_query import translate, weigh
from clir_cli.translation.rules import TranslatedWord, TranslationRules
from clir_cli.translation.table import TranslationTable

DOCUMENTS = {
    "animals": "cat kitty cat dog",  # 4 words each, so that no length is above the average
    "pets": "kitty dog dog bird",
    "birds": "bird bird bird nest",
    "tools": "cat hammer nail saw",
}
KATZE = TranslatedWord("katze", [("cat", 0.75), ("kitty", 0.25)])
VOGEL = TranslatedWord("vogel", [("bird", 1.0)])


def build(folder, documents):
    write_store((Document(id, text) for id, text in documents.items()), folder / "store", frozenset())
    write_index(folder / "store", folder / "index")
    return folder / "index"


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    return build(tmp_path_factory.mktemp("psq"), DOCUMENTS)


def bm25(tf, df, k1=1.2):
    """All documents are of average length: what b weighs is 1. N = 4."""
    return math.log(1 + (4 - df + 0.5) / (df + 0.5)) * tf / (tf + k1)


def test_expected_tf_and_df_of_the_cat(index):
    # tf: .75 * 2 + .25 * 1 = 1.75 in animals, .25 in pets, .75 in tools; df: .75 * 2 + .25 * 2 = 2
    found = dict(search_structured(index, {"1": [KATZE]})["1"])
    assert found == pytest.approx({"animals": bm25(1.75, 2), "tools": bm25(0.75, 2), "pets": bm25(0.25, 2)})


def test_df_need_not_be_a_whole_number(index):
    # 0.5 * 2 (cat) + 0.25 * 1 (nest) = 1.25 documents; shares that sum to .75 stay as they are
    word = TranslatedWord("katze", [("cat", 0.5), ("nest", 0.25)])
    found = dict(search_structured(index, {"1": [word]})["1"])
    assert found == pytest.approx({"animals": bm25(1.0, 1.25), "tools": bm25(0.5, 1.25), "birds": bm25(0.25, 1.25)})


def test_df_is_never_more_than_all_documents(index):
    word = TranslatedWord("alles", [("cat", 1.0), ("kitty", 1.0), ("bird", 1.0)])
    scores = dict(search_structured(index, {"1": [word]})["1"])
    assert scores["birds"] == pytest.approx(bm25(3.0, 4))


def test_every_occurrence_of_a_query_word_weighs_the_same(index):
    found = dict(search_structured(index, {"1": [KATZE, VOGEL, KATZE]})["1"])
    assert found["pets"] == pytest.approx(2 / 3 * bm25(0.25, 2) + 1 / 3 * bm25(1, 2))


def test_a_rare_wrong_translation_does_not_win_as_it_does_in_smt(index):
    # dog (in 2 documents) is right, saw (in 1) is wrong and rare: to SMT it counts by its own idf
    word = TranslatedWord("hund", [("dog", 0.6), ("saw", 0.4)])
    smt = dict(search(index, {"1": weigh([word])})["1"])
    psq = dict(search_structured(index, {"1": [word]})["1"])
    assert smt["tools"] / smt["animals"] > 1.1
    assert psq["tools"] < psq["animals"]


words = st.sampled_from("abcdefgh")


@settings(max_examples=25)
@given(
    st.lists(st.lists(words, min_size=1, max_size=60), min_size=1, max_size=15),
    st.dictionaries(words, words),
    st.lists(words, min_size=1, max_size=8),
)
def test_psq_is_bm25_where_every_word_has_one_translation(tmp_path_factory, texts, dictionary, query):
    index = build(tmp_path_factory.mktemp("one"), {f"d{n}": " ".join(text) for n, text in enumerate(texts)})
    table = TranslationTable.from_dict({word.upper(): {target: 1.0} for word, target in dictionary.items()})
    rules = TranslationRules(threshold=1e-4, out_of_table="keep")
    translated = translate([word.upper() for word in query], table, rules)
    psq = search_structured(index, {"q": translated})["q"]
    smt = search(index, {"q": weigh(translate([word.upper() for word in query], table))})["q"]
    assert [score for _, score in psq] == pytest.approx([score for _, score in smt], rel=1e-6)
    assert dict(psq) == pytest.approx(dict(smt), rel=1e-6)


def test_the_query_is_written_with_indris_weighted_synonyms():
    assert to_text([KATZE, VOGEL]) == "#combine( #wsyn( 0.75 cat 0.25 kitty ) bird )"
    assert to_text([]) == "#combine( )"
