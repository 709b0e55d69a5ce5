"""Numbers and names in sentences."""

from collections.abc import Iterable


def counted(count: int, noun: str) -> str:
    """``1 topic``, ``1,200 topics``, ``2 queries``."""
    if count != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("ry") else f"{noun}s"
    return f"{count:,} {noun}"


def some_are(count: int, noun: str, of: int | None = None) -> str:
    """``1 topic is``, ``2 topics of 10 are``."""
    return _some(count, noun, of) + (" is" if count == 1 else " are")


def some_have(count: int, noun: str, of: int | None = None) -> str:
    """``1 topic has``, ``2 topics of 10 have``."""
    return _some(count, noun, of) + (" has" if count == 1 else " have")


def _some(count: int, noun: str, of: int | None) -> str:
    return counted(count, noun) + (f" of {of:,}" if of is not None else "")


def share(part: int, whole: int) -> str:
    """``12 of 480 (2.5 %)``."""
    return f"{part:,} of {whole:,} ({100 * part / max(whole, 1):.1f} %)"


def listed(names: Iterable[str], most: int = 5) -> str:
    """``a, b, c, ...``: the first of them."""
    names = list(names)
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
