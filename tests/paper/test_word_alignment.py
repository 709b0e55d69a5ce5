"""What the papers behind the aligner say, as examples one can check by hand.

Brown et al. 1993 (Models 1 and 2), Vogel et al. 1996 (HMM), Moore 2004 (rare words collect garbage), Liang et al. 2006
(agreement), Dyer et al. 2013 (the diagonal of Model 2).
"""

from collections import Counter

import numpy as np
import pytest

from clir_cli.translation.alignment.aligned import Alignment
from clir_cli.translation.alignment.learn import AlignerSettings, learn
from clir_cli.translation.alignment.prepared_text import prepare

THE_HOUSE = [
    ("das haus", "the house"),
    ("das buch", "the book"),
    ("ein buch", "a book"),
]
PLAIN = {"family_weight": 0.0, "threads": 1}
ALONE = PLAIN | {"agreement": False}


def align(pairs: list[tuple[str, str]], **settings) -> Alignment:
    return learn(prepare((source.split(), target.split()) for source, target in pairs), AlignerSettings(**settings))


@pytest.mark.parametrize("settings", [{}, PLAIN, ALONE | {"hmm": 0, "model1": 8}, ALONE])
def test_das_haus(settings):
    found = align(THE_HOUSE, **settings)
    expected = {"das": "the", "haus": "house", "buch": "book", "ein": "a"}
    table, inverse = found.table(), found.table(inverse=True)
    for german, english in expected.items():
        assert table.top(german, 1)[0][0] == english
        assert inverse.top(english, 1)[0][0] == german
    assert [found.links().of(k) for k in range(3)] == [[(0, 0), (1, 1)]] * 3


def test_the_second_iteration_of_model_1_by_hand():
    # Every link of the first counts 1 / 4, so P(house | haus) = P(the | haus) = 1 / 2 and P(house | das) = 1 / 4,
    # P(the | das) = 1 / 2. In "das haus", "house" is then haus's to (1 / 2) / (1 / 2 + 1 / 4) = 2 / 3; "the" is shared
    # alike. So P(house | haus) = (2 / 3) / (2 / 3 + 1 / 2) = 4 / 7. (Nothing is next to impossible here.)
    table = align(THE_HOUSE, model1=1, hmm=0, null=1e-9, **ALONE).table(min_probability=0)
    assert table.row("haus") == pytest.approx({"house": 4 / 7, "the": 3 / 7}, abs=1e-5)


def test_agreement_counts_the_product_of_both_posteriors():
    # After the first iteration as above. Forward: "house" is haus's to 2 / 3, das's to 1 / 3; "the" to 1 / 2 each.
    # Backward the same with the languages exchanged: haus is house's to 2 / 3, the's to 1 / 3; das to 1 / 2 each.
    # Products: (haus, house) 4 / 9, (haus, the) 1 / 2 x 1 / 3 = 1 / 6; so P(house | haus) = (4 / 9) / (4 / 9 + 1 / 6).
    table = align(THE_HOUSE, model1=1, hmm=0, null=1e-9, **PLAIN).table(min_probability=0)
    assert table.row("haus") == pytest.approx({"house": 8 / 11, "the": 3 / 11}, abs=1e-5)


def test_agreement_keeps_rare_words_from_collecting_garbage():
    # "selten" comes once, in a sentence whose other words have several translations. By itself, a direction lets it
    # explain what others explain badly; the other direction knows better.
    common = [("haus", "house"), ("haus", "home"), ("buch", "book"), ("buch", "volume")] * 10
    pairs = [*common, ("selten haus buch", "rare house book")]
    pairs += [(f"s{k}", f"t{k}") for k in range(40)]
    alone = align(pairs, model1=5, hmm=0, **ALONE)
    agreed = align(pairs, model1=5, hmm=0, **PLAIN)
    stolen = [sum(found.table().row("selten").get(word, 0) for word in ("house", "book")) for found in (alone, agreed)]
    assert stolen[0] > 0.2
    assert stolen[1] < stolen[0] / 5
    assert agreed.table().top("selten", 1)[0][0] == "rare"


TWINS = [("a b c d a b", "A B C D A B"), ("b a d c b a", "B A D C B A"), ("c a", "C A"), ("d b a", "D B A")]


def test_the_hmm_tells_words_apart_that_come_twice():
    # Model 1 does not know where a word stands: both "a" are as good for either "A". The HMM goes on word by word.
    sentence = ["a", "b", "c", "d", "a", "b"]
    by_model_1 = align(TWINS * 3, model1=6, hmm=0, **PLAIN)
    by_hmm = align(TWINS * 3, model1=3, hmm=4, **PLAIN)
    diagonal = [(i, i) for i in range(len(sentence))]
    assert by_hmm.links().of(0) == diagonal
    assert by_model_1.links().of(0) != diagonal


def test_model_2_prefers_the_diagonal():
    found = align(TWINS * 3, model1=3, model2=4, hmm=0, **PLAIN)
    assert found.links().of(0) == [(i, i) for i in range(6)]


def test_the_hmm_learns_that_adjectives_follow_their_nouns():
    # The noun goes first on one side: jumps of -1 and +2 are learned, and decide where two unknown words meet.
    nouns, adjectives = [f"n{k}" for k in range(5)], [f"a{k}" for k in range(5)]
    orders = [(n, m, a) for n in nouns for m in nouns for a in adjectives if n != m]
    pairs = [(f"{n} {a} und {m} {a}", f"{a} {n} and {a} {m}".upper()) for n, m, a in orders]
    pairs.append(("n0 neu und n1 a1", "NEW N0 AND A1 N1"))
    found = align(pairs, **PLAIN)
    assert found.links().of(len(pairs) - 1) == [(0, 1), (1, 0), (2, 2), (3, 4), (4, 3)]


def test_words_that_come_from_nothing_stay_without_a_link():
    pairs = [(f"s{k} s{(k * 7 + 1) % 20}", f"do t{k} t{(k * 7 + 1) % 20}") for k in range(20)] * 3
    found = align(pairs, **PLAIN)
    linked = Counter(target for k in range(len(pairs)) for _, target in found.links().of(k))
    assert linked[0] == 0
    assert linked[1] == linked[2] == len(pairs)
    assert (np.asarray(found.forward).reshape(-1, 3)[:, 0] == -1).all()
    assert max(found.table().row(f"s{k}").get("do", 0) for k in range(20)) < 0.05
