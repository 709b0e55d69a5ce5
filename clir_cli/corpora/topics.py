"""Topics: what people want to know, from TSV, JSON lines and the CLEF layout of 2001 to 2006."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from clir_cli.corpora.json_lines import read_json_lines
from clir_cli.corpora.sgml import read_blocks, read_fields
from clir_cli.errors import DataError
from clir_cli.lines import read_lines
from clir_cli.records import Topic
from clir_cli.trec import is_column

_NUMBERED = re.compile(r"[Cc]?([0-9]+)|(?:10\.2452/)?([0-9]+)-AH")
_FORMAT_OF_SUFFIX = {".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}
_CLEF_FIELDS = {"TITLE": "title", "DESC": "description", "NARR": "narrative"}


def topic_key(id: str) -> str:
    """What topic languages, judgements and runs are joined by: the number of a CLEF topic, else the id itself.

    ``C041``, ``041``, ``41`` and ``41-AH`` are 41, ``10.2452/401-AH`` is 401; ``n09-000`` stays.
    """
    match = _NUMBERED.fullmatch(id.strip())
    return (match[1] or match[2]).lstrip("0") or "0" if match else id.strip()


def read_topics(paths: Sequence[Path], format: str = "auto", encoding: str = "utf-8") -> list[Topic]:
    """All topics of the files, in their order; ids keep their spelling.

    ``format``: ``tsv`` (id, title, description, narrative; the last two may be missing), ``jsonl`` (the same names;
    ``_id`` and ``text`` are read too), ``clef`` (``<top>`` blocks with ``<num>``, ``<EN-title>``, ``<EN-desc>``,
    ``<EN-narr>``) or ``auto``: by suffix, else by the first line.
    Raises ``DataError`` with file and line, for two topics of one key with both lines, and where there is no topic.
    """
    topics: list[Topic] = []
    place_of: dict[str, str] = {}
    for path in paths:
        for place, topic in _read_file(Path(path), format, encoding):
            if not is_column(topic.id):
                problem = f"the topic id {topic.id!r} has white space in it" if topic.id else "the topic id is empty"
                raise DataError(f"{place}: {problem}.", "Ids are columns in runs and judgements.")
            if not topic.text(("title", "description", "narrative")):
                raise DataError(f"{place}: topic {topic.id} has no text.", "Give it a title.")
            earlier = place_of.setdefault(topic_key(topic.id), place)
            if earlier is not place:
                raise DataError(f"{place}: topic {topic.id} is there already, at {earlier}.", "Keep one of the two.")
            topics.append(topic)
    if not topics:
        raise DataError(f"{', '.join(map(str, paths))}: there are no topics.", "Check the path and the format.")
    return topics


def _read_file(path: Path, format: str, encoding: str) -> Iterator[tuple[str, Topic]]:
    if format == "auto":
        suffix = Path(path.name.lower().removesuffix(".gz")).suffix
        format = _FORMAT_OF_SUFFIX.get(suffix) or _format_by_look(path, encoding)
    if format == "tsv":
        return _read_tsv(path, encoding)
    if format == "jsonl":
        return _read_jsonl(path, encoding)
    if format == "clef":
        return _read_clef(path, encoding)
    raise DataError(f"{path}: there is no topic format {format!r}.", "Formats are tsv, jsonl and clef.")


def _format_by_look(path: Path, encoding: str) -> str:
    first = next((line.lstrip()[0] for _, line in read_lines(path, encoding) if line.strip()), "")
    return {"<": "clef", "{": "jsonl"}.get(first, "tsv")


def _read_tsv(path: Path, encoding: str) -> Iterator[tuple[str, Topic]]:
    for number, line in read_lines(path, encoding):
        if not line or line.isspace():
            continue
        columns = [column.strip() for column in line.split("\t")]
        if not 2 <= len(columns) <= 4:
            problem = "there is no tab" if len(columns) == 1 else f"there are {len(columns)} columns"
            raise DataError(f"{path}:{number}: {problem}.", "A line is id TAB title [TAB description [TAB narrative]].")
        yield f"{path}:{number}", Topic(*columns)


def _read_jsonl(path: Path, encoding: str) -> Iterator[tuple[str, Topic]]:
    for line in read_json_lines(path, encoding):
        id = line.string("id", "_id", needed=True).strip()
        title = line.string("title", "text").strip()
        yield line.place, Topic(id, title, line.string("description").strip(), line.string("narrative").strip())


def _read_clef(path: Path, encoding: str) -> Iterator[tuple[str, Topic]]:
    for block in read_blocks(path, "top", encoding):
        fields: dict[str, str] = {}
        for name, text in read_fields(block, ("NUM", *_CLEF_FIELDS), prefix="(?:[A-Za-z]{2,3}-)?"):
            if name in fields:
                raise DataError(f"{block.place()}: this topic has two fields {name}.", "Keep one language in a file.")
            fields[name] = text
        for name in ("NUM", "TITLE"):
            if not fields.get(name):
                raise DataError(
                    f"{block.place()}: this topic has no {name.lower()}.", "A <top> holds <num> and <XX-title>."
                )
        id = fields.pop("NUM")
        yield block.place(), Topic(id, **{_CLEF_FIELDS[name]: text for name, text in fields.items()})
