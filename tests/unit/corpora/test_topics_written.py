"""Topics of every layout are read back as written, and no bytes give anything but topics or data errors."""

import json
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.corpora.topics import FoundTopic, read_topics, scan_topics, topic_key
from clir_cli.errors import DataError, stop_at_fault
from clir_cli.records import Topic
from clir_cli.trec import is_column

CLEF = Path(__file__).parents[2] / "data" / "clef" / "topics"
FORMATS = ["tsv", "jsonl", "clef", "clef2000", "direct", "blocks"]


def tsv(topics: Sequence[Topic]) -> str:
    return "".join(f"{topic.id}\t{topic.title}\t{topic.description}\t{topic.narrative}\n" for topic in topics)


def jsonl(topics: Sequence[Topic]) -> str:
    names = ("id", "title", "description", "narrative")
    return "".join(json.dumps({name: getattr(topic, name) for name in names}) + "\n" for topic in topics)


def clef(topics: Sequence[Topic]) -> str:
    return "".join(
        f"<top>\n<num> {escape(topic.id)} </num>\n<EN-title> {escape(topic.title)} </EN-title>\n<EN-x> x </EN-x>\n"
        f"<EN-desc> {escape(topic.description)} </EN-desc>\n<EN-narr>{escape(topic.narrative)}</EN-narr>\n</top>\n"
        for topic in topics
    )


def clef2000(topics: Sequence[Topic]) -> str:
    return "".join(
        f"<top>\n<num> {escape(topic.id)}\n<E-title> {escape(topic.title)}\n\n<E-desc>\n{escape(topic.description)}\n\n"
        f"<E-narr>\n{escape(topic.narrative)}\n</top>\n"
        for topic in topics
    )


def direct(topics: Sequence[Topic]) -> str:
    return "\n".join(
        ['<?xml version="1.0" encoding="UTF-8"?>', "<topics>"]
        + [
            f'<topic lang="en"><identifier>{escape(topic.id)}</identifier><title>{escape(topic.title)}</title>\n'
            f"<description>{escape(topic.description)}</description><narrative>{escape(topic.narrative)}</narrative>"
            "</topic>"
            for topic in topics
        ]
        + ["</topics>"]
    )


def blocks(topics: Sequence[Topic]) -> str:
    return "\n".join(
        f"query_id: {topic.id}\ntitle: {topic.title}\ndescription: {topic.description}\nnarrative: {topic.narrative}\n"
        for topic in topics
    )


WRITERS: dict[str, Callable[[Sequence[Topic]], str]] = {
    "tsv": tsv, "jsonl": jsonl, "clef": clef, "clef2000": clef2000, "direct": direct, "blocks": blocks,
}  # fmt: skip

words = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)
texts = st.lists(words, min_size=1, max_size=4).map(" ".join)
ids = st.one_of(
    words, st.integers(1, 600).flatmap(lambda n: st.sampled_from([f"C{n:03}", f"{n}-AH", f"10.2452/{n}-AH"]))
)
topic_lists = st.lists(
    st.builds(Topic, ids, texts, st.one_of(st.just(""), texts), st.one_of(st.just(""), texts)),
    min_size=1, max_size=5, unique_by=lambda topic: topic_key(topic.id),
)  # fmt: skip


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@settings(max_examples=40)
@given(topics=topic_lists)
def test_topics_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, format: str, line_end: str, topics: list[Topic]
) -> None:
    path = tmp_path_factory.getbasetemp() / f"back{'.tsv' if format == 'tsv' else ''}"
    path.write_bytes(WRITERS[format](topics).replace("\n", line_end).encode())
    assert read_topics([path], format, encoding="utf-8") == topics
    language = {"tsv": "", "jsonl": "", "blocks": ""}.get(format, "eng")
    found = list(scan_topics([path], encoding="utf-8"))
    assert [(each.topic, each.language) for each in found] == [(topic, language) for topic in topics]


PIECES = st.sampled_from(
    ["<top>", "</top>", "<num>", "</num>", "<EN-title>", "</EN-title>", "<EN-desc>", "</EN-desc>", "<E-title>",
     "<D-narr>", "<!--", "-->", "<?xml version='1.0'?>", "<topics>", "</topics>", "<topic lang='de'>", "</topic>",
     "<identifier>", "</identifier>", "<title>", "</title>", "<!DOCTYPE a [<!ENTITY a 'b'>]>", "query_id:", "title:",
     "description:", "C041", "41", "\t", "\n", "\r\n", " ", "\0", "&#99999999;", "&a;", '{"id": "1", "title": "', '"}',
     "é", "\ufeff"]
)  # fmt: skip
cuts = st.lists(
    st.tuples(st.integers(0, 800), st.integers(0, 40), st.one_of(st.binary(max_size=3), PIECES)), max_size=4
)
FILES = [path.read_bytes() for path in sorted(CLEF.iterdir())]


def mutate(content: bytes, mutations: list[tuple[int, int, bytes | str]]) -> bytes:
    for at, length, new in mutations:
        content = content[:at] + (new.encode() if isinstance(new, str) else new) + content[at + length :]
    return content


@settings(max_examples=300)
@given(
    content=st.one_of(
        st.binary(max_size=120),
        st.lists(PIECES, max_size=20).map(lambda pieces: "".join(pieces).encode()),
        st.tuples(st.sampled_from(FILES), cuts).map(lambda drawn: mutate(*drawn)),
    ),
    format=st.sampled_from(["auto", *FORMATS]),
    encoding=st.sampled_from([None, None, "utf-8", "iso-8859-1", "windows-1252"]),
)
def test_any_bytes_are_topics_or_data_errors(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, format: str, encoding: str | None
) -> None:
    path = tmp_path_factory.getbasetemp() / "random"
    path.write_bytes(content)
    faults: list[DataError] = []
    tolerant = list(scan_topics([path], format, encoding, faults.append))
    check(tolerant)
    assert tolerant or faults
    assert all(str(path) in fault.problem for fault in faults)
    if not faults:
        assert list(scan_topics([path], format, encoding, stop_at_fault)) == tolerant
        return
    with pytest.raises(DataError) as caught:
        list(scan_topics([path], format, encoding, stop_at_fault))
    assert caught.value.problem == faults[0].problem


def check(found: list[FoundTopic]) -> None:
    keys = [topic_key(each.topic.id) for each in found]
    assert len(set(keys)) == len(keys)
    for _, topic, _ in found:
        assert is_column(topic.id)
        assert topic.text(("title", "description", "narrative")).strip()
        assert "\0" not in f"{topic.id}{topic.title}{topic.description}{topic.narrative}"
