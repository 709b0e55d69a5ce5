"""Topic files at fault: the whole message, and what is read beside the fault by a handler that goes on."""

from pathlib import Path

import pytest

from clir_cli.corpora.topics import read_topics, scan_topics
from clir_cli.errors import DataError

BAD = Path(__file__).parents[2] / "data" / "topics"

COLUMNS = "A line is id TAB title [TAB description [TAB narrative]]."
TOP = "A <top> holds <num> and <XX-title>."
ELEMENT = "A <topic> holds <identifier> and <title>."
BLOCK = "A block holds `query_id:` and `title:`."
FORMAT = "Check the path and the format."
ID = "Ids are columns in runs and judgements: no white space."
ONE = "Keep one of the two."
LANGUAGE = "Keep one language in a file."
ENTITY = "Write the text that it stands for, and take the declaration out."
XML = "Is a tag unclosed, or an & not written as &amp;?"
UTF16 = "Convert the file to utf-8."
LOOKED_FOR = (
    "{path}: there are no topics in it; <topic> with <identifier> and <title> were looked for, as direct has them."
)

# File, problem, hint, ids of the topics beside the fault.
FAULTS = [
    # Lines
    ("no_tab.tsv", "{path}:2: there is no tab.", COLUMNS, ["1"]),
    ("five_columns.tsv", "{path}:1: there are 5 columns.", COLUMNS, []),
    ("same_id.tsv", "{path}:3: topic 1 is there already, at {path}:1.", ONE, ["1", "2"]),
    ("same_number.tsv", "{path}:2: topic 41-AH is there already, at {path}:1.", ONE, ["C041"]),
    ("no_text.tsv", "{path}:1: topic 1 has no text.", "Give it a title.", []),
    ("space_in_id.tsv", "{path}:1: the topic id 'topic 1' cannot be a column.", ID, []),
    ("nul_in_id.tsv", "{path}:1: the topic id '1\\x00' cannot be a column.", ID, ["2"]),
    ("no_id.jsonl", "{path}:1: there is no 'id' or '_id' in this line.", "It has 'title'.", []),
    ("number_as_title.jsonl", "{path}:1: 'title' is dict, not text.", "Write it in quotes.", []),
    (
        "bad_json.jsonl",
        "{path}:2: not JSON (Unterminated string starting at at column 20).",
        "Each line is one whole JSON object.",
        ["1", "3"],
    ),
    # SGML of 2001 to 2006
    ("unclosed_top.txt", "{path}:5: <top> is not closed before the file ends.",
     "Is the file cut short? Add </top>.", ["C001"]),
    ("top_in_top.txt", "{path}:1: <top> is not closed before the next one in line 4.", "Add </top>.", ["C002"]),
    ("stray_top_end.txt", "{path}:5: </top> closes what was not opened.", "Add <top> before it.", ["C001", "C002"]),
    ("unclosed_title.txt", "{path}:3: <EN-title> is not closed before <EN-desc> in line 4.",
     "Close it with </EN-title>.", []),
    ("desc_in_title.txt", "{path}:3: <EN-title> is not closed before <EN-desc> in line 4.",
     "Close it with </EN-title>.", ["C002"]),
    ("open_to_the_end.txt", "{path}:3: <EN-title> is not closed before the topic ends.",
     "Close it with </EN-title>.", ["C002"]),
    ("text_in_tags.txt", "{path}:3: <EN-title> is not closed before <EN-desc> in line 4.",
     "Close it with </EN-title>.", ["C002"]),
    ("all_in_query_id.txt", "{path}:1: topic C001 title: all of a topic that someone wrote into one singl... "
     "has no title.", "A block holds `query_id:` and `title:`.", ["C002"]),
    ("before_declaration.xml",
     "{path}:2: not XML (XML or text declaration not at start of entity at column 1).",
     "Take out what stands before `<?xml`.", []),
    ("stray_title_end.txt", "{path}:3: </EN-title> closes what was not opened.", "Mend the tags.", ["C002"]),
    ("no_num.txt", "{path}:1: this topic has no num.", TOP, []),
    ("no_title.txt", "{path}:1: topic C001 has no title.", TOP, []),
    ("two_titles.txt", "{path}:4: this topic has a second field title.", ONE, ["C002"]),
    ("two_languages.txt", "{path}:4: this topic has fields of two languages, EN and DE.", LANGUAGE, []),
    ("second_language.txt", "{path}:5: topic C002 is in deu, those before it in eng.", LANGUAGE, ["C001", "C003"]),
    ("no_top.sgml",
     "{path}: there are no topics in it; <top> with <num> and <XX-title> were looked for, as clef has them.",
     FORMAT, []),
    # SGML of 2000
    ("no_title_2000.txt", "{path}:1: topic C001 has no title.", TOP, ["C002"]),
    ("no_num_2000.txt", "{path}:1: this topic has no num.", TOP, ["C002"]),
    ("no_fields_2000.txt", "{path}:5: this topic has no num.", TOP, ["C002"]),
    ("two_titles_2000.txt", "{path}:4: this topic has a second field title.", ONE, ["C002"]),
    ("cut_2000.txt", "{path}:5: <top> is not closed before the file ends.",
     "Is the file cut short? Add </top>.", ["C002"]),
    # XML
    ("bomb.xml", "{path}:3: the file declares an entity, 'a', and those are not unfolded.", ENTITY, []),
    ("bomb_outside.xml", "{path}:2: the file declares an entity, 'all', and those are not unfolded.", ENTITY, []),
    ("mismatched.xml", "{path}:3: not XML (mismatched tag at column 51).", XML, ["41-AH"]),
    ("bare_amp.xml", "{path}:2: not XML (not well-formed (invalid token) at column 52).", XML, []),
    ("html_entity.xml", "{path}:2: not XML (undefined entity at column 46).",
     "Write the letter itself: XML knows &amp;, &lt;, &gt;, &quot; and &apos;.", []),
    ("cut.xml", "{path}:3: not XML (no element found at column 47).", "Is the file cut short?", ["41-AH"]),
    ("no_identifier.xml", "{path}:2: this topic has no identifier.", ELEMENT, ["42-AH"]),
    ("no_title.xml", "{path}:2: topic 41-AH has no title.", ELEMENT, ["42-AH"]),
    ("two_titles.xml", "{path}:3: this topic has a second <title>.", ONE, ["42-AH"]),
    ("title_in_title.xml", "{path}:3: <title> begins in <title>.", "Mend the tags.", ["42-AH"]),
    ("topic_in_topic.xml", "{path}:3: <topic> begins in another, the one of {path}:2.", "Mend the tags.", ["42-AH"]),
    ("second_language.xml", "{path}:3: topic 43-AH is in eng, those before it in deu.", LANGUAGE, ["41-AH", "42-AH"]),
    ("unknown_encoding.xml", "{path}: there is no encoding 'martian'.", "Try utf-8 or iso-8859-1.", []),
    ("latin1.xml", "{path}:3: byte 0xf6 at offset 45 of the line is not UTF-8.",
     "Try `encoding: iso-8859-1` for this file.", ["41-AH"]),
    ("no_topics.xml", LOOKED_FOR, FORMAT, []),
    ("no_top.txt", LOOKED_FOR, FORMAT, []),
    # Blocks
    ("no_id_blocks.txt", "{path}:1: this topic has no id.", BLOCK, ["C002"]),
    ("no_title_blocks.txt", "{path}:1: topic C001 has no title.", BLOCK, ["C002"]),
    ("two_titles_blocks.txt", "{path}:3: this topic has a second `title:`.", ONE, ["C002"]),
    ("stray_line_blocks.txt", "{path}:4: this line belongs to no field.",
     "A block begins with `query_id:`; a blank line ends a field.", ["C001", "C002"]),
    # Whole files
    ("empty.tsv", "{path}: the file is empty.", "Check the path; was it copied whole?", []),
    ("nothing.txt", "{path}: the file is empty.", "Check the path; was it copied whole?", []),
    ("letter.txt", "{path}: this looks like no layout of topics.",
     "TSV needs tabs; else set format: tsv, jsonl, clef, clef2000, direct or blocks.", []),
    ("utf16.txt", "{path}:1: this begins as utf-16 does, not as iso-8859-1.", UTF16, []),
    ("utf16_without_mark.txt", "{path}: many bytes are NUL: this looks like utf-16.", UTF16, []),
    ("nowhere.tsv", "{path}: there is no such file.", "Check the path.", []),
    ("", "{path}: a file is expected here, and this is a folder.", "Name the file.", []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "problem", "hint", "rest"), FAULTS, ids=[fault[0] or "folder" for fault in FAULTS])
