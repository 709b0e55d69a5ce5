"""Which documents went up and down, by hand."""

from clir_cli.analysis.moves import Move, find_moves, mean_move, most_moved
from clir_cli.records import Run, ScoredDoc


def run(**topics: str) -> Run:
    return {topic: [ScoredDoc(name, -place) for place, name in enumerate(names)] for topic, names in topics.items()}


def test_the_most_moved_by_hand() -> None:
    moves = find_moves(run(t1="abcd", t10="xyz", t2="mn"), run(t10="zxy", t2="mn", t1="dbca"), {"t1": {"d": 1, "a": 0}})
    assert moves[:2] == [Move("t1", "d", 1, 4, 1), Move("t10", "z", None, 3, 1)]
    assert [(move.document, move.up) for move in moves] == [
        ("d", 3), ("z", 2), ("b", 0), ("c", 0), ("m", 0), ("n", 0), ("x", -1), ("y", -1), ("a", -3),
    ]  # fmt: skip
    up, down = most_moved(moves, 2)
    assert [move.document for move in up] == ["d", "z"]
    assert [move.document for move in down] == ["a", "y"]
    assert most_moved(moves, 9)[0] == moves[:2]  # who stayed was not moved
    assert mean_move(moves, relevant=True) == (1, 3.0)
    assert mean_move(moves, relevant=False) == (8, -3 / 8)
    assert mean_move([], relevant=True) == (0, 0.0)


def test_a_document_that_was_no_candidate_is_left_out() -> None:
    assert find_moves(run(t="a"), run(t="ba", u="c"), {}) == [Move("t", "a", None, 1, 2)]
