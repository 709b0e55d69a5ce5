"""Which tags hold the text of a document, in the ten collections of CLEF ad hoc (2000 to 2008) and elsewhere.

The collections of CLEF have layouts of their own, and a reader that knows only TEXT and HEADLINE finds nothing in the
Swiss news agency's. A document's DOCNO tells where it is from.
"""

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

# Whatever of these a reader is told to read makes the title.
TITLE_TAGS = ("HEADLINE", "TITLE", "TI", "HEAD", "HL", "TTL")
_TEXT_TAGS = ("TEXT", "LEADPARA", "LP", "LEAD1", "LEAD", "LD", "TX")


class _Layout(NamedTuple):
    title: tuple[str, ...]
    text: tuple[str, ...]
    left_out: tuple[str, ...] = ()


class Layout(_Layout):
    """Tags in upper case: those that make the title, those that make the text, and those that are neither.

    ``left_out`` goes even where it stands inside a tag that is read. DOCNO, the id, is read always; DOCID never, which
    in the Los Angeles Times is another number.
    """

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All tags that are read."""
        return ("DOCNO", *self.title, *self.text)

    def without_left_out(self, content: str) -> str:
        """``content`` with a space for each left-out field; one that is not closed stays."""
        if not self.left_out or "<" not in content:
            return content
        parts: list[str] = []
        unclosed: set[str] = set()  # looked for once: a text of nothing but opening tags would take for ever
        end = 0
        for opening in self._left_out_tags.finditer(content):
            name = opening[1].upper()
            if opening.start() < end or name in unclosed:
                continue
            if closing := _closing_tag(name).search(content, opening.end()):
                parts.append(content[end : opening.start()])
                end = closing.end()
            else:
                unclosed.add(name)
        return " ".join((*parts, content[end:]))

    @cached_property
    def _left_out_tags(self) -> re.Pattern[str]:
        alternatives = "|".join(map(re.escape, self.left_out))
        return re.compile(rf"<({alternatives})(?:\s[^<>]*)?>", re.IGNORECASE)


@lru_cache(maxsize=64)
def _closing_tag(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{re.escape(name)}\s*>", re.IGNORECASE)


_TEXT_AND_HEADLINE = ("HEADLINE",), ("TEXT",)
_AGENCY = Layout(("TI",), ("LD", "TX"), ("DOCID", "KW", "ST", "NO", "DATE"))  # SDA in its three languages

# What the DOCNOs of a collection begin with (a digit follows) -> its layout.
CLEF_COLLECTIONS: dict[str, Layout] = {
    "LA": Layout(  # Los Angeles Times 1994, English; all fields hold <P> paragraphs
        *_TEXT_AND_HEADLINE, ("DOCID", "SOURCE", "DATE", "SECTION", "LENGTH", "BYLINE")
    ),
    "GH": Layout(  # Glasgow Herald 1995, English
        *_TEXT_AND_HEADLINE, ("DOCID", "DATE", "BYLINE", "EDITION", "PAGE", "RECORDNO")
    ),
    "LEMONDE": Layout(("TITLE",), ("LEAD1", "TEXT"), ("DOCID", "SUBJECTS")),  # Le Monde 1994 and 1995, French
    "ATS.": _AGENCY,  # French
    "SDA.": _AGENCY,  # German
    "AGZ.": _AGENCY,  # Italian; some documents of 1995 have their whole body in TI
    "SPIEGEL": Layout(  # Der Spiegel 1994 and 1995, German
        ("TITLE",), ("LEAD", "TEXT"), ("DOCID", "ACCOUNT", "OBJECT", "ISSUE", "PAGE", "DATE")
    ),
    "FR9": Layout(("TITLE",), ("TEXT",), ("DOCID", "WEEK")),  # Frankfurter Rundschau 1994, German
    "LASTAMPA": Layout(("TITLE",), ("TEXT",), ("DOCID",)),  # La Stampa 1994, Italian
    "EFE": Layout(  # EFE 1994 and 1995, Spanish
        ("TITLE",), ("TEXT",),
        ("DOCID", "DATE", "TIME", "SCATE", "FICHEROS", "DESTINO", "CATEGORY", "CLAVE", "NUM", "PRIORIDAD"),
    ),
}  # fmt: skip

OTHER_TREC = Layout(TITLE_TAGS, _TEXT_TAGS)
"""What collections of TREC usually call their titles and texts."""

_LAYOUTS = tuple(CLEF_COLLECTIONS.values())
_BEGINNING = re.compile("|".join(f"({re.escape(prefix)})[0-9]" for prefix in CLEF_COLLECTIONS))


def clef_layout(docno: str) -> Layout | None:
    """The layout of the CLEF collection that ``docno`` is from, or None."""
    match = _BEGINNING.match(docno)
    return _LAYOUTS[match.lastindex - 1] if match and match.lastindex else None


def layout_of_fields(fields: Sequence[str]) -> Layout:
    """A layout that reads ``fields`` and nothing else; those of ``TITLE_TAGS`` make the title."""
    names = [field.upper() for field in fields]
    return Layout(
        tuple(name for name in names if name in TITLE_TAGS), tuple(name for name in names if name not in TITLE_TAGS)
    )
