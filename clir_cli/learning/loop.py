"""The training loop: accumulate, clip, step, validate, stop early, checkpoint, go on after a kill.

It knows nothing of retrieval. A *step* is a list of micro-batches whose gradients add up to one optimiser step; a
*unit* is what the loss is averaged over (a pair, a masked piece): the caller's ``loss`` gives one value a unit, and
the loss of a step is the mean over all its units, so how a step is cut into micro-batches does not change it.

A run that is killed goes on from its last checkpoint and ends as if nothing had happened: on a CPU with the same
number of threads, bit for bit. For this the steps of an epoch may depend on the epoch's number only (``epoch_order``).
"""

import math
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import nn

from clir_cli.errors import ClirError
from clir_cli.learning.devices import matrix_products, set_seed
from clir_cli.learning.early_stopping import EarlyStopping
from clir_cli.learning.limit import HoldLimit
from clir_cli.learning.optimiser import learning_rate_factor
from clir_cli.learning.parallel import ALONE, Parallel
from clir_cli.learning.run import FitReport, TrainingRun
from clir_cli.learning.scalars import ScalarFiles
from clir_cli.learning.step import NOT_FINITE, Loss, StepTaker
from clir_cli.records import ProgressCallback, no_progress

Micro = TypeVar("Micro")


def epoch_order(count: int, *, seed: int, epoch: int) -> list[int]:
    """0..count-1 shuffled: a function of seed and epoch alone, the same on every machine."""
    numbers = random.Random(f"epoch order {seed} {epoch}")
    return sorted(range(count), key=[numbers.random() for _ in range(count)].__getitem__)


def fit(
    model: nn.Module,
    *,
    optimiser: torch.optim.Optimizer,
    steps_of_epoch: Callable[[int], Sequence[Sequence[Micro]]],
    loss: Loss[Micro],
    epochs: int,
    folder: Path,
    seed: int,
    schedule: str = "constant",
    warmup: int = 0,
    total_steps: int | None = None,
    clip: float | None = None,
    validate: Callable[[Any], float] | None = None,
    validate_every: int = 1,
    patience: int | None = None,
    checkpoint_every: int | None = None,
    precision: str = "float32",
    describe: Callable[[Micro], str] = repr,
    identity: str = "",
    limit: HoldLimit | None = None,
    parallel: Parallel = ALONE,
    scalars: ScalarFiles | None = None,
    progress: ProgressCallback = no_progress,
) -> FitReport:
    """Train ``model`` where it is (its device), and leave it with the weights of the best epoch.

    ``steps_of_epoch(epoch)``, epochs from 1, gives the epoch's steps, each a sequence of micro-batches; only its
    length and its items are used, so it may make each step on demand. ``loss(model, micro)`` gives the losses of
    the micro-batch's units, [units], or yields those of one part after the other. Learning rates are those of the
    optimiser's groups times the factor of ``schedule`` (constant | linear: to 0 after ``total_steps``, by default
    those of all ``epochs``, taken to be as long as the one at hand) and of ``warmup`` steps. ``clip`` bounds the norm
    of the gradient.

    ``validate(model)``, larger is better, runs in evaluation mode every ``validate_every`` epochs and after the last;
    the first of equal epochs is the best; ``patience`` counts validations. Without it the last epoch is the best.

    Where memory runs out in a step, ``limit`` is lowered and the step done again, if the loss heeds it; log and
    progress tell. Several processes call ``fit`` with the same arguments but for their ``parallel``: micro-batches of a
    step are dealt to them, and ``validate`` must give all the same. ``scalars`` gets numbers of each step and epoch.

    ``folder`` holds the state of the run: checkpoints after each epoch and, if asked, every ``checkpoint_every``
    steps of an epoch; the best weights; ``log.jsonl``, one line an epoch. A run found there is continued, a finished
    one only read. ``identity`` may name what the run depends on: a run of another identity is refused.

    Raises ``ClirError`` where loss, gradient or validation is not finite (with epoch, step and ``describe(micro)``),
    where a part that cannot be cut does not fit into memory, or where ``folder`` holds the damaged state of a run, or
    that of another model.
    """
    limit = HoldLimit() if limit is None else limit
    run = TrainingRun(model, optimiser, folder, identity, EarlyStopping(patience), limit, parallel, scalars)
    taker = StepTaker(model, optimiser, loss, clip, precision, describe, limit, parallel)
    if not parallel.leads:
        progress = no_progress
    if not run.resume():
        set_seed(seed + parallel.rank)  # each process draws its own dropout
    base_rates = [group["initial_lr"] for group in optimiser.param_groups]

    with matrix_products(next(model.parameters()).device, precision):
        while run.epoch < epochs and not run.stopping.should_stop:
            epoch = run.epoch + 1
            steps = steps_of_epoch(epoch)
            if not len(steps):
                raise ClirError(f"Epoch {epoch} has no training examples.", "Check the training data.")
            all_steps = total_steps or len(steps) * epochs
            model.train()
            for number in range(run.step_in_epoch, len(steps)):
                begun = time.perf_counter()
                factor = learning_rate_factor(run.step, all_steps, schedule=schedule, warmup=warmup)
                for group, rate in zip(optimiser.param_groups, base_rates, strict=True):
                    group["lr"] = rate * factor
                place = f"in epoch {epoch}, step {number + 1} of {len(steps)}"
                loss_sum, units = taker.take(steps[number], place, number + 1)
                run.count_step(loss_sum, units, time.perf_counter() - begun)
                progress(run.step, all_steps, run.state_line(epoch, epochs))
                if checkpoint_every and run.step_in_epoch % checkpoint_every == 0 and run.step_in_epoch < len(steps):
                    run.save()
            value = None
            if validate is not None and (epoch % validate_every == 0 or epoch == epochs):
                begun = time.perf_counter()
                model.eval()
                with torch.no_grad():
                    value = float(validate(model))
                if math.isnan(value):
                    raise ClirError(f"The validation after epoch {epoch} is not a number.", NOT_FINITE)
                run.validation_seconds = time.perf_counter() - begun
            run.end_epoch(value)
            progress(run.step, all_steps, run.state_line(epoch, epochs))
    return run.finish(epochs, has_validation=validate is not None)
