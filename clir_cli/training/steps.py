"""Training that is counted in steps, on top of the loop that counts epochs.

Pre-training has no natural epoch: it ends after so many steps. The steps are cut into "epochs" of at most
``checkpoint_every`` steps, so that the log has a line for each and a killed run loses at most that many.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from clir_cli.learning.loop import fit
from clir_cli.learning.optimiser import build_optimiser
from clir_cli.records import ProgressCallback, no_progress

Micro = TypeVar("Micro")

WARMUP = 0.1
"""Share of the steps in which the learning rate rises; after it, it falls to 0 (Devlin et al. 2019, appendix A.2)."""
WEIGHT_DECAY = 0.01
CLIP = 1.0
POOL = 64
"""Batches that are drawn together and sorted by length, so that a batch holds inputs of like length."""


def epoch_bounds(steps: int, checkpoint_every: int) -> list[int]:
    """Where the epochs begin and end: epoch ``e``, from 1, has the steps ``bounds[e - 1]`` to ``bounds[e]`` - 1.

    Lengths differ by at most one, none exceeds ``checkpoint_every``, and the last one is no shorter than another: from
    an epoch's length the loop reckons where the learning rate reaches 0.
    """
    epochs = -(-steps // checkpoint_every)
    return [steps * epoch // epochs for epoch in range(epochs + 1)]


class Batches:
    """Which examples form the batch of a step: a function of seed and step alone.

    Every pass over the examples is shuffled anew; the few left over where batches do not divide the examples wait for
    the next pass.
    """

    def __init__(self, lengths: Sequence[int] | NDArray[np.int64], batch: int, seed: int) -> None:
        """``lengths``: of every example, in any unit; ``batch``: examples of a step, fewer where there are fewer."""
        self._lengths = np.asarray(lengths)
        self._batch = min(batch, len(lengths))
        self._seed = seed
        self._pass = -1
        self._batches: list[NDArray[np.int64]] = []

    def __call__(self, step: int) -> NDArray[np.int64]:
        """Numbers of the examples in the batch of ``step``, from 0: [batch]."""
        number, place = divmod(step, len(self._lengths) // self._batch)
        if number != self._pass:
            self._pass, self._batches = number, self._shuffled(number)
        return self._batches[place]

    def _shuffled(self, number: int) -> list[NDArray[np.int64]]:
        dice = np.random.default_rng([self._seed, number])
        order = dice.permutation(len(self._lengths))
        order = order[: len(order) - len(order) % self._batch]
        batches: list[NDArray[np.int64]] = []
        for begin in range(0, len(order), POOL * self._batch):
            pool = order[begin : begin + POOL * self._batch]
            pool = pool[np.argsort(self._lengths[pool], kind="stable")]
            batches.extend(pool.reshape(-1, self._batch))
        return [batches[place] for place in dice.permutation(len(batches))]


class _Epoch(Sequence[list[Micro]], Generic[Micro]):
    """The steps ``first`` to ``last`` - 1, each a single micro-batch, made when asked for."""

    def __init__(self, make: Callable[[int], Micro], first: int, last: int) -> None:
        self._make, self._first, self._last = make, first, last

    def __len__(self) -> int:
        return self._last - self._first

    @overload
    def __getitem__(self, place: int) -> list[Micro]: ...
    @overload
    def __getitem__(self, place: slice) -> list[list[Micro]]: ...
    def __getitem__(self, place: int | slice) -> list[Micro] | list[list[Micro]]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(place)
        return [self._make(self._first + place)]


def fit_steps(
    model: nn.Module,
    *,
    batch_of_step: Callable[[int], Micro],
    loss: Callable[[Any, Micro], Tensor],
    steps: int,
    learning_rate: float,
    folder: Path,
    seed: int,
    checkpoint_every: int,
    warmup: int | None = None,
    precision: str = "float32",
    identity: str = "",
    progress: ProgressCallback = no_progress,
) -> None:
    """Train ``model`` by BERT's recipe: AdamW, linear warm-up and decay, clipped gradients; the last weights stay.

    ``batch_of_step(step)``, from 0, must depend on the step's number alone: a run that goes on after a kill calls it
    for the steps that are left. ``warmup``: steps in which the rate rises, None for a tenth. ``loss``, ``folder``,
    ``identity`` and errors are those of ``learning.loop.fit``.
    """
    bounds = epoch_bounds(steps, checkpoint_every)
    fit(
        model,
        optimiser=build_optimiser("adamw", [(model.parameters(), learning_rate)], weight_decay=WEIGHT_DECAY),
        steps_of_epoch=lambda epoch: _Epoch(batch_of_step, bounds[epoch - 1], bounds[epoch]),
        loss=loss,
        epochs=len(bounds) - 1,
        folder=folder,
        seed=seed,
        schedule="linear",
        warmup=round(WARMUP * steps) if warmup is None else warmup,
        clip=CLIP,
        precision=precision,
        describe=lambda _: "a pre-training batch",
        identity=identity,
        progress=progress,
    )
