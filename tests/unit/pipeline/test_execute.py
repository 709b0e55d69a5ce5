"""Plans are run in order, once, in processes; what fails or is killed leaves nothing half true."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clir_cli.errors import DataError, StageError
from clir_cli.pipeline.events import Event, EventKind
from clir_cli.pipeline.execute import run_plan
from clir_cli.pipeline.stage import Stage
from clir_cli.pipeline.store import MARKER, read_marker
from clir_cli.pipeline.workers import interrupts_wait

from .conftest import TOY, Toys


def test_needs_run_first_and_results_flow(toys: Toys, tmp_path: Path) -> None:
    (tmp_path / "raw.txt").write_text("100")
    first = toys.stage("first", number=1, files={"raw": [tmp_path / "raw.txt"]})
    second = toys.stage("second", number=10, needs={"a": first})
    third = toys.stage("third", number=1000, needs={"a": first, "b": second})
    events: list[Event] = []
    run_plan(toys.plan(first, second, third), jobs=2, listener=events.append)
    assert toys.result(third) == 1000 + 101 + 111
    assert toys.ran() == ["first", "second", "third"]
    kinds = [event.kind for event in events if event.stage == "toy second"]
    assert kinds == [EventKind.started, EventKind.progress, EventKind.finished]


def test_marker_says_what_it_was_made_from(toys: Toys) -> None:
    first = toys.stage("first")
    second = toys.stage("second", needs={"a": first})
    run_plan(toys.plan(first, second), jobs=1)
    marker = read_marker(toys.store.path(second))
    assert marker["needs"] == {"a": first.key}
    assert marker["settings"] == {"name": "second", "number": 1}
    assert "torch" in marker["made"]["versions"]


def test_second_run_makes_nothing(toys: Toys) -> None:
    stage = toys.stage("one")
    run_plan(toys.plan(stage), jobs=1)
    events: list[Event] = []
    run_plan(toys.plan(stage), jobs=1, listener=events.append)
    assert toys.ran() == ["one"]
    assert [event.kind for event in events] == [EventKind.skipped]


def test_a_part_is_dropped_when_the_last_stage_that_reads_it_is_done(toys: Toys) -> None:
    """Two runs are made with the weights of one model (``keep: scores``): the first must not take them away."""
    model = toys.stage("model")
    readers = [toys.stage(name, needs={"train": model}, hints={"drop": {"train": "model"}}) for name in ("a", "b")]
    there: list[bool] = []

    def listen(event: Event) -> None:
        if event.kind is EventKind.started and event.stage in ("toy a", "toy b"):
            there.append(toys.store.has(model))

    run_plan(toys.plan(model, *readers), jobs=1, listener=listen)
    assert there == [True, True]
    assert not toys.store.has(model)
    assert toys.result(readers[1]) == 2


def test_redo_makes_it_again(toys: Toys) -> None:
    stage = toys.stage("one")
    run_plan(toys.plan(stage), jobs=1)
    run_plan(toys.plan(stage, redo=frozenset({stage.key})), jobs=1)
    assert toys.ran() == ["one", "one"]


def test_error_of_a_stage_names_it_and_leaves_no_result(toys: Toys) -> None:
    stage = toys.stage("bad", "bad_input")
    with pytest.raises(DataError, match=r"toy bad: topics.tsv:3: no tab\. Add one\."):
        run_plan(toys.plan(stage), jobs=1)
    assert not toys.store.has(stage)
    assert toys.store.partial(stage).exists()
    assert not toys.store.lock(stage).is_held


def test_bug_in_a_stage_is_told_in_one_sentence(toys: Toys) -> None:
    with pytest.raises(StageError, match="unexpected ZeroDivisionError: oh") as caught:
        run_plan(toys.plan(toys.stage("bug", "bug")), jobs=1)
    assert "in bug" in caught.value.__notes__[0]


def test_a_full_disk_is_told_and_leaves_no_lock(toys: Toys) -> None:
    stage = toys.stage("one", function="full")
    with pytest.raises(StageError, match=r"^toy one: No space left on device \(sum.txt\)\. Look at the path"):
        run_plan(toys.plan(stage), jobs=1)
    stage = toys.stage("two")
    marker = toys.store.partial(stage) / (MARKER + ".partial")
    marker.mkdir(parents=True)  # stands in the way of what is written last
    with pytest.raises(StageError, match=r"^toy two: Is a directory \(.*stage.json.partial\)\."):
        run_plan(toys.plan(stage), jobs=1)
    assert not list(toys.store.folder.rglob("*.lock"))


def test_killed_worker_is_told(toys: Toys) -> None:
    with pytest.raises(StageError, match="its process was killed by signal 9"):
        run_plan(toys.plan(toys.stage("killed", "killed")), jobs=1)


def test_dropped_part_goes_and_the_stage_counts_as_not_made(toys: Toys) -> None:
    first = toys.stage("first")
    run_plan(toys.plan(first), jobs=1)
    (toys.store.path(first) / "weights").mkdir()
    second = toys.stage("second", needs={"a": first}, hints={"drop": {"a": "weights"}})
    run_plan(toys.plan(first, second), jobs=1)
    assert not (toys.store.path(first) / "weights").exists()
    assert not toys.store.has(first)
    assert toys.store.has(second)


RUNNER = """
import sys
from pathlib import Path
sys.path[:0] = [{modules!r}, {root!r}]
from clir_cli.pipeline.execute import run_plan
from tests.unit.pipeline.conftest import Toys

