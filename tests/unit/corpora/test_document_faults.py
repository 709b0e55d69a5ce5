"""Whatever is wrong with documents is said with its place, and the rest of them can be read all the same."""

import os
from pathlib import Path
from time import process_time

import pytest

from clir_cli.corpora.documents import read_documents
from clir_cli.errors import DataError, Faults
from clir_cli.records import Document

BAD = Path(__file__).parents[2] / "data" / "documents"


def write(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode())
    return path


IDS = "Ids are columns in runs and judgements."
MEND = "Mend the tags."
LATIN_1 = "Try `encoding: iso-8859-1` for this file."
OBJECTS = 'Each line is one object such as {"id": "a", "text": "b"}.'
TSV = "A line is id TAB text, or id TAB title TAB text."
SQUAD = "SQuAD's form is data, paragraphs, context and qas."
# File -> what is said of it, each with the path before, and the ids of what can be read all the same.
FAULTS: dict[str, tuple[list[str], list[str]]] = {
    "latin1.jsonl": ([f":2: byte 0xfc at offset 21 of the line is not utf-8. {LATIN_1}"], ["a", "b"]),
    "latin1.sgml": ([f":7: byte 0xe9 at offset 9 of the line is not utf-8. {LATIN_1}"], ["A1", "A2"]),
    "windows.tsv": (
        [":2: byte 0x93 at offset 2 of the line is not utf-8. Try `encoding: windows-1252` for this file."], ["a", "b"],
    ),
    "utf16.tsv": (
        [
            ":1: byte 0xff at offset 0 of the line is not utf-8. The file looks like utf-16: convert it to utf-8.",
            f":1: the id '\ufffd\ufffda\\x00' has white space in it. {IDS}",
            f":2: there is no tab. {TSV}",
        ],
        [],
    ),
    "bad_json.jsonl": (
        [":2: not JSON (Unterminated string starting at at column 21). Each line is one whole JSON object."], ["a"],
    ),
    "array.jsonl": ([f":1: not a JSON object. {OBJECTS}"], []),
    "no_id.jsonl": ([":3: there is no 'id' or 'docno' or '_id' in this line. It has 'name', 'text'."], ["a"]),
    "no_text.jsonl": ([":1: there is no 'text' in this line. It has 'id', 'title'."], []),
    "text_is_list.jsonl": ([":1: 'text' is list, not text. Write it in quotes."], []),
    "half_character.jsonl": ([":1: an escape such as \\ud83d is half of a character. Write both halves."], []),
    "mixed_faults.jsonl": (
        [
            ":2: not JSON (Expecting value at column 1). Each line is one whole JSON object.",
            f":3: the id 'b c' has white space in it. {IDS}",
            f":4: not a JSON object. {OBJECTS}",
            ":6: there is no 'text' in this line. It has 'id'.",
            f":7: byte 0xff at offset 21 of the line is not utf-8. {LATIN_1}",
        ],
        ["a", "d", "f", "g"],
    ),
    "no_tab.tsv": ([f":2: there is no tab. {TSV}"], ["a"]),
    "five_columns.tsv": ([f":1: there are 5 columns. {TSV}"], []),
    "empty_id.tsv": ([f":2: the id is empty. {IDS}"], ["a"]),
    "space_in_id.tsv": ([f":1: the id 'a b' has white space in it. {IDS}"], []),
    "mixed_faults.tsv": (
        [
            f":2: there is no tab. {TSV}",
            f":3: the id 'b c' has white space in it. {IDS}",
            f":4: there are 4 columns. {TSV}",
            f":5: the id is empty. {IDS}",
            f":6: byte 0xff at offset 2 of the line is not utf-8. {LATIN_1}",
        ],
        ["a", "e", "f"],
    ),
    "empty.jsonl": ([": there are no documents in it. Check the path and the format."], []),
    "no_format.txt": ([":2: this looks like no known format. Set format: jsonl, tsv, trec or squad."], []),
    "cut_short.jsonl.gz": ([":22: the gzip file is cut short or damaged. Copy it again."], ["a"] * 21),
    "packed.zip": ([": it is packed with zip. Unpack it, or pack it with gzip."], []),
    "unclosed_doc.sgml": (
        [":5: <DOC> is not closed before the file ends. Is the file cut short? Add </DOC>."], ["A1"],
    ),
    "doc_in_doc.sgml": ([":1: <DOC> is not closed before the next one in line 4. Add </DOC>."], ["A2"]),
    "doc_around_doc.sgml": (
        [
            ":1: <DOC> is not closed before the next one in line 3. Add </DOC>.",
            ":6: </DOC> closes what was not opened. Add <DOC> where it begins.",
        ],
        ["A2", "A3"],
    ),
    "stray_end.sgml": ([":4: </DOC> closes what was not opened. Add <DOC> where it begins."], ["A1"]),
    "unclosed_text.sgml": ([":4: the field TEXT is not closed. Close it with </TEXT>."], []),
    "text_in_text.sgml": ([f":4: <TEXT> is opened again before it is closed. {MEND}"], []),
    "stray_field_end.sgml": ([f":3: </TEXT> closes what was not opened. {MEND}"], ["A2"]),
    "no_docno.sgml": ([":5: this <DOC> has no DOCNO. The id is the DOCNO, not the DOCID."], ["A1"]),
    "unclosed_docno.sgml": ([":2: the field DOCNO is not closed. Close it with </DOCNO>."], ["A2"]),
    "empty_docno.sgml": ([f":3: the id is empty. {IDS}"], ["A2"]),
    "space_in_docno.sgml": ([f":2: the id that begins with A has white space in it. {IDS}"], ["A2"]),
    "text_in_docno.sgml": (
        [
            f":2: the id that begins with A1 has white space in it. {IDS}",
            f":9: <TEXT> is opened again before it is closed. {MEND}",
            f":12: <DOCNO> is opened again before it is closed. {MEND}",
        ],
        ["A4"],
    ),
    "two_docnos.sgml": ([":2: this <DOC> has two ids, A1 and A2. Is a </DOC> missing?"], ["A3"]),
    "no_doc.sgml": ([": there is no <DOC> in it. Is it SGML? Set its format, or move it away."], []),
    "nowhere.tsv": ([": there is no such file. Check the path."], []),
    "no_tab.tsv/below": ([": a part of this path is a file, not a folder. Check the path."], []),
    "squad_bad.json": ([":5: not JSON (Expecting ',' delimiter at column 2). Is the file cut short?"], []),
    "squad_faults.json": (
        [
            f": article 1, paragraph 2: there is no text 'context'. {SQUAD}",
            f": article 1, paragraph 3: there is no text 'context'. {SQUAD}",
            f": article 2: there is no list 'paragraphs'. {SQUAD}",
            f": article 3: there is no list 'paragraphs'. {SQUAD}",
            ": article 4, paragraph 1: an escape such as \\ud83d is half of a character. Write both halves.",
        ],
        ["A-1", "A-4", "C-1"],
    ),
}  # fmt: skip
CLEF_FAULTS: dict[str, tuple[list[str], list[str]]] = {
    "not_of_clef.sgml": (
        [
            ":2: FT911-3 is in none of the collections of CLEF, whose ids begin with LA, GH, LEMONDE, ATS., SDA., "
            "AGZ., SPIEGEL, FR9, LASTAMPA, EFE and a digit. "
            "Read it with `format: trec`, and `fields` where its tags are unusual."
        ],
        ["LA010394-0001"],
    ),
    "clef_in_utf8.sgml": (
        [":1: this document is utf-8, not iso-8859-1. Set encoding: utf-8."], ["LA010394-0002"],
    ),
    "utf16.sgml": (
        [
            ":1: this begins as utf-16 does, not as iso-8859-1. Convert the file to utf-8.",
            ": there is no <DOC> in it. Is it SGML? Set its format, or move it away.",
        ],
        [],
    ),
}  # fmt: skip
ALL_FAULTS = [("auto", name, *faults) for name, faults in FAULTS.items()]
ALL_FAULTS += [("clef", name, *faults) for name, faults in CLEF_FAULTS.items()]
ALL_FAULTS += [("squad", "squad_no_data.json", [f": there is no list 'data'. {SQUAD}"], [])]


