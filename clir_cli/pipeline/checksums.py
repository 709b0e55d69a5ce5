"""Content checksums of raw files, remembered by path, size and time of change."""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from clir_cli.corpora.collection_files import find_files
from clir_cli.lines import not_regular, unreadable


class Checksums:
    """SHA-256 of files and folders. ``memory`` is a JSON file that spares a second reading; it may be deleted."""

    def __init__(self, memory: Path) -> None:
        self._memory = memory
        self._known: dict[str, str] = {}
        self._changed = False
        try:
            known = json.loads(memory.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            known = {}
        if isinstance(known, dict):
            self._known = known

    def of(self, path: Path) -> str:
        """Checksum of a file, or of the files of a folder that readers read, with their relative names.

        Raises ``DataError`` for what cannot be read.
        """
        if path.is_dir():
            digest = hashlib.sha256()
            for inner in sorted(find_files(path, lambda fault: None)):  # what is wrong, the reader tells
                if inner.is_file():
                    digest.update(f"{inner.relative_to(path).as_posix()}\0{self._of_file(inner)}\n".encode())
            return digest.hexdigest()
        return self._of_file(path)

    def _of_file(self, path: Path) -> str:
        if fault := not_regular(path):
            raise fault
        try:
            status = path.stat()
            name = _name(path, status)
            if name not in self._known:
                with path.open("rb") as file:
                    self._known[name] = hashlib.file_digest(file, "sha256").hexdigest()
                self._changed = True
        except OSError as error:
            raise unreadable(path, error) from error
        return self._known[name]

    def knows(self, path: Path) -> bool:
        """Whether the checksum of a file is remembered: then it need not be read."""
        return _name(path, path.stat()) in self._known

    def save(self) -> None:
        """Write the memory, if anything new was read. Where it cannot be written the files are read again next time."""
        if not self._changed:
            return
        partial = self._memory.with_suffix(f".{os.getpid()}.partial")
        try:
            self._memory.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(json.dumps(self._known), encoding="utf-8")
            partial.replace(self._memory)
        except OSError:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            return
        self._changed = False


def _name(path: Path, status: os.stat_result) -> str:
    """What a file is remembered by: it changes when the file does."""
    return f"{path.resolve()}|{status.st_size}|{status.st_mtime_ns}"
