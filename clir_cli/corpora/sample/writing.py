"""Files that appear together, each whole, or not at all."""

import errno
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from clir_cli.errors import DataError

WriteFile = Callable[[str, Iterable[str], str], None]
"""``write(name, pieces of text, encoding)``."""
GZIP = 31
"""What zlib calls its largest window with a gzip header around it."""
CHUNK = 1 << 17
"""Characters that are packed at a time."""


@contextmanager
def write_together(folder: Path) -> Iterator[WriteFile]:
    """Gives a function that writes a file beside its place; all files get their names when the block ends well.

    Pieces of text are written as they come, none is kept. A name in .gz is packed, with no time and no name in the
    header. Whatever goes wrong, nothing half-written stays. Raises ``DataError`` where the system does not write.
    """
    partials: dict[Path, Path] = {}

    def write(name: str, texts: Iterable[str], encoding: str = "utf-8") -> None:
        path = folder / name
        partials[path] = folder / f".{name}.{os.getpid()}.partial"
        with _faults_of(path):
            folder.mkdir(parents=True, exist_ok=True)
            _write(partials[path], texts, encoding, packed=path.suffix == ".gz")

    try:
        yield write
        for path, partial in partials.items():
            with _faults_of(path):
                partial.replace(path)
    finally:
        for partial in partials.values():
            with suppress(OSError):  # it has its name already, or the disk is the trouble
                partial.unlink()


def _write(path: Path, texts: Iterable[str], encoding: str, packed: bool) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, GZIP) if packed else None
    with path.open("wb") as file:
        for data in _in_chunks(texts, encoding):
            file.write(packer.compress(data) if packer else data)
        if packer:
            file.write(packer.flush())


def _in_chunks(texts: Iterable[str], encoding: str) -> Iterator[bytes]:
    chunk: list[str] = []
    size = 0
    for text in texts:
        chunk.append(text)
        size += len(text)
        if size > CHUNK:
            yield "".join(chunk).encode(encoding)
            chunk, size = [], 0
    yield "".join(chunk).encode(encoding)


@contextmanager
def _faults_of(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        hint = "Is the disk full?" if error.errno == errno.ENOSPC else "Name another folder."
        raise DataError(f"{path}: it cannot be written ({error.strerror or error}).", hint) from error
