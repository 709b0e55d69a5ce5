"""A lock on one artifact, by exclusive creation of a file: works on shared disks too."""

import json
import os
import socket
import threading
import time
from pathlib import Path
from types import TracebackType

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
        holder = {"host": socket.gethostname(), "pid": os.getpid(), "born": _birth(os.getpid())}
        aside.write_text(json.dumps(holder), encoding="utf-8")
        try:
            os.link(aside, path)
        except FileExistsError:
            return False
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
            holder = json.loads(self.path.read_text(encoding="utf-8"))
            silent = time.time() - self.path.stat().st_mtime
        except FileNotFoundError:
            return False
        except ValueError:
            return True
        if holder.get("host") != socket.gethostname():
            return silent > PATIENCE
        return _birth(holder.get("pid", -1)) != holder.get("born")

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


def _birth(pid: int) -> str | None:
    """Start time of a process, or None where there is no such process; a constant where that cannot be known."""
    try:
        # /proc/PID/stat: the name in brackets may hold spaces; after it, field 22 is the start time in clock ticks
        # and field 3 the state (a zombie is dead).
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return None if fields[0] == "Z" else fields[19]
    except FileNotFoundError:
        if Path("/proc/self/stat").exists():
            return None
    except OSError:
        return None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return "unknown"
