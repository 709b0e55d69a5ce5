"""Documents of a collection, streamed from the files people have: JSON lines, TSV, TREC and CLEF SGML."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from clir_cli.corpora.json_lines import read_json_lines
from clir_cli.corpora.sgml import Block, read_blocks, read_fields
from clir_cli.errors import DataError
from clir_cli.lines import read_lines, unreadable
from clir_cli.records import Document
from clir_cli.trec import is_column

DEFAULT_FIELDS = ("HEADLINE", "TITLE", "TEXT")
TITLE_FIELDS = frozenset({"HEADLINE", "TITLE", "HEAD", "TI", "TTL", "HL"})

_FORMAT_OF_SUFFIX = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
    ".tsv": "tsv", ".tab": "tsv",
    ".sgml": "trec", ".sgm": "trec", ".trec": "trec", ".xml": "trec",
}  # fmt: skip
# What lies beside the documents on the disks of TREC and CLEF.
_NO_DOCUMENTS_IN = (".dtd", ".md", ".pdf", ".html", ".htm")
_NO_DOCUMENTS_NAMED = ("readme", "read.me", "licence", "license", "copying", "copyright", "valid_ids")


def read_documents(
    paths: Sequence[Path], format: str = "auto", encoding: str = "utf-8", fields: Sequence[str] | None = None
) -> Iterator[Document]:
    """Stream the documents of files and folders (walked in order of names), plain or gzipped.

    ``format``: ``jsonl`` (``id``, ``docno`` or ``_id``; ``title`` if there is one; ``text``), ``tsv`` (id, text or id,
    title, text), ``trec`` (SGML; the id is DOCNO) or ``auto``: by suffix, else by the first line. ``fields``: for trec,
    the tags whose text is read, default HEADLINE, TITLE and TEXT, of which all but TEXT make the title.
    Raises ``DataError`` with file and line, and for a path without documents. Duplicates are left to the store.
    """
    for path in paths:
        found = False
        for file in find_files(Path(path)):
            for document in _read_file(file, format, encoding, tuple(fields or DEFAULT_FIELDS)):
                found = True
                yield document
        if not found:
            raise DataError(f"{path}: there are no documents in it.", "Check the path and the format.")


def find_files(path: Path) -> list[Path]:
    """``path`` itself, or the files below a folder but DTDs, READMEs and the like; links to folders are not followed.

    Raises ``DataError`` where the path or a folder below cannot be read.
    """
    if not path.is_dir():
        return [path]
    files: list[Path] = []
    for folder, folders, names in os.walk(path, onerror=_fail):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        files += [Path(folder, name) for name in sorted(names) if _may_hold_documents(name)]
    return files


def _fail(error: OSError) -> None:
    raise unreadable(Path(error.filename), error)


def _may_hold_documents(name: str) -> bool:
    plain = name.lower().removesuffix(".gz")
    return not (plain.startswith((".", *_NO_DOCUMENTS_NAMED)) or plain.endswith(_NO_DOCUMENTS_IN))


def _read_file(path: Path, format: str, encoding: str, fields: tuple[str, ...]) -> Iterator[Document]:
    if format == "auto":
        suffix = Path(path.name.lower().removesuffix(".gz")).suffix
        format = _FORMAT_OF_SUFFIX.get(suffix) or _format_by_look(path, encoding)
    if format == "jsonl":
        return _read_jsonl(path, encoding)
    if format == "tsv":
        return _read_tsv(path, encoding)
    if format == "trec":
        return _read_trec(path, encoding, fields)
    raise DataError(f"{path}: there is no document format {format!r}.", "Formats are jsonl, tsv and trec.")


def _format_by_look(path: Path, encoding: str) -> str:
    for number, line in read_lines(path, encoding):
        if line.strip():
            first = line.lstrip()[0]
            if first in "{<":
                return "jsonl" if first == "{" else "trec"
            if "\t" in line:
                return "tsv"
            raise DataError(f"{path}:{number}: this looks like no known format.", "Set format: jsonl, tsv or trec.")
    return "tsv"  # nothing but blank lines: every format agrees


def _read_jsonl(path: Path, encoding: str) -> Iterator[Document]:
    for line in read_json_lines(path, encoding):
        id = _checked_id(line.string("id", "docno", "_id", needed=True), line.place)
        yield Document(id, line.string("text", needed=True), line.string("title"))


def _read_tsv(path: Path, encoding: str) -> Iterator[Document]:
    for number, line in read_lines(path, encoding):
        if not line or line.isspace():
            continue
        columns = line.split("\t")
        if not 2 <= len(columns) <= 3:
            problem = "there is no tab" if len(columns) == 1 else f"there are {len(columns)} columns"
            raise DataError(f"{path}:{number}: {problem}.", "A line is id TAB text, or id TAB title TAB text.")
        title = columns[1] if len(columns) == 3 else ""
        yield Document(_checked_id(columns[0], f"{path}:{number}"), columns[-1], title)


def _read_trec(path: Path, encoding: str, fields: tuple[str, ...]) -> Iterator[Document]:
    blocks = 0
    for block in read_blocks(path, "DOC", encoding):
        blocks += 1
        yield _document_of(block, fields)
    if not blocks and path.stat().st_size:
        raise DataError(f"{path}: there is no <DOC> in it.", "Is it TREC SGML? Set the format, or move the file away.")


def _document_of(block: Block, fields: tuple[str, ...]) -> Document:
    id = ""
    titles: list[str] = []
    texts: list[str] = []
    for name, text in read_fields(block, ("DOCNO", *fields)):
        if name == "DOCNO":
            id = id or text
        elif text:
            (titles if name in TITLE_FIELDS else texts).append(text)
    if not id:
        raise DataError(f"{block.place()}: this <DOC> has no DOCNO.", "The id is the DOCNO, not the DOCID.")
    return Document(_checked_id(id, block.place()), "\n".join(texts), " ".join(titles))


def _checked_id(id: str, place: str) -> str:
    id = id.strip()
    if not is_column(id):
        problem = f"the id {id!r} has white space in it" if id else "the id is empty"
        raise DataError(f"{place}: {problem}.", "Ids are columns in runs and judgements.")
    return id
