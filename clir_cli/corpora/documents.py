"""Documents of a collection, streamed from the files people have: JSON lines, TSV, TREC and CLEF SGML, SQuAD."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from clir_cli.corpora.clef_collections import clef_layout
from clir_cli.corpora.collection_files import find_files, tell_format
from clir_cli.corpora.ids import checked_id
from clir_cli.corpora.json_lines import read_json_lines
from clir_cli.corpora.plain_text import without_controls
from clir_cli.corpora.sgml_documents import LayoutOf, layout_of_tags, layout_of_trec, read_sgml_documents
from clir_cli.corpora.squad import read_squad_documents
from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_lines
from clir_cli.records import Document

FORMATS = ("auto", "jsonl", "tsv", "trec", "clef", "squad")


def read_documents(
    paths: Sequence[Path],
    format: str = "auto",
    encoding: str | None = None,
    fields: Sequence[str] | None = None,
    on_fault: FaultHandler = stop_at_fault,
) -> Iterator[Document]:
    """Stream the documents of files and folders (``find_files`` tells how those are walked), plain or gzipped.

    ``format``:

    - ``jsonl``: an object a line with ``id``, ``docno`` or ``_id``; ``text``; and ``title`` if there is one;
    - ``tsv``: id, text or id, title, text;
    - ``clef``: the SGML of the ten collections of CLEF ad hoc, whose tags go by the DOCNO (``clef_collections``);
    - ``trec``: other SGML with a DOCNO; titles and texts by their usual tags, a DOCNO of CLEF as for ``clef``;
    - ``squad``: the paragraphs of SQuAD-format JSON (``squad`` tells how they are numbered);
    - ``auto``: all but ``clef``, by suffix or by how a file begins.

    ``encoding``: default utf-8, for ``clef`` iso-8859-1. ``fields``: for the SGML formats, read these tags instead.
    Control characters become spaces. A fault of a record or file has file and line; a path without documents is one,
    too. An unknown format or encoding raises ``DataError`` always. Duplicates are left to the store.
    """
    if format not in FORMATS:
        raise DataError(f"There is no document format {format!r}.", f"Formats are {', '.join(FORMATS)}.")
    for path in map(Path, paths):
        found = faults = 0

        def count(fault: DataError) -> None:
            nonlocal faults
            faults += 1
            on_fault(fault)

        for file in find_files(path, count):
            for document in _read_file(file, format, encoding, fields, count):
                found += 1
                yield document
        if not found and not faults:
            on_fault(DataError(f"{path}: there are no documents in it.", "Check the path and the format."))


def _read_file(
    path: Path, format: str, encoding: str | None, fields: Sequence[str] | None, on_fault: FaultHandler
) -> Iterator[Document]:
    if format == "auto":
        told = tell_format(path, encoding or "utf-8", on_fault)
        if told is None:
            return iter(())
        format = told
    if format == "jsonl":
        return _read_jsonl(path, encoding or "utf-8", on_fault)
    if format == "tsv":
        return _read_tsv(path, encoding or "utf-8", on_fault)
    if format == "squad":
        return read_squad_documents(path, encoding or "utf-8", on_fault)
    layout_of: LayoutOf = clef_layout if format == "clef" else layout_of_trec
    if fields:
        layout_of = layout_of_tags(fields)
    default = "iso-8859-1" if format == "clef" else "utf-8"
    is_guess = format == "clef" and encoding is None
    return read_sgml_documents(path, encoding or default, on_fault, layout_of, suspect_utf8=is_guess)


def _read_jsonl(path: Path, encoding: str, on_fault: FaultHandler) -> Iterator[Document]:
    for line in read_json_lines(path, encoding, on_fault):
        try:
            id = checked_id(line.string("id", "docno", "_id", needed=True), line.place)
            text, title = line.string("text", needed=True), line.string("title")
        except DataError as fault:
            on_fault(fault)
        else:
            yield Document(id, without_controls(text), without_controls(title))


def _read_tsv(path: Path, encoding: str, on_fault: FaultHandler) -> Iterator[Document]:
    for number, line in read_lines(path, encoding, on_fault):
        if not line or line.isspace():
            continue
        try:
            document = _document_of_columns(line.split("\t"), f"{path}:{number}")
        except DataError as fault:
            on_fault(fault)
        else:
            yield document


def _document_of_columns(columns: list[str], place: str) -> Document:
    if not 2 <= len(columns) <= 3:
        problem = "there is no tab" if len(columns) == 1 else f"there are {len(columns)} columns"
        raise DataError(f"{place}: {problem}.", "A line is id TAB text, or id TAB title TAB text.")
    title = columns[1] if len(columns) == 3 else ""
    return Document(checked_id(columns[0], place), without_controls(columns[-1]), without_controls(title))
