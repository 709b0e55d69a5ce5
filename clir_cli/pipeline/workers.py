"""Worker processes that run stages one at a time and die with their parent."""

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path

from clir_cli.errors import ClirError, StageError
from clir_cli.pipeline.stage import Inputs, call

PROGRESS_EVERY = 0.2
"""Seconds between two progress messages of one stage: a pipe full of them would slow the work down."""


@dataclass(frozen=True, slots=True)
class Task:
    """A stage as it travels to a worker; ``ranks``: processes that it runs as, together."""

    function: str
    out: Path
    inputs: Inputs
    ranks: int = 1


@dataclass(frozen=True, slots=True)
class Message:
    """What a worker sends back: progress, then one ``finished`` or ``failed``."""

    kind: str
    done: int = 0
    total: int | None = None
    text: str = ""
    error: ClirError | None = None
    trace: str = ""
    seconds: float = 0.0


class Worker:
    """A spawned process. It keeps what it imported between tasks: importing torch costs more than a short stage."""

    def __init__(self, threads: int, cards: tuple[int, ...] = ()) -> None:
        """``cards``: the numbers of those that it may use; none: all."""
        self.threads = threads
        self.cards = cards
        context = multiprocessing.get_context("spawn")
        resource_tracker.ensure_running()  # its start would let Ctrl-C through again (interrupts_wait)
        self.connection, far_end = context.Pipe()
        # Not a daemon: the Lucene stages start a child of their own.
        self.process = context.Process(target=_serve, args=(far_end, os.getpid(), threads, cards), daemon=False)
        with interrupts_wait():
            self.process.start()
        far_end.close()

    def send(self, task: Task) -> None:
        self.connection.send(task)

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self.connection.close()
        if self.process.is_alive():
            self.process.join(0.2)
        if self.process.is_alive():
            self.process.kill()
        self.process.join()


@contextlib.contextmanager
def interrupts_wait() -> Iterator[None]:
    """Ctrl-C is raised at the end of the block; a process that is started inside does not see it until it lets it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    seen: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    if sys.platform != "win32":  # there is no such thing there: a child ignores Ctrl-C itself
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # not enough alone: other threads take signals
    try:
        yield
    finally:
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, handler or signal.SIG_DFL)
        if seen:
            signal.raise_signal(signal.SIGINT)


def _serve(connection: Connection, parent: int, threads: int, cards: tuple[int, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    die_with(parent)
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[variable] = str(threads)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    if cards:
        os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, cards))
    while True:
        try:
            task: Task = connection.recv()
        except (EOFError, OSError):
            return
        if task.ranks > 1:
            from clir_cli.pipeline.ranks import run_ranks

            message = run_ranks(task, connection.send)
        else:
            message = run_task(task, connection.send)
        with contextlib.suppress(OSError):  # the parent stopped listening: it ends this process
            connection.send(message)


def run_task(task: Task, send: Callable[[Message], None]) -> Message:
    """Call the stage's function in this process; ``send`` gets its progress."""
    started = time.perf_counter()
    last = 0.0

    def progress(done: int, total: int | None, text: str) -> None:
        nonlocal last
        now = time.perf_counter()
        if now - last >= PROGRESS_EVERY or done == total:
            last = now
            send(Message("progress", done, total, text))

    try:
        task.out.mkdir(parents=True, exist_ok=True)
        call(task.function, task.out, task.inputs, progress)
        return Message("finished", seconds=time.perf_counter() - started)
    except ClirError as error:
        return Message("failed", error=error, trace=traceback.format_exc())
    except OSError as error:
        return Message("failed", error=unwritten(error), trace=traceback.format_exc())
    except Exception as error:
        problem = StageError(f"unexpected {type(error).__name__}: {error}", "Run again with --debug for the traceback.")
        return Message("failed", error=problem, trace=traceback.format_exc())


def unwritten(error: OSError) -> StageError:
    """In words, what the system refused a stage: mostly a full disk."""
    where = f" ({error.filename})" if error.filename else ""
    return StageError(
        f"{error.strerror or error}{where}.", "Look at the path, its permissions and the space on the disk."
    )


def die_with(parent: int) -> None:
    """End this process as soon as its parent is gone, even if the parent was killed with -9."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG

    def watch() -> None:
        if sys.platform == "win32" and (process := multiprocessing.parent_process()) is not None:
            process.join()  # its id stays that of the parent there, dead or alive
        while os.getppid() == parent and sys.platform != "win32":
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def may_have_cards(system: str = sys.platform) -> bool:
    """Whether there may be a CUDA card: cheap, and never wrongly False. Windows shows its drivers in no file."""
    if system in ("win32", "cygwin"):
        return True
    return system == "linux" and any(Path(device).exists() for device in ("/dev/nvidiactl", "/dev/dxg"))


def cards() -> int:
    """How many CUDA cards there are, without importing torch where there is no driver."""
    if not may_have_cards():
        return 0
    import torch

    return int(torch.cuda.device_count())


def cores() -> int:
    """CPU cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
