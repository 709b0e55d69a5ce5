"""Lines with their numbers, and files that appear whole or not at all."""

import gzip
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.errors import DataError, Faults
from clir_cli.lines import check_folder, check_place, read_characters, read_lines, read_text, write_whole


def lines_of(path: Path, encoding: str = "utf-8") -> list[str]:
    return [line for _, line in read_lines(path, encoding)]


def test_lines_are_numbered_from_one(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\n\nthree")
    assert list(read_lines(path)) == [(1, "one"), (2, ""), (3, "three")]


def test_byte_order_mark_and_windows_line_ends_go(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert lines_of(path) == ["one", "two"]


def test_other_separators_do_not_end_a_line(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes("a\x0bb\x0cc\x1cd\x85e\u2028f\rg\n".encode())
    assert lines_of(path) == ["a\x0bb\x0cc\x1cd\x85e\u2028f\rg"]


def test_where_there_is_no_line_feed_lines_end_at_carriage_returns(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\r\rthree\r")
    assert lines_of(path) == ["one", "", "three"]
    path.write_bytes(b"one\r")
    assert lines_of(path) == ["one"]


def test_a_line_without_end_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"one\n" + bytes(6 << 20)))
    monkeypatch.setattr("clir_cli.lines._LONGEST_LINE", 4 << 20)
    faults = Faults()
    assert list(read_lines(path, on_fault=faults)) == [(1, "one")]
    assert faults.examples == [f"{path}:2: this line does not end within 4 MB. Is the file text?"]


def test_gzip_is_told_by_content_not_by_name(tmp_path: Path) -> None:
    packed, plain = tmp_path / "packed.txt", tmp_path / "plain.gz"
    packed.write_bytes(gzip.compress(b"one\ntwo\n"))
    plain.write_bytes(b"one\ntwo\n")
    assert lines_of(packed) == lines_of(plain) == ["one", "two"]


def test_declared_encoding_is_used(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes("Vögel\n".encode("iso-8859-1"))
    assert lines_of(path, "iso-8859-1") == ["Vögel"]


@pytest.mark.parametrize(
    ("content", "encoding", "advice"),
    [
        ("ok\nVögel\n".encode("iso-8859-1"), "utf-8", "encoding: iso-8859-1"),
        ("ok\n“Vögel”\n".encode("windows-1252"), "utf-8", "encoding: windows-1252"),
        ("ok\nVögel\n".encode(), "ascii", "encoding: utf-8"),
    ],
)
def test_undecodable_byte_names_line_and_what_to_try(
    tmp_path: Path, content: bytes, encoding: str, advice: str
) -> None:
    path = tmp_path / "a"
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        lines_of(path, encoding)
    assert f"{path}:2: byte 0x" in caught.value.problem
    assert advice in caught.value.hint


@pytest.mark.parametrize("encoding", ["no-such-thing", "base64", "utf-16", "cp037"])
def test_an_encoding_that_cannot_be_used_is_refused(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x\n")
    with pytest.raises(DataError, match=encoding):
        lines_of(path, encoding)


def test_missing_file_and_folder_in_its_place(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        lines_of(tmp_path / "nowhere")
    with pytest.raises(DataError, match="this is a folder"):
        lines_of(tmp_path)


def test_damaged_gzip_says_where(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    whole = gzip.compress(b"one\n" * 1000)
    path.write_bytes(whole[:-12])
    with pytest.raises(DataError, match=r"a\.gz:\d+: the gzip file is cut short"):
        lines_of(path)


def without_ends(text: str) -> str:
    return text.translate(dict.fromkeys(map(ord, "\r\n\ufeff")))


@given(
    content=st.binary(max_size=200), head=st.sampled_from([b"", b"\x1f\x8b", b"\x1f\x8b\x08\x00", b"BZh", b"\xff\xfe"])
)
def test_any_bytes_are_lines_or_a_data_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, head: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(head + content)
    try:
        lines = lines_of(path)
    except DataError:
        return
    assert without_ends("\n".join(lines)) == without_ends(content.decode())


@pytest.mark.parametrize("name", [".", "there"])
def test_a_folder_is_no_file_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError) as caught, write_whole(Path(name)) as file:
        file.write("x")
    assert caught.value.problem == f"{name}: a file is expected here, and this is a folder."
    assert caught.value.hint == "Name the file."
    assert [entry.name for entry in tmp_path.iterdir()] == ["there"]


def test_a_pipe_or_a_device_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/null")):
        with pytest.raises(DataError) as caught:
            check_place(path)
        assert caught.value.problem == f"{path}: a file is expected here, and this is a device or a pipe."
    with pytest.raises(DataError, match="a device or a pipe"), write_whole(pipe) as file:
        file.write("x")
    assert pipe.is_fifo()
    assert [entry.name for entry in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_written_whole(tmp_path: Path, name: str) -> None:
    path = tmp_path / "new" / "folders" / name
    with write_whole(path) as file:
        file.write("ä\nb\n")
        assert not path.exists()
    assert lines_of(path) == ["ä", "b"]
    assert [file.name for file in path.parent.iterdir()] == [name]


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_a_failure_leaves_the_old_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with write_whole(path) as file:
        file.write("old\n")
    with pytest.raises(ZeroDivisionError), write_whole(path) as file:  # noqa: PT012 - the block is what is tested
        file.write("new\n")
        raise ZeroDivisionError
    assert lines_of(path) == ["old"]
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_packed_bytes_depend_on_the_text_alone(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        with write_whole(tmp_path / name) as file:
            file.write("same\n")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"same\n"


def test_a_folder_that_is_a_file_is_a_data_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "lost").symlink_to(tmp_path / "nowhere")
    for path, place, what in (
        (tmp_path / "file" / "a.txt", tmp_path / "file", "a file"),
        (tmp_path / "file" / "b" / "a.txt", tmp_path / "file", "a file"),
        (tmp_path / "lost" / "a.txt", tmp_path / "lost", "a link to nothing"),
    ):
        for make in (check_place, check_folder, lambda path: write_whole(path).__enter__()):
            with pytest.raises(DataError) as caught:
                make(path)
            assert caught.value.problem == f"{path}: nothing can be made there: {place} is {what} and not a folder."
            assert caught.value.hint == "Name a path that leads through folders alone."
    check_folder(tmp_path / "new" / "folders")
    check_folder(tmp_path)
    with pytest.raises(DataError, match="file: a folder is expected here, and this is a file"):
        check_folder(tmp_path / "file")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "lost"]


def test_a_handler_that_returns_gets_every_undecodable_line_and_loses_none(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes("eins\nfünf\nzwölf ö\nend\n".encode("iso-8859-1"))
    faults = Faults()
    assert list(read_lines(path, "utf-8", faults)) == [
        (1, "eins"), (2, "f\ufffdnf"), (3, "zw\ufffdlf \ufffd"), (4, "end"),
    ]  # fmt: skip
    assert faults.examples == [
        f"{path}:2: byte 0xfc at offset 1 of the line is not utf-8. Try `encoding: iso-8859-1` for this file.",
        f"{path}:3: byte 0xf6 at offset 2 of the line is not utf-8. Try `encoding: iso-8859-1` for this file.",
    ]


def test_lines_before_a_fault_come_before_it(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\ntwo\n\xff\n")
    lines = read_lines(path)
    assert [next(lines), next(lines)] == [(1, "one"), (2, "two")]
    with pytest.raises(DataError):
        next(lines)


def test_all_whole_lines_before_the_cut_of_a_gzip_file_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    lines = [f"{number} {number**5}" for number in range(50_000)]
    whole = gzip.compress("\n".join(lines).encode())
    path.write_bytes(whole[: len(whole) // 2])
    faults = Faults()
    read = [line for _, line in read_lines(path, "utf-8", faults)]
    assert len(read) > 10_000
    assert read == lines[: len(read)]
    assert faults.examples == [f"{path}:{len(read) + 1}: the gzip file is cut short or damaged. Copy it again."]


def test_a_file_that_cannot_be_opened_has_no_lines(tmp_path: Path) -> None:
    faults = Faults()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "packed").write_bytes(b"BZh9")
    for name in ("nowhere", ".", "loop", "packed", "packed/below"):
        assert list(read_lines(tmp_path / name, "utf-8", faults)) == []
    assert faults.examples == [
        f"{tmp_path}/nowhere: there is no such file. Check the path.",
        f"{tmp_path}: a file is expected here, and this is a folder. Name the file.",
        f"{tmp_path}/loop: it is a link that leads to itself. Remove it, or link to the file that is meant.",
        f"{tmp_path}/packed: it is packed with bzip2. Unpack it, or pack it with gzip.",
        f"{tmp_path}/packed/below: a part of this path is a file, not a folder. Check the path.",
    ]


@pytest.mark.parametrize("mark", ["utf-16-le", "utf-16-be"])
def test_utf16_is_noticed_though_every_byte_is_a_letter_of_latin_1(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "a"
    path.write_bytes("\ufeffHello\n".encode(mark))
    with pytest.raises(DataError) as caught:
        lines_of(path, "iso-8859-1")
    assert caught.value.problem == f"{path}:1: this begins as utf-16 does, not as iso-8859-1."


@settings(max_examples=30)
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n\r\ufeff"), max_size=30), max_size=30))
def test_portions_are_whole_lines_with_the_number_of_the_first(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "portions"
    long = ["x" * (1 << 20), *lines, "y" * 1000]  # more than one portion
    path.write_text("\n".join(long), encoding="utf-8", newline="\n")
    number, read = 1, ""
    for first, portion in read_text(path):
        assert first == number
        number += portion.count("\n")
        read += portion
    assert read == "\n".join(long)
    assert lines_of(path) == long


def test_characters_are_read_without_regard_to_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clir_cli.lines._PORTION", 3)
    path = tmp_path / "text"
    path.write_bytes("\ufeffäöü\n€uro".encode())
    assert "".join(read_characters(path)) == "äöü\n€uro"
    path.write_bytes(gzip.compress("äöü".encode()))
    assert "".join(read_characters(path)) == "äöü"
    path.write_bytes(gzip.compress(b"x" * 50)[:-9])
    with pytest.raises(DataError, match="text:1: the gzip file is cut short or damaged"):
        list(read_characters(path))
    path.write_bytes(b"ab\ncd\ne\nf\xfc\n")
    with pytest.raises(DataError, match=r"text:4: byte 0xfc is not utf-8\. Try `encoding: iso-8859-1`"):
        list(read_characters(path))
    path.write_bytes("€".encode()[:2])
    with pytest.raises(DataError, match="text:1: byte 0xe2 is not utf-8"):
        list(read_characters(path))
