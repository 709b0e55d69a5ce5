"""The SMT row of MAT (CIKM 2021): each query word becomes its best translations in Galago's weighted ``#combine``.

Galago's manual example: weights belong to the children by number, each ``#combine`` divides its weights by their sum,
and a nested ``#combine`` multiplies out, so that score = sum over words of weight * BM25(word, document).
"""

import re
from dataclasses import replace

import pytest

from clir_cli.retrieval.translate_query import TEN_BEST, TranslatedWord, human, to_combine, translate, weigh
from clir_cli.translation.table import TranslationTable

HOUSE_BOOK = [
    TranslatedWord("house", [("haus", 0.7), ("heim", 0.3)]),
    TranslatedWord("book", [("buch", 0.9), ("band", 0.1)]),
]


def as_galago_reads_it(text, outer=1.0):
    """A reader of ``#combine:0=.7:1=.3( haus heim )`` that knows nothing of how it was written."""
    head, inside = re.fullmatch(r"#combine(\S*?)\( (.*) ?\)", text).groups()
    children, depth = [], 0
    for token in inside.split():
        if depth:
            children[-1] += " " + token
        else:
            children.append(token)
        depth += token.endswith("(") - (token == ")")
    given = dict(pair.split("=") for pair in head.split(":") if pair)
    weights = [float(given.get(str(i), 1.0)) for i in range(len(children))]
    leaves = {}
    for child, weight in zip(children, weights, strict=True):
        share = outer * weight / sum(weights)
        for word, value in as_galago_reads_it(child, share).items() if child.startswith("#") else [(child, share)]:
            leaves[word] = leaves.get(word, 0.0) + value
    return leaves


def test_the_nested_query_is_written_as_galago_reads_it():
    text = "#combine( #combine:0=0.7:1=0.3( haus heim ) #combine:0=0.9:1=0.1( buch band ) )"
    assert to_combine(HOUSE_BOOK) == text


def test_nested_weights_multiply_out():
    # each of the two query words counts one half, and its translations share that half
    assert weigh(HOUSE_BOOK) == pytest.approx({"haus": 0.35, "heim": 0.15, "buch": 0.45, "band": 0.05})
    assert as_galago_reads_it(to_combine(HOUSE_BOOK)) == pytest.approx(weigh(HOUSE_BOOK))


def test_the_ten_best_translations_are_normalised_within_the_word():
    table = TranslationTable.from_dict({"house": {"haus": 0.5, "heim": 0.25, "dach": 0.125}, "book": {"buch": 0.25}})
    translated = translate(["house", "book"], table, replace(TEN_BEST, top=2))
    assert dict(translated[0].translations) == pytest.approx({"haus": 2 / 3, "heim": 1 / 3})
    assert translated[1].translations == [("buch", 1.0)]
    assert weigh(translated) == pytest.approx({"haus": 1 / 3, "heim": 1 / 6, "buch": 1 / 2})


def test_in_a_flat_query_the_mass_of_the_table_decides():
    # house keeps .75 of its mass, book .25: three quarters of the query are about the house
    table = TranslationTable.from_dict({"house": {"haus": 0.5, "heim": 0.25}, "book": {"buch": 0.25}})
    translated = translate(["house", "book"], table)
    assert weigh(translated, "flat") == pytest.approx({"haus": 0.5, "heim": 0.25, "buch": 0.25})
    assert to_combine(translated, "flat") == "#combine:0=0.5:1=0.25:2=0.25( haus heim buch )"
    assert as_galago_reads_it(to_combine(translated, "flat")) == pytest.approx(weigh(translated, "flat"))


def test_a_translation_of_two_query_words_gets_both_shares():
    translated = [TranslatedWord("cat", [("katze", 0.75), ("kater", 0.25)]), TranslatedWord("kitty", [("katze", 1.0)])]
    assert weigh(translated) == pytest.approx({"katze": 0.875, "kater": 0.125})
    assert as_galago_reads_it(to_combine(translated)) == pytest.approx(weigh(translated))


def test_a_human_translation_is_a_plain_combine():
    assert to_combine(human(["haus", "buch", "haus"])) == "#combine( haus buch haus )"
    assert weigh(human(["haus", "buch", "haus"])) == pytest.approx({"haus": 2 / 3, "buch": 1 / 3})
