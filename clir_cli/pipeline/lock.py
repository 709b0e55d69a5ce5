"""A lock on one artifact, by exclusive creation of a file: works on shared disks too."""

import json
import os
import socket
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from clir_cli.pipeline.processes import birth_of

HEARTBEAT = 10.0
"""Seconds between two signs of life."""

PATIENCE = 120.0
"""Seconds without a sign of life after which a holder on another machine counts as dead."""


class Lock:
    """Held by one process at a time; a holder that died loses it.

    On the same host a dead holder is known by its process id (and that process's start time, as ids come again);
    on another host by a heart that has stopped beating.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stop = threading.Event()

    def acquire(self) -> bool:
        """Take the lock; False where a living process holds it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        for _ in range(3):
            if self._create(self.path):
                threading.Thread(target=self._beat, daemon=True).start()
                return True
            if not self._break_if_dead():
                return False
        return False

    def release(self) -> None:
        self._stop.set()
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> "Lock":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    @property
    def is_held(self) -> bool:
        """Whether a living process holds the lock."""
        return self.path.exists() and not self._is_dead()

    @staticmethod
    def _create(path: Path) -> bool:
        # Written aside and linked into place, so that nobody ever reads a lock that is still empty.
        aside = path.with_name(f"{path.name}.{socket.gethostname()}.{os.getpid()}.{threading.get_ident()}")
        holder = {"host": socket.gethostname(), "pid": os.getpid(), "born": birth_of(os.getpid())}
        aside.write_text(json.dumps(holder), encoding="utf-8")
        try:
            os.link(aside, path)
        except FileExistsError:
            return False
        except OSError:  # a file system without hard links, as on many USB disks
            return _create_in_place(path, holder)
        finally:
            aside.unlink(missing_ok=True)
        return True

    def _beat(self) -> None:
        while not self._stop.wait(HEARTBEAT):
            try:
                os.utime(self.path)
            except OSError:
                return

    def _is_dead(self) -> bool:
        try:
            text = self.path.read_text(encoding="utf-8")
            silent = time.time() - self.path.stat().st_mtime
            holder = json.loads(text)
        except FileNotFoundError:
            return False
        except ValueError:
            return bool(text) or silent > HEARTBEAT  # an empty one may be being written (_create_in_place)
        if holder.get("host") != socket.gethostname():
            return silent > PATIENCE
        return birth_of(holder.get("pid", -1)) != holder.get("born")

    def _break_if_dead(self) -> bool:
        """Remove a dead holder's lock; True where it is worth another try."""
        if not self._is_dead():
            return not self.path.exists()
        # Only one process may break a lock at a time, or the second would remove the first one's new lock.
        breaker = self.path.with_name(self.path.name + ".breaking")
        if not self._create(breaker):
            try:
                if time.time() - breaker.stat().st_mtime > PATIENCE:
                    breaker.unlink(missing_ok=True)
            except FileNotFoundError:
                pass
            return False
        try:
            if self._is_dead():
                self.path.unlink(missing_ok=True)
            return True
        finally:
            breaker.unlink(missing_ok=True)


def _create_in_place(path: Path, holder: dict[str, Any]) -> bool:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(json.dumps(holder))
    except FileExistsError:
        return False
    return True
