import numpy as np
import pytest

from clir_cli.translation.matrix import Link, Piece, lay_out, link_topics, links_between, translation_matrix
from clir_cli.translation.rules import TranslationRules
from clir_cli.translation.table import TranslationTable

TABLE = TranslationTable.from_dict(
    {"cat": {"katze": 0.625, "kater": 0.25, "mieze": 0.125}, "art": {"kunst": 0.5}, "the": {"die": 0.5}}
)
VOCABULARY = ["art", "berlin", "die", "kater", "katze", "kunst"]


def test_links_are_translations_that_the_collection_knows():
    links = link_topics({"1": ["cat", "berlin"], "2": ["cat", "art", "cat"], "3": []}, VOCABULARY, TABLE)
    assert links == {
        "1": {"cat": {"katze": 0.625, "kater": 0.25}},
        "2": {"cat": {"katze": 0.625, "kater": 0.25}, "art": {"kunst": 0.5}},
        "3": {},
    }


@pytest.mark.parametrize(
    ("copy", "expected"),
    [
        ("never", {"art": {"kunst": 0.5}}),
        ("oov", {"berlin": {"berlin": 1.0}, "art": {"kunst": 0.5}}),
        ("always", {"berlin": {"berlin": 1.0}, "art": {"kunst": 0.5, "art": 1.0}}),
    ],
)
def test_the_copy_rule_links_equal_strings(copy, expected):
    assert (
        link_topics({"1": ["berlin", "art", "paris"]}, VOCABULARY, TABLE, TranslationRules(copy=copy))["1"] == expected
    )


def test_a_word_among_its_own_translations_keeps_their_probability():
    table = TranslationTable.from_dict({"berlin": {"berlin": 0.875}})
    assert link_topics({"1": ["berlin"]}, ["berlin"], table, TranslationRules(copy="always"))["1"] == {
        "berlin": {"berlin": 0.875}
    }


def test_the_copy_rule_leaves_the_table_alone():
    link_topics({"1": ["art"]}, VOCABULARY, TABLE, TranslationRules(copy="always"))
    assert TABLE.row("art") == {"kunst": 0.5}


def test_the_threshold_is_strict():
    assert link_topics({"1": ["cat"]}, VOCABULARY, TABLE, TranslationRules(threshold=0.25))["1"] == {
        "cat": {"katze": 0.625}
    }


def test_stop_words_have_no_links_on_either_side():
    assert link_topics({"1": ["the"]}, VOCABULARY, TABLE)["1"] == {"the": {"die": 0.5}}
    assert link_topics({"1": ["the"]}, VOCABULARY, TABLE, TranslationRules(stop=frozenset({"the"})))["1"] == {}
    assert link_topics({"1": ["the"]}, VOCABULARY, TABLE, TranslationRules(document_stop=frozenset({"die"})))["1"] == {}


def test_topics_do_not_share_their_rows():
    links = link_topics({"1": ["cat"], "2": ["cat"]}, VOCABULARY, TABLE)
    links["1"]["cat"].clear()
    assert links["2"]["cat"]


def test_the_layout_is_cls_query_sep_document_sep():
    assert lay_out([("cat", 2)], [("katze", 1)]) == [
        Piece("special", 0), Piece("query", 0, "cat"), Piece("query", 0, "cat"), Piece("special", 1),
        Piece("document", 0, "katze"), Piece("special", 2),
    ]  # fmt: skip


@pytest.mark.parametrize("arm", ["translation", "identity", "blocks"])
def test_rows_sum_to_one(arm):
    pieces = lay_out([("cat", 2), ("x", 1), ("cat", 1)], [("katze", 3), ("y", 1), ("katze", 1), ("kater", 1)])
    matrix = translation_matrix(pieces, {"cat": {"katze": 0.625, "kater": 0.25}}, arm)
    assert matrix.shape == (13, 13)
    assert matrix.sum(axis=1) == pytest.approx(np.ones(13))


def test_blocks_are_the_words_without_translations():
    matrix = translation_matrix(lay_out([("cat", 1)], [("katze", 2)]), {"cat": {"katze": 0.8}}, "blocks")
    block = np.eye(6)
    block[3:5, 3:5] = 0.5
    assert matrix == pytest.approx(block)


def test_a_person_sees_the_links_that_a_document_uses():
    links = {"cat": {"kater": 0.25, "katze": 0.625, "mieze": 0.25}, "art": {"kunst": 0.5}}
    document = ["kater", "haus", "katze", "mieze", "katze"]
    assert links_between(links, document) == [
        Link("cat", "katze", 0.625, 2),
        Link("cat", "kater", 0.25, 1),
        Link("cat", "mieze", 0.25, 1),
    ]
