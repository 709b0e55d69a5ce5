"""Runs and qrels: one canonical order, read back as written, every fault with its line."""

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.errors import DataError, stop_at_fault
from clir_cli.records import Qrel, ScoredDoc
from clir_cli.trec import (
    RunLine,
    check_run,
    is_column,
    natural_order,
    rank,
    read_qrels,
    read_run,
    read_scores,
    scan_qrels,
    scan_run,
    write_qrels,
    write_run,
)

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


def test_lines_of_old_macs() -> None:
    assert read_qrels(BAD / "mac.qrels") == {"1": {"a": 1, "b": 0}, "2": {"a": 1}}


@pytest.mark.parametrize(
    ("name", "problem", "hint", "rest"),
    [
        (
            "five_columns.run",
            "{path}:2: 5 columns, but a line of a run has 6.",
            "Write `topic Q0 document rank score tag`, with no white space inside an id.",
            {"1": [("a", 2.0)]},
        ),
        (
            "space_in_id.run",
            "{path}:1: 7 columns, but a line of a run has 6.",
            "Write `topic Q0 document rank score tag`, with no white space inside an id.",
            {},
        ),
        ("no_number.run", "{path}:1: the score 'high' is not a number.", "The fifth column is the score.", {}),
        ("nan.run", "{path}:1: the score 'nan' is not a number.", "The fifth column is the score.", {}),
        (
            "twice.run",
            "{path}:3: document a is twice in topic 1, first at {path}:1.",
            "Keep one of the two lines.",
            {"1": [("a", 2.0)], "2": [("a", 2.0)]},
        ),
        (
            "latin1.run",
            "{path}:1: byte 0xe4 at offset 5 of the line is not utf-8.",
            "Try `encoding: iso-8859-1` for this file.",
            {"1": [("\ufffd", 2.0)]},
        ),
        (
            "nul.run",
            "{path}:1: there is a NUL byte in this line.",
            "Is it utf-16? Make it utf-8.",
            {"1": [("b", 1.0)]},
        ),
        (
            "three_columns.qrels",
            "{path}:2: 3 columns, but a line of qrels has 4.",
            "Write `topic 0 document grade`, with no white space inside an id.",
            {"1": {"a": 1}},
        ),
        (
            "five_columns.qrels",
            "{path}:1: 5 columns, but a line of qrels has 4.",
            "Write `topic 0 document grade`, with no white space inside an id.",
            {"1": {"b": 1}},
        ),
        (
            "one_column.qrels",
            "{path}:2: 1 column, but a line of qrels has 4.",
            "Write `topic 0 document grade`, with no white space inside an id.",
            {"1": {"a": 1}},
        ),
        (
            "fraction.qrels",
            "{path}:1: the grade of document a is '1.5'.",
            "Write a whole number.",
            {"1": {"b": 1}},
        ),
        (
            "twice.qrels",
            "{path}:3: document a has grade 0 for topic 1 here, and 1 at {path}:1.",
            "Keep one of the two lines.",
            {"1": {"a": 1, "b": 0}},
        ),
        (
            "repeat.qrels",
            "{path}:3: the judgement of document a for topic 1 repeats the one at {path}:1.",
            "It changes nothing: take the line out.",
            {"1": {"a": 1, "b": 0, "c": 1}},
        ),
        (
            "latin1.qrels",
            "{path}:1: byte 0xe4 at offset 5 of the line is not utf-8.",
            "Try `encoding: iso-8859-1` for this file.",
            {"1": {"M\ufffdd": 1, "b": 1}},
        ),
        (
            "nul.qrels",
            "{path}:1: there is a NUL byte in this line.",
            "Is it utf-16? Make it utf-8.",
            {"1": {"b": 1}},
        ),
    ],
)
def test_faults_and_what_is_read_beside_them(name: str, problem: str, hint: str, rest: object) -> None:
    path = BAD / name
    read = read_run if name.endswith(".run") else read_qrels
    with pytest.raises(DataError) as caught:
        read(path)
    assert caught.value.problem == problem.format(path=path)
    assert caught.value.hint == hint
    faults: list[DataError] = []
    assert read(path, faults.append) == rest
    assert [fault.problem for fault in faults] == [caught.value.problem]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("word.qrels", "{path}:1: the grade of document a is 'yes'."),
        ("empty.qrels", "{path}: there is no judgement in it."),
        ("nowhere.qrels", "{path}: there is no such file."),
        ("", "{path}: a file is expected here, and this is a folder."),
    ],
)
def test_qrels_without_a_judgement_are_an_error_whatever_the_handler_does(name: str, problem: str) -> None:
    path = BAD / name
    with pytest.raises(DataError) as caught:
        read_qrels(path)
    assert caught.value.problem == problem.format(path=path)
    faults: list[DataError] = []
    with pytest.raises(DataError) as caught:
        read_qrels(path, faults.append)
    assert caught.value.problem == f"{path}: there is no judgement in it."
    assert caught.value.hint == "Lines are `topic 0 document grade`."
    assert [fault.problem for fault in faults] == [problem.format(path=path)]


