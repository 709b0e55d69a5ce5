"""Forms of one word back each other off."""

import numpy as np
import pytest

from clir_cli.translation.alignment.cells import Cells
from clir_cli.translation.alignment.families import Families
from clir_cli.translation.alignment.kernels import BACKWARD, FORWARD, ONE, PRODUCT
from clir_cli.translation.alignment.learn import AlignerSettings, learn
from clir_cli.translation.alignment.model import Model
from clir_cli.translation.alignment.prepared_text import prepare

PAIRS = [
    (["lesende", "kuh"], ["readers", "cow"]),
    (["lesender"], ["reader", "readers"]),
    (["lesen", "lesender"], ["cow"]),
    (["kuh", "kuh"], ["cow", "cow", "a"]),
]


def test_families_are_words_of_more_letters_that_begin_alike():
    text = prepare(PAIRS)
    families = Families(text, Cells(text), 5)
    names = dict(zip(text.source_words, families.source.tolist(), strict=True))
    assert names["lesende"] == names["lesender"]
    assert len({names["lesen"], names["lesende"], names["kuh"]}) == 3  # "lesen" itself has only five letters
    shares = dict(zip(text.source_words, families.source_share.tolist(), strict=True))
    assert shares == pytest.approx({"lesen": 1, "lesende": 1 / 3, "lesender": 2 / 3, "kuh": 1})
    targets = dict(zip(text.target_words, families.target.tolist(), strict=True))
    assert targets["reader"] == targets["readers"] != targets["a"]


def test_cells_of_two_families_have_one_number():
    text = prepare(PAIRS)
    cells = Cells(text)
    families = Families(text, cells, 5)
    rows = np.repeat(np.arange(len(text.source_words)), np.diff(cells.start))
    by_pair: dict[tuple[int, int], set[int]] = {}
    for s, t, number in zip(rows, cells.target, families.cell, strict=True):
        by_pair.setdefault((families.source[s], families.target[t]), set()).add(int(number))
    assert all(len(numbers) == 1 for numbers in by_pair.values())
    assert sorted(number for numbers in by_pair.values() for number in numbers) == list(range(families.count))


def with_counts(pairs, counts, direction=PRODUCT, weight=2.0, letters=5) -> tuple[dict, dict]:
    """P(t | s) and P(s | t) by words."""
    text = prepare(pairs)
    model = Model(text, 0.1)
    rows = np.repeat(np.arange(len(text.source_words)), np.diff(model.pairs.start))
    words = [
        (text.source_words[s], text.target_words[t]) for s, t in zip(rows, model.pairs.target, strict=True)
    ]  # fmt: skip
    model.counts[:-1, 1] = [int(counts.get(pair, 0) * ONE) for pair in words]
    model.maximise_with_families(direction, weight, letters)
    return tuple(dict(zip(words, model.cells[:-1, side].tolist(), strict=True)) for side in (0, 1))  # type: ignore


COUNTS = {
    ("lesende", "readers"): 1.0,
    ("lesende", "cow"): 0.5,
    ("lesender", "reader"): 1.5,
    ("lesender", "readers"): 0.5,
    ("lesender", "cow"): 0.5,
    ("kuh", "cow"): 3.0,
    ("kuh", "a"): 0.25,
}


def test_the_formula_by_hand():
    forward, backward = with_counts(PAIRS, COUNTS)
    # The family lesen* has the counts 1.5 + 2.5 = 4, of which 3 go to reader*. "reader" is one of the three tokens
    # of its family, "readers" two.
    assert forward["lesende", "readers"] == pytest.approx((1.0 + 2 * 3 / 4 * 2 / 3) / (1.5 + 2))
    assert forward["lesende", "cow"] == pytest.approx((0.5 + 2 * 1 / 4 * 1) / (1.5 + 2))
    assert forward["lesender", "reader"] == pytest.approx((1.5 + 2 * 3 / 4 * 1 / 3) / (2.5 + 2))
    # Alone in its family, a word is smoothed by itself and stays as it is.
    assert forward["kuh", "cow"] == pytest.approx(3 / 3.25)
    # "lesender" is two of the three tokens of lesen*; reader* has 3 counts, all of them from there; "readers" 1.5.
    assert backward["lesender", "readers"] == pytest.approx((0.5 + 2 * 3 / 3 * 2 / 3) / (1.5 + 2))
    # cow: 4 counts, of which lesen* 1
    assert backward["lesende", "cow"] == pytest.approx((0.5 + 2 * 1 / 4 * 1 / 3) / (4 + 2))


def test_rows_sum_to_one_where_all_forms_meet_and_never_to_more():
    forward, backward = with_counts(PAIRS, COUNTS)
    sums: dict[str, float] = {}
    for (s, _), p in forward.items():
        sums[s] = sums.get(s, 0) + p
    assert sums["lesender"] == pytest.approx(1)  # it met reader, readers and cow, all that its family goes to
    assert sums["kuh"] == pytest.approx(1)
    assert sums["lesende"] < 0.99  # it never met "reader", whose share of the family's counts is lost
    columns: dict[str, float] = {}
    for (_, t), p in backward.items():
        columns[t] = columns.get(t, 0) + p
    assert max(columns.values()) <= 1 + 1e-6
    assert columns["cow"] == pytest.approx(1)


def test_one_direction_leaves_the_other():
    both = with_counts(PAIRS, COUNTS)
    assert with_counts(PAIRS, COUNTS, FORWARD)[0] == both[0]
    assert with_counts(PAIRS, COUNTS, BACKWARD)[1] == both[1]
    assert not any(with_counts(PAIRS, COUNTS, FORWARD)[1].values())
    assert not any(with_counts(PAIRS, COUNTS, BACKWARD)[0].values())


def test_weights_fade_where_a_word_is_frequent():
    many = {pair: 1000 * count for pair, count in COUNTS.items()}
    forward, _ = with_counts(PAIRS, many)
    assert forward["lesende", "readers"] == pytest.approx(1 / 1.5, rel=0.01)


def test_without_counts_there_are_no_probabilities():
    forward, backward = with_counts(PAIRS, {})
    assert not any(forward.values())
    assert not any(backward.values())


def test_a_rare_form_is_translated_as_its_family():
    # "sprechend" and "qualle" come once, in one sentence, whose word order is against them. Only that speak* is what
    # the other forms of sprec* mean tells which of them is which.
    fillers = [([f"wort{a}", f"ding{b}"], [f"word{a}", f"thing{b}"]) for a in range(6) for b in range(6)]
    pairs = [([f"{form}", f"ding{b}"], ["speaking", f"thing{b}"]) for form in ("sprechen", "sprecht") for b in range(6)]
    pairs += [*fillers, (["sprechend", "qualle"], ["jelly", "speaks"])]
    text = prepare(pairs)
    alone = learn(text, AlignerSettings(family_weight=0, threads=1))
    backed = learn(text, AlignerSettings(threads=1))
    assert alone.table().row("sprechend").get("speaks", 0) <= 0.5
    assert backed.table().top("sprechend", 1)[0][0] == "speaks"
    assert backed.table().top("qualle", 1)[0][0] == "jelly"
    assert backed.links().of(len(text) - 1) == [(0, 1), (1, 0)]
    assert alone.links().of(len(text) - 1) != [(0, 1), (1, 0)]
