"""What is written in a format is read back, and no bytes raise anything but a DataError."""

import gzip
import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.corpora.documents import FORMATS, read_documents
from clir_cli.errors import DataError, Faults
from clir_cli.records import Document
from clir_cli.trec import is_column


def write(path: Path, content: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(content.encode(encoding))
    return path


def blanked(document: Document) -> Document:
    """The document with spaces for control characters."""

    def blank(text: str) -> str:
        return "".join(" " if unicodedata.category(c) == "Cc" and c not in "\t\n\r" else c for c in text)

    return Document(document.id, blank(document.text), blank(document.title))


ids = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6).filter(
    lambda id: is_column(id) and id[0] != "\ufeff"
)
any_text = st.text(st.characters(codec="utf-8"), max_size=40)
line = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r\ufeff"), max_size=40)


@settings(max_examples=50)
@given(st.lists(st.builds(Document, ids, any_text, any_text), min_size=1, max_size=5), st.booleans())
def test_jsonl_is_read_back(tmp_path_factory: pytest.TempPathFactory, documents: list[Document], ascii: bool) -> None:
    path = tmp_path_factory.getbasetemp() / "back.jsonl"
    rows = [{"id": each.id, "title": each.title, "text": each.text} for each in documents]
    write(path, "".join(json.dumps(row, ensure_ascii=ascii) + "\n" for row in rows))
    assert list(read_documents([path])) == list(map(blanked, documents))


@settings(max_examples=50)
@given(st.lists(st.builds(Document, ids, line, line), min_size=1, max_size=5))
def test_tsv_is_read_back(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    path = tmp_path_factory.getbasetemp() / "back.tsv"
    write(path, "".join(f"{each.id}\t{each.title}\t{each.text}\n" for each in documents))
    assert list(read_documents([path])) == list(map(blanked, documents))


words = st.lists(st.text("aé&<>;#1 .", min_size=1, max_size=8), max_size=6).map(
    lambda parts: " ".join(" ".join(parts).split())
)


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@settings(max_examples=50)
@given(st.lists(st.builds(Document, st.integers(0, 99).map(str), words, words), min_size=1, max_size=5))
def test_sgml_is_read_back(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    path = tmp_path_factory.getbasetemp() / "back.sgml"
    write(
        path,
        "".join(
            f"<DOC>\n<DOCNO> {each.id} </DOCNO>\n<TITLE>{escaped(each.title)}</TITLE>\n"
            f"<TEXT>\n{escaped(each.text)}\n</TEXT>\n</DOC>\n"
            for each in documents
        ),
        "iso-8859-1",
    )
    assert list(read_documents([path], encoding="iso-8859-1")) == documents


PIECES = st.sampled_from(
    ["<DOC>", "</DOC>", "<DOCNO>", "</DOCNO>", "<TEXT>", "</TEXT>", "<TITLE>", "LA010394-0001", "<P>", "<DATE>",
     "<!--", "-->", "&amp;", "&#", "&#xD800;", "<", ">", "a", " ", "\n", "\t",
     '{"id": "1", "text": "', '"}', '{"id":', "[" * 200, "\\ud800", "1" * 60, "é", "\x00", "\ufeff",
     '{"data": [', '{"paragraphs": [', '{"context": "', ']', '}', '"']
)  # fmt: skip
VALID = {
    "jsonl": '{"id": "a", "title": "t", "text": "é\\n\\ud83d\\ude00"}\n{"_id": 2, "text": "two"}\n'.encode(),
    "tsv": "a\té\nb\ttitle\ttext\n".encode(),
    "trec": "<DOC>\n<DOCNO> A1 </DOCNO>\n<TITLE>é &amp; <P>b</P></TITLE><!-- c --><TEXT>x</TEXT>\n</DOC>\n".encode()
    * 2,
    "clef": b"<DOC>\n<DOCNO> LA010394-0001 </DOCNO>\n<DATE><P>n</P></DATE><TEXT><P>caf\xe9</P></TEXT>\n</DOC>\n" * 2,
    "squad": '{"data": [{"title": "A é", "paragraphs": [{"context": "c", "qas": []}, {"context": "d"}]}]}'.encode(),
}


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, bytes]:
    """A valid file of a format, with some bytes changed, put in, taken out, or its end cut off."""
    format = draw(st.sampled_from(sorted(VALID)))
    content = bytearray(VALID[format])
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(content)))
        new = draw(st.one_of(st.binary(max_size=3), PIECES.map(str.encode)))
        content[at : at + draw(st.sampled_from([0, 0, 1, 2, 9, 1000]))] = new
    return format, bytes(content)


anything = st.one_of(
    mutated(),
    st.tuples(
        st.sampled_from(FORMATS),
        st.one_of(st.binary(max_size=120), st.lists(PIECES, max_size=14).map(lambda pieces: "".join(pieces).encode())),
    ),
)


@settings(max_examples=200)
@given(anything, st.sampled_from([None, "utf-8", "iso-8859-1"]), st.booleans(), st.sampled_from([None, ["TEXT", "P"]]))
def test_whatever_the_bytes_there_are_documents_and_data_errors(
    tmp_path_factory: pytest.TempPathFactory,
    what: tuple[str, bytes],
    encoding: str | None,
    is_packed: bool,
    fields: list[str] | None,
) -> None:
    format, content = what
    path = tmp_path_factory.getbasetemp() / "random"
    path.write_bytes(gzip.compress(content)[: len(content) + 15] if is_packed else content)
    faults = Faults()
    documents = list(read_documents([path], format, encoding, fields, faults))
    assert all(is_column(document.id) and document.full_text.encode() is not None for document in documents)
    assert documents or faults.count
    strict = read_documents([path], format, encoding, fields)
    if not faults.count:
        assert list(strict) == documents
        return
    with pytest.raises(DataError) as caught:
        list(strict)
    assert str(caught.value) == faults.examples[0]


def test_json_that_is_too_deep_or_too_long_a_number(tmp_path: Path) -> None:
    for content in ("[" * 200_000, '{"id": ' + "9" * 5000 + "}"):
        with pytest.raises(DataError, match="not JSON"):
            list(read_documents([write(tmp_path / "a.jsonl", content)]))
