"""Scores of terms given to the query words that ask for them."""

import pytest

from clir_cli.analysis.explain_first_stage import split_by_query_word, split_structured_query
from clir_cli.analysis.explanation import QueryWord, Translation
from clir_cli.retrieval.score_parts import TermScore
from clir_cli.retrieval.sparse.score_parts import WordScore
from clir_cli.translation.rules import TranslatedWord


def test_a_term_that_two_words_ask_for_is_shared_by_weight() -> None:
    translated = [
        TranslatedWord("haus", [("house", 0.75), ("home", 0.25)]),
        TranslatedWord("heim", [("home", 1.0)]),
    ]
    # weights: house .375; home .125 of haus and .5 of heim
    found = split_by_query_word(["haus", "zzz", "heim"], translated, [TermScore("home", 3, 7, 1.0)])
    assert found == [
        QueryWord("haus", 1, 0.5, [Translation("house", 0.375), Translation("home", 0.125, 3, 7, pytest.approx(0.2))]),
        QueryWord("zzz", 1, 0.0, []),
        QueryWord("heim", 1, 0.5, [Translation("home", 0.5, 3, 7, pytest.approx(0.8))]),
    ]
    assert sum(word.score for word in found) == pytest.approx(1.0)
    assert [one.word for one in found[0].held] == ["home"]


def test_a_word_that_occurs_twice_weighs_twice() -> None:
    haus = TranslatedWord("haus", [("house", 1.0)])
    found = split_by_query_word(
        ["haus", "heim", "haus"], [haus, TranslatedWord("heim", [("home", 1.0)]), haus], [TermScore("house", 1, 1, 0.6)]
    )
    assert [(word.word, word.times, word.weight, word.score) for word in found] == [
        ("haus", 2, pytest.approx(2 / 3), pytest.approx(0.6)),
        ("heim", 1, pytest.approx(1 / 3), 0.0),
    ]


def test_flat_weights_are_shares_of_all_probabilities() -> None:
    translated = [TranslatedWord("haus", [("house", 1.0)], 0.6), TranslatedWord("heim", [("home", 1.0)], 0.2)]
    found = split_by_query_word(["haus", "heim"], translated, [], "flat")
    assert [word.weight for word in found] == pytest.approx([0.75, 0.25])


def test_words_of_psq_keep_their_own_scores() -> None:
    translated = [TranslatedWord("haus", [("house", 0.6), ("home", 0.3)]), TranslatedWord("heim", [("home", 0.9)])]
    words = [WordScore("heim", 0.5, [TermScore("home", 2, 4, 0.5)])]
    found = split_structured_query(["haus", "heim", "neu"], translated, words)
    assert found == [
        QueryWord("haus", 1, 0.5, [Translation("house", 0.6), Translation("home", 0.3)]),
        QueryWord("heim", 1, 0.5, [Translation("home", 0.9, 2, 4, 0.5)]),
        QueryWord("neu", 1, 0.0, []),
    ]


def test_a_query_without_translations_weighs_nothing() -> None:
    assert split_by_query_word(["neu"], [], []) == [QueryWord("neu", 1, 0, [])]
    assert split_structured_query(["neu"], [], []) == [QueryWord("neu", 1, 0, [])]
