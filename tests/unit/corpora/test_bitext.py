"""Parallel text stays parallel."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.corpora.bitext import read_bitext
from clir_cli.errors import DataError, Faults
from clir_cli.records import SentencePair

DATA = Path(__file__).parents[2] / "data" / "bitext"

sides = st.text(st.characters(codec="utf-8", exclude_characters="\n\ufeff"), max_size=12)


def write(path: Path, content: str) -> Path:
    path.write_bytes(content.encode())
    return path


def test_lines_blank_on_either_side_go_on_both(tmp_path: Path) -> None:
    source = write(tmp_path / "s", "eins\n\ndrei\n \nfünf\n")
    target = write(tmp_path / "t", "one\ntwo\n\t\n\nfive\r\n")
    assert list(read_bitext(source, target)) == [SentencePair("eins", "one"), SentencePair("fünf", "five")]


def test_packed_and_plain_together(tmp_path: Path) -> None:
    source = tmp_path / "s.gz"
    source.write_bytes(gzip.compress(b"eins\nzwei\n"))
    target = write(tmp_path / "t", "one\ntwo")
    assert list(read_bitext(source, target)) == [("eins", "one"), ("zwei", "two")]


@settings(max_examples=50)
@given(st.lists(st.tuples(sides, sides), max_size=8))
def test_pairs_are_read_back(tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]) -> None:
    folder = tmp_path_factory.getbasetemp()
    source = write(folder / "s", "".join(left + "\n" for left, _ in pairs))
    target = write(folder / "t", "".join(right + "\n" for _, right in pairs))
    expected = [(left.strip(), right.strip()) for left, right in pairs if left.strip() and right.strip()]
    assert list(read_bitext(source, target)) == expected


@pytest.mark.parametrize(("left", "right"), [(3, 2), (2, 5), (0, 1), (1, 0)])
def test_unequal_lengths_are_refused_with_both_counts(tmp_path: Path, left: int, right: int) -> None:
    source, target = write(tmp_path / "s", "x\n" * left), write(tmp_path / "t", "\n" * right)
    with pytest.raises(DataError) as caught:
        list(read_bitext(source, target))
    assert caught.value.problem == f"{source} has {left} lines, {target} has {right}."


def test_undecodable_line_is_named(tmp_path: Path) -> None:
    source, target = tmp_path / "s", write(tmp_path / "t", "one\ntwo\n")
    source.write_bytes("eins\nfünf\n".encode("iso-8859-1"))
    with pytest.raises(DataError, match="s:2: byte 0xfc"):
        list(read_bitext(source, target))
    assert list(read_bitext(source, target, "iso-8859-1")) == [("eins", "one"), ("fünf", "two")]


def test_faults_that_are_passed_on_leave_the_pairs() -> None:
    faults = Faults()
    pairs = list(read_bitext(DATA / "latin1.deu", DATA / "utf8.eng", on_fault=faults))
    assert pairs == [("eins", "one"), ("f\ufffdnf", "five"), ("zw\ufffdlf", "twelve")]
    hint = "Try `encoding: iso-8859-1` for this file."
    assert faults.examples == [
        f"{DATA}/latin1.deu:3: byte 0xfc at offset 1 of the line is not utf-8. {hint}",
        f"{DATA}/latin1.deu:4: byte 0xf6 at offset 2 of the line is not utf-8. {hint}",
    ]


def test_a_missing_line_is_told_at_the_end() -> None:
    faults = Faults()
    pairs = list(read_bitext(DATA / "utf8.eng", DATA / "one_line_short.deu", on_fault=faults))
    assert pairs == [("one", "eins"), ("five", "zwölf")]
    message = (
        f"{DATA}/utf8.eng has 4 lines, {DATA}/one_line_short.deu has 3. "
        "Parallel files need the same number of lines: find the line that is missing."
    )
    assert faults.examples == [message]
    with pytest.raises(DataError) as caught:
        list(read_bitext(DATA / "utf8.eng", DATA / "one_line_short.deu"))
    assert str(caught.value) == message


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="nowhere: there is no such file"):
        list(read_bitext(DATA / "utf8.eng", tmp_path / "nowhere"))
    faults = Faults()
    assert list(read_bitext(DATA / "utf8.eng", tmp_path / "nowhere", on_fault=faults)) == []
    assert faults.examples[0] == f"{tmp_path}/nowhere: there is no such file. Check the path."


@settings(max_examples=100)
@given(
    st.binary(max_size=60), st.binary(max_size=60), st.sampled_from([b"", b"\x1f\x8b\x08", b"\xff\xfe", b"PK\x03\x04"])
)
def test_no_bytes_raise_with_a_handler_that_returns(
    tmp_path_factory: pytest.TempPathFactory, left: bytes, right: bytes, head: bytes
) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / "s").write_bytes(head + left)
    (folder / "t").write_bytes(right)
    faults = Faults()
    pairs = list(read_bitext(folder / "s", folder / "t", on_fault=faults))
    assert all(pair.source and pair.target for pair in pairs)
    if faults.count:
        with pytest.raises(DataError):
            list(read_bitext(folder / "s", folder / "t"))


def test_blank_lines_stay_where_lines_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("eins\n\ndrei\n vier \n")
    (tmp_path / "b").write_text("one\ntwo\n\nfour\n")
    kept = [tuple(pair) for pair in read_bitext(tmp_path / "a", tmp_path / "b", keep_blank=True)]
    assert kept == [("eins", "one"), ("", "two"), ("drei", ""), ("vier", "four")]
