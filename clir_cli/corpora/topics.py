"""Topics: what people want to know, from the layouts that CLEF and its users have them in."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from clir_cli.corpora.ids import shortened
from clir_cli.corpora.plain_text import without_controls
from clir_cli.corpora.topic_formats.blocks import read_blocks
from clir_cli.corpora.topic_formats.clef import read_clef, read_clef_2000
from clir_cli.corpora.topic_formats.direct import read_direct
from clir_cli.corpora.topic_formats.found import FoundTopic
from clir_cli.corpora.topic_formats.look import read_head, stated_encoding, tell_layout
from clir_cli.corpora.topic_formats.one_a_line import read_jsonl, read_tsv
from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.records import Topic
from clir_cli.trec import is_column

__all__ = ["FoundTopic", "parse_ranges", "read_topics", "scan_topics", "topic_key"]

_NUMBERED = re.compile(r"[Cc]?([0-9]+)|(?:10\.2452/)?([0-9]+)-AH")
_RANGE = re.compile(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?")
_FORMAT_OF_SUFFIX = {".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}
_Reader = Callable[[Path, str, FaultHandler], Iterator[FoundTopic]]
# Reader, default encoding, and what is looked for.
_FORMATS: dict[str, tuple[_Reader, str, str]] = {
    "tsv": (read_tsv, "utf-8", "lines `id TAB title`"),
    "jsonl": (read_jsonl, "utf-8", 'lines such as {"id": "1", "title": "a"}'),
    "clef": (read_clef, "iso-8859-1", "<top> with <num> and <XX-title>"),
    "clef2000": (read_clef_2000, "iso-8859-1", "<top> with <num> and <E-title>"),
    "direct": (read_direct, "utf-8", "<topic> with <identifier> and <title>"),
    "blocks": (read_blocks, "utf-8", "blocks of `query_id:` and `title:`"),
}


def topic_key(id: str) -> str:
    """What topic languages, judgements and runs are joined by: the number of a CLEF topic, else the id itself.

    ``C041``, ``041``, ``41`` and ``41-AH`` are 41, ``10.2452/401-AH`` is 401; ``n09-000`` stays.
    """
    match = _NUMBERED.fullmatch(id.strip())
    return (match[1] or match[2]).lstrip("0") or "0" if match else id.strip()


def parse_ranges(text: str) -> list[tuple[int, int]]:
    """``1-40, 91-140, 150`` -> [(1, 40), (91, 140), (150, 150)]: numbers of topics, both ends included.

    Raises ``ValueError`` for anything else.
    """
    ranges = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            raise ValueError(f"{text!r} is no list of ranges such as `1-40, 91-140`")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise ValueError(f"in {text!r}, the range {part.strip()} ends before it begins")
        ranges.append((first, last))
    return ranges


def read_topics(
    paths: Sequence[Path],
    format: str = "auto",
    encoding: str | None = None,
    on_fault: FaultHandler = stop_at_fault,
    numbers: Sequence[tuple[int, int]] | None = None,
) -> list[Topic]:
    """All topics of the files, in their order; ids keep their spelling.

    Arguments and faults are those of ``scan_topics``. Raises ``DataError`` where there is no topic in the end.
    """
    topics = [found.topic for found in scan_topics(paths, format, encoding, on_fault, numbers)]
    if not topics:
        wanted = "" if numbers is None else f" of the numbers {', '.join(map(_range_text, numbers))}"
        hint = "Check the paths." if numbers is None else "Check the paths and `numbers`."
        raise DataError(f"{', '.join(map(str, paths))}: there are no topics{wanted}.", hint)
    return topics


def scan_topics(
    paths: Sequence[Path],
    format: str = "auto",
    encoding: str | None = None,
    on_fault: FaultHandler = stop_at_fault,
    numbers: Sequence[tuple[int, int]] | None = None,
) -> Iterator[FoundTopic]:
    """Stream the topics of the files with their places and languages; no two have one ``topic_key``.

    ``format``: ``tsv``, ``jsonl``, ``clef`` (SGML of 2001 to 2006), ``clef2000`` (its tags are not closed), ``direct``
    (XML), ``blocks`` (``query_id:`` and so on) or ``auto``: by suffix, else by look, each file for itself.
    ``encoding``: None is what the file states itself (byte order mark, XML declaration), else ISO-8859-1 for CLEF's
    SGML and UTF-8 for the others; one that is given counts for all files, whatever they state.
    ``numbers``: keep only topics whose number lies in one of these ranges, ends included.

    Control characters in texts become spaces. Faults, with file and line, of one topic: what the readers of
    ``topic_formats`` name, an id that cannot be a column, no text, another language than the topics before it in the
    file, a ``topic_key`` that is there already. Faults of a file: it cannot be read, has no known layout, no topics.
    """
    known: dict[str, tuple[str, str]] = {}  # place and language
    for path in map(Path, paths):
        for found in _scan_file(path, format, encoding, on_fault):
            key = topic_key(found.topic.id)
            if numbers is not None and not _is_within(key, numbers):
                continue
            place, language = known.setdefault(key, (found.place, found.language))
            if place is found.place:
                yield found
                continue
            problem = f"{found.place}: topic {found.topic.id} is there already, at {place}."
            hint = "Keep one of the two."
            if found.language and language and found.language != language:
                hint = f"This one is in {found.language}, that one in {language}: name the files of one language."
            on_fault(DataError(problem, hint))


def _scan_file(path: Path, format: str, encoding: str | None, on_fault: FaultHandler) -> Iterator[FoundTopic]:
    faults = _CountedFaults(on_fault)
    language, topics = "", 0
    try:
        format, reader, encoding = _choose_reader(path, format, encoding)
        for found in reader(path, encoding, faults):
            topics += 1
            topic = Topic(found.topic.id, *(without_controls(text).strip() for text in _texts(found.topic)))
            fault = _fault_of(found.place, topic) or _fault_of_language(found, language)
            if fault is not None:
                faults(fault)
                continue
            language = language or found.language
            yield found._replace(topic=topic)
        if not topics and not faults.count:
            problem = f"{path}: there are no topics in it; {_FORMATS[format][2]} were looked for, as {format} has them."
            faults(DataError(problem, "Check the path and the format."))
    except DataError as error:  # what ends the file, or what the handler raised to end everything
        if error is faults.raised:
            raise
        on_fault(error)


def _choose_reader(path: Path, format: str, encoding: str | None) -> tuple[str, _Reader, str]:
    """Format, reader and encoding of a file."""
    if format != "auto" and format not in _FORMATS:
        raise DataError(f"{path}: there is no topic format {format!r}.", f"Formats are {', '.join(_FORMATS)}.")
    head = read_head(path)
    if format == "auto":
        suffix = Path(path.name.lower().removesuffix(".gz")).suffix
        format = _FORMAT_OF_SUFFIX.get(suffix) or tell_layout(path, head)
    reader, default, _ = _FORMATS[format]
    return format, reader, encoding or stated_encoding(head, format) or default


def _fault_of(place: str, topic: Topic) -> DataError | None:
    if not is_column(topic.id):
        problem = f"the topic id {shortened(topic.id)!r} cannot be a column" if topic.id else "the topic id is empty"
        return DataError(f"{place}: {problem}.", "Ids are columns in runs and judgements: no white space.")
    if not any(_texts(topic)):
        return DataError(f"{place}: topic {topic.id} has no text.", "Give it a title.")
    return None


def _fault_of_language(found: FoundTopic, language: str) -> DataError | None:
    if not (language and found.language) or found.language == language:
        return None
    problem = f"{found.place}: topic {found.topic.id} is in {found.language}, those before it in {language}."
    return DataError(problem, "Keep one language in a file.")


def _texts(topic: Topic) -> tuple[str, str, str]:
    return topic.title, topic.description, topic.narrative


def _is_within(key: str, numbers: Sequence[tuple[int, int]]) -> bool:
    return key.isascii() and key.isdecimal() and any(first <= int(key) <= last for first, last in numbers)


def _range_text(range: tuple[int, int]) -> str:
    first, last = range
    return str(first) if first == last else f"{first}-{last}"


class _CountedFaults:
    """Hands faults on, counts them, and knows the error by which the handler stopped."""

    def __init__(self, on_fault: FaultHandler) -> None:
        self.count = 0
        self.raised: DataError | None = None
        self._on_fault = on_fault

    def __call__(self, fault: DataError) -> None:
        self.count += 1
        try:
            self._on_fault(fault)
        except DataError as error:
            self.raised = error
            raise
