"""Parallel text stays parallel."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.corpora.bitext import read_bitext
from clir_cli.errors import DataError
from clir_cli.records import SentencePair

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
