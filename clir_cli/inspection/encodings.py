"""Text that was decoded with the wrong encoding, told by what it looks like then."""

import re

# UTF-8 writes letters with diacritics as two bytes: 0xC2 to 0xC5 and one from 0x80 to 0xBF, and quotes, dashes and the
# euro sign as three, 0xE2 0x80 or 0x82 and one more. This is how they look in iso-8859-1 or windows-1252.
_SECOND = "\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_MISREAD = re.compile(f"[ÃÂÄÅ][{_SECOND}]|â[\u0080\u0082€‚][{_SECOND}]")
_SIGNS = ("Ã", "Â", "â", "Ä", "Å")


def looks_misread(text: str) -> bool:
    """Whether UTF-8 seems to have been read as an 8-bit encoding: ``MÃ¼nchen``, ``donâ€™t``."""
    if text.isascii() or not any(sign in text for sign in _SIGNS):
        return False
    return any(_is_utf8(match[0]) for match in _MISREAD.finditer(text))


def has_replacements(text: str) -> bool:
    """Whether a character was lost when the text was decoded before (U+FFFD)."""
    return "\ufffd" in text


def _is_utf8(letters: str) -> bool:
    for encoding in ("windows-1252", "iso-8859-1"):
        try:
            decoded = letters.encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
        return decoded[0].isalpha() or decoded[0] in "’‘“”„–—…€°§«»¿¡·"
    return False
