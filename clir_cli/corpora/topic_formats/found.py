"""A topic and where it was found."""

from typing import NamedTuple

from clir_cli.records import Topic


class FoundTopic(NamedTuple):
    """One topic as its file states it."""

    place: str
    """``file:line`` where it begins."""

    topic: Topic

    language: str
    """ISO 639-3, as the file's own tags state it; empty where they state none, or one that nobody knows."""
