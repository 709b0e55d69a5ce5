"""The encoding of a file, by what decodes."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.errors import DataError
from clir_cli.pipeline.new_experiment.encodings import common_encoding, look_at_text


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (b"Haus\nBaum\n", "ascii"),
        ("Bäume\n".encode(), "utf-8"),
        ("Bäume\n".encode("utf-8-sig"), "utf-8"),
        ("Bäume und Häuser\n".encode("iso-8859-1"), "iso-8859-1"),
        ("„Bäume“ – Häuser\n".encode("windows-1252"), "windows-1252"),
        (b"B\xe4ume \x81\n", "iso-8859-1"),  # a byte that windows-1252 has not
        (b"", "ascii"),
    ],
)
def test_the_encoding_is_one_that_decodes(tmp_path: Path, content: bytes, encoding: str) -> None:
    file = tmp_path / "a"
    file.write_bytes(content)
    look = look_at_text(file)
    assert (look.encoding, look.damaged, look.is_whole) == (encoding, False, True)
    content.decode(encoding)


def test_a_packed_file_is_looked_into(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(gzip.compress("Bäume\nund\nHäuser".encode("iso-8859-1")))
    look = look_at_text(tmp_path / "a")
    assert (look.encoding, look.lines) == ("iso-8859-1", 3)


def test_a_few_broken_bytes_do_not_make_utf_8_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("Bäume und Häuser\n".encode() * 50 + b"\xff\n")
    look = look_at_text(tmp_path / "a")
    assert (look.encoding, look.damaged, look.lines) == ("utf-8", True, 51)


def test_half_a_letter_at_the_end_is_damage(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("Bäume und Häuser\n".encode() * 50 + b"\xc3")
    assert look_at_text(tmp_path / "a").damaged


def test_a_letter_across_the_limit_is_no_damage(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("Bä".encode() * 10)
    look = look_at_text(tmp_path / "a", most=2)
    assert (look.damaged, look.is_whole) == (False, False)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_refused(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a").write_bytes("\ufeffHaus\n".encode(encoding))
    with pytest.raises(DataError) as caught:
        look_at_text(tmp_path / "a")
    assert str(caught.value) == f"{tmp_path / 'a'}: it is UTF-16. Convert it to utf-8."


def test_a_packed_file_that_is_cut_short(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"Haus\n" * 1000)[:-12])
    with pytest.raises(DataError, match="the gzip file is cut short or damaged"):
        look_at_text(tmp_path / "a.gz")


@settings(max_examples=100)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_in_utf_8_is_utf_8(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.getbasetemp() / "any"
    file.write_bytes(b"x" + text.replace("\ufffd", "").encode())
    look = look_at_text(file)
    assert look.encoding in ("ascii", "utf-8")
    assert not look.damaged
    assert look.lines == len(file.read_bytes().removesuffix(b"\n").split(b"\n"))


@pytest.mark.parametrize(
    ("encodings", "common"),
    [
        (["ascii", "ascii"], "utf-8"),
        (["ascii", "iso-8859-1"], "iso-8859-1"),
        (["iso-8859-1", "windows-1252"], "windows-1252"),
        (["utf-8", "iso-8859-1"], None),
    ],
)
def test_one_encoding_for_several_files(encodings: list[str], common: str | None) -> None:
    assert common_encoding(encodings) == common
