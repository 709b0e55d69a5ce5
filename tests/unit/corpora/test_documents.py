"""Documents from every format, plain and packed, single and in trees; every fault with its line."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.corpora.documents import find_files, read_documents
from clir_cli.errors import DataError
from clir_cli.records import Document
from clir_cli.trec import is_column

BAD = Path(__file__).parents[2] / "data" / "documents"

# The layout of the LA Times on the CLEF disks: tags on lines of their own or not, in any case, DOCID before the text.
LA_TIMES = """<DOC>
<DOCNO> LA012394-0086 </DOCNO>
<DOCID> 004242 </DOCID>
<SOURCE><P>A Paper</P></SOURCE>
<DATE>
<P>
January 23, 1994, Sunday
</P>
</DATE>
<HEADLINE>
<P>
CAFÉ OWNERS MEET;
</P>
<P>
TALKS GO ON
</P>
</HEADLINE>
<BYLINE><P>By A. WRITER</P></BYLINE>
<TEXT>
<P>
The owners of R&D Cafés met &amp; talked about 3 < 4 &quot;things&quot;&#33; &unknown;
</P>
<!-- <TEXT> of a comment -->
<P>They go on</P><P>today.</P>
</TEXT>
</DOC><doc><docno>LA012394-0087</docno><headline>Short</headline> <text
>Body one.</text><text>Body two.</text></doc>
"""
LA_DOCUMENTS = [
    Document(
        "LA012394-0086",
        'The owners of R&D Cafés met & talked about 3 < 4 "things"! &unknown; They go on today.',
        "CAFÉ OWNERS MEET; TALKS GO ON",
    ),
    Document("LA012394-0087", "Body one.\nBody two.", "Short"),
]


def write(path: Path, content: str, encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode(encoding))
    return path


def test_jsonl(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        '{"id": "a", "title": "T", "text": "x\\ny", "more": [1]}\r\n\n'
        '{"docno": 7, "text": ""}\n{"_id": "c", "title": null, "text": "z"}',
    )
    assert list(read_documents([path])) == [Document("a", "x\ny", "T"), Document("7", ""), Document("c", "z")]


def test_tsv(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", 'a\ttext "quoted"\n\nb\ttitle\ttext\nc\t\n')
    assert list(read_documents([path])) == [
        Document("a", 'text "quoted"'), Document("b", "text", "title"), Document("c", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_la_times(tmp_path: Path, line_end: str) -> None:
    path = write(tmp_path / "la012394", LA_TIMES.replace("\n", line_end), "iso-8859-1")
    assert list(read_documents([path], encoding="iso-8859-1")) == LA_DOCUMENTS


def test_fields_say_what_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.sgml", "<DOC><DOCNO>1</DOCNO><TI>t</TI><LD>l</LD><TX>x</TX><KW>k</KW><TX>y</TX></DOC>")
    assert list(read_documents([path], fields=["TI", "LD", "TX"])) == [Document("1", "l\nx\ny", "t")]
    assert list(read_documents([path])) == [Document("1", "")]


def test_what_stands_outside_documents_is_skipped(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xml", '<?xml version="1.0"?>\n<ROOT>\n<DOC id="1">\n<DOCNO>1</DOCNO></DOC>\n</ROOT>\n')
    assert list(read_documents([path])) == [Document("1", "")]


def test_a_folder_is_walked_in_order_and_its_readme_left_out(tmp_path: Path) -> None:
    for name, id in (("b/la2", "2"), ("a/la1", "1"), ("c.sgml.gz", "3")):
        content = f"<DOC><DOCNO>{id}</DOCNO></DOC>\n".encode()
        path = write(tmp_path / name, "")
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    for name in ("la.dtd", "README", "a/readme.txt", ".hidden", ".git/la9", "b/READ.ME.gz", "valid_ids.txt"):
        write(tmp_path / name, "no documents")
    assert [document.id for document in read_documents([tmp_path])] == ["3", "1", "2"]


def test_a_link_to_its_own_folder_ends(tmp_path: Path) -> None:
    write(tmp_path / "a.tsv", "1\tx\n")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert find_files(tmp_path) == [tmp_path / "a.tsv"]


def test_formats_are_told_by_suffix_or_look_and_may_be_mixed(tmp_path: Path) -> None:
    files = {
        "a.jsonl": '{"id": "1", "text": "x"}',
        "b.tsv": "2\tx",
        "c": '\n  {"id": "3", "text": "x"}',
        "d": "4\tx",
        "e": "\n<DOC>\n<DOCNO>5</DOCNO>\n</DOC>",
    }
    paths = [write(tmp_path / name, content) for name, content in files.items()]
    assert [document.id for document in read_documents(paths)] == ["1", "2", "3", "4", "5"]
    assert [document.id for document in read_documents([tmp_path])] == ["1", "2", "3", "4", "5"]


def test_documents_are_streamed(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "1\tx\nno tab\n")
    documents = read_documents([path])
    assert next(documents) == Document("1", "x")
    with pytest.raises(DataError):
        next(documents)


@pytest.mark.parametrize(
    ("name", "message", "advice"),
    [
        ("latin1.jsonl", ":2: byte 0xfc at offset 21 of the line is not utf-8", "encoding: iso-8859-1"),
        ("windows.tsv", ":2: byte 0x93 at offset 2 of the line is not utf-8", "encoding: windows-1252"),
        ("utf16.tsv", ":1: byte 0xff at offset 0", "convert it to utf-8"),
        ("bad_json.jsonl", ":2: not JSON (Unterminated string", "one whole JSON object"),
        ("array.jsonl", ":1: not a JSON object", "one object"),
        ("no_id.jsonl", ":3: there is no 'id' or 'docno' or '_id'", "It has 'name', 'text'"),
        ("no_text.jsonl", ":1: there is no 'text'", "It has 'id', 'title'"),
        ("text_is_list.jsonl", ":1: 'text' is list, not text", "in quotes"),
        ("half_character.jsonl", ":1: an escape such as \\ud83d is half of a character", "both halves"),
        ("no_tab.tsv", ":2: there is no tab", "id TAB text"),
        ("five_columns.tsv", ":1: there are 5 columns", "id TAB title TAB text"),
        ("empty_id.tsv", ":2: the id is empty", ""),
        ("space_in_id.tsv", ":1: the id 'a b' has white space in it", ""),
        ("empty.jsonl", ": there are no documents in it", "Check the path"),
        ("no_format.txt", ":2: this looks like no known format", "jsonl, tsv or trec"),
        ("cut_short.jsonl.gz", "the gzip file is cut short or damaged", "Copy it again"),
        ("packed.zip", ": it is packed with zip", "Unpack it"),
        ("unclosed_doc.sgml", ":5: <DOC> is not closed before the file ends", "cut short"),
        ("doc_in_doc.sgml", ":1: <DOC> is not closed before the next one in line 4", "</DOC>"),
        ("stray_end.sgml", ":4: </DOC> closes what was not opened", "<DOC>"),
        ("unclosed_text.sgml", ":4: the field TEXT is not closed", "</TEXT>"),
        ("text_in_text.sgml", ":4: <TEXT> is opened again before it is closed", ""),
        ("no_docno.sgml", ":5: this <DOC> has no DOCNO", "not the DOCID"),
        ("no_doc.sgml", ": there is no <DOC> in it", ""),
        ("nowhere.tsv", ": there is no such file", "Check the path"),
    ],
)
def test_bad_files(name: str, message: str, advice: str) -> None:
    with pytest.raises(DataError) as caught:
        list(read_documents([BAD / name]))
    assert name in caught.value.problem
    assert message in caught.value.problem
    assert advice in caught.value.hint


def test_an_empty_folder_has_no_documents(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there are no documents"):
        list(read_documents([tmp_path]))


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no document format 'warc'"):
        list(read_documents([write(tmp_path / "a", "x")], format="warc"))


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
    assert list(read_documents([path])) == documents


@settings(max_examples=50)
@given(st.lists(st.builds(Document, ids, line, line), min_size=1, max_size=5))
def test_tsv_is_read_back(tmp_path_factory: pytest.TempPathFactory, documents: list[Document]) -> None:
    path = tmp_path_factory.getbasetemp() / "back.tsv"
    write(path, "".join(f"{each.id}\t{each.title}\t{each.text}\n" for each in documents))
    assert list(read_documents([path])) == documents


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
    ["<DOC>", "</DOC>", "<DOCNO>", "</DOCNO>", "<TEXT>", "</TEXT>", "<TITLE>",
     "<!--", "-->", "&amp;", "&#", "&#xD800;", "<", ">", "a", " ", "\n", "\t",
     '{"id": "1", "text": "', '"}', '{"id":', "[" * 200, "\\ud800", "1" * 60, "é", "\x00", "\ufeff"]
)  # fmt: skip


@given(
    st.one_of(st.binary(max_size=120), st.lists(PIECES, max_size=14).map(lambda pieces: "".join(pieces).encode())),
    st.sampled_from(["auto", "jsonl", "tsv", "trec"]),
    st.sampled_from(["utf-8", "iso-8859-1"]),
)
def test_random_bytes_raise_nothing_but_data_errors(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, format: str, encoding: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "random"
    path.write_bytes(content)
    try:
        documents = list(read_documents([path], format, encoding))
    except DataError:
        return
    assert all(is_column(document.id) and document.full_text.encode() is not None for document in documents)


def test_json_that_is_too_deep_or_too_long_a_number(tmp_path: Path) -> None:
    for content in ("[" * 200_000, '{"id": ' + "9" * 5000 + "}"):
        with pytest.raises(DataError, match="not JSON"):
            list(read_documents([write(tmp_path / "a.jsonl", content)]))
