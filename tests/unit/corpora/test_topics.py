"""Topics from every layout, and the key that joins them."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.corpora.topics import read_topics, topic_key
from clir_cli.errors import DataError
from clir_cli.records import Topic
from clir_cli.trec import is_column

BAD = Path(__file__).parents[2] / "data" / "topics"

# The layout of CLEF 2001 to 2006: no root element, raw ampersands, case as it comes, fields of other names between.
CLEF = """
<top>
<num> C141 </num>
<DE-title> Brückenbau &
 Fähren </DE-title>
<DE-auto> left out </DE-auto>
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


def write(path: Path, content: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(content.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("id", "key"),
    [
        ("C041", "41"), ("c041", "41"), ("041", "41"), ("41", "41"), ("41-AH", "41"), ("10.2452/401-AH", "401"),
        ("C350", "350"), ("000", "0"), ("n09-000", "n09-000"), ("C41-AH", "C41-AH"), ("C", "C"), ("A041", "A041"),
        ("41b", "41b"), ("", ""), ("10.2452/401", "10.2452/401"), ("٤١", "٤١"),
    ],
)  # fmt: skip
def test_topic_key(id: str, key: str) -> None:
    assert topic_key(id) == key
    assert topic_key(key) == key


def test_tsv_with_one_to_three_texts(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.tsv", "C001\tBirds\r\n\r\n2\t Fish \tFind fish.\nn3\tWhales\tFind whales.\tRelevant are whales."
    )
    assert read_topics([path]) == [
        Topic("C001", "Birds"),
        Topic("2", "Fish", "Find fish."),
        Topic("n3", "Whales", "Find whales.", "Relevant are whales."),
    ]  # fmt: skip


def test_jsonl(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        '{"id": 1, "title": "Birds", "description": null}\n{"_id": "b", "text": "Fish", "narrative": "n"}\n',
    )
    assert read_topics([path]) == [Topic("1", "Birds"), Topic("b", "Fish", narrative="n")]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-8"])
def test_clef(tmp_path: Path, line_end: str, encoding: str) -> None:
    path = write(tmp_path / "Top-de03.txt", CLEF.replace("\n", line_end), encoding)
    assert read_topics([path], encoding=encoding) == CLEF_TOPICS
    assert read_topics([path], "clef", encoding) == CLEF_TOPICS


def test_several_files_are_one_set(tmp_path: Path) -> None:
    one, two = write(tmp_path / "a.tsv", "2\tFish\n"), write(tmp_path / "b.txt", "1\tBirds\n")
    assert [topic.id for topic in read_topics([one, two])] == ["2", "1"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_tab.tsv", "no_tab.tsv:2: there is no tab"),
        ("five_columns.tsv", "five_columns.tsv:1: there are 5 columns"),
        ("same_id.tsv", "same_id.tsv:3: topic 1 is there already, at "),
        ("same_id.tsv", "same_id.tsv:1."),
        ("same_number.tsv", "same_number.tsv:2: topic 41-AH is there already, at "),
        ("no_text.tsv", "no_text.tsv:1: topic 1 has no text"),
        ("space_in_id.tsv", "space_in_id.tsv:1: the topic id 'topic 1' has white space in it"),
        ("empty.tsv", "empty.tsv: there are no topics"),
        ("no_id.jsonl", "no_id.jsonl:1: there is no 'id' or '_id'"),
        ("number_as_title.jsonl", "number_as_title.jsonl:1: 'title' is dict, not text"),
        ("unclosed_top.txt", "unclosed_top.txt:5: <top> is not closed before the file ends"),
        ("unclosed_title.txt", "unclosed_title.txt:3: the field TITLE is not closed"),
        ("no_num.txt", "no_num.txt:1: this topic has no num"),
        ("no_title.txt", "no_title.txt:1: this topic has no title"),
        ("two_languages.txt", "two_languages.txt:1: this topic has two fields TITLE"),
        ("latin1.txt", "latin1.txt:3: byte 0xf6 at offset 12 of the line is not utf-8"),
        ("no_top.txt", "no_top.txt: there are no topics"),
        ("nowhere.tsv", "nowhere.tsv: there is no such file"),
    ],
)
def test_bad_files(name: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read_topics([BAD / name])
    assert message in caught.value.problem
    assert caught.value.hint


def test_the_same_topic_in_two_files_is_refused_with_both_places(tmp_path: Path) -> None:
    one, two = write(tmp_path / "a.tsv", "\nC041\tFish\n"), write(tmp_path / "b.tsv", "41\tFish\n")
    with pytest.raises(DataError) as caught:
        read_topics([one, two])
    assert f"{two}:1" in caught.value.problem
    assert f"{one}:2" in caught.value.problem


field = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=20)
topic_lists = st.lists(
    st.builds(Topic, field, field, field, field), min_size=1, max_size=5, unique_by=lambda topic: topic_key(topic.id)
)


@settings(max_examples=50)
@given(topic_lists)
def test_topics_are_read_back(tmp_path_factory: pytest.TempPathFactory, topics: list[Topic]) -> None:
    folder = tmp_path_factory.getbasetemp()
    rows = [(topic.id, topic.title, topic.description, topic.narrative) for topic in topics]
    assert read_topics([write(folder / "back.tsv", "".join("\t".join(row) + "\n" for row in rows))]) == topics
    names = ("id", "title", "description", "narrative")
    lines = [json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows]
    assert read_topics([write(folder / "back.jsonl", "".join(lines))]) == topics


PIECES = st.sampled_from(
    ["<top>", "</top>", "<num>", "</num>", "<EN-title>", "</EN-title>", "<EN-desc>", "</EN-desc>",
     "C041", "41", "\t", "\n", " ", "&#99999999;", '{"id": "1", "title": "', '"}', "é"]
)  # fmt: skip


@given(
    st.one_of(st.binary(max_size=120), st.lists(PIECES, max_size=14).map(lambda pieces: "".join(pieces).encode())),
    st.sampled_from(["auto", "jsonl", "tsv", "clef"]),
)
def test_random_bytes_raise_nothing_but_data_errors(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, format: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "random"
    path.write_bytes(content)
    try:
        topics = read_topics([path], format)
    except DataError:
        return
    assert topics
    assert all(is_column(topic.id) for topic in topics)
