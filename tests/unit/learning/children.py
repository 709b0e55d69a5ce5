"""A small training run, and children that can be killed while they run it.

As a program it reads lines from standard input: steps between checkpoints (0: an epoch), processes and a folder. Each
gets a child of its own that trains there, with others where it is to be several processes (torch is imported once, in
the parent). It prints the child's process id, then its exit status.
"""

import os
import random
import socket
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from clir_cli.learning.loop import epoch_order, fit
from clir_cli.learning.optimiser import build_optimiser
from clir_cli.learning.parallel import join_parallel
from clir_cli.learning.run import FitReport

EPOCHS, STEPS, EXAMPLES = 8, 5, 22


def train(folder: Path, epochs: int = EPOCHS, **settings: Any) -> tuple[nn.Module, FitReport]:
    """Learn a sign from noise of all three generators; every loss computed leaves a line in ``<folder>.calls``."""
    torch.manual_seed(1)
    inputs = torch.randn(EXAMPLES, 3)
    targets = (inputs.sum(dim=1) > 0).float()
    model = nn.Sequential(nn.Linear(3, 7), nn.Dropout(0.3), nn.Tanh(), nn.Linear(7, 1))

    def steps_of_epoch(epoch: int) -> list[list[list[int]]]:
        order = epoch_order(EXAMPLES, seed=4, epoch=epoch)
        micros = [order[start : start + 3] for start in range(0, EXAMPLES, 3)]  # 8, the last with one example
        return [micros[start : start + 2] for start in range(0, len(micros), 2)] + [[[0]]]

    def loss(model: nn.Module, micro: list[int]) -> Tensor:
        with folder.with_suffix(".calls").open("a") as calls:
            calls.write(f"{micro}\n")
        noise = random.random() + np.random.rand()
        scores = model(inputs[micro] + 0.1 * noise).squeeze(1)
        return nn.functional.binary_cross_entropy_with_logits(scores, targets[micro], reduction="none")

    def validate(model: nn.Module) -> float:
        return float(((model(inputs).squeeze(1) > 0) == (targets > 0)).float().mean())

    settings = {"validate": validate, "seed": 3, **settings}
    optimiser = build_optimiser("adamw", [(model.parameters(), 0.05)], weight_decay=0.01)
    report = fit(
        model,
        optimiser=optimiser,
        steps_of_epoch=steps_of_epoch,
        loss=loss,
        epochs=epochs,
        folder=folder,
        schedule="linear",
        warmup=3,
        clip=1.0,
        **settings,
    )
    return model, report


def join(processes: int, port: int) -> None:
    """Become the first of so many processes; the others are forked here."""
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(processes)}
    others = range(1, processes)
    rank = next((rank for rank in others if os.fork() == 0), 0)
    os.environ |= {"RANK": str(rank), "LOCAL_RANK": str(rank)}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.optim.Adam([nn.Parameter(torch.zeros(1))])  # the first optimiser imports for seconds: once, before the forks
    print("ready", flush=True)
    for line in sys.stdin:
        every, processes, folder = line.strip().split(" ", 2)
        port = free_port()
        if int(processes) > 1:
            import accelerate.utils  # noqa: F401 - likewise
        child = os.fork()
        if child == 0:
            status = 1
            try:
                if int(processes) > 1:
                    join(int(processes), port)
                train(Path(folder), checkpoint_every=int(every) or None, parallel=join_parallel())
                status = 0
            finally:
                os._exit(status)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