def test_fault_and_what_is_read_beside_it(name: str, problem: str, hint: str, rest: list[str]) -> None:
    path = BAD / name
    with pytest.raises(DataError) as caught:
        read_topics([path])
    assert caught.value.problem == problem.format(path=path)
    assert caught.value.hint == hint
    faults: list[DataError] = []
    assert [found.topic.id for found in scan_topics([path], on_fault=faults.append)] == rest
    assert [(fault.problem, fault.hint) for fault in faults] == [(caught.value.problem, hint)]


def test_every_file_is_tested() -> None:
    known = {name for name, *_ in FAULTS} | {"latin1.txt"}
    assert {path.name for path in BAD.iterdir()} <= known


@pytest.mark.parametrize(
    ("format", "looked_for"),
    [
        ("tsv", ""),
        ("jsonl", ""),
        ("clef", "<top> with <num> and <XX-title>"),
        ("clef2000", "<top> with <num> and <E-title>"),
        ("blocks", ""),
    ],
)
def test_another_format_than_the_file_has_gives_no_topics(format: str, looked_for: str) -> None:
    path = BAD / "two_titles.xml"
    faults: list[DataError] = []
    assert list(scan_topics([path], format, on_fault=faults.append)) == []
    assert faults
    if looked_for:
        assert [fault.problem for fault in faults] == [
            f"{path}: there are no topics in it; {looked_for} were looked for, as {format} has them."
        ]


