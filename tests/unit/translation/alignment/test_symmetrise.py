import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.translation.alignment.symmetrise import METHODS, symmetrise

NEIGHBOURS = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def combine(pairs, method):
    """Links of each ``(forward, backward)`` pair of lists."""
    forward = np.array([i for f, _ in pairs for i in f], np.int16)
    backward = np.array([j for _, b in pairs for j in b], np.int16)
    target_start = np.cumsum([0, *(len(f) for f, _ in pairs)], dtype=np.int64)
    source_start = np.cumsum([0, *(len(b) for _, b in pairs)], dtype=np.int64)
    links = symmetrise(forward, backward, source_start, target_start, method)
    assert links.source.dtype == links.target.dtype == np.int16
    assert len(links) == len(pairs)
    return [links.of(k) for k in range(len(links))]


def combine_slowly(f, b, method):
    """The heuristics with sets, written from their published description."""
    forward = {(i, j) for j, i in enumerate(f) if i >= 0}
    backward = {(i, j) for i, j in enumerate(b) if j >= 0}
    simple = {
        "forward": forward,
        "backward": backward,
        "union": forward | backward,
        "intersection": forward & backward,
    }
    if method in simple:
        return sorted(simple[method])
    links = forward & backward

    def is_free(i, j):
        return all(i != u for u, _ in links), all(j != v for _, v in links)

    changed = True
    while changed:
        changed = False
        for j in range(len(f)):
            for i in range(len(b)):
                if (i, j) in links:
                    for dj, di in NEIGHBOURS:
                        new = (i + di, j + dj)
                        if new in forward | backward and any(is_free(*new)):
                            links.add(new)
                            changed = True
    if method != "grow-diag":
        wanted = all if method.endswith("and") else any
        for direction in (forward, backward):
            for i, j in sorted(direction, key=lambda link: link[::-1]):
                if wanted(is_free(i, j)):
                    links.add((i, j))
    return sorted(links)


# Three source words, three target words. Both directions agree on 0-0; forward also has 1-1, 1-2, backward 2-0, 1-1.
#     forward: target 0 <- 0, 1 <- 1, 2 <- 1;   backward: source 0 -> 0, 1 -> 1, 2 -> 0
SMALL = ([0, 1, 1], [0, 1, 0])
BY_HAND = {
    "forward": [(0, 0), (1, 1), (1, 2)],
    "backward": [(0, 0), (1, 1), (2, 0)],
    "intersection": [(0, 0), (1, 1)],
    "union": [(0, 0), (1, 1), (1, 2), (2, 0)],
    # 1-1 has the neighbours 1-2 (target 2 has no link) and, across the corner, 2-0 (source 2 has none).
    "grow-diag": [(0, 0), (1, 1), (1, 2), (2, 0)],
    "grow-diag-final": [(0, 0), (1, 1), (1, 2), (2, 0)],
    "grow-diag-final-and": [(0, 0), (1, 1), (1, 2), (2, 0)],
}

# Five words a side, and only 0-0 is agreed on. Forward: 2-2 and 0-4; backward: 3-3 and 4-2.
#     2-2 touches no link: grow-diag does not reach it.
#     final takes forward's 2-2 (both free), 0-4 (target 4 is free), then backward's 4-2 (source 4 is free), 3-3.
#     final-and takes 2-2; not 0-4 (source 0 has a link); not 4-2 (target 2 has one by now); 3-3.
FAR = ([0, -1, 2, -1, 0], [0, -1, -1, 3, 2])
FAR_BY_HAND = {
    "intersection": [(0, 0)],
    "grow-diag": [(0, 0)],
    "grow-diag-final": [(0, 0), (0, 4), (2, 2), (3, 3), (4, 2)],
    "grow-diag-final-and": [(0, 0), (2, 2), (3, 3)],
}

# Growing goes on from what it has added: 0-0 is agreed on, 1-1 and 2-2 hang on each other across corners, and 3-2 joins
# 2-2 although target 2 has a link by then, because source 3 has none.
CHAIN = ([0, 1, 2], [0, -1, -1, 2])


@pytest.mark.parametrize("method", METHODS)
def test_by_hand(method):
    assert combine([SMALL], method) == [BY_HAND[method]]


@pytest.mark.parametrize("method", FAR_BY_HAND)
def test_links_far_from_all_others_by_hand(method):
    assert combine([FAR], method) == [FAR_BY_HAND[method]]


def test_growing_goes_on_from_what_was_added():
    assert combine([CHAIN], "intersection") == [[(0, 0)]]
    assert combine([CHAIN], "grow-diag") == [[(0, 0), (1, 1), (2, 2), (3, 2)]]


def test_growing_goes_backwards_too():
    # Only 2-2 is agreed on: a single pass in order would not come back to 0-0.
    assert combine([([0, 1, 2], [-1, -1, 2])], "grow-diag") == [[(0, 0), (1, 1), (2, 2)]]


def test_growing_joins_no_two_words_that_both_have_links():
    # 0-0 and 1-2 are agreed on; forward's 1-1 gives target 1 its first link.
    assert combine([([0, 1, 1], [0, 2])], "grow-diag") == [[(0, 0), (1, 1), (1, 2)]]


@st.composite
def directions(draw):
    n, m = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    f = draw(st.lists(st.integers(-1, n - 1), min_size=m, max_size=m))
    b = draw(st.lists(st.integers(-1, m - 1), min_size=n, max_size=n))
    return f, b


@pytest.mark.parametrize("method", METHODS)
@given(st.lists(directions(), min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_it_is_the_published_heuristic(method, pairs):
    assert combine(pairs, method) == [combine_slowly(f, b, method) for f, b in pairs]


@given(directions())
@settings(max_examples=50, deadline=None)
def test_methods_lie_between_intersection_and_union(pair):
    links = {method: set(combine([pair], method)[0]) for method in METHODS}
    assert links["intersection"] <= links["grow-diag"] <= links["grow-diag-final-and"] <= links["union"]
    assert links["grow-diag"] <= links["grow-diag-final"] <= links["union"]
    # `final` leaves no word without link that has one in the union.
    for side in (0, 1):
        assert {link[side] for link in links["grow-diag-final"]} == {link[side] for link in links["union"]}


@pytest.mark.parametrize(
    ("pair", "message"),
    [(([2], [0, 0]), "forward has a source position"), (([0, 0], [2]), "backward has a target position")],
)
def test_positions_outside_a_sentence_are_refused(pair, message):
    with pytest.raises(ValueError, match=message):
        combine([pair], "union")


def test_arrays_that_do_not_fit_together_are_refused():
    one = np.array([0, 1], np.int64)
    with pytest.raises(ValueError, match="do not fit"):
        symmetrise(np.zeros(2, np.int16), np.zeros(1, np.int16), one, one, "union")
    with pytest.raises(ValueError, match="'grow' is none of"):
        symmetrise(np.zeros(1, np.int16), np.zeros(1, np.int16), one, one, "grow")
