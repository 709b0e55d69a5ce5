"""The few words that every layer shares."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a collection: what a judgement refers to."""

    id: str
    text: str
    title: str = ""

    @property
    def full_text(self) -> str:
        """Title and text as the methods read them, a line break between."""
        return f"{self.title}\n{self.text}" if self.title else self.text


@dataclass(frozen=True, slots=True)
class Topic:
    """A statement of an information need; ``id`` keeps the spelling of its file."""

    id: str
    title: str
    description: str = ""
    narrative: str = ""

    def text(self, fields: tuple[str, ...] = ("title", "description")) -> str:
        """The chosen fields, in the given order, joined by spaces; empty fields are left out."""
        return " ".join(value for field in fields if (value := getattr(self, field)))


class Qrel(NamedTuple):
    """One relevance judgement; a grade above 0 is relevant."""

    topic: str
    document: str
    grade: int


class ScoredDoc(NamedTuple):
    """One entry of a ranked list."""

    document: str
    score: float


class SentencePair(NamedTuple):
    """One line of parallel text."""

    source: str
    target: str


Run = dict[str, list[ScoredDoc]]
"""Topic id -> ranked list, best first, ties by document id descending (as trec_eval orders them)."""

Qrels = dict[str, dict[str, int]]
"""Topic id -> document id -> grade."""

TopicLinks = dict[str, dict[str, float]]
"""What M^tr carries for one topic: query word key -> document word key -> P(document word | query word)."""

ProgressCallback = Callable[[int, int | None, str], None]
"""``progress(done, total, text)``: how a long function tells where it is; ``total`` is None where unknown."""


def no_progress(done: int, total: int | None, text: str) -> None:
    """The listener of a caller who does not want to know."""
