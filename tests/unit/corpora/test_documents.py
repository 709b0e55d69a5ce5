"""Documents from every format, plain and packed, single and in trees."""

import gzip
from pathlib import Path

import pytest

from clir_cli.corpora.collection_files import find_files, tell_format
from clir_cli.corpora.documents import read_documents
from clir_cli.errors import DataError
from clir_cli.records import Document

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
    assert list(read_documents([path], fields=["tx", "KW"])) == [Document("1", "x\nk\ny")]
    assert list(read_documents([path], "clef", fields=["TI"])) == [Document("1", "", "t")]


def test_without_fields_the_usual_tags_are_read(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.sgml",
        "<DOC><DOCNO>WSJ1</DOCNO><HL>h</HL><DATE>no</DATE><LP>l</LP><TEXT>x</TEXT></DOC>"
        "<DOC><DOCNO>ZF1</DOCNO><DOCID>no</DOCID><TITLE>t</TITLE><TEXT>y</TEXT><TX>z</TX></DOC>",
    )
    assert list(read_documents([path])) == [Document("WSJ1", "l\nx", "h"), Document("ZF1", "y\nz", "t")]


def test_trec_reads_a_document_of_clef_by_its_own_layout(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.sgml",
        "<DOC><DOCNO>SDA.940101.0001</DOCNO><TEXT>no</TEXT><TX>x</TX></DOC>"
        "<DOC><DOCNO>LAW-1</DOCNO><TEXT>yes</TEXT><TX>x</TX></DOC>",
    )
    assert list(read_documents([path])) == [Document("SDA.940101.0001", "x"), Document("LAW-1", "yes\nx")]


def test_a_paragraph_tag_can_be_a_field(tmp_path: Path) -> None:
    path = write(tmp_path / "a.sgml", "<DOC><DOCNO>1</DOCNO><TEXT><P>a</P>no<p>b</p></TEXT></DOC>")
    assert list(read_documents([path], fields=["P"])) == [Document("1", "a\nb")]


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


def test_links_to_files_and_folders_are_followed(tmp_path: Path) -> None:
    write(tmp_path / "far" / "a.tsv", "1\tx\n")
    write(tmp_path / "other disk" / "ü" / "c.tsv", "2\ty\n")
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "b.tsv").symlink_to(tmp_path / "far" / "a.tsv")
    for name in ("folder", "the same folder"):  # which is read once
        (tmp_path / "near" / name).symlink_to(tmp_path / "other disk", target_is_directory=True)
    (tmp_path / "link").symlink_to(tmp_path / "near", target_is_directory=True)
    assert list(read_documents([tmp_path / "link"])) == [Document("1", "x"), Document("2", "y")]


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
    ("name", "content", "format"),
    [
        ("a.jsonl", "<DOC>", "jsonl"), ("a.xml.gz", "{", "trec"), ("a.TSV", "{", "tsv"),
        ("a.json", '{"id": "data"}', "jsonl"), ("a.json", ' {\n"data": [', "squad"),
        ("a", '{"version": "1.1",\n"data":[{"title"', "squad"), ("a", '{"version": 1.0, "data": [', "squad"),
        ("a", '{"version": "1", "text": "data"}', "jsonl"), ("a", "\ufeff\n\t \n<?xml?>", "trec"), ("a", " \n", "tsv"),
    ],
)  # fmt: skip
def test_a_format_is_told(tmp_path: Path, name: str, content: str, format: str) -> None:
    assert tell_format(write(tmp_path / name, content), "utf-8") == format


@pytest.mark.parametrize("lines_before", [0, 3])
def test_a_tag_over_two_lines_is_whole_wherever_a_portion_ends(tmp_path: Path, lines_before: int) -> None:
    # Files are read in portions of a mebibyte, cut at line ends: here between "<DOC" and its attribute.
    head = "\n" * lines_before
    for length in range((1 << 20) - 8, (1 << 20) + 8):
        padding = "x" * (length - lines_before - len("\n<DOC\n")) + "\n"
        path = write(
            tmp_path / "a.sgml",
            f'{head}{padding}<DOC\n id="1">\n<DOCNO>1</DOCNO><TEXT>a\nb</TEXT></DOC\n>\n<DOC><TEXT>x</TEXT></DOC>\n',
        )
        documents = read_documents([path])
        assert next(documents) == Document("1", "a b")
        with pytest.raises(DataError, match=f"a.sgml:{lines_before + 7}: this <DOC> has no DOCNO"):
            next(documents)


def test_a_document_longer_than_a_portion(tmp_path: Path) -> None:
    text = " ".join(f"word{number}" for number in range(400_000))
    lines = text.replace("7 ", "7\n")
    path = write(tmp_path / "a.sgml", f"<DOC><DOCNO>1</DOCNO>\n<TEXT>{lines}</TEXT></DOC>\n</DOC>")
    documents = read_documents([path])
    assert next(documents) == Document("1", text)
    with pytest.raises(DataError, match=f"a.sgml:{2 + lines.count(chr(10)) + 1}: </DOC> closes"):
        next(documents)
