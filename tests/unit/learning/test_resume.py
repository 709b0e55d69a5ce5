"""A training run that is killed goes on and ends as if nothing had happened."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import torch

from clir_cli.learning.checkpoint import load_checkpoint
from tests.unit.learning.children import EPOCHS, STEPS, train

MICROS = 9  # losses computed in an epoch


def end_of(folder: Path) -> dict[str, Any]:
    """All that a run leaves, but for the times it took."""
    state = load_checkpoint(folder)
    assert state is not None
    logs = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    for lines in (logs, json.loads(state.pop("log"))):
        for line in lines:
            assert line.pop("seconds") >= 0
            assert 0 <= line.pop("validation_share") <= 1
    return {"state": state, "log": logs, "files": sorted(path.name for path in folder.iterdir())}


def assert_same(one: Any, other: Any, place: str = "") -> None:
    """Equal to the last bit, tensors within included."""
    assert type(one) is type(other), place
    if isinstance(one, dict):
        assert one.keys() == other.keys(), place
        for key in one:
            assert_same(one[key], other[key], f"{place}/{key}")
    elif isinstance(one, list | tuple):
        assert len(one) == len(other), place
        for number, (left, right) in enumerate(zip(one, other, strict=True)):
            assert_same(left, right, f"{place}/{number}")
    elif isinstance(one, torch.Tensor):
        assert torch.equal(one, other), place
    else:
        assert one == other, place


class Children:
    """The program of ``children``, which trains in one child after the other."""

    def __init__(self) -> None:
        root = Path(__file__).parents[3]
        command = [sys.executable, "-m", "tests.unit.learning.children"]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(root)}
        self.program = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root, env=environment
        )
        assert self.program.stdout is not None
        assert self.program.stdout.readline() == "ready\n"

    def start(self, folder: Path, checkpoint_every: int, processes: int = 1) -> int:
        """Begin to train in ``folder``; the child's process id, of several that of the first."""
        assert self.program.stdin is not None
        assert self.program.stdout is not None
        print(checkpoint_every, processes, folder, file=self.program.stdin, flush=True)
        return int(self.program.stdout.readline())

    def wait(self) -> int:
        """The exit status of the child that was started; -9 if it was killed before it ended."""
        assert self.program.stdout is not None
        return int(self.program.stdout.readline())


def calls(folder: Path) -> int:
    """Losses computed so far."""
    path = folder.with_suffix(".calls")
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.fixture(scope="module")
def children() -> Iterator[Children]:
    children = Children()
    yield children
    children.program.kill()
    children.program.communicate()


@pytest.mark.parametrize("every", [0, 2], ids=["checkpoint an epoch", "checkpoint every 2 steps"])
def test_kill_9_at_random_instants(tmp_path: Path, children: Children, every: int) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    children.start(whole, every)
    assert children.wait() == 0
    assert calls(whole) == EPOCHS * MICROS

    kills = kill_and_go_on(children, killed, every, kills=5)

    assert_same(end_of(killed), end_of(whole))
    assert calls(killed) - calls(whole) <= kills * MICROS  # at most one epoch is redone for each kill


@pytest.mark.skipif(find_spec("accelerate") is None, reason="accelerate is not installed")
def test_kill_9_of_one_of_two_processes(tmp_path: Path, children: Children) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    children.start(whole, 2, processes=2)
    assert children.wait() == 0
    kill_and_go_on(children, killed, 2, kills=2, processes=2)
    assert_same(end_of(killed), end_of(whole))
    state = load_checkpoint(whole)
    assert state is not None
    first, second = state["random"]
    assert not torch.equal(first["torch"], second["torch"])  # each draws its own dropout


def kill_and_go_on(children: Children, killed: Path, every: int, *, kills: int, processes: int = 1) -> int:
    """Train in ``killed``, killed so often at random instants, until the end."""
    instants, wanted, kills = random.Random(11), kills, 0
    while kills < wanted:
        goal = calls(killed) + instants.randint(1, MICROS + 2)
        child = children.start(killed, every, processes)
        while calls(killed) < goal and is_running(child):
            time.sleep(0.001)
        time.sleep(instants.uniform(0, 0.02))
        with suppress(ProcessLookupError):  # it had ended: its parent has waited for it
            os.kill(child, signal.SIGKILL)
        if children.wait() == -signal.SIGKILL:
            kills += 1
        else:  # a busy machine let it run to its end before the kill: this was no test
            shutil.rmtree(killed)
            killed.with_suffix(".calls").unlink()
            kills = 0
    children.start(killed, every, processes)
    assert children.wait() == 0
    return kills


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


class Crash(BaseException):
    """The machine stops: nothing in the code handles it."""


def test_crash_before_each_operation_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at random instants but at every one that matters: each time one more operation gets through."""
    left = -1  # operations until the crash; negative: none will come

    def guard(owner: Any, name: str) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def operation(*arguments: Any, **named: Any) -> Any:
            nonlocal left
            if left == 0:
                raise Crash
            left -= 1
            return original(*arguments, **named)

        monkeypatch.setattr(owner, name, operation)

    guard(torch, "save")
    guard(os, "fsync")
    guard(shutil, "rmtree")
    guard(Path, "mkdir")
    guard(Path, "rename")
    guard(Path, "replace")

    train(tmp_path / "whole", epochs=2)
    expected = end_of(tmp_path / "whole")
    crashes = 0
    while True:
        folder, left = tmp_path / f"crash {crashes}", crashes
        try:
            train(folder, epochs=2)
            break
        except Crash:
            left = -1
            model, _ = train(folder, epochs=2)
        assert_same(end_of(folder), expected)
        assert not model.training
        crashes += 1
    assert crashes > 2 * 8


def test_mid_epoch_checkpoints_change_nothing(tmp_path: Path) -> None:
    train(tmp_path / "epochs")
    train(tmp_path / "steps", checkpoint_every=1)
    assert_same(end_of(tmp_path / "steps"), end_of(tmp_path / "epochs"))
    state = load_checkpoint(tmp_path / "steps")
    assert state is not None
    assert state["counters"]["step"] == EPOCHS * STEPS


def test_a_finished_run_is_only_read(tmp_path: Path) -> None:
    model, report = train(tmp_path / "run")
    calls = (tmp_path / "run.calls").read_text()
    again, same_report = train(tmp_path / "run")
    assert same_report == report
    assert_same(again.state_dict(), model.state_dict())
    assert (tmp_path / "run.calls").read_text() == calls
