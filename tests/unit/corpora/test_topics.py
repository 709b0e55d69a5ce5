"""What holds for topics of every layout: keys, ranges of numbers, encodings, several files, and reading on."""

import gzip
from pathlib import Path
from time import process_time

import pytest

from clir_cli.corpora.topics import FoundTopic, parse_ranges, read_topics, scan_topics, topic_key
from clir_cli.errors import DataError
from clir_cli.records import Topic

# The layout of CLEF 2001 to 2006: no root element, raw ampersands, case as it comes, fields of other names between.
CLEF = """
<top>
<num> C141 </num>
<DE-title> Brückenbau &
 Fähren </DE-title>
<DE-auto> left out </DE-auto>
<!-- <DE-title> Brücken
 </DE-title> -->
<DE-desc> Welche Brücken
  ersetzen Fähren? </DE-desc>
<DE-narr> Relevant sind Berichte &uuml;ber Br&#252;cken mit weniger als < 3 B&B-Hotels. </DE-narr>
</top>
<TOP><NUM>C142</NUM><de-TITLE>Vogelzug</de-TITLE></TOP>

"""
CLEF_TOPICS = [
    Topic(
        "C141",
        "Brückenbau & Fähren",
        "Welche Brücken ersetzen Fähren?",
        "Relevant sind Berichte über Brücken mit weniger als < 3 B&B-Hotels.",
    ),
    Topic("C142", "Vogelzug"),
]
XML = (
    '<?xml version="1.0" encoding="{}"?>\n'
    "<topics><topic><identifier>41-AH</identifier><title>Vögel</title></topic></topics>"
)