if __name__ == "__main__":
    toys = Toys(Path({folder!r}))
    run_plan(toys.plan(toys.stage("slow", "slow")), jobs=1)
"""


def runner(toys: Toys, tmp_path: Path) -> subprocess.Popen:
    """Another process that runs the slow stage."""
    script = tmp_path / "runner.py"
    root = str(Path(__file__).parents[3])
    script.write_text(RUNNER.format(modules=str(tmp_path / "modules"), root=root, folder=str(tmp_path)))
    return subprocess.Popen([sys.executable, str(script)], start_new_session=True)


def until(condition, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def test_killed_run_goes_on_where_it_was(toys: Toys, tmp_path: Path) -> None:
    stage = toys.stage("slow", "slow")
    counter = toys.store.partial(stage) / "counter.txt"
    process = runner(toys, tmp_path)
    until(lambda: counter.exists() and counter.read_text() not in ("", "0", "1"))
    os.kill(process.pid, signal.SIGKILL)  # only the parent: the worker has to notice by itself
    process.wait()
    reached = int(counter.read_text())
    assert 1 < reached < 10
    run_plan(toys.plan(stage), jobs=1)
    assert toys.result(stage) == 10
    assert toys.ran() == ["slow", "slow"]


def test_ctrl_c_while_a_worker_starts_leaves_no_lock(toys: Toys, tmp_path: Path) -> None:
    lock = toys.store.lock(toys.stage("slow", "slow"))
    process = runner(toys, tmp_path)
    until(lock.path.exists)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: worker and parent get it
    assert process.wait(60) != 0
    assert not lock.path.exists()


def test_ctrl_c_waits_for_the_end_of_a_block() -> None:
    reached = []

    def interrupted() -> None:
        with interrupts_wait():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert reached == ["the end"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_of_two_processes_one_makes_it_and_the_other_waits(toys: Toys, tmp_path: Path) -> None:
    stage = toys.stage("slow", "slow")
    process = runner(toys, tmp_path)
    until(lambda: toys.store.lock(stage).is_held)
    events: list[Event] = []
    other = toys.stage("other")
    run_plan(toys.plan(stage, other), jobs=1, listener=events.append)
    assert process.wait(60) == 0
    assert toys.ran().count("slow") == 1
    assert Event(EventKind.waiting, "toy slow") in events
    # It took the other job while it waited.
    order = [event.stage for event in events if event.kind in (EventKind.finished, EventKind.skipped)]
    assert order == ["toy other", "toy slow"]


def test_one_result_under_two_names_is_found_by_both(toys: Toys) -> None:
    def named(folder_name: str) -> Stage:
        stage = toys.stage("same")
        return Stage(stage.kind, folder_name, stage.function, stage.settings, toys.checksums, hints=stage.hints)

    mine, yours = named("mine"), named("yours")
    assert mine.key == yours.key
    user = toys.stage("user", needs={"a": yours})
    run_plan(toys.plan(mine, user), jobs=1)  # as planned: one stage for one key
    assert toys.result(user) == 2
    assert toys.ran() == ["same", "user"]
    toys.store.remove(yours)
    assert not toys.store.has(mine)


def test_folder_without_marker_is_not_a_result(toys: Toys) -> None:
    stage = toys.stage("one")
    toys.store.path(stage).mkdir(parents=True)
    assert not toys.store.has(stage)
    run_plan(toys.plan(stage), jobs=1)
    assert (toys.store.path(stage) / MARKER).is_file()


def test_toy_module_is_valid() -> None:
    compile(TOY, "toy", "exec")
