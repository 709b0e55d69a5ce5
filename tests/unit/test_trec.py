"""Runs and qrels: one canonical order, read back as written, every fault with its line."""

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.errors import DataError
from clir_cli.records import ScoredDoc
from clir_cli.trec import is_column, natural_order, rank, read_qrels, read_run, write_qrels, write_run

BAD = Path(__file__).parents[1] / "data" / "trec"

ids = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8).filter(
    lambda id: is_column(id) and "\ufeff" not in id
)
scores = st.floats(allow_nan=False)
runs = st.dictionaries(ids, st.dictionaries(ids, scores, min_size=1, max_size=5), max_size=4)
judgements = st.dictionaries(
    ids, st.dictionaries(ids, st.integers(-9, 9), min_size=1, max_size=5), min_size=1, max_size=4
)


def test_ties_go_by_document_descending() -> None:
    assert rank([("a", 1.0), ("c", 1.0), ("b", 2.0), ("B", 1.0)]) == [("b", 2.0), ("c", 1.0), ("a", 1.0), ("B", 1.0)]


def test_rank_cuts_at_depth() -> None:
    assert rank([("a", 1.0), ("b", 3.0), ("c", 2.0)], depth=2) == [ScoredDoc("b", 3.0), ScoredDoc("c", 2.0)]
    assert rank([("a", 1.0)], depth=0) == []


def test_rank_refuses_what_is_no_number() -> None:
    with pytest.raises(DataError, match="score of document b"):
        rank([("a", 1.0), ("b", math.nan)])


@given(st.lists(st.tuples(ids, scores)))
def test_rank_does_not_depend_on_the_order_it_gets(scored: list[tuple[str, float]]) -> None:
    assert rank(scored) == rank(reversed(scored))


def test_topics_come_in_natural_order() -> None:
    assert natural_order(["C10", "C9", "401-AH", "41-AH", "n09-010", "n09-002"]) == [
        "41-AH", "401-AH", "C9", "C10", "n09-002", "n09-010",
    ]  # fmt: skip


def test_a_run_is_written_in_full_precision(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    write_run(path, {"10": [ScoredDoc("a", 0.1 + 0.2)], "9": [ScoredDoc("a", 1.0), ScoredDoc("b", 1.0)]}, "tag")
    assert path.read_text() == ("9 Q0 b 1 1.0 tag\n9 Q0 a 2 1.0 tag\n10 Q0 a 1 0.30000000000000004 tag\n")


@pytest.mark.parametrize("name", ["run", "run.gz"])
@settings(max_examples=40)
@given(run=runs)
def test_runs_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, name: str, run: dict[str, dict[str, float]]
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    expected = {topic: rank(documents.items()) for topic, documents in run.items()}
    write_run(path, expected, "t")
    assert read_run(path) == expected
    written = path.read_bytes()
    write_run(path, read_run(path), "t")
    assert path.read_bytes() == written


def test_tabs_windows_lines_and_wrong_ranks_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(b"1\tQ0\ta\t1\t1e-3\tx\r\n\r\n1  Q0 b   7  -2\tx\r\n1 Q0 c 3 5 x")
    assert read_run(path) == {"1": [("c", 5.0), ("a", 0.001), ("b", -2.0)]}


@settings(max_examples=40)
@given(qrels=judgements)
def test_qrels_are_read_back(tmp_path_factory: pytest.TempPathFactory, qrels: dict[str, dict[str, int]]) -> None:
    path = tmp_path_factory.getbasetemp() / "qrels"
    write_qrels(path, qrels)
    assert read_qrels(path) == qrels


def test_qrels_with_tabs(tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_bytes(b"41-AH\t0\tFR940116-000367\t1\r\n41-AH 0 FR2 -2\r\n")
    assert read_qrels(path) == {"41-AH": {"FR940116-000367": 1, "FR2": -2}}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("five_columns.run", "five_columns.run:2: 5 columns, but a line of a run has 6"),
        ("space_in_id.run", "space_in_id.run:1: 7 columns"),
        ("no_number.run", "no_number.run:1: the score 'high' is not a number"),
        ("nan.run", "nan.run:1: the score 'nan' is not a number"),
        ("twice.run", "twice.run:3: document a is twice in topic 1"),
        ("latin1.run", "latin1.run:1: byte 0xe4 at offset 5 of the line is not utf-8"),
        ("three_columns.qrels", "three_columns.qrels:2: 3 columns, but a line of qrels has 4"),
        ("fraction.qrels", "fraction.qrels:1: the grade of document a is '1.0'"),
        ("word.qrels", "word.qrels:1: the grade of document a is 'yes'"),
        ("twice.qrels", "twice.qrels:3: document a is twice in topic 1"),
        ("empty.qrels", "empty.qrels: there is no judgement in it"),
    ],
)
def test_bad_files(name: str, message: str) -> None:
    read = read_run if name.endswith(".run") else read_qrels
    with pytest.raises(DataError) as caught:
        read(BAD / name)
    assert message in caught.value.problem
    assert caught.value.hint


@pytest.mark.parametrize("run", [{"a topic": [("d", 1.0)]}, {"t": [("", 1.0)]}, {"t": [("a\u2003b", 1.0)]}])
def test_what_cannot_be_read_back_is_not_written(tmp_path: Path, run: dict[str, list[ScoredDoc]]) -> None:
    with pytest.raises(DataError, match="cannot be a column"):
        write_run(tmp_path / "a.run", run, "tag")
    assert list(tmp_path.iterdir()) == []


@given(content=st.one_of(st.binary(max_size=120), st.text("19QaT.e+-_ \t\n", max_size=120).map(str.encode)))
def test_random_bytes_raise_nothing_but_data_errors(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "random"
    path.write_bytes(content)
    for read in (read_run, read_qrels):
        try:
            lists = read(path)
        except DataError:
            continue
        assert all(lists.values())
