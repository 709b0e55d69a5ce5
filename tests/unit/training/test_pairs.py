"""Which documents are compared in training."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.errors import ClirError, DataError
from clir_cli.records import Run, ScoredDoc
from clir_cli.training.pairs import DrawnPairs, TrainingPair, draw_pairs, read_pairs, write_pairs

QRELS = {
    "1": {"r1": 1, "r2": 2, "bad": 0, "absent": 1},
    "2": {"r3": 1},
    "3": {"bad": 0},  # nothing relevant
    "4": {"absent": 1},  # relevant, but not in the collection
    "5": {"r1": 1},  # every candidate is relevant
}
COLLECTION = {"r1", "r2", "r3", "bad", *(f"u{number}" for number in range(20))}


def ranked(*documents: str) -> list[ScoredDoc]:
    return [ScoredDoc(document, -float(place)) for place, document in enumerate(documents)]


CANDIDATES: Run = {
    "1": ranked("r1", "bad", *(f"u{number}" for number in range(20))),
    "2": ranked("u1", "u2"),
    "3": ranked("u1"),
    "4": ranked("u1"),
    "5": ranked("r1"),
}


def draw(topics: str = "12345", **settings: object) -> DrawnPairs:
    settings = {"exists": COLLECTION, "epochs": 50, **settings}
    return draw_pairs(list(topics), QRELS, CANDIDATES, **settings)  # type: ignore[arg-type]


def test_per_topic_draws_one_pair_a_topic_and_epoch() -> None:
    pairs = draw().pairs
    assert [(pair.epoch, pair.topic) for pair in pairs] == [(epoch, topic) for epoch in range(1, 51) for topic in "12"]
    of_first = [pair for pair in pairs if pair.topic == "1"]
    # Relevant documents outside the run count, absent ones do not; unjudged and judged-bad ones are negatives.
    assert {pair.positive for pair in of_first} == {"r1", "r2"}
    assert {pair.negative for pair in of_first} <= {"bad", *(f"u{number}" for number in range(20))}
    assert len({pair.negative for pair in of_first}) > 10


def test_per_positive_takes_each_once_an_epoch() -> None:
    pairs = draw(mode="per_positive", epochs=2).pairs
    assert [(pair.epoch, pair.positive) for pair in pairs] == [
        (1, "r1"), (1, "r2"), (1, "r3"), (2, "r1"), (2, "r2"), (2, "r3"),
    ]  # fmt: skip


def test_topics_without_pairs_are_named_with_the_reason() -> None:
    assert draw().skipped == {
        "3": "no relevant documents",
        "4": "no relevant document is in the collection",
        "5": "no candidates that are not relevant",
    }
    assert draw_pairs(["9"], QRELS, CANDIDATES, exists=COLLECTION).skipped == {"9": "no relevant documents"}


def test_negatives_come_from_the_top_alone() -> None:
    pairs = draw("1", negatives=3).pairs
    assert {pair.negative for pair in pairs} == {"bad", "u0"}  # the first three are r1, bad, u0


def test_a_topic_is_drawn_alone() -> None:
    both = draw("12").pairs
    assert draw("2").pairs == [pair for pair in both if pair.topic == "2"]
    assert draw("21", epochs=9).pairs[1::2] == [pair for pair in both if pair.topic == "1"][:9]


def test_the_seed_decides() -> None:
    assert draw(seed=1) == draw(seed=1)
    assert draw(seed=1) != draw(seed=2)
    # The same on every machine and Python: these are literals.
    assert [pair.negative for pair in draw("1", seed=42, epochs=4).pairs] == LITERAL


LITERAL = ["u19", "u17", "u13", "u19"]


def test_unknown_mode() -> None:
    with pytest.raises(ClirError, match="per_topic or per_positive"):
        draw(mode="all")


IDS = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1)


@given(pairs=st.lists(st.builds(TrainingPair, st.integers(1, 10**6), IDS, IDS, IDS)))
def test_file_gives_back_what_was_written(tmp_path_factory: pytest.TempPathFactory, pairs: list[TrainingPair]) -> None:
    path = tmp_path_factory.mktemp("pairs") / "pairs.tsv"
    write_pairs(path, pairs)
    assert read_pairs(path) == pairs


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("1\tt\tp\tn\n", ":1: the first line is not the header"),
        ("epoch\ttopic\tpositive\tnegative\n1\tt\tp\tn\n1\tt\tp\n", ":3: this is not epoch"),
        ("epoch\ttopic\tpositive\tnegative\none\tt\tp\tn\n", ":2: this is not epoch"),
        ("epoch\ttopic\tpositive\tnegative\n0\tt\tp\tn\n", ":2: this is not epoch"),
        ("epoch\ttopic\tpositive\tnegative\n1\t\tp\tn\n", ":2: this is not epoch"),
    ],
)
def test_a_bad_file_is_reported_by_line(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        read_pairs(path)
    assert f"{path}{place}" in caught.value.problem
