"""Processes that train one model together, each on its share of every step; and one process that is alone.

Each has a copy of the model. Gradients are summed over all of them, so that their steps are those of a single process,
up to rounding; dropout is drawn by each for itself.
"""

import os
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, TypeVar

import torch
from torch import Tensor

from clir_cli.errors import ClirError

T = TypeVar("T")

BUCKET = 1 << 24
"""Numbers that travel together."""


class Parallel:
    """The processes of one training run, as one of them sees it. This class: there is no other."""

    rank = 0
    count = 1

    @property
    def leads(self) -> bool:
        """Whether this process writes and speaks for all."""
        return self.rank == 0

    def share(self, items: Sequence[T]) -> Sequence[T]:
        """The items that this process deals with: every ``count``-th."""
        return items[self.rank :: self.count]

    def sum(self, tensors: Sequence[Tensor]) -> None:
        """Put the sum over all processes in the place of each tensor; all have the same shapes."""

    def gather(self, item: T) -> list[T]:
        """What every process gave, by rank."""
        return [item]

    def wait(self) -> None:
        """Until all processes are here."""


ALONE = Parallel()


class Ranks(Parallel):
    """One of several processes, which ``accelerate`` connects: NCCL between cards, gloo between CPUs.

    It goes by the usual variables (RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT).
    """

    def __init__(self) -> None:
        check_accelerate()
        from accelerate import PartialState

        # Days, since a long validation keeps others waiting; a process that ends is noticed at once.
        self._state = PartialState(cpu=not torch.cuda.is_available(), timeout=timedelta(days=7))
        self.rank, self.count = int(self._state.process_index), int(self._state.num_processes)

    def sum(self, tensors: Sequence[Tensor]) -> None:
        from accelerate.utils import reduce

        for bucket in _buckets(tensors):
            total: Any = reduce(torch.cat([tensor.flatten() for tensor in bucket]), reduction="sum")
            for tensor, part in zip(bucket, total.split([tensor.numel() for tensor in bucket]), strict=True):
                tensor.copy_(part.view_as(tensor))

    def gather(self, item: T) -> list[T]:
        from accelerate.utils import gather_object

        gathered: list[T] = gather_object([item])
        return gathered

    def wait(self) -> None:
        self._state.wait_for_everyone()


def _buckets(tensors: Sequence[Tensor]) -> list[list[Tensor]]:
    """Neighbours of one type, together about ``BUCKET`` numbers: few messages, and little memory for copies."""
    buckets: list[list[Tensor]] = []
    size = 0
    for tensor in tensors:
        if not buckets or size + tensor.numel() > BUCKET or buckets[-1][0].dtype != tensor.dtype:
            buckets.append([])
            size = 0
        buckets[-1].append(tensor)
        size += tensor.numel()
    return buckets


def join_parallel() -> Parallel:
    """The processes that this one was started with."""
    return Ranks() if int(os.environ.get("WORLD_SIZE", "1")) > 1 else ALONE


def check_accelerate() -> None:
    """Raises ``ClirError`` where the package is missing."""
    try:
        import accelerate  # noqa: F401
    except ImportError as error:
        raise ClirError(
            "Training on several cards needs the package accelerate.",
            "Install it (pip install 'clir[multi-gpu]'), or set training.cards: 1.",
        ) from error
