"""One stage as several processes that train together: a worker starts them, listens, and ends with them.

Each calls the same stage function with the same inputs. They find each other by the variables that torch and accelerate
know; ``learning.parallel.join_parallel`` connects them. The first one speaks for all, an error in any ends all.
"""

import contextlib
import multiprocessing
import os
import socket
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from clir_cli.errors import StageError
from clir_cli.pipeline.workers import Message, Task, die_with, run_task


def run_ranks(task: Task, send: Callable[[Message], None]) -> Message:
    """Run ``task`` in ``task.ranks`` processes; what came of it. ``send`` gets the progress of the first."""
    context = multiprocessing.get_context("spawn")
    port = _free_port()
    processes: list[BaseProcess] = []
    connections: dict[Connection, int] = {}
    try:
        for rank in range(task.ranks):
            connection, far_end = context.Pipe()
            process = context.Process(target=_serve_rank, args=(far_end, os.getpid(), task, rank, port), daemon=True)
            process.start()
            far_end.close()
            processes.append(process)
            connections[connection] = rank
        return _listen(connections, processes, send)
    finally:
        for started in processes:
            started.kill()
        for started in processes:
            started.join()


def _listen(
    connections: dict[Connection, int], processes: list[BaseProcess], send: Callable[[Message], None]
) -> Message:
    finished: list[Message] = []
    while len(finished) < len(processes):
        for ready in wait(list(connections)):
            assert isinstance(ready, Connection)
            try:
                message: Message = ready.recv()
            except (EOFError, OSError):
                return _lost(processes, connections[ready])
            if message.kind == "failed":
                return message
            if message.kind == "finished":
                finished.append(message)
                del connections[ready]
            elif connections[ready] == 0:
                send(message)
    return max(finished, key=lambda message: message.seconds)


def _lost(processes: list[BaseProcess], rank: int) -> Message:
    processes[rank].join(5)
    code = processes[rank].exitcode
    reason = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with exit code {code}"
    advice = "Was memory short? Run the same command to go on from the last checkpoint."
    return Message("failed", error=StageError(f"process {rank + 1} of {len(processes)} {reason}.", advice))


def _serve_rank(connection: Connection, parent: int, task: Task, rank: int, port: int) -> None:
    die_with(parent)
    os.environ |= {
        "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(task.ranks), "LOCAL_WORLD_SIZE": str(task.ranks),
        "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port),
    }  # fmt: skip
    message = run_task(task, connection.send)
    with contextlib.suppress(OSError):
        connection.send(message)
        connection.recv()  # until all are done: an end of this one would be an error to the others
    os._exit(0)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
