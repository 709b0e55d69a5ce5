"""Which process lives, as different systems tell it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from clir_cli.pipeline.processes import birth_by_ps, birth_by_signal, birth_of
from clir_cli.pipeline.workers import may_have_cards

WAYS = [birth_of, birth_by_signal]
if shutil.which("ps"):
    WAYS.append(birth_by_ps)


@pytest.mark.parametrize("way", WAYS)
def test_this_process_lives_and_one_that_ended_does_not(way: Callable[[int], str | None]) -> None:
    assert way(os.getpid()) == way(os.getpid()) is not None
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert way(ended.pid) is None


@pytest.mark.skipif(sys.platform != "linux", reason="a child that nobody waits for stays a zombie here")
def test_a_zombie_is_dead() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.read()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert birth_of(child.pid) is None
    if shutil.which("ps"):
        assert birth_by_ps(child.pid) is None
    child.wait()
    child.stdout.close()


@pytest.mark.parametrize("pid", [0, -1])
def test_a_group_is_no_process(pid: int) -> None:
    assert birth_of(pid) is None


def test_only_linux_shows_by_a_file_that_there_is_no_card() -> None:
    assert may_have_cards("win32")
    assert not may_have_cards("darwin")
