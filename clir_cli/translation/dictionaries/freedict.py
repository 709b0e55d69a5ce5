"""FreeDict's dictionaries: TEI P5 (namespace ``http://www.tei-c.org/ns/1.0``).

Head words are ``entry/form/orth``, several of them where there are variants. Translations are the quotes of
``cit[@type="trans"]``, at any depth of senses (quotes of examples are not); where an entry has none, its ``def``s,
which older dictionaries use for comma-separated lists of translations. Notes, inside or in brackets, go.
(Facts: the FreeDict HOWTO; the files of swh-eng, eng-swh, deu-eng.)
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_lines, read_text
from clir_cli.translation.dictionaries.entries import DictionaryEntry, without_notes

_TEI = "{http://www.tei-c.org/ns/1.0}"
_ENTRY, _FORM, _ORTH, _CIT, _QUOTE, _DEF, _RELATED, _NOTE = (
    f"{_TEI}{name}" for name in ("entry", "form", "orth", "cit", "quote", "def", "re", "note")
)
_FED = 1 << 16  # characters parsed before their elements are taken
_TRANSLATIONS = frozenset({"trans", "translation", "translationEquivalent"})
_DECLARED = re.compile(r"""^\s*<\?xml[^>]*\bencoding=["']([\w.-]+)["']""")


def read_freedict(path: Path, on_fault: FaultHandler = stop_at_fault) -> Iterator[DictionaryEntry]:
    """Entries of a file, plain or gzipped; one ``entry`` element is in memory at a time.

    Faults end the file: damaged XML, with file and line, and a root that is not TEI P5's.
    """
    parents: list[ET.Element] = []
    try:
        for event, element in _events(path, on_fault):
            if event == "start":
                if not parents and not element.tag.startswith(_TEI):
                    on_fault(_not_tei(path, element.tag))
                    return
                parents.append(element)
                continue
            parents.pop()
            if element.tag == _ENTRY:
                for entry in (element, *element.iter(_RELATED)):
                    yield from _pairs(entry)
                if parents:
                    parents[-1].remove(element)
    except ET.ParseError as error:
        reason = str(error).partition(":")[0]
        problem = f"{path}:{error.position[0]}: the XML is damaged ({reason})."
        on_fault(DataError(problem, "Get the file again, in its current release (TEI P5)."))


def _events(path: Path, on_fault: FaultHandler) -> Iterator[tuple[str, ET.Element]]:
    parser: ET.XMLPullParser[ET.Element] = ET.XMLPullParser(events=("start", "end"))
    first = next(read_lines(path, "iso-8859-1"), (1, ""))[1]  # a declaration is ASCII, whatever it declares
    declared = _DECLARED.match(first)
    for _, text in read_text(path, declared[1] if declared else "utf-8", on_fault):
        for start in range(0, len(text), _FED):
            parser.feed(text[start : start + _FED])
            yield from parser.read_events()  # type: ignore[misc]
    parser.close()
    yield from parser.read_events()  # type: ignore[misc]


def _pairs(entry: ET.Element) -> Iterator[DictionaryEntry]:
    """Each head word of ``entry`` with each translation, but for those of related entries inside it."""
    heads = list(_words(orth for form in entry.findall(_FORM) for orth in form.iter(_ORTH)))
    translations = list(_words(_quotes(entry)))
    if not translations:
        translations = [part for text in _words(_definitions(entry)) for part in re.split(r"\s*[,;]\s*", text) if part]
    return (DictionaryEntry(head, translation) for head in heads for translation in translations)


def _quotes(element: ET.Element) -> Iterator[ET.Element]:
    for child in element:
        if child.tag == _CIT:
            if child.get("type") in _TRANSLATIONS:
                yield from (part for part in child.iter() if part.tag in (_QUOTE, _ORTH))
        elif child.tag not in (_FORM, _RELATED, _NOTE):
            yield from _quotes(child)


def _definitions(element: ET.Element) -> Iterator[ET.Element]:
    for child in element:
        if child.tag == _DEF:
            yield child
        elif child.tag not in (_CIT, _FORM, _RELATED, _NOTE):
            yield from _definitions(child)


def _words(elements: Iterator[ET.Element]) -> Iterator[str]:
    for element in elements:
        if text := without_notes(_text(element)):
            yield text


def _text(element: ET.Element) -> str:
    """What stands in ``element`` and its children, but for notes."""
    inner = (("" if child.tag == _NOTE else _text(child)) + (child.tail or "") for child in element)
    return (element.text or "") + "".join(inner)


def _not_tei(path: Path, tag: str) -> DataError:
    namespace, _, name = tag.rpartition("}")
    kind = f"of namespace {namespace[1:]}" if namespace else "without a namespace"
    problem = f"{path}: its root is <{name}> {kind}, which is not TEI P5."
    return DataError(problem, "FreeDict's current releases are TEI P5; older ones are not read.")
