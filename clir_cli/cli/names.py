"""Near names among many, for errors about topics, documents and words."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from clir_cli.config.problems import near_miss

if TYPE_CHECKING:
    from clir_cli.pipeline.joined_topics import JoinedTopic

MOST = 2000
"""Names compared at most: comparing is slow, collections have millions."""


def near_among(name: str, known: Iterable[str]) -> str:
    """``: did you mean `C041`?`` where a known name of the same beginning is near, else a full stop."""
    beginning = name[:2].lower()
    alike = [other for other in known if other[:2].lower() == beginning]
    text = near_miss(name, sorted(alike, key=lambda other: abs(len(other) - len(name)))[:MOST])
    return text if text.endswith("?") else "."


def find_topic(pair: str, topics: "list[JoinedTopic]", name: str) -> "JoinedTopic":
    """The topic of this id, however its number is spelt. Raises ``UsageError`` where the pair has none."""
    from clir_cli.corpora.topics import topic_key
    from clir_cli.errors import UsageError

    found = next((known for known in topics if topic_key(name) == known.key), None)
    if found is None:
        raise UsageError(f"{pair} has no topic {name}{near_among(name, [known.id for known in topics])}")
    return found
