"""How much memory there is, on each system in its own way."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar


@dataclass(frozen=True)
class Memory:
    """Bytes. ``total``: of the machine, or what this process may use of it; ``free``: None where nobody tells."""

    total: int
    free: int | None = None


def memory_here(platform: str = sys.platform) -> Memory | None:
    """Memory of this machine; None where it cannot be known."""
    with suppress(OSError, ValueError, AttributeError, KeyError, subprocess.SubprocessError):
        if platform == "win32":
            return memory_of_windows(_ask_windows)
        if platform == "darwin":
            asked = subprocess.run(
                ["sysctl", "-n", "hw.memsize"], capture_output=True, text=True, timeout=5, check=True
            )
            return Memory(int(asked.stdout))
        limits = [_text_of(Path(file)) for file in CGROUP_LIMITS]
        return memory_of_linux(Path("/proc/meminfo").read_text(encoding="ascii"), limits)
    if sys.platform == "win32":
        return None
    with suppress(OSError, ValueError):
        return Memory(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return None


CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Where a container says how much of the machine's memory it may use: versions 2 and 1."""


def memory_of_linux(meminfo: str, limits: list[str]) -> Memory:
    """From the text of ``/proc/meminfo`` (kB) and of the limits: bytes, ``max``, or nothing.

    Raises ``KeyError`` or ``ValueError`` for another text.
    """
    lines = dict(line.split(":", 1) for line in meminfo.splitlines() if ":" in line)
    total = int(lines["MemTotal"].split()[0]) * 1024
    free = int(lines["MemAvailable"].split()[0]) * 1024 if "MemAvailable" in lines else None
    for limit in limits:
        if limit.strip().isdecimal():
            total = min(total, int(limit))
    return Memory(total, None if free is None else min(free, total))


class MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX of the Windows API."""

    _fields_: ClassVar = [
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("total", ctypes.c_uint64),
        ("free", ctypes.c_uint64),
        ("total_page_file", ctypes.c_uint64),
        ("free_page_file", ctypes.c_uint64),
        ("total_virtual", ctypes.c_uint64),
        ("free_virtual", ctypes.c_uint64),
        ("free_extended", ctypes.c_uint64),
    ]


def memory_of_windows(ask: Callable[[MemoryStatus], bool]) -> Memory | None:
    """From a structure that ``ask`` fills, if it can; the structure says how long it is."""
    status = MemoryStatus(length=ctypes.sizeof(MemoryStatus))
    return Memory(status.total, status.free) if ask(status) else None


def _ask_windows(status: MemoryStatus) -> bool:
    if sys.platform != "win32":
        return False
    return bool(ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)))


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii")
    except OSError:
        return ""