def test_whole_grades_written_with_a_point_and_grades_below_zero() -> None:
    assert read_qrels(BAD / "whole_fractions.qrels") == {"1": {"a": 1, "b": 0, "c": -1, "d": -2}, "2": {"e": 3}}


def test_infinite_scores_have_a_place_in_the_order() -> None:
    assert read_run(BAD / "infinite.run") == {"1": [("a", math.inf), ("b", 1.0), ("c", -math.inf)]}


def test_several_qrels_are_one(tmp_path: Path) -> None:
    one, two, empty = tmp_path / "1", tmp_path / "2", tmp_path / "3"
    one.write_text("1 0 a 1\n2 0 a 0\n")
    two.write_text("1 0 b 1\n1 0 a 1\n2 0 a 1\n3 0 c 1\n")
    empty.write_text("\n")
    faults: list[DataError] = []
    expected = [
        (f"{one}:1", Qrel("1", "a", 1)),
        (f"{one}:2", Qrel("2", "a", 0)),
        (f"{two}:1", Qrel("1", "b", 1)),
        (f"{two}:4", Qrel("3", "c", 1)),
    ]
    assert list(scan_qrels([one, two, empty], faults.append)) == expected
    assert [fault.problem for fault in faults] == [
        f"{two}:2: the judgement of document a for topic 1 repeats the one at {one}:1.",
        f"{two}:3: document a has grade 1 for topic 2 here, and 0 at {one}:2.",
        f"{empty}: there is no judgement in it.",
    ]
    assert read_qrels([one, two], faults.append) == {"1": {"a": 1, "b": 1}, "2": {"a": 0}, "3": {"c": 1}}
    with pytest.raises(DataError, match="there is no judgement in it"):
        read_qrels([])


