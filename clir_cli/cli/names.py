"""Near names among many, for errors about topics, documents and words."""

from collections.abc import Iterable

from clir_cli.config.problems import near_miss

MOST = 2000
"""Names compared at most: comparing is slow, collections have millions."""


def near_among(name: str, known: Iterable[str]) -> str:
    """``: did you mean `C041`?`` where a known name of the same beginning is near, else a full stop."""
    beginning = name[:2].lower()
    alike = [other for other in known if other[:2].lower() == beginning]
    text = near_miss(name, sorted(alike, key=lambda other: abs(len(other) - len(name)))[:MOST])
    return text if text.endswith("?") else "."
