"""What files of documents, topics and other text hold, by look: layout and encoding."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from clir_cli.corpora.clef_collections import clef_layout
from clir_cli.corpora.collection_files import find_files
from clir_cli.corpora.topic_formats.look import read_head, stated_encoding, tell_layout
from clir_cli.corpora.topics import read_topics
from clir_cli.errors import DataError, Faults
from clir_cli.lines import read_lines
from clir_cli.pipeline.new_experiment.encodings import TextLook, common_encoding, look_at_text

MOST_FILES = 500
"""Of a folder with more files only these many are looked at."""

_DOCNO = re.compile(r"<DOCNO>\s*([^\s<]+)", re.IGNORECASE)
_NAMES_OF_COLUMNS = frozenset(  # of ids, in a line that is a header
    f"{what}{part}"
    for what in ("q", "query", "topic", "doc", "document", "corpus", "p", "_", "")
    for part in ("id", "_id", "-id", "no")
)


@dataclass
class Look:
    """What some files that belong together are."""

    format: str
    """``auto`` where they differ."""

    encoding: str
    lines: tuple[int, ...] | None
    """Of each file; None where it is not known."""

    fields: list[str] = field(default_factory=list)
    """Of topics: the parts that make the query, as far as they have them."""

    remarks: list[str] = field(default_factory=list)
    """What the person should know, in sentences."""


def files_of(paths: Sequence[Path]) -> list[Path]:
    """Files, and those in folders. Raises ``DataError`` where there are none."""
    files = [file for path in paths for file in find_files(path)]
    if not files:
        raise DataError(f"{paths[0]}: there are no files in it.", "Name another file or folder.")
    return files


def look_at_documents(paths: Sequence[Path]) -> Look:
    """Layout and encoding of documents in files and folders. Raises ``DataError`` where they look like none."""
    files = files_of(paths)
    looked_at = files[:MOST_FILES]
    looks = [(file, _document_layout(file), look_at_text(file)) for file in looked_at]
    look = _together(looks)
    if look.format == "clef" and all(text.encoding == "ascii" for _, _, text in looks):
        look.encoding = "iso-8859-1"  # what the collections of CLEF are in, should a letter come
    if len(files) > len(looked_at):
        look.lines = None
        look.remarks.append(f"{len(files)} files: only the first {MOST_FILES} were looked at.")
    return look


def look_at_topics(paths: Sequence[Path]) -> Look:
    """Layout and encoding of topics in files and folders. Raises ``DataError`` where a file looks like none."""
    looks, stated = [], set()
    paths = files_of(paths)
    for path in paths:
        head = read_head(path)
        layout = tell_layout(path, head)
        stated.add(stated_encoding(head, layout).lower())
        looks.append((path, layout, look_at_text(path)))
    if stated != {""} and len(stated) == 1:  # the file says it itself
        encoding = stated.pop()
        looks = [
            (path, layout, TextLook(encoding, text.lines, text.is_whole, text.damaged)) for path, layout, text in looks
        ]
    look = _together(looks)
    topics = read_topics(paths, look.format, look.encoding, on_fault=Faults())  # faults are told by who validates
    look.fields = ["title", "description"] if any(topic.description for topic in topics) else ["title"]
    return look


def look_at_lines(paths: Sequence[Path]) -> Look:
    """Encoding of text that is read line by line. Raises ``DataError`` for files that cannot be read so."""
    paths = files_of(paths)
    for path in paths:
        _first_lines(path)
    return _together([(path, "lines", look_at_text(path)) for path in paths])


def _together(looks: Sequence[tuple[Path, str, TextLook]]) -> Look:
    layouts = {layout for _, layout, _ in looks}
    encoding = common_encoding(text.encoding for _, _, text in looks)
    if encoding is None:
        by_encoding = {text.encoding: path for path, _, text in looks if text.encoding != "ascii"}
        found = " and ".join(f"{path.name} is {encoding}" for encoding, path in by_encoding.items())
        raise DataError(f"{found}, and they are read in one encoding.", "Convert one of them.")
    whole = all(text.is_whole for _, _, text in looks)
    look = Look(layouts.pop() if len(layouts) == 1 else "auto", encoding, None)
    if whole:
        look.lines = tuple(text.lines for _, _, text in looks)
    for path, layout, text in looks:
        look.remarks += _remarks(path, layout, text)
    return look


def _remarks(path: Path, layout: str, text: TextLook) -> list[str]:
    found = []
    if text.damaged:
        found.append(f"{path.name} is utf-8 but for some bytes: they may stop the run.")
    elif text.encoding in ("iso-8859-1", "windows-1252"):
        found.append(
            f"{path.name} is not utf-8: it will be read as {text.encoding}. Look whether its letters are right."
        )
    if layout == "tsv" and (header := _header_of(path)):
        found.append(f"{path.name}:1: `{header}` looks like names of columns, but is read as a record: take it out.")
    return found


def _header_of(path: Path) -> str | None:
    first = next(iter(_first_lines(path)), "")
    column = first.split("\t")[0].strip().lower()
    return first.replace("\t", " ")[:60] if column in _NAMES_OF_COLUMNS else None


def _first_lines(path: Path, count: int = 20) -> list[str]:
    """The first lines that are not blank, every byte a character. Raises ``DataError`` where there are none."""
    lines = [line for _, line in islice(read_lines(path, "iso-8859-1"), 10 * count) if line.strip()][:count]
    if not lines:
        raise DataError(f"{path}: it is empty.", "Check the path; was it copied whole?")
    lines[0] = lines[0].removeprefix("ï»¿")  # a byte order mark
    return lines


def _document_layout(path: Path) -> str:
    lines = _first_lines(path)
    first = lines[0].lstrip()
    if first.startswith("<"):
        docno = _DOCNO.search("\n".join(lines))
        return "clef" if docno and clef_layout(docno[1]) is not None else "trec"
    if first.startswith("{"):
        return _json_layout(first, lines)
    if first.startswith("["):
        raise DataError(f"{path}: it is one JSON list.", "Write one object a line: that is jsonl.")
    if "\t" in first:
        return "tsv"
    commas = " Are commas between its columns? Write tabs." if "," in first else ""
    raise DataError(
        f"{path}: this looks like no layout of documents.{commas}",
        "A line is id TAB text, or a JSON object with `id` and `text`; or the file is TREC SGML.",
    )


def _json_layout(first: str, lines: list[str]) -> str:
    try:
        value: Any = json.loads(first)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict) and "text" in value:
        return "jsonl"
    if isinstance(value, dict):
        return "squad" if isinstance(value.get("data"), list) else "jsonl"
    head = "\n".join(lines)
    return "squad" if '"data"' in head or '"paragraphs"' in head else "jsonl"
