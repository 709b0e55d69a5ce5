"""Text files read line by line, with the place of every fault, and written whole or not at all."""

import codecs
import errno
import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TextIO

from clir_cli.errors import DataError, FaultHandler, stop_at_fault

_PACKED = {
    b"\x1f\x9d": "compress (.Z)",
    b"\x1f\xa0": "compress (.z)",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_PORTION = 1 << 20  # bytes
_LONGEST_LINE = 1 << 28  # bytes; what has no line ends for longer is no text, and would fill the memory


def read_lines(
    path: Path, encoding: str = "utf-8", on_fault: FaultHandler = stop_at_fault
) -> Iterator[tuple[int, str]]:
    """Stream ``(line number from 1, line without its end)``; plain or gzipped (told by content, not by name).

    Lines end at LF or CRLF only, so that parallel files stay parallel whatever else they hold, but at CR in a file that
    has no LF (old Macs); a byte order mark goes.
    Faults, with file, line and what to try: a file that cannot be opened or unpacked or has a line without end, which
    ends there, and a line with a byte that cannot be decoded, which becomes U+FFFD. An encoding that does not exist
    raises ``DataError`` always.
    """
    for first, text in read_text(path, encoding, on_fault):
        if first == 1 and "\n" not in text:  # portions end at LF: this is the whole file
            text = text.replace("\r", "\n")
        for number, line in enumerate(text.removesuffix("\n").split("\n"), start=first):
            yield number, line.removesuffix("\r")


def read_text(path: Path, encoding: str = "utf-8", on_fault: FaultHandler = stop_at_fault) -> Iterator[tuple[int, str]]:
    """What ``read_lines`` reads in larger portions: ``(number of the first line, whole lines with their ends)``.

    Only the last line of a file may lack its end.
    """
    _check_encoding(encoding, path)
    try:
        stream = _open_bytes(path)
    except DataError as fault:
        on_fault(fault)
        return
    number = 1
    with stream:
        try:
            for raw in _whole_lines(stream):
                for text in _decode(raw, path, number, encoding, on_fault):
                    yield number, text if number > 1 else text.removeprefix("\ufeff")
                    number += text.count("\n")
        except (EOFError, zlib.error, gzip.BadGzipFile):
            on_fault(DataError(f"{path}:{number}: the gzip file is cut short or damaged.", "Copy it again."))
        except _EndlessLineError:
            size = f"{_LONGEST_LINE >> 20} MB"
            on_fault(DataError(f"{path}:{number}: this line does not end within {size}.", "Is the file text?"))
        except OSError as error:
            on_fault(unreadable(path, error))


def read_characters(path: Path, encoding: str = "utf-8") -> Iterator[str]:
    """Stream text that is not made of lines, in portions of any length; plain or gzipped, a byte order mark goes.

    Raises ``DataError`` where ``read_lines`` finds a fault.
    """
    _check_encoding(encoding, path)
    number, is_first = 1, True
    with _open_bytes(path) as stream:
        decoder = codecs.getincrementaldecoder(encoding)()
        try:
            while raw := stream.read1(_PORTION):  # type: ignore[attr-defined]
                text = decoder.decode(raw)
                number += text.count("\n")
                yield text.removeprefix("\ufeff") if is_first else text
                is_first = False
            yield decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            number += error.object.count(b"\n", 0, error.start)
            problem = f"{path}:{number}: byte 0x{error.object[error.start]:02x} is not {encoding}."
            hint = f"Try `encoding: {_likely_encoding(bytes(error.object))}` for this file."
            raise DataError(problem, hint) from None
        except (EOFError, zlib.error, gzip.BadGzipFile):
            raise DataError(f"{path}:{number}: the gzip file is cut short or damaged.", "Copy it again.") from None
        except OSError as error:
            raise unreadable(path, error) from None


def check_place(path: Path) -> None:
    """Refuse a folder, a path through a file, and what is no file at all: a device would be replaced, not written to.

    Raises ``DataError``.
    """
    if path.is_dir():
        raise DataError(f"{path}: a file is expected here, and this is a folder.", "Name the file.")
    if (path.exists() and not path.is_file()) or path.absolute().parent == Path("/dev"):  # stdout may be a link
        raise DataError(f"{path}: a file is expected here, and this is a device or a pipe.", "Name a file.")
    _check_way(path)


def check_folder(path: Path) -> None:
    """Refuse what is no folder and cannot become one, as a file is there or on the way. Raises ``DataError``."""
    if os.path.lexists(path) and not path.is_dir():
        raise DataError(f"{path}: a folder is expected here, and this is {_no_folder(path)}.", "Name a folder.")
    _check_way(path)


def _check_way(path: Path) -> None:
    """Refuse a path that leads through what is no folder."""
    there = next((parent for parent in path.parents if os.path.lexists(parent)), path.parent)
    if os.path.lexists(there) and not there.is_dir():
        problem = f"{path}: nothing can be made there: {there} is {_no_folder(there)} and not a folder."
        raise DataError(problem, "Name a path that leads through folders alone.")


def _no_folder(path: Path) -> str:
    return "a file" if path.exists() else "a link to nothing"


@contextmanager
def write_whole(path: Path) -> Iterator[TextIO]:
    """Open ``path`` for UTF-8 text that appears under its name only when the block ends well; ``.gz`` is packed.

    Folders are made as needed. The bytes depend on the text alone: the gzip header holds no time and no name.
    Raises ``DataError`` where the system does not write.
    """
    path = Path(path)
    check_place(path)
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
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        hint = "Make room on the disk." if is_full else "Check the path, its permissions and the space on the disk."
        raise DataError(f"{path}: it cannot be written ({error.strerror or error}).", hint) from error
    finally:
        with suppress(OSError):  # gone already, or the disk is the trouble
            partial.unlink()


def unreadable(path: Path, error: OSError) -> DataError:
    """The ``DataError`` that says why the system did not open or read ``path``."""
    reasons = {
        FileNotFoundError: ("there is no such file.", "Check the path."),
        IsADirectoryError: ("a file is expected here, and this is a folder.", "Name the file."),
        NotADirectoryError: ("a part of this path is a file, not a folder.", "Check the path."),
        PermissionError: ("no permission to read it.", "Change its mode or owner."),
    }
    problem, hint = reasons.get(type(error), (f"it cannot be read ({error.strerror or error}).", ""))
    if error.errno == errno.ELOOP:
        problem, hint = "it is a link that leads to itself.", "Remove it, or link to the file that is meant."
    return DataError(f"{path}: {problem}", hint)


def not_regular(path: Path) -> DataError | None:
    """The ``DataError`` of a pipe, a socket or a device, which may have no end; None for files, folders and nothing."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return None  # a link to nowhere, or gone: opening it tells
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return None
    return DataError(f"{path}: this is neither a file nor a folder.", "Write what it gives into a file.")


def _open_bytes(path: Path) -> IO[bytes]:
    if fault := not_regular(Path(path)):
        raise fault
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 - read_text closes it
        head = stream.peek(6)[:6]
        if head.startswith(b"\x1f\x8b"):
            stream.close()
            return gzip.open(path, "rb")  # type: ignore[return-value]
    except OSError as error:
        raise unreadable(path, error) from None
    for magic, name in _PACKED.items():
        if head.startswith(magic):
            stream.close()
            raise DataError(f"{path}: it is packed with {name}.", "Unpack it, or pack it with gzip.")
    return stream


def _whole_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The bytes of ``stream`` in portions that end where lines end.

    Read in single steps: a longer read would lose what it has where a gzip file is cut short.
    """
    begun: list[bytes] = []
    length = 0
    while raw := stream.read1(_PORTION):  # type: ignore[attr-defined]
        end = raw.rfind(b"\n") + 1
        if end:
            yield b"".join((*begun, raw[:end]))
            begun.clear()
            length = 0
        begun.append(raw[end:])
        length += len(begun[-1])
        if length > _LONGEST_LINE:
            raise _EndlessLineError
    if last := b"".join(begun):
        yield last


class _EndlessLineError(Exception):
    """A line is longer than any text's."""


def _decode(raw: bytes, path: Path, number: int, encoding: str, on_fault: FaultHandler) -> Iterator[str]:
    """The text of ``raw``, whose first line is ``number``: at once, or line by line where a byte is at fault."""
    try:
        text = raw.decode(encoding)
    except UnicodeError:
        for at, line in enumerate(io.BytesIO(raw), start=number):
            yield _decode_line(line, path, at, encoding, on_fault)
        return
    if number == 1 and raw.startswith(_WIDE):  # two letters in iso-8859-1, but no text begins with them
        on_fault(DataError(f"{path}:1: this begins as utf-16 does, not as {encoding}.", "Convert the file to utf-8."))
    yield text


def _decode_line(line: bytes, path: Path, number: int, encoding: str, on_fault: FaultHandler) -> str:
    try:
        return line.decode(encoding)
    except UnicodeError as error:
        on_fault(_undecodable(path, number, line, encoding, error))
    try:
        return line.decode(encoding, "replace")
    except UnicodeError:  # a codec that replaces nothing
        return line.decode("ascii", "replace")


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
