"""Documents from SGML: the id is the DOCNO, title and text are what the layout of its collection says."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from clir_cli.corpora.clef_collections import CLEF_COLLECTIONS, OTHER_TREC, Layout, clef_layout, layout_of_fields
from clir_cli.corpora.ids import IDS
from clir_cli.corpora.plain_text import plain_text
from clir_cli.corpora.sgml import Block, read_blocks, read_fields
from clir_cli.errors import DataError, FaultHandler
from clir_cli.records import Document
from clir_cli.trec import is_column

_DOCNO = re.compile(
    r"<DOCNO(?:\s[^<>]*)?>([^<]*(?:<(?!/?DOCNO)[^<]*)*)</DOCNO(?:\s[^<>]*)?>",  # to the next tag of the name
    re.IGNORECASE,
)

LayoutOf = Callable[[str], Layout | None]


def read_sgml_documents(
    path: Path,
    encoding: str,
    on_fault: FaultHandler,
    layout_of: LayoutOf,
    suspect_utf8: bool = False,
) -> Iterator[Document]:
    """Stream the documents of one file; all occurrences of a field are read.

    ``layout_of``: the layout for a DOCNO, such as the functions below and ``clef_layout``; None is a fault.
    ``suspect_utf8``: ``encoding`` is iso-8859-1 by guess, and a document that is utf-8 is a fault.
    Faults, with file and line: those of the tags (``sgml``), a document without DOCNO or with two, an id with white
    space, and one of no collection that ``layout_of`` knows.
    """
    for block in read_blocks(path, "DOC", encoding, on_fault):
        try:
            if suspect_utf8 and not block.content.isascii():
                _refuse_utf8(block)
            document = _document_of(block, layout_of)
        except DataError as fault:
            on_fault(fault)
        else:
            yield document


def layout_of_tags(fields: Sequence[str]) -> LayoutOf:
    """The same for every document: ``fields`` are read, and those of ``TITLE_TAGS`` make the title."""
    layout = layout_of_fields(fields)
    return lambda docno: layout


def layout_of_trec(docno: str) -> Layout:
    """The layout of a CLEF collection where the DOCNO is of one, else the tags that usually hold text."""
    return clef_layout(docno) or OTHER_TREC


def _document_of(block: Block, layout_of: LayoutOf) -> Document:
    docno = _DOCNO.search(block.content)
    if docno is None:
        list(read_fields(block, ("DOCNO",)))  # says so where one is not closed
        raise DataError(f"{block.place()}: this <DOC> has no DOCNO.", "The id is the DOCNO, not the DOCID.")
    id = plain_text(docno[1])
    layout = layout_of(id) if is_column(id) else None
    if layout is None:
        raise _bad_docno(id, block.place(docno.start()))
    if "P" not in layout.names:  # the most frequent tag by far goes first, which makes the rest faster
        block = Block(block.path, block.line, block.content.replace("<P>", " ").replace("</P>", " "))
    titles: list[str] = []
    texts: list[str] = []
    for name, content in read_fields(block, layout.names):
        if name == "DOCNO":
            if content != docno[1] and (other := plain_text(content)) != id:
                problem = f"{block.place(docno.start())}: this <DOC> has two ids, {id} and {_first_word(other)}."
                raise DataError(problem, "Is a </DOC> missing?")
            continue
        if text := plain_text(layout.without_left_out(content)):
            (titles if name in layout.title else texts).append(text)
    return Document(id, "\n".join(texts), " ".join(titles))


def _bad_docno(id: str, place: str) -> DataError:
    if not id:
        return DataError(f"{place}: the id is empty.", IDS)
    if not is_column(id):  # text, as where </DOCNO> is missing: it may be licensed, so it is not shown
        return DataError(f"{place}: the id that begins with {_first_word(id)} has white space in it.", IDS)
    return DataError(
        f"{place}: {id} is in none of the collections of CLEF, whose ids begin with "
        f"{', '.join(CLEF_COLLECTIONS)} and a digit.",
        "Read it with `format: trec`, and `fields` where its tags are unusual.",
    )


def _first_word(text: str) -> str:
    return (text.split() or ["nothing"])[0][:40]


def _refuse_utf8(block: Block) -> None:
    """Raise ``DataError`` where what was read as iso-8859-1 is utf-8, whose letters then come in pairs no text has."""
    try:
        block.content.encode("iso-8859-1").decode("utf-8")
    except UnicodeError:
        return
    raise DataError(f"{block.place()}: this document is utf-8, not iso-8859-1.", "Set encoding: utf-8.")
