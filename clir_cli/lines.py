"""Text files read line by line, with the place of every fault, and written whole or not at all."""

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TextIO

from clir_cli.errors import DataError

_PACKED = {
    b"\x1f\x9d": "compress (.Z)",
    b"\x1f\xa0": "compress (.z)",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
_WIDE = (b"\xff\xfe", b"\xfe\xff")


def read_lines(path: Path, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Stream ``(line number from 1, line without its end)``; plain or gzipped (told by content, not by name).

    Lines end at LF or CRLF only, so that parallel files stay parallel whatever else they hold; a byte order mark goes.
    Raises ``DataError`` for a file that cannot be opened, unpacked or decoded, with file, line and what to try.
    """
    _check_encoding(encoding, path)
    number = 0
    try:
        with _open_bytes(path) as stream:
            for number, raw in enumerate(stream, start=1):
                try:
                    line = raw.decode(encoding)
                except UnicodeError as error:
                    raise _undecodable(path, number, raw, encoding, error) from None
                if number == 1:
                    line = line.removeprefix("\ufeff")
                yield number, line.removesuffix("\n").removesuffix("\r")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{path}:{number + 1}: the gzip file is cut short or damaged.", "Copy it again.") from error
    except OSError as error:
        raise unreadable(path, error) from None


@contextmanager
def write_whole(path: Path) -> Iterator[TextIO]:
    """Open ``path`` for UTF-8 text that appears under its name only when the block ends well; ``.gz`` is packed.

    Folders are made as needed. The bytes depend on the text alone: the gzip header holds no time and no name.
    Raises ``DataError`` where the system does not write.
    """
    path = Path(path)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as raw:
            stream: IO[bytes] = raw
            if path.suffix == ".gz":
                stream = gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0, compresslevel=6)  # type: ignore[assignment]
            text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
            yield text
            text.flush()
            text.detach()
            if stream is not raw:
                stream.close()
            raw.flush()
            os.fsync(raw.fileno())
        partial.replace(path)
    except OSError as error:
        raise DataError(f"{path}: it cannot be written ({error.strerror or error}).", "Is the disk full?") from error
    finally:
        with suppress(OSError):  # gone already, or the disk is the trouble
            partial.unlink()


def unreadable(path: Path, error: OSError) -> DataError:
    """The ``DataError`` that says why the system did not open or read ``path``."""
    reasons = {
        FileNotFoundError: ("there is no such file.", "Check the path."),
        IsADirectoryError: ("a file is expected here, and this is a folder.", "Name the file."),
        PermissionError: ("no permission to read it.", "Change its mode or owner."),
    }
    problem, hint = reasons.get(type(error), (f"it cannot be read ({error.strerror or error}).", ""))
    return DataError(f"{path}: {problem}", hint)


def _open_bytes(path: Path) -> IO[bytes]:
    stream = Path(path).open("rb")  # noqa: SIM115 - read_lines closes it
    head = stream.peek(6)[:6]
    if head.startswith(b"\x1f\x8b"):
        stream.close()
        return gzip.open(path, "rb")  # type: ignore[return-value]
    for magic, name in _PACKED.items():
        if head.startswith(magic):
            stream.close()
            raise DataError(f"{path}: it is packed with {name}.", "Unpack it, or pack it with gzip.")
    return stream


def _check_encoding(encoding: str, path: Path) -> None:
    try:
        splits_into_lines = "a\n".encode(encoding) == b"a\n"
    except (LookupError, UnicodeError):
        raise DataError(f"{path}: there is no encoding {encoding!r}.", "Try utf-8 or iso-8859-1.") from None
    if not splits_into_lines:
        raise DataError(f"{path}: {encoding} text cannot be read line by line.", "Convert it to utf-8.")


def _undecodable(path: Path, number: int, raw: bytes, encoding: str, error: UnicodeError) -> DataError:
    at = error.start if isinstance(error, UnicodeDecodeError) else 0
    problem = f"{path}:{number}: byte 0x{raw[at]:02x} at offset {at} of the line is not {encoding}."
    if raw.startswith(_WIDE):
        return DataError(problem, "The file looks like utf-16: convert it to utf-8.")
    return DataError(problem, f"Try `encoding: {_likely_encoding(raw)}` for this file.")


def _likely_encoding(raw: bytes) -> str:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        # 0x80-0x9f are letters and quotes in windows-1252, but control characters in iso-8859-1.
        return "windows-1252" if any(0x80 <= byte <= 0x9F for byte in raw) else "iso-8859-1"
    return "utf-8"
