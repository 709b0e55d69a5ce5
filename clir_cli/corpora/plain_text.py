"""Text without what is no text: tags, entities, control characters."""

import html
import re

_TAG = re.compile(r"</?[A-Za-z][\w.:-]*(?:\s[^<>]*)?/?>")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});")
# All of Unicode's control characters but tab, line feed and carriage return. The range from 0x80 holds what quotes of
# windows-1252 become when they are read as iso-8859-1.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def plain_text(content: str) -> str:
    """``content`` without tags, entities resolved, white space and control characters as single spaces.

    A bare ``&`` or ``<`` is text, and so is an entity that HTML does not know; one that stands for no character
    (``&#0;``, ``&#xD800;``) goes.
    """
    if "<" in content:
        content = _TAG.sub(" ", content)
    if "&" in content:
        content = _ENTITY.sub(_resolve, content)
    text = " ".join(content.split())
    return text if text.isprintable() else " ".join(_CONTROLS.sub(" ", text).split())


def without_comments(content: str) -> str:
    """``content`` without ``<!-- comments -->``; the lines they stand on stay, or places would be wrong.

    One that is not closed is text. (A pattern would look for the end anew from each beginning.)
    """
    parts: list[str] = []
    end = 0
    while (start := content.find("<!--", end)) >= 0 and (close := content.find("-->", start + 4)) >= 0:
        parts += (content[end:start], "\n" * content.count("\n", start, close))
        end = close + 3
    return "".join(parts) + content[end:]


def without_controls(text: str) -> str:
    """``text`` with a space for each control character but tab and line ends."""
    return text if text.isprintable() else _CONTROLS.sub(" ", text)


def _resolve(entity: re.Match[str]) -> str:
    text = html.unescape(entity[0])
    return "" if text == "\ufffd" else text
