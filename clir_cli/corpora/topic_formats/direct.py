"""The XML of DIRECT, the system that CLEF kept its topics in from 2007 on (and its earlier ones, renumbered)."""

import html
from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from clir_cli.corpora.ids import shortened
from clir_cli.corpora.topic_formats.found import FoundTopic
from clir_cli.corpora.topic_formats.languages import language_of_code
from clir_cli.errors import DataError, FaultHandler
from clir_cli.lines import read_text
from clir_cli.records import Topic

_FIELDS = ("identifier", "title", "description", "narrative")
_HINTS = {
    expat.errors.XML_ERROR_NO_ELEMENTS: "Is the file cut short?",
    expat.errors.XML_ERROR_UNCLOSED_TOKEN: "Is the file cut short?",
    expat.errors.XML_ERROR_MISPLACED_XML_PI: "Take out what stands before `<?xml`.",
    expat.errors.XML_ERROR_UNDEFINED_ENTITY: "Write the letter itself: XML knows &amp;, &lt;, &gt;, &quot; and &apos;.",
}


def read_direct(path: Path, encoding: str, on_fault: FaultHandler) -> Iterator[FoundTopic]:
    """``<topic lang="de">`` elements with ``<identifier>``, ``<title>``, ``<description>``, ``<narrative>``.

    They may stand anywhere; prefixes of name spaces and other elements are passed over, and so is the encoding that
    the file declares: ``encoding`` counts. Faults: a topic without identifier or title, with a field twice or in
    another. Raises ``DataError`` with line and column for what is not well-formed, and for a file that declares
    entities: a few lines of them can unfold to gigabytes.
    """
    reader = _Reader(path, on_fault)
    for _, portion in read_text(path, encoding, on_fault):
        yield from reader.feed(portion)
    yield from reader.feed("", is_last=True)


class _Reader:
    """Takes a file piece by piece, gives the topics that have ended."""

    def __init__(self, path: Path, on_fault: FaultHandler) -> None:
        self._path = path
        self._on_fault = on_fault
        self._ended: list[FoundTopic | DataError] = []
        self._root_language = ""
        self._level = 0  # how many <topic> are open
        self._begin_topic({})
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._take_text
        self._parser.SkippedEntityHandler = self._take_entity
        self._parser.EntityDeclHandler = self._refuse_entities

    def feed(self, text: str, is_last: bool = False) -> Iterator[FoundTopic]:
        """The topics that end in ``text``, the next piece of the file."""
        failure: DataError | None = None
        try:
            self._parser.Parse(text, is_last)
        except expat.ExpatError as error:
            failure = self._malformed(error)
        except DataError as error:
            failure = error
        except UnicodeError:
            failure = DataError(f"{self._place()}: this is half of a character.", "Is the encoding right?")
        ended, self._ended = self._ended, []
        for topic in ended:
            if isinstance(topic, DataError):
                self._on_fault(topic)
            else:
                yield topic
        if failure is not None:
            raise failure from None

    def _begin_topic(self, attributes: dict[str, str]) -> None:
        self._begun = ""
        self._language = _language_in(attributes) or self._root_language
        self._texts: dict[str, list[str]] = {}
        self._field = ""
        self._fault: DataError | None = None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = _local(name)
        if name == "topic":
            self._level += 1
            if self._level == 1:
                self._begin_topic(attributes)
                self._begun = self._place()
            else:
                self._note(f"{self._place()}: <topic> begins in another, the one of {self._begun}.", "Mend the tags.")
        elif self._level == 0:
            self._root_language = _language_in(attributes) or self._root_language
        elif name in _FIELDS:
            if self._field:
                self._note(f"{self._place()}: <{name}> begins in <{self._field}>.", "Mend the tags.")
            elif name in self._texts:
                self._note(f"{self._place()}: this topic has a second <{name}>.", "Keep one of the two.")
            self._field = name
            self._texts.setdefault(name, [])

    def _end(self, name: str) -> None:
        name = _local(name)
        if name == self._field:
            self._field = ""
        elif name == "topic":
            self._level -= 1
            if self._level == 0:
                self._ended.append(self._fault or self._finish())

    def _finish(self) -> FoundTopic | DataError:
        id, title, description, narrative = (" ".join("".join(self._texts.get(name, ())).split()) for name in _FIELDS)
        if not id or not title:
            whose, what = (f"topic {shortened(id)}", "title") if id else ("this topic", "identifier")
            return DataError(f"{self._begun}: {whose} has no {what}.", "A <topic> holds <identifier> and <title>.")
        return FoundTopic(self._begun, Topic(id, title, description, narrative), self._language)

    def _take_text(self, text: str) -> None:
        if self._field:
            self._texts[self._field].append(text)

    def _take_entity(self, name: str, is_parameter: bool) -> None:
        # Declared in a file that is not read; most are those of HTML.
        if not is_parameter:
            self._take_text(html.unescape(f"&{name};"))

    def _refuse_entities(self, name: str, *declaration: object) -> None:
        raise DataError(
            f"{self._place()}: the file declares an entity, {name!r}, and those are not unfolded.",
            "Write the text that it stands for, and take the declaration out.",
        )

    def _note(self, problem: str, hint: str) -> None:
        self._fault = self._fault or DataError(problem, hint)

    def _place(self) -> str:
        return f"{self._path}:{self._parser.CurrentLineNumber}"

    def _malformed(self, error: expat.ExpatError) -> DataError:
        reason = expat.ErrorString(error.code)
        problem = f"{self._path}:{error.lineno}: not XML ({reason} at column {error.offset + 1})."
        return DataError(problem, _HINTS.get(reason, "Is a tag unclosed, or an & not written as &amp;?"))


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()


def _language_in(attributes: dict[str, str]) -> str:
    return next((language_of_code(value) for name, value in attributes.items() if _local(name) == "lang"), "")
