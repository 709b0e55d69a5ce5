"""Training that is counted in steps, on top of the loop that counts epochs.

Pre-training has no natural epoch: it ends after so many steps. The steps are cut into "epochs" of about
``checkpoint_every`` steps, so that the log has a point for each and a killed run loses at most that many.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from torch import Tensor, nn

from clir_cli.learning.loop import fit
from clir_cli.learning.optimiser import build_optimiser
from clir_cli.records import ProgressCallback, no_progress

Micro = TypeVar("Micro")

WARMUP = 0.1
"""Share of the steps in which the learning rate rises; after it, it falls to 0 (Devlin et al. 2019, appendix A.2)."""
WEIGHT_DECAY = 0.01
CLIP = 1.0


def epoch_bounds(steps: int, checkpoint_every: int) -> list[int]:
    """Where the epochs begin and end: ``bounds[e - 1]`` to ``bounds[e]`` are the steps of epoch ``e``.

    Lengths differ by at most one and never exceed ``checkpoint_every``.
    """
    epochs = -(-steps // checkpoint_every)
    return [steps * epoch // epochs for epoch in range(epochs + 1)]


class _Epoch(Sequence[list[Micro]]):
    """The steps ``first`` to ``last`` - 1, each one micro-batch, made when asked for."""

    def __init__(self, make: Callable[[int], Micro], first: int, last: int) -> None:
        self.make, self.first, self.last = make, first, last

    def __len__(self) -> int:
        return self.last - self.first

    def __getitem__(self, number: Any) -> Any:
        if not 0 <= number < len(self):
            raise IndexError(number)
        return [self.make(self.first + number)]


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
    precision: str = "float32",
    identity: str = "",
    progress: ProgressCallback = no_progress,
) -> None:
    """Train ``model`` by BERT's recipe: AdamW, linear warm-up and decay, clipped gradients; the last weights stay.

    ``batch_of_step(step)``, from 0, must depend on the step's number alone: a run that goes on after a kill calls it
    for the remaining steps only. Errors and the meaning of ``loss``, ``folder``, ``identity`` as in ``learning.loop.fit``.
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
        warmup=round(WARMUP * steps),
        clip=CLIP,
        precision=precision,
        describe=lambda _: "a pre-training batch",
        identity=identity,
        progress=progress,
    )
