"""Content checksums of raw files, remembered by path, size and time of change."""

import hashlib
import json
import os
from pathlib import Path

from clir_cli.errors import DataError


class Checksums:
    """SHA-256 of files and folders. ``memory`` is a JSON file that spares a second reading; it may be deleted."""

    def __init__(self, memory: Path) -> None:
        self._memory = memory
        self._known: dict[str, str] = {}
        self._changed = False
        try:
            known = json.loads(memory.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            known = {}
        if isinstance(known, dict):
            self._known = known

    def of(self, path: Path) -> str:
        """Checksum of a file, or of a folder's files with their relative names. Raises ``DataError`` if absent."""
        if path.is_dir():
            digest = hashlib.sha256()
            for inner in sorted(path.rglob("*")):
                if inner.is_file():
                    digest.update(f"{inner.relative_to(path).as_posix()}\0{self._of_file(inner)}\n".encode())
            return digest.hexdigest()
        return self._of_file(path)

    def _of_file(self, path: Path) -> str:
        try:
            status = path.stat()
        except OSError as error:
            raise DataError(
                f"{path}: cannot be read ({error.strerror}).", "Check the path in the experiment."
            ) from error
        name = _name(path, status)
        if name not in self._known:
            with path.open("rb") as file:
                self._known[name] = hashlib.file_digest(file, "sha256").hexdigest()
            self._changed = True
        return self._known[name]

    def knows(self, path: Path) -> bool:
        """Whether the checksum of a file is remembered: then it need not be read."""
        return _name(path, path.stat()) in self._known

    def save(self) -> None:
        """Write the memory, if anything new was read."""
        if not self._changed:
            return
        self._memory.parent.mkdir(parents=True, exist_ok=True)
        partial = self._memory.with_suffix(f".{os.getpid()}.partial")
        partial.write_text(json.dumps(self._known), encoding="utf-8")
        partial.replace(self._memory)
        self._changed = False


def _name(path: Path, status: os.stat_result) -> str:
    """What a file is remembered by: it changes when the file does."""
    return f"{path.resolve()}|{status.st_size}|{status.st_mtime_ns}"
