"""Documents and topics, by look."""

from pathlib import Path

import pytest

from clir_cli.corpora.documents import read_documents
from clir_cli.corpora.topics import read_topics
from clir_cli.errors import DataError
from clir_cli.pipeline.new_experiment.looks import look_at_documents, look_at_lines, look_at_topics

DOCUMENTS = {
    "tsv": "d1\tA house\n",
    "jsonl": '{"id": "d1", "text": "A house"}\n',
    "trec": "<DOC>\n<DOCNO> AP-1 </DOCNO>\n<TEXT>\nA house\n</TEXT>\n</DOC>\n",
    "clef": "<DOC>\n<DOCNO>LA010194-0001</DOCNO>\n<TEXT>\n<P>A house</P>\n</TEXT>\n</DOC>\n",
    "squad": '{"version": "1", "data": [{"title": "t", "paragraphs": [{"context": "A house", "qas": []}]}]}',
}
TOPICS = {
    "tsv": "1\tHaus\n",
    "jsonl": '{"id": "1", "title": "Haus"}\n',
    "clef": "<top>\n<num> C041 </num>\n<DE-title> Haus </DE-title>\n<DE-desc> Ein Haus </DE-desc>\n</top>\n",
    "blocks": "query_id: C041\ntitle: Haus\ndescription: Ein Haus\n",
    "direct": '<topics><topic lang="de"><identifier>41</identifier><title>Haus</title>'
    "<description>Ein</description></topic></topics>",
}


@pytest.mark.parametrize("format", DOCUMENTS)
def test_documents_are_told_by_their_look_not_by_their_name(tmp_path: Path, format: str) -> None:
    file = tmp_path / "documents"
    file.write_text(DOCUMENTS[format], encoding="utf-8")
    look = look_at_documents([file])
    assert look.format == format
    assert len(list(read_documents([file], look.format, look.encoding))) == 1


@pytest.mark.parametrize("format", TOPICS)
def test_topics_are_told_by_their_look(tmp_path: Path, format: str) -> None:
    file = tmp_path / "topics"
    file.write_text(TOPICS[format], encoding="utf-8")
    look = look_at_topics([file])
    assert look.format == format
    assert len(read_topics([file], look.format, look.encoding)) == 1


def test_a_folder_is_looked_into_and_files_of_several_layouts_are_auto(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text(DOCUMENTS["tsv"], encoding="utf-8")
    (tmp_path / "b.jsonl").write_text(DOCUMENTS["jsonl"] * 2, encoding="utf-8")
    look = look_at_documents([tmp_path])
    assert (look.format, look.lines) == ("auto", (1, 2))


def test_collections_of_clef_are_latin_1_where_nothing_speaks_against_it(tmp_path: Path) -> None:
    (tmp_path / "la").write_text(DOCUMENTS["clef"], encoding="ascii")
    assert look_at_documents([tmp_path / "la"]).encoding == "iso-8859-1"
    (tmp_path / "la").write_text(DOCUMENTS["clef"].replace("house", "Häuser"), encoding="utf-8")
    assert look_at_documents([tmp_path / "la"]).encoding == "utf-8"


def test_a_declared_encoding_counts(tmp_path: Path) -> None:
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>' + TOPICS["direct"]
    (tmp_path / "a.xml").write_text(text, encoding="ascii")
    assert look_at_topics([tmp_path / "a.xml"]).encoding == "iso-8859-1"


def test_another_encoding_is_remarked(tmp_path: Path) -> None:
    (tmp_path / "q.tsv").write_bytes("1\tBäume\n".encode("iso-8859-1"))
    look = look_at_topics([tmp_path / "q.tsv"])
    assert look.encoding == "iso-8859-1"
    assert look.remarks == ["q.tsv is not utf-8: it will be read as iso-8859-1. Look whether its letters are right."]


@pytest.mark.parametrize("header", ["id\ttext", "docid\ttext", "query-id\tquery", "\ufeffqid\ttitle"])
def test_names_of_columns_are_remarked(tmp_path: Path, header: str) -> None:
    (tmp_path / "q.tsv").write_text(f"{header}\n1\tHaus\n", encoding="utf-8")
    [remark] = look_at_topics([tmp_path / "q.tsv"]).remarks
    assert remark.endswith("looks like names of columns, but is read as a record: take it out.")


def test_two_encodings_do_not_fit_together(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1\tBäume\n", encoding="utf-8")
    (tmp_path / "b").write_text("2\tBäume\n", encoding="iso-8859-1")
    with pytest.raises(DataError) as caught:
        look_at_documents([tmp_path / "a", tmp_path / "b"])
    assert (
        str(caught.value) == "a is utf-8 and b is iso-8859-1, and they are read in one encoding. Convert one of them."
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "it is empty."),
        ("\n \n", "it is empty."),
        ('[{"id": "d1", "text": "a"}]', "it is one JSON list."),
        ("d1,A house\n", "this looks like no layout of documents. Are commas between its columns? Write tabs."),
        ("A house\n", "this looks like no layout of documents."),
    ],
)
def test_what_looks_like_no_documents_is_told(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "d").write_text(content, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        look_at_documents([tmp_path / "d"])
    assert caught.value.problem == f"{tmp_path / 'd'}: {said}"


def test_an_empty_folder_has_no_documents(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there are no files in it"):
        look_at_documents([tmp_path])


def test_parallel_text_is_only_read_for_its_encoding(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("ein Haus\n„Bäume“\n".encode("windows-1252"))
    (tmp_path / "b").write_bytes(b"a house\ntrees\n")
    look = look_at_lines([tmp_path / "a", tmp_path / "b"])
    assert (look.encoding, look.lines) == ("windows-1252", (2, 2))


def test_topics_may_be_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("1\tHaus\tEin Haus\n", encoding="utf-8")
    (tmp_path / "b.tsv").write_text("2\tBaum\n3\tKatze\n", encoding="utf-8")
    look = look_at_topics([tmp_path])
    assert (look.lines, look.fields) == ((1, 2), ["title", "description"])
    assert look_at_topics([tmp_path / "b.tsv"]).fields == ["title"]
