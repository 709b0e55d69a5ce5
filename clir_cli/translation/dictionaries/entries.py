"""What every dictionary comes down to: pairs of a word and a translation."""

import re
from typing import NamedTuple

_NOTE = re.compile(r"\([^()|]*\)|\[[^\[\]|]*\]|\{[^{}|]*\}|<[^<>|]*>")


class DictionaryEntry(NamedTuple):
    """A word or phrase and one translation, as they stand in the file: ``source`` is the side that comes first there,
    whichever language one asks in. ``quality``: how far the entry is to be trusted, 1 where the file does not say."""

    source: str
    target: str
    quality: float = 1.0


def without_notes(text: str) -> str:
    """``text`` without what stands in brackets of any kind, nested ones too; a bracket without its partner stays."""
    while True:
        text, found = _NOTE.subn(" ", text)
        if not found:
            return " ".join(text.split())
