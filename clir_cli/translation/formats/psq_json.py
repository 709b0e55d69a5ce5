"""JSON of two systems of probabilistic structured queries: an object a word, its translations as keys, p as values.

patapsco has ``{query word: {document word: p}}`` with P(document word | query word). fast_psq has
``{document word: {query word: p}}`` with P(query word | document word), which becomes a table by Bayes' rule.
The two look the same, so the format is always to be named.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from clir_cli.errors import DataError
from clir_cli.lines import read_characters, write_whole
from clir_cli.translation.formats.entries import Entries, EntryCollector
from clir_cli.translation.formats.format import Request, TableFormat
from clir_cli.translation.table import TranslationTable

SHAPE = "The file is one object: {word: {translation: p, ...}, ...}."
SIDES = ("the outer keys", "the inner keys")
_BLANK = re.compile(r"[ \t\n\r]*")


def read_entries(request: Request) -> Entries:
    """Conditioning words are the outer keys. The file is read in portions: one outer key is in memory at a time."""
    collector = EntryCollector(request.path, int(request.is_swapped), SIDES)
    for line, outer, row in _rows(request.path, request.encoding):
        is_word = len(outer.split()) == 1
        for inner, value in row:
            if type(value) not in (int, float) or not 0 <= value <= 1:  # type: ignore[operator]
                what = "an object" if isinstance(value, _Object) else json.dumps(value)
                is_number = type(value) in (int, float)
                kind = "probability" if is_number else "number"
                problem = f"{request.path}:{line}: {outer} {inner}: {what} is no {kind}."
                request.on_fault(DataError(problem, SHAPE))
            elif is_word and len(inner.split()) == 1:
                collector.add(outer, inner, value, line)  # type: ignore[arg-type]
            else:
                collector.several_words += 1
    return collector.entries()


def _rows(path: Path, encoding: str) -> Iterator[tuple[int, str, "_Object"]]:
    """(line where it begins, outer key, inner pairs) of each outer key."""
    text = _Text(path, encoding)
    text.expect("{")
    if text.peek() != "}":
        while True:
            line = text.line
            key = text.value()
            text.expect(":")
            row = text.value()
            if not isinstance(key, str) or not isinstance(row, _Object):
                raise text.fault("this is not a word and an object of its translations")
            yield line, key, row
            if text.peek() != ",":
                break
            text.expect(",")
    text.expect("}")
    if text.peek():
        raise text.fault("something follows the object")


class _Text:
    """JSON text that is read as far as it is needed."""

    def __init__(self, path: Path, encoding: str) -> None:
        self.path = path
        self.line = 1
        self._portions = read_characters(path, encoding)
        self._text, self._at = "", 0
        self._decoder = json.JSONDecoder(object_pairs_hook=_Object)

    def peek(self) -> str:
        """The next character that is not blank; empty at the end."""
        while True:
            blank = _BLANK.match(self._text, self._at)
            assert blank is not None
            self._skip(blank.end() - self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def expect(self, sign: str) -> None:
        """Step over ``sign``."""
        if self.peek() != sign:
            found = repr(self._text[self._at]) if self._at < len(self._text) else "the end"
            raise self.fault(f"{found} stands where {sign!r} is expected")
        self._skip(1)

    def value(self) -> object:
        """The next string, number or whole object; objects are lists of pairs."""
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if not self._more():
                    self._skip(min(error.pos, len(self._text)) - self._at)
                    raise self.fault(f"{error.msg[0].lower()}{error.msg[1:]}") from None
                continue
            except RecursionError:
                raise self.fault("objects lie too deep in each other") from None
            if end == len(self._text) and self._more():  # a number may go on
                continue
            self._skip(end - self._at)
            return value

    def fault(self, what: str) -> DataError:
        """What is wrong here."""
        return DataError(f"{self.path}:{self.line}: {what}.", SHAPE)

    def _skip(self, count: int) -> None:
        self.line += self._text.count("\n", self._at, self._at + count)
        self._at += count

    def _more(self) -> bool:
        portion = next(self._portions, "")
        self._text, self._at = self._text[self._at :] + portion, 0
        return bool(portion)


class _Object(list[tuple[str, object]]):
    """The pairs of an object, in order and with those that come twice."""


PATAPSCO = TableFormat("patapsco", read_entries, "Read it with `swap: true`.")
FAST_PSQ = TableFormat("fast-psq", read_entries, "Read it with `swap: true`.", is_of_query_word=True)


def write_fast_psq(path: Path, table: TranslationTable) -> None:
    """Write a table P(target | source) as ``{source: {target: p}}``, a source word a line, best translation first.

    fast_psq wants P(query word | document word): give it the ``inverse`` of a table of the first stage.
    """
    with write_whole(path) as file:
        file.write("{")
        for number, (source, row) in enumerate(table.rows()):
            inner = ", ".join(f"{json.dumps(word, ensure_ascii=False)}: {p!s}" for word, p in row)
            file.write(("," if number else "") + f"\n{json.dumps(source, ensure_ascii=False)}: {{{inner}}}")
        file.write("\n}\n")
