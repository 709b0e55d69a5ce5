from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.translation.alignment.counted import count_links
from clir_cli.translation.alignment.links_text import read_links_text
from clir_cli.translation.alignment.prepared_text import prepare
from clir_cli.translation.alignment.symmetrise import Links

DATA = Path(__file__).parents[3] / "data" / "alignment"
WHOLE = {"min_probability": 0.0, "max_translations": 1000}


def make_links(pairs):
    start = np.cumsum([0, *map(len, pairs)], dtype=np.int64)
    flat = [link for pair in pairs for link in sorted(pair)]
    return Links(start, np.array([i for i, _ in flat], np.int16), np.array([j for _, j in flat], np.int16))


def rows_of(table):
    return {word: table.row(word) for word in table.source_words}


def read_lex(name):
    """Moses writes the predicted word first and the conditioning word second."""
    rows = {}
    for line in (DATA / name).read_text().splitlines():
        predicted, conditioning, p = line.split()
        rows.setdefault(conditioning, {})[predicted] = float(p)
    return rows


def test_it_counts_as_moses_does():
    # Made by Moses from the same text and links: p(en | de) is in lex.f2e, p(de | en) in lex.e2f.
    de, en = ((DATA / f"toy.moses.{side}").read_text().splitlines() for side in ("de", "en"))
    text = prepare((d.split(), e.split()) for d, e in zip(de, en, strict=True))
    links = read_links_text(DATA / "toy.moses.align", text)
    assert rows_of(count_links(links, text)) == read_lex("toy.lex.f2e")
    assert rows_of(count_links(links, text, inverse=True)) == read_lex("toy.lex.e2f")


def test_occurrences_without_link_count_as_null():
    # "haus" stands three times: linked to "house" twice (in one pair, to two of them), to nothing twice.
    pairs = [(["haus", "das"], ["house", "house"]), (["haus"], ["the"]), (["das", "haus"], ["the"])]
    text = prepare(pairs)
    links = make_links([[(0, 0), (0, 1)], [], [(0, 0)]])
    table = count_links(links, text)
    assert rows_of(table) == {"das": {"the": 0.5}, "haus": {"house": 0.5}}
    # The other direction: both "house" are linked to "haus", "the" once to "das" and once to nothing.
    assert rows_of(count_links(links, text, inverse=True)) == {"house": {"haus": 1.0}, "the": {"das": 0.5}}


def test_small_entries_and_long_tails_go():
    targets = ["a"] * 5 + ["b"] * 3 + ["c"] * 3 + ["d"]
    text = prepare([(["s"], [t]) for t in targets])
    links = make_links([[(0, 0)]] * len(targets))
    kept = count_links(links, text, min_probability=0.1, max_translations=10)
    assert kept.row("s") == pytest.approx({"a": 5 / 12, "b": 0.25, "c": 0.25})
    assert kept.target_words == ["a", "b", "c"]
    # Equal p: the smaller word stays; nothing is renormalised.
    assert count_links(links, text, max_translations=2).row("s") == pytest.approx({"a": 5 / 12, "b": 0.25})


def test_no_links_make_an_empty_table():
    text = prepare([(["a"], ["b"])])
    assert len(count_links(make_links([[]]), text)) == 0


def test_links_of_another_text_are_refused():
    text = prepare([(["a"], ["b"])])
    with pytest.raises(ValueError, match="2 pairs have links, the text has 1"):
        count_links(make_links([[], []]), text)
    with pytest.raises(ValueError, match="outside its sentence"):
        count_links(make_links([[(0, 1)]]), text)


@st.composite
def linked_pairs(draw):
    words = st.lists(st.sampled_from("abcd"), min_size=1, max_size=5)
    pairs = draw(st.lists(st.tuples(words, words), min_size=1, max_size=5))
    links = [
        draw(st.sets(st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1)), max_size=8))
        for source, target in pairs
    ]
    return pairs, links


@given(linked_pairs())
@settings(max_examples=100, deadline=None)
def test_it_is_the_ratio_of_counts(example):
    pairs, links = example
    together, alone = Counter(), Counter()
    for (source, target), linked in zip(pairs, links, strict=True):
        for i, j in linked:
            together[source[i], target[j]] += 1
            alone[source[i]] += 1
        for i in set(range(len(source))) - {i for i, _ in linked}:
            alone[source[i]] += 1
    text = prepare(pairs)
    table = count_links(make_links(links), text, **WHOLE)
    found = {(s, t): p for s, row in rows_of(table).items() for t, p in row.items()}
    assert found == pytest.approx({(s, t): n / alone[s] for (s, t), n in together.items()}, abs=1e-6)
    # The other direction is that of the exchanged text.
    mirrored = make_links([[(j, i) for i, j in linked] for linked in links])
    backward = count_links(make_links(links), text, inverse=True, **WHOLE)
    assert rows_of(backward) == rows_of(count_links(mirrored, text.swapped(), **WHOLE))
