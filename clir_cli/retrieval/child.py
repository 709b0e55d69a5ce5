"""Run one function in a process of its own, which never outlives this one.

For work with a Java machine inside: its heap is gone when the process is, nothing forks after it runs, and the
function sees a fresh interpreter (never the caller's ``__main__``). The request goes in as one line of JSON on
standard input, messages come back as lines of JSON on standard output; what Java prints goes elsewhere.
"""

import contextlib
import ctypes
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from clir_cli import errors
from clir_cli.records import ProgressCallback, no_progress

_PACKAGES = Path(__file__).resolve().parents[2]
_START = f"import sys; sys.path.append(sys.argv[1]); from {__name__} import serve; serve()"
_PR_SET_PDEATHSIG = 1


def run_in_child(function: str, arguments: dict[str, Any], *, progress: ProgressCallback = no_progress) -> Any:
    """Call ``function`` ("module:name") with ``arguments`` and ``progress`` in a child; return its result.

    Arguments and result are what JSON carries. A ``ClirError`` of the child is raised here as what it was; anything
    else that ends the child becomes a ``StageError`` with the last lines it printed. An exception here, Ctrl-C above
    all, ends the child at once.
    """
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}  # or Java cannot open folders with letters beyond ASCII
    command = [sys.executable, "-P", "-c", _START, str(_PACKAGES)]
    with (
        tempfile.TemporaryFile() as printed,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=printed, env=environment
        ) as child,
    ):
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            with contextlib.suppress(BrokenPipeError):  # a child that died at once is told of below
                child.stdin.write(json.dumps({"function": function, "arguments": arguments}).encode() + b"\n")
                child.stdin.flush()
            for line in child.stdout:
                message = json.loads(line)
                if "progress" in message:
                    progress(*message["progress"])
                elif "error" in message:
                    kind, problem, hint = message["error"]
                    raise getattr(errors, kind)(problem, hint)
                else:
                    return message["result"]
            code = child.wait()
            raise errors.StageError(
                f"The Java process ended too early ({_manner(code)}).{_last_lines(printed)}",
                "Was memory short? Lower retrieval.heap or close other programs; where Java asks for more, raise it.",
            )
        finally:
            child.kill()
            with contextlib.suppress(BrokenPipeError):
                child.stdin.close()


def serve() -> None:
    """The child's side: read the request, call the function, answer. Ends itself when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of the terminal: the parent decides
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # log4j and the Java machine write on standard output
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    request = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def tell(**message: Any) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    module, _, name = request["function"].partition(":")
    try:
        function: Callable[..., Any] = getattr(importlib.import_module(module), name)
        result = function(**request["arguments"], progress=lambda *where: tell(progress=where))
    except errors.ClirError as error:
        tell(error=(type(error).__name__, error.problem, error.hint))
    except Exception:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    else:
        tell(result=result)
    os._exit(0)  # not through the Java machine's own way out, which may wait for its threads


def _end_with_parent() -> None:
    """Standard input stays open as long as the parent lives, however it dies."""
    sys.stdin.read()
    os._exit(1)


def _manner(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"


def _last_lines(printed: Any) -> str:
    printed.seek(max(0, printed.seek(0, os.SEEK_END) - 4000))
    lines = [line for line in printed.read().decode(errors="replace").splitlines() if line.strip()]
    return " It said: " + " / ".join(lines[-3:]) if lines else ""
