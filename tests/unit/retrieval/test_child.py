import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clir_cli.errors import DataError, StageError
from clir_cli.retrieval.child import run_in_child

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def _functions_can_be_imported(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(HERE))


def is_gone(pid):
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_arguments_progress_and_result_cross_over():
    heard = []
    result = run_in_child("child_functions:echo", {"value": "ß𐐷\n"}, progress=lambda *where: heard.append(where))
    assert result["value"] == "ß𐐷\n"
    assert heard == [(1, 2, "half")]


def test_the_child_is_light_and_knows_nothing_of_the_callers_main():
    result = run_in_child("child_functions:echo", {"value": 1})
    assert result["main"] is None
    assert not {"numpy", "torch", "pytest", "multiprocessing"} & set(result["loaded"])


def test_what_the_child_prints_does_not_reach_standard_output(capfd):
    assert run_in_child("child_functions:chatter", {}) == "quiet"
    assert capfd.readouterr().out == ""


def test_an_error_for_people_stays_what_it_was():
    with pytest.raises(DataError) as caught:
        run_in_child("child_functions:refuse", {})
    assert (caught.value.problem, caught.value.hint) == ("The store is broken.", "Make it anew.")


@pytest.mark.parametrize(
    ("function", "message"), [("crash", "RuntimeError: no such luck"), ("vanish", r"exit code 3.*the last words")]
)
def test_any_other_end_is_told_with_the_last_words(function, message):
    with pytest.raises(StageError, match=message):
        run_in_child(f"child_functions:{function}", {})


def test_an_interruption_here_ends_the_child():
    pids = []

    def interrupt(done, total, text):
        pids.append(int(text))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_in_child("child_functions:sleep", {}, progress=interrupt)
    with pytest.raises(ProcessLookupError):  # not even a zombie
        os.kill(pids[0], 0)


@pytest.fixture
def caller_of_a_sleeper():
    """A process that waits for a sleeping child, in a process group of its own; and the child's pid."""
    program = """
from clir_cli.retrieval.child import run_in_child
try:
    run_in_child("child_functions:sleep", {}, progress=lambda done, total, text: print(text, flush=True))
except KeyboardInterrupt:
    raise SystemExit(130)
"""
    root = HERE.parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=root, start_new_session=True
    ) as caller:
        yield caller, int(caller.stdout.readline())
        caller.kill()


def test_ctrl_c_ends_both_at_once(caller_of_a_sleeper):
    caller, child = caller_of_a_sleeper
    os.killpg(caller.pid, signal.SIGINT)
    assert caller.wait(timeout=20) == 130
    assert is_gone(child)


def test_the_child_ends_when_its_parent_is_killed(caller_of_a_sleeper):
    caller, child = caller_of_a_sleeper
    caller.kill()
    assert is_gone(child)