@pytest.mark.parametrize(("format", "name", "messages", "kept"), ALL_FAULTS)
def test_the_first_fault_stops(format: str, name: str, messages: list[str], kept: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        list(read_documents([BAD / name], format))
    assert str(caught.value) == f"{BAD / name}{messages[0]}"


@pytest.mark.parametrize(("format", "name", "messages", "kept"), ALL_FAULTS)
def test_or_every_fault_is_reported_and_the_rest_is_read(
    format: str, name: str, messages: list[str], kept: list[str]
) -> None:
    faults = Faults()
    assert [document.id for document in read_documents([BAD / name], format, on_fault=faults)] == kept
    assert faults.examples == [f"{BAD / name}{message}" for message in messages]
    assert faults.count == len(messages)


def test_every_bad_file_has_its_test() -> None:
    good = {"controls.jsonl", "controls.sgml", "controls.tsv"}
    tested = {name for _, name, _, _ in ALL_FAULTS}
    assert {path.name for path in BAD.iterdir()} <= tested | good


def test_what_is_undecodable_becomes_a_replacement_character() -> None:
    faults = Faults()
    documents = list(read_documents([BAD / "latin1.sgml"], on_fault=faults))
    assert documents == [Document("A1", "plain"), Document("A2", "caf\ufffd au lait")]


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("controls.tsv", Document("a", "one two [0m three's")),
        ("controls.jsonl", Document("a", "one two three\n\tfour", "t ")),
        ("controls.sgml", Document("A1", "one twothree\u20ac l eau douce")),
    ],
)
def test_control_characters_are_white_space_and_no_fault(name: str, document: Document) -> None:
    assert list(read_documents([BAD / name], encoding="iso-8859-1")) == [document]


