"""Which encoding a text file has, by what decodes."""

import codecs
import gzip
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from clir_cli.errors import DataError

MOST_BYTES = 256_000_000
"""Of a longer file only this much is looked at (unpacked): a collection of many gigabytes would take minutes."""

_BLOCK = 1 << 20
_FEW = 0.1
"""Share of the characters beyond ASCII that may be broken in a file that still is utf-8, with some damage."""


@dataclass(frozen=True)
class TextLook:
    """What the bytes of a text file tell. ``encoding``: ``ascii``, ``utf-8``, ``iso-8859-1`` or ``windows-1252``."""

    encoding: str
    lines: int
    is_whole: bool
    """Whether all of the file was looked at."""

    damaged: bool = False
    """Whether it is utf-8 but for a few bytes."""


def look_at_text(path: Path, most: int = MOST_BYTES) -> TextLook:
    """Read a file, plain or gzipped, up to ``most`` bytes, and tell its encoding.

    Raises ``DataError`` where it cannot be read, and for UTF-16.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    read = lines = beyond = broken = 0
    has_quotes = undefined = False  # of windows-1252, in the range of iso-8859-1's control characters
    last = b"\n"
    try:
        with _open(path) as stream:
            while read < most and (block := stream.read(min(_BLOCK, most - read))):
                if read == 0 and block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                    raise DataError(f"{path}: it is UTF-16.", "Convert it to utf-8.")
                read += len(block)
                lines += block.count(b"\n")
                last = block[-1:]
                if block.isascii() and not decoder.getstate()[0]:
                    continue
                text = decoder.decode(block)
                broken += text.count("\ufffd")
                beyond += sum(not char.isascii() for char in text)
                has_quotes |= any(0x80 <= byte <= 0x9F for byte in set(block))
                undefined |= bool(set(block) & {0x81, 0x8D, 0x8F, 0x90, 0x9D})
            is_whole = not stream.read(1)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DataError(f"{path}: the gzip file is cut short or damaged.", "Copy it again.") from None
    except OSError as error:
        raise DataError(f"{path}: it cannot be read ({error.strerror or error}).", "Check its permissions.") from None
    if is_whole and decoder.getstate()[0]:  # half of a character at the very end
        broken += 1
        beyond += 1
    lines += last != b"\n"
    if not beyond:
        return TextLook("ascii", lines, is_whole)
    if broken <= _FEW * beyond:
        return TextLook("utf-8", lines, is_whole, damaged=broken > 0)
    return TextLook("windows-1252" if has_quotes and not undefined else "iso-8859-1", lines, is_whole)


def common_encoding(encodings: Iterable[str]) -> str | None:
    """One encoding that reads files of all of these; None where there is none. ASCII is in all of them."""
    others = set(encodings) - {"ascii"}
    if not others:
        return "utf-8"
    if others == {"iso-8859-1", "windows-1252"}:  # the same, as far as the first has letters
        return "windows-1252"
    return others.pop() if len(others) == 1 else None


def _open(path: Path) -> IO[bytes]:
    stream = path.open("rb")
    with suppress(OSError):
        if stream.peek(2)[:2] == b"\x1f\x8b":
            stream.close()
            return gzip.open(path, "rb")  # type: ignore[return-value]
    return stream