def test_lines_of_comments_count(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("<top>\n<num> 1 </num>\n<!-- an\n<title> old\none -->\n</title></top>\n")
    with pytest.raises(DataError) as caught:
        read_topics([path])
    assert caught.value.problem == f"{path}:6: </title> closes what was not opened."


def test_sgml_is_no_xml() -> None:
    path = BAD / "unclosed_top.txt"
    with pytest.raises(DataError) as caught:
        read_topics([path], "direct")
    assert caught.value.problem == f"{path}:5: not XML (junk after document element at column 1)."


def test_a_byte_of_another_encoding_stands_out_and_its_topic_stays() -> None:
    path = BAD / "latin1.txt"
    with pytest.raises(DataError) as caught:
        read_topics([path], encoding="utf-8")
    assert caught.value.problem == f"{path}:3: byte 0xf6 at offset 12 of the line is not utf-8."
    assert caught.value.hint == "Try `encoding: iso-8859-1` for this file."
    faults: list[DataError] = []
    assert [topic.title for topic in read_topics([path], encoding="utf-8", on_fault=faults.append)] == ["V\ufffdgel"]
    assert [fault.problem for fault in faults] == [caught.value.problem]
    assert [topic.title for topic in read_topics([path])] == ["Vögel"]


def test_entities_of_a_dtd_elsewhere_are_those_of_html(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(
        '<!DOCTYPE topics SYSTEM "topics.dtd">\n<topics><topic><identifier>41-AH</identifier>'
        "<title>V&ouml;gel &amp; &#70;ische &nowhere;</title></topic></topics>"
    )
    assert [topic.title for topic in read_topics([path])] == ["Vögel & Fische &nowhere;"]


def test_elements_that_nobody_knows_and_name_spaces_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(
        '<x:topics xmlns:x="urn:x" xml:lang="fr"><note>No topic</note><x:topic><source>Where from</source>'
        "<x:identifier>41-AH</x:identifier><x:title>Ponts <em>gelés</em> <![CDATA[& <neige>]]></x:title>text beside"
        "</x:topic></x:topics>",
        encoding="utf-8",
    )
    (found,) = scan_topics([path])
    assert (found.topic.id, found.topic.title, found.language) == ("41-AH", "Ponts gelés & <neige>", "fra")


def test_fields_of_blocks_over_lines_with_colons_and_after_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(
        b"query_id: C001\r\ntitle: Water: who\r\n  pays\r\n\r\nDescription : one:\r\ntwo\r\nquery_id: C002\r\n"
        b"title:\r\nFish\r\nnarrative: x\r\n"
    )
    topics = [(topic.id, topic.title, topic.description, topic.narrative) for topic in read_topics([path])]
    assert topics == [("C001", "Water: who pays", "one: two", ""), ("C002", "Fish", "", "x")]


def test_a_field_of_2000_ends_at_the_blank_line_after_its_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(
        "<top>\n<num> C001\n<E-title> Birds\nand fish \n \t\nbeside\n<E-desc>\n\n Find\nthem.\n\nbeside\n"
        "<E-more> beside\n<E-narr> All\n\nof it.</E-narr> beside\n</top>\n"
    )
    (topic,) = read_topics([path])
    assert (topic.title, topic.description, topic.narrative) == ("Birds and fish", "Find them.", "All of it.")