def test_faults_of_one_file_do_not_touch_the_next(tmp_path: Path) -> None:
    write(tmp_path / "a.tsv", "1\tx\n")
    (tmp_path / "b.jsonl.gz").write_bytes((BAD / "cut_short.jsonl.gz").read_bytes())
    (tmp_path / "c.tsv").symlink_to(tmp_path / "c.tsv")
    (tmp_path / "d.tsv").symlink_to(tmp_path / "gone")
    (tmp_path / "e.Z").write_bytes(b"\x1f\x9d\x90")
    write(tmp_path / "f", "no format")
    write(tmp_path / "g.tsv", "2\tx\n")
    os.mkfifo(tmp_path / "h.tsv")
    faults = Faults()
    documents = list(read_documents([tmp_path], on_fault=faults))
    assert [document.id for document in documents] == ["1", *["a"] * 21, "2"]
    assert faults.examples == [
        f"{tmp_path}/b.jsonl.gz:22: the gzip file is cut short or damaged. Copy it again.",
        f"{tmp_path}/c.tsv: it is a link that leads to itself. Remove it, or link to the file that is meant.",
        f"{tmp_path}/d.tsv: there is no such file. Check the path.",
        f"{tmp_path}/e.Z: it is packed with compress (.Z). Unpack it, or pack it with gzip.",
        f"{tmp_path}/f:1: this looks like no known format. Set format: jsonl, tsv, trec or squad.",
        f"{tmp_path}/h.tsv: this is neither a file nor a folder. Write what it gives into a file.",
    ]


@pytest.mark.parametrize("format", ["auto", "clef", "jsonl", "tsv", "squad"])
def test_a_pipe_and_an_endless_device_are_not_read(tmp_path: Path, format: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        faults = Faults()
        assert list(read_documents([path], format, on_fault=faults)) == []
        assert faults.examples == [f"{path}: this is neither a file nor a folder. Write what it gives into a file."]


@pytest.mark.parametrize("tag", ["<!-- a", "<DATE>", "<DOCNO>", "<TEXT", "</P", "&"])
def test_a_long_text_of_tags_that_never_close_takes_no_time(tmp_path: Path, tag: str) -> None:
    path = write(tmp_path / "a.sgml", f"<DOC><DOCNO>LA010394-0001</DOCNO><TEXT>{f'{tag} ' * 40_000}</TEXT></DOC>")
    begun = process_time()
    list(read_documents([path], "clef", on_fault=Faults()))
    assert process_time() - begun < 2  # seconds; it were minutes, looked for anew from each


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read_is_named(tmp_path: Path) -> None:
    write(tmp_path / "a.tsv", "1\tx\n").chmod(0)
    write(tmp_path / "b" / "c.tsv", "2\tx\n").parent.chmod(0)
    faults = Faults()
    assert list(read_documents([tmp_path], on_fault=faults)) == []
    (tmp_path / "b").chmod(0o700)
    assert faults.examples == [
        f"{tmp_path}/b: no permission to read it. Change its mode or owner.",
        f"{tmp_path}/a.tsv: no permission to read it. Change its mode or owner.",
    ]


def test_a_file_that_vanishes_is_a_fault(tmp_path: Path) -> None:
    for name in ("a.tsv", "b.tsv", "c.tsv"):
        write(tmp_path / name, f"{name}\tx\n")
    faults = Faults()
    documents = read_documents([tmp_path], on_fault=faults)
    assert next(documents).id == "a.tsv"
    (tmp_path / "b.tsv").unlink()
    assert [document.id for document in documents] == ["c.tsv"]
    assert faults.examples == [f"{tmp_path}/b.tsv: there is no such file. Check the path."]


def test_an_empty_folder_has_no_documents(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there are no documents"):
        list(read_documents([tmp_path]))
    faults = Faults()
    other = write(tmp_path / "other" / "a.tsv", "1\tx\n")
    (tmp_path / "empty").mkdir()
    assert [each.id for each in read_documents([tmp_path / "empty", other], on_fault=faults)] == ["1"]
    assert faults.examples == [f"{tmp_path}/empty: there are no documents in it. Check the path and the format."]


def test_an_unknown_format_or_encoding_is_always_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a", "1\tx\n")
    with pytest.raises(DataError, match="no document format 'warc'") as caught:
        list(read_documents([path], format="warc", on_fault=Faults()))
    assert caught.value.hint == "Formats are auto, jsonl, tsv, trec, clef, squad."
    with pytest.raises(DataError, match="no encoding 'latin-99'"):
        list(read_documents([path], encoding="latin-99", on_fault=Faults()))