def write(path: Path, content: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(content.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("id", "key"),
    [
        ("C041", "41"), ("c041", "41"), ("041", "41"), ("41", "41"), ("41-AH", "41"), ("10.2452/401-AH", "401"),
        ("451-AH", "451"), ("C350", "350"), ("000", "0"), ("n09-000", "n09-000"), ("C41-AH", "C41-AH"), ("C", "C"),
        ("A041", "A041"), ("41b", "41b"), ("", ""), ("10.2452/401", "10.2452/401"), ("٤١", "٤١"),
    ],
)  # fmt: skip
def test_topic_key(id: str, key: str) -> None:
    assert topic_key(id) == key
    assert topic_key(key) == key


@pytest.mark.parametrize(
    ("text", "ranges"),
    [("1-40, 91-140", [(1, 40), (91, 140)]), ("150", [(150, 150)]), (" 001 - 009,7-7 ", [(1, 9), (7, 7)])],
)
def test_ranges(text: str, ranges: list[tuple[int, int]]) -> None:
    assert parse_ranges(text) == ranges


@pytest.mark.parametrize("text", ["", "1-", "-1", "1-2-3", "C041", "1-40 91-140", "1,,2", "1.5", "٤١", "1" * 12])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is checked below
        parse_ranges(text)
    assert str(caught.value) == f"{text!r} is no list of ranges such as `1-40, 91-140`"


def test_a_range_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is checked below
        parse_ranges("1-40, 140-91")
    assert str(caught.value) == "in '1-40, 140-91', the range 140-91 ends before it begins"


def test_tsv_with_one_to_three_texts(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.tsv", "C001\tBirds\r\n\r\n2\t Fish \tFind fish.\nn3\tWhales\tFind whales.\tRelevant are whales."
    )
    assert list(scan_topics([path])) == [
        FoundTopic(f"{path}:1", Topic("C001", "Birds"), ""),
        FoundTopic(f"{path}:3", Topic("2", "Fish", "Find fish."), ""),
        FoundTopic(f"{path}:4", Topic("n3", "Whales", "Find whales.", "Relevant are whales."), ""),
    ]


def test_jsonl(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        '{"id": 1, "title": "Birds", "description": null}\n{"_id": "b", "text": "Fish", "narrative": "n"}\n',
    )
    assert read_topics([path]) == [Topic("1", "Birds"), Topic("b", "Fish", narrative="n")]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-8", "utf-8-sig"])
def test_clef(tmp_path: Path, line_end: str, encoding: str) -> None:
    path = write(tmp_path / "Top-de03.txt", CLEF.replace("\n", line_end), encoding)
    given = encoding.removesuffix("-sig")
    assert read_topics([path], encoding=given) == CLEF_TOPICS
    assert read_topics([path], "clef", given) == CLEF_TOPICS


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-8-sig"])
def test_sgml_is_latin_1_unless_a_byte_order_mark_says_other(tmp_path: Path, encoding: str) -> None:
    assert read_topics([write(tmp_path / "a", CLEF, encoding)]) == CLEF_TOPICS


def test_utf_8_that_is_read_as_latin_1_is_no_fault(tmp_path: Path) -> None:
    assert read_topics([write(tmp_path / "a", CLEF)])[0].title == "BrÃ¼ckenbau & FÃ¤hren"


@pytest.mark.parametrize("encoding", ["iso-8859-1", "UTF-8", "windows-1252"])
def test_xml_is_read_in_the_encoding_that_it_declares(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path / "a.xml", XML.format(encoding), encoding)
    assert read_topics([path]) == [Topic("41-AH", "Vögel")]


def test_an_encoding_that_is_given_wins_over_the_declared_one(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xml", XML.format("utf-16"), "iso-8859-1")
    assert read_topics([path], encoding="iso-8859-1") == [Topic("41-AH", "Vögel")]


def test_a_byte_order_mark_wins_over_the_declared_encoding(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xml", XML.format("iso-8859-1"), "utf-8-sig")
    assert read_topics([path]) == [Topic("41-AH", "Vögel")]


@pytest.mark.parametrize("name", ["a.tsv", "a.tab", "a.txt", "a.tsv.gz"])
def test_packed_and_named_otherwise(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress("\ufeff\n1\tVögel\r\n".encode()))
    assert read_topics([path]) == [Topic("1", "Vögel")]


@pytest.mark.parametrize(
    ("content", "format"),
    [
        ("1\tA <top> of a tree", "tsv"),
        ('{"id": "1", "title": "A <top> of a tree"}', "jsonl"),
        ("QUERY_ID:\t1\ntitle: A <top> of a tree", "blocks"),
        ("Topics of the year\n\nquery_id: 1\ntitle: A\n", "blocks"),
        ("Topics of the year\n<top>\n<num> 1 </num> <title> A </title></top>", "clef"),
        ("<top><num> 1 <EN-title> A </top> </num> </EN-title>", "clef2000"),
        ('<?xml version="1.0"?><topics><top><num> 1 </num><title> A </title></top></topics>', "clef"),
        ("<t:topics xmlns:t='x'><t:topic><t:identifier>1</t:identifier><t:title>A</t:title></t:topic></t:topics>",
         "direct"),
    ],
)  # fmt: skip
def test_the_look_of_a_file_tells_its_layout(tmp_path: Path, content: str, format: str) -> None:
    path = write(tmp_path / "a.txt", content)
    faults: list[DataError] = []
    topics = read_topics([path], on_fault=faults.append)
    assert topics == read_topics([path], format, on_fault=faults.append)
    assert topics[0].id == "1"
    assert topics[0].title.startswith("A")


def test_several_files_of_several_layouts_are_one_set(tmp_path: Path) -> None:
    one, two = write(tmp_path / "a.tsv", "2\tFish\n"), write(tmp_path / "b.txt", "1\tBirds\n")
    three = write(tmp_path / "c.xml", XML.format("utf-8"))
    four = write(tmp_path / "d", CLEF, "iso-8859-1")
    assert [topic.id for topic in read_topics([one, two, three, four])] == ["2", "1", "41-AH", "C141", "C142"]


def test_only_topics_of_some_numbers(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "C040\ta\n41-AH\tb\n10.2452/401-AH\tc\nn41\td\n٤١\te\n")
    assert [topic.id for topic in read_topics([path], numbers=[(1, 41), (400, 401)])] == [
        "C040",
        "41-AH",
        "10.2452/401-AH",
    ]
    with pytest.raises(DataError) as caught:
        read_topics([path], numbers=[(42, 90), (7, 7)])
    assert caught.value.problem == f"{path}: there are no topics of the numbers 42-90, 7."


def test_a_topic_that_is_not_asked_for_repeats_none(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "1\ta\n1\tb\n2\tc\n")
    assert read_topics([path], numbers=[(2, 2)]) == [Topic("2", "c")]


def test_the_same_topic_in_two_files_is_refused_with_both_places(tmp_path: Path) -> None:
    one, two = write(tmp_path / "a.tsv", "\nC041\tFish\n"), write(tmp_path / "b.tsv", "41\tFish\n")
    with pytest.raises(DataError) as caught:
        read_topics([one, two])
    assert caught.value.problem == f"{two}:1: topic 41 is there already, at {one}:2."
    assert caught.value.hint == "Keep one of the two."


def test_a_folder_of_several_languages_says_so(tmp_path: Path) -> None:
    english = write(tmp_path / "en.txt", "<top><num>C041</num><EN-title>fish</EN-title></top>")
    german = write(tmp_path / "de.xml", '<topics><topic lang="de"><identifier>41-AH</identifier><title>Fisch</title>'
                                        "</topic></topics>")  # fmt: skip
    with pytest.raises(DataError) as caught:
        read_topics([english, german])
    assert str(caught.value) == (
        f"{german}:1: topic 41-AH is there already, at {english}:1. "
        "This one is in deu, that one in eng: name the files of one language."
    )


def test_a_tag_over_very_many_lines_takes_no_time(tmp_path: Path) -> None:
    attributes = "\n".join(f'a{number}="x"' for number in range(100_000))
    path = write(
        tmp_path / "a.xml", f"<topics><topic><identifier>1</identifier><title {attributes}>a</title></topic></topics>"
    )
    begun = process_time()
    assert read_topics([path]) == [Topic("1", "a")]
    assert process_time() - begun < 3  # seconds


def test_control_characters_become_spaces_as_in_documents(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "1\tFi\0sh\x07\n2\t\0\tand all that swims\n")
    assert read_topics([path]) == [Topic("1", "Fi sh"), Topic("2", "", "and all that swims")]


def test_reading_goes_on_with_the_next_file(tmp_path: Path) -> None:
    whole = gzip.compress("".join(f"{number}\tTopic of {number * 77}\n" for number in range(2000)).encode())
    cut = tmp_path / "cut.tsv.gz"
    cut.write_bytes(whole[:-3000])
    paths = [tmp_path / "nowhere", tmp_path, write(tmp_path / "empty", ""), cut, write(tmp_path / "z.tsv", "z\tFish\n")]
    faults: list[DataError] = []
    topics = read_topics(paths, on_fault=faults.append)
    assert [fault.problem for fault in faults] == [
        f"{paths[0]}: there is no such file.",
        f"{paths[1]}: a file is expected here, and this is a folder.",
        f"{paths[2]}: the file is empty.",
        f"{cut}:{len(topics)}: the gzip file is cut short or damaged.",
    ]
    assert 100 < len(topics) < 2000
    assert topics[0] == Topic("0", "Topic of 0")
    assert topics[-1] == Topic("z", "Fish")


def test_an_unknown_format_is_refused_for_each_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a", "1\tFish\n")
    with pytest.raises(DataError) as caught:
        read_topics([path], "xml")
    assert caught.value.problem == f"{path}: there is no topic format 'xml'."
    assert caught.value.hint == "Formats are tsv, jsonl, clef, clef2000, direct, blocks."


def test_nothing_readable_is_an_error_whatever_the_handler_does(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "Fish\n")
    faults: list[DataError] = []
    with pytest.raises(DataError, match="there are no topics"):
        read_topics([path], on_fault=faults.append)
    assert [fault.problem for fault in faults] == [f"{path}:1: there is no tab."]


def test_a_handler_that_stops_is_asked_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "Fish\nFish\n1\tFish\n")
    asked = []

    def stop_with_another(fault: DataError) -> None:
        asked.append(fault)
        raise DataError("Enough.")

    with pytest.raises(DataError, match="Enough"):
        read_topics([path, path], on_fault=stop_with_another)
    assert len(asked) == 1
