"""MAT (CIKM 2021), Algorithm 1: the translation matrix M^tr of ``[CLS] query [SEP] document [SEP]``.

Each case is one small matrix that anyone can check by hand. Before a row is divided by its sum, a piece has weight 1
to itself and to the other pieces of its word, and query word and document word have P(document word | query word) to
each other. The printed numbers have four digits.
"""

import numpy as np
import pytest

from clir_cli.translation.matrix import lay_out, link_topics, translation_matrix
from clir_cli.translation.rules import TranslationRules
from clir_cli.translation.table import TranslationTable


def check(table, query, document, expected, copy="never", arm="translation"):
    """``query`` and ``document``: words, or (word, number of pieces)."""
    query, document = ([(w, 1) if isinstance(w, str) else w for w in words] for words in (query, document))
    vocabulary = {word for word, _ in document}
    words = [word for word, _ in query]
    links = link_topics({"topic": words}, vocabulary, TranslationTable.from_dict(table), TranslationRules(copy=copy))[
        "topic"
    ]
    matrix = translation_matrix(lay_out(query, document), links, arm)
    assert matrix == pytest.approx(np.array(expected), abs=5.1e-5)


def test_one_translation_gives_lemma_1():
    # 1 / (1 + p) for the word itself and p / (1 + p) for its translation, p = .8
    check({"cat": {"katze": 0.8}}, ["cat"], ["katze"], [
        # CLS    cat     SEP     katze   SEP
        [1.0000, 0.0000, 0.0000, 0.0000, 0.0000],
        [0.0000, 0.5556, 0.0000, 0.4444, 0.0000],
        [0.0000, 0.0000, 1.0000, 0.0000, 0.0000],
        [0.0000, 0.4444, 0.0000, 0.5556, 0.0000],
        [0.0000, 0.0000, 0.0000, 0.0000, 1.0000],
    ])  # fmt: skip


def test_pieces_of_one_word_share_everything():
    check({"cat": {"katze": 0.8}}, ["cat"], [("katze", 2)], [
        # CLS    cat     SEP     kat     ##ze    SEP
        [1.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
        [0.0000, 0.3846, 0.0000, 0.3077, 0.3077, 0.0000],
        [0.0000, 0.0000, 1.0000, 0.0000, 0.0000, 0.0000],
        [0.0000, 0.2857, 0.0000, 0.3571, 0.3571, 0.0000],
        [0.0000, 0.2857, 0.0000, 0.3571, 0.3571, 0.0000],
        [0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 1.0000],
    ])  # fmt: skip


def test_two_translations_and_a_word_without_any():
    check({"cat": {"katze": 0.6, "kater": 0.3}}, ["cat"], ["katze", "kater", "haus"], [
        # CLS    cat     SEP     katze   kater   haus    SEP
        [1.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
        [0.0000, 0.5263, 0.0000, 0.3158, 0.1579, 0.0000, 0.0000],
        [0.0000, 0.0000, 1.0000, 0.0000, 0.0000, 0.0000, 0.0000],
        [0.0000, 0.3750, 0.0000, 0.6250, 0.0000, 0.0000, 0.0000],
        [0.0000, 0.2308, 0.0000, 0.0000, 0.7692, 0.0000, 0.0000],
        [0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 1.0000, 0.0000],
        [0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 1.0000],
    ])  # fmt: skip


def test_a_translation_that_occurs_twice_counts_twice():
    check({"cat": {"katze": 0.6}}, ["cat"], ["katze", "katze"], [
        # CLS    cat     SEP     katze   katze   SEP
        [1.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
        [0.0000, 0.4545, 0.0000, 0.2727, 0.2727, 0.0000],
        [0.0000, 0.0000, 1.0000, 0.0000, 0.0000, 0.0000],
        [0.0000, 0.3750, 0.0000, 0.6250, 0.0000, 0.0000],
        [0.0000, 0.3750, 0.0000, 0.0000, 0.6250, 0.0000],
        [0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 1.0000],
    ])  # fmt: skip


def test_two_query_words_share_a_translation():
    check({"cat": {"katze": 0.6}, "kitty": {"katze": 0.2}}, ["cat", "kitty"], ["katze"], [
        # CLS    cat     kitty   SEP     katze   SEP
        [1.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
        [0.0000, 0.6250, 0.0000, 0.0000, 0.3750, 0.0000],
        [0.0000, 0.0000, 0.8333, 0.0000, 0.1667, 0.0000],
        [0.0000, 0.0000, 0.0000, 1.0000, 0.0000, 0.0000],
        [0.0000, 0.3333, 0.1111, 0.0000, 0.5556, 0.0000],
        [0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 1.0000],
    ])  # fmt: skip


@pytest.mark.parametrize("copy", ["oov", "always"])
def test_the_copy_rule_links_a_word_outside_the_table_with_itself(copy):
    check({"cat": {"katze": 0.6}}, ["berlin"], ["berlin", "haus"], [
        # CLS    berlin  SEP     berlin  haus    SEP
        [1.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
        [0.0000, 0.5000, 0.0000, 0.5000, 0.0000, 0.0000],
        [0.0000, 0.0000, 1.0000, 0.0000, 0.0000, 0.0000],
        [0.0000, 0.5000, 0.0000, 0.5000, 0.0000, 0.0000],
        [0.0000, 0.0000, 0.0000, 0.0000, 1.0000, 0.0000],
        [0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 1.0000],
    ], copy=copy)  # fmt: skip


def test_the_copy_rule_always_links_a_false_friend_too():
    check({"art": {"weise": 0.5}}, ["art"], ["art", "weise"], [
        # CLS    art     SEP     art     weise   SEP
        [1.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
        [0.0000, 0.4000, 0.0000, 0.4000, 0.2000, 0.0000],
        [0.0000, 0.0000, 1.0000, 0.0000, 0.0000, 0.0000],
        [0.0000, 0.5000, 0.0000, 0.5000, 0.0000, 0.0000],
        [0.0000, 0.3333, 0.0000, 0.0000, 0.6667, 0.0000],
        [0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 1.0000],
    ], copy="always")  # fmt: skip


def test_the_paper_has_no_copy_rule():
    # A word outside the table attends to itself alone: the row is a row of the identity.
    check({"cat": {"katze": 0.6}}, ["berlin"], ["berlin", "haus"], np.eye(6))


def test_the_placebo_is_the_identity_even_within_a_word():
    check({"cat": {"katze": 0.8}}, ["cat"], [("katze", 2)], np.eye(6), arm="identity")