def test_lines_of_a_run_with_their_places(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("1 Q0 a first 2 x\n\n2 Q0 a 0 1e1 y\n")
    assert list(scan_run(path)) == [
        (f"{path}:1", RunLine("1", "a", "first", 2.0, "x")),
        (f"{path}:3", RunLine("2", "a", "0", 10.0, "y")),
    ]


def test_remarks_on_ranks_and_tags() -> None:
    path = BAD / "remarks.run"
    assert check_run(path) == [
        (f"{path}:6", "The tag is y here, and x before."),
        (f"{path}:9", "The rank 'first' of topic 4 is no whole number."),
        (f"{path}:2", "Topic 1 has a higher score at rank 2 than above it; scores count, not ranks."),
    ]


@settings(max_examples=30)
@given(run=runs)
def test_there_is_no_remark_on_what_is_written_here(
    tmp_path_factory: pytest.TempPathFactory, run: dict[str, dict[str, float]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "checked"
    write_run(path, {topic: rank(documents.items()) for topic, documents in run.items()}, "t")
    assert check_run(path) == []


@pytest.mark.parametrize(
    "run", [{"a topic": [("d", 1.0)]}, {"t": [("", 1.0)]}, {"t": [("a\0", 1.0)]}, {"t": [("a\u2003b", 1.0)]}]
)
def test_what_cannot_be_read_back_is_not_written(tmp_path: Path, run: dict[str, list[ScoredDoc]]) -> None:
    with pytest.raises(DataError, match="cannot be a column"):
        write_run(tmp_path / "a.run", run, "tag")
    assert list(tmp_path.iterdir()) == []


RUN = b"41 Q0 LA010194-0001 1 2.5 t\n41 Q0 LA010194-0002 2 1e-3 t\n42\tQ0\ta\t1\t-1\tt\n"
QRELS = b"41 0 LA010194-0001 1\n41 0 LA010194-0002 0\n42-AH\t0\ta\t-1\r\n"
mutations = st.lists(st.tuples(st.integers(0, 90), st.integers(0, 3), st.binary(max_size=3)), max_size=4)


@given(
    content=st.one_of(
        st.binary(max_size=120),
        st.text("19QaT.e+-_ \t\n\0", max_size=120).map(str.encode),
        st.tuples(st.sampled_from([RUN, QRELS]), mutations).map(lambda drawn: mutate(*drawn)),
    ),
    goes_on=st.booleans(),
)
def test_any_bytes_are_lists_or_data_errors(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, goes_on: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "random"
    path.write_bytes(content)
    handler = (lambda fault: None) if goes_on else stop_at_fault
    assert all(is_column(text) for _, line in scan_run(path, lambda fault: None) for text in (line[:2]))
    check_run(path)
    for read in (read_run, read_qrels):
        try:
            lists = read(path, handler)
        except DataError:
            continue
        assert all(lists.values())


def mutate(content: bytes, mutations: list[tuple[int, int, bytes]]) -> bytes:
    for at, length, new in mutations:
        content = content[:at] + new + content[at + length :]
    return content


@settings(max_examples=60)
@given(
    lines=st.lists(
        st.one_of(
            st.tuples(st.sampled_from("12"), st.sampled_from("abcdefgh"), st.floats(allow_nan=False)).map(
                lambda drawn: f"{drawn[0]} Q0\t{drawn[1]}  1 {drawn[2]!r} t"
            ),
            st.sampled_from(
                ["", "1 Q0 a 1 1_0 t", "1 Q0 b 1 nan t", "1 Q0 c 1", "1 Q0 c 1 2 t 1 Q0 d", "1 Q0 e\r1 2 t"]
            ),
        ),
        max_size=12,
    ),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    is_ended=st.booleans(),
)
def test_the_fast_way_to_read_gives_what_the_slow_one_gives(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], end: str, is_ended: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "fast"
    path.write_bytes((end.join(lines) + (end if is_ended else "")).encode())
    slow: dict[str, dict[str, float]] = {}
    faults: list[str] = []
    for _, line in scan_run(path, lambda fault: faults.append(str(fault))):
        slow.setdefault(line.topic, {})[line.document] = line.score
    found: list[str] = []
    assert read_scores(path, lambda fault: found.append(str(fault))) == slow
    assert found == faults


def test_a_fault_in_a_later_portion_of_a_large_run_is_named(tmp_path: Path) -> None:
    path = tmp_path / "large.run"
    lines = [f"{number // 1000} Q0 document{number % 1000:04} 1 {number}.5 tag" for number in range(40_000)]
    path.write_text("\n".join(lines))
    assert path.stat().st_size > 1 << 20, "more than one portion"
    assert {topic: len(scores) for topic, scores in read_scores(path).items()} == {str(t): 1000 for t in range(40)}
    lines[-1] = lines[-2]
    path.write_text("\n".join(lines))
    with pytest.raises(
        DataError, match=r"large.run:40000: document document0998 is twice in topic 39, first at .*39999"
    ):
        read_scores(path)
