"""Whether a process lives, and which one it is: ids of processes come again."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

_QUERY = 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION
_STILL_ACTIVE = 259


def birth_of(pid: int) -> str | None:
    """Start time of a process, or None where there is no such process; a constant where that cannot be known."""
    if pid <= 0:  # to the system these mean groups of processes
        return None
    if sys.platform == "win32":
        return _birth_on_windows(pid)
    return _birth_in_proc(pid) if Path("/proc/self/stat").exists() else birth_by_ps(pid)


def _birth_in_proc(pid: int) -> str | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    except OSError:
        return birth_by_signal(pid)
    # The name in brackets may hold spaces; after it, field 22 is the start time in clock ticks and field 3 the state
    # (a zombie is dead).
    fields = text.rpartition(")")[2].split()
    return None if fields[0] == "Z" else fields[19]


def birth_by_ps(pid: int) -> str | None:
    """As macOS and the BSDs tell it."""
    command = ["ps", "-o", "stat=", "-o", "lstart=", "-p", str(pid)]
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=10, env={**os.environ, "LC_ALL": "C"})
    except (OSError, subprocess.SubprocessError):
        return birth_by_signal(pid)
    state, _, started = asked.stdout.strip().partition(" ")
    return None if not state or state.startswith("Z") else " ".join(started.split())


def birth_by_signal(pid: int) -> str | None:
    """Only whether it is there. Never on Windows, where the signal 0 is Ctrl-C."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return "unknown"


def _birth_on_windows(pid: int) -> str | None:
    if sys.platform != "win32":
        return birth_by_signal(pid)
    windows = ctypes.WinDLL("kernel32", use_last_error=True)
    windows.OpenProcess.restype = ctypes.c_void_p
    process = ctypes.c_void_p(windows.OpenProcess(_QUERY, False, pid))
    if not process:
        denied = ctypes.get_last_error() == 5
        return "unknown" if denied else None
    try:
        code = ctypes.c_uint32()
        if windows.GetExitCodeProcess(process, ctypes.byref(code)) and code.value != _STILL_ACTIVE:
            return None
        times = [ctypes.c_uint64() for _ in range(4)]  # FILETIME: created, ended, time in the kernel, time outside
        known = windows.GetProcessTimes(process, *map(ctypes.byref, times))
        return str(times[0].value) if known else "unknown"
    finally:
        windows.CloseHandle(process)
