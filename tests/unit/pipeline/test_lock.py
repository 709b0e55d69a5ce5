"""A lock has one holder; a dead holder loses it."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from clir_cli.pipeline.lock import PATIENCE, Lock

HOLD = """
import sys, time
from pathlib import Path
from clir_cli.pipeline.lock import Lock
assert Lock(Path(sys.argv[1])).acquire()
print("held", flush=True)
time.sleep(60)
"""


def hold(path: Path) -> subprocess.Popen:
    """A process that has taken the lock."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_second_taker_is_refused_until_release(tmp_path: Path) -> None:
    first, second = Lock(tmp_path / "a.lock"), Lock(tmp_path / "a.lock")
    assert first.acquire()
    assert not second.acquire()
    assert second.is_held
    first.release()
    assert second.acquire()
    second.release()
    assert list(tmp_path.iterdir()) == []


def test_living_process_keeps_it_and_a_killed_one_loses_it(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    process = hold(path)
    try:
        assert not Lock(path).acquire()
    finally:
        process.kill()
        process.wait()
    lock = Lock(path)
    assert not lock.is_held
    assert lock.acquire()
    lock.release()


def test_a_reused_process_id_is_not_the_holder(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    path.write_text(json.dumps({"host": socket.gethostname(), "pid": os.getpid(), "born": "1"}))
    assert Lock(path).acquire()


def test_another_host_is_believed_until_its_heart_stops(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    path.write_text(json.dumps({"host": "elsewhere", "pid": 1, "born": "1"}))
    assert not Lock(path).acquire()
    silent = time.time() - PATIENCE - 1
    os.utime(path, (silent, silent))
    assert Lock(path).acquire()


def test_of_many_breakers_one_wins(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    path.write_text(json.dumps({"host": socket.gethostname(), "pid": 2**22 + 1, "born": "1"}))
    results: list[bool] = []
    start = threading.Barrier(8)

    def take() -> None:
        start.wait()
        results.append(Lock(path).acquire())

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(results) <= 1
    # A taker that met a breaker at work comes back later and gets it, unless another one has it.
    assert sum(results) == 1 or Lock(path).acquire()


def test_on_a_disk_without_hard_links_one_takes_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*paths: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "a.lock"
    assert Lock(path).acquire()
    assert not Lock(path).acquire()
    path.write_text("", encoding="utf-8")  # as another process finds it between opening and writing
    assert not Lock(path).acquire()
    os.utime(path, (0, 0))
    assert Lock(path).acquire()
