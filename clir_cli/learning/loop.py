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
from torch import Tensor, nn

from clir_cli.errors import ClirError
from clir_cli.learning.devices import autocast, set_seed
from clir_cli.learning.early_stopping import EarlyStopping
from clir_cli.learning.optimiser import learning_rate_factor
from clir_cli.learning.run import FitReport, TrainingRun
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
    loss: Callable[[Any, Micro], Tensor],
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
    progress: ProgressCallback = no_progress,
) -> FitReport:
    """Train ``model`` where it is (its device), and leave it with the weights of the best epoch.

    ``steps_of_epoch(epoch)``, epochs from 1, gives the epoch's steps, each a sequence of micro-batches; only its
    length and its items are used, so it may make each step on demand. ``loss(model, micro)`` gives the losses of
    the micro-batch's units, [units]. Learning rates are those of the optimiser's groups times the factor of
    ``schedule`` (constant | linear: to 0 after ``total_steps``, by default those of all ``epochs``, taken to be as long
    as the one at hand) and of ``warmup`` steps. ``clip`` bounds the
    gradient norm.

    ``validate(model)``, larger is better, runs in evaluation mode every ``validate_every`` epochs and after the last;
    the first of equal epochs is the best; ``patience`` counts validations. Without it the last epoch is the best.

    ``folder`` holds the state of the run: checkpoints after each epoch and, if asked, every ``checkpoint_every``
    steps of an epoch; the best weights; ``log.jsonl``, one line an epoch. A run found there is continued, a finished
    one only read. ``identity`` may name what the run depends on: a run of another identity is refused.

    Raises ``ClirError`` where loss, gradient or validation is not finite (with epoch, step and ``describe(micro)``),
    or where ``folder`` holds the damaged state of a run, or that of another model.
    """
    run = TrainingRun(model, optimiser, folder, identity, EarlyStopping(patience))
    if not run.resume():
        set_seed(seed)
    base_rates = [group["initial_lr"] for group in optimiser.param_groups]

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
            loss_sum, units = _take_step(model, optimiser, steps[number], loss, clip, precision, place, describe)
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
                raise ClirError(f"The validation after epoch {epoch} is not a number.", _NOT_FINITE)
            run.validation_seconds = time.perf_counter() - begun
        run.end_epoch(value)
        progress(run.step, all_steps, run.state_line(epoch, epochs))

    return run.finish(epochs, has_validation=validate is not None)


_NOT_FINITE = "Try a smaller learning rate, gradient clipping, or float32 precision."


def _take_step(
    model: nn.Module,
    optimiser: torch.optim.Optimizer,
    micros: Sequence[Micro],
    loss: Callable[[Any, Micro], Tensor],
    clip: float | None,
    precision: str,
    place: str,
    describe: Callable[[Micro], str],
) -> tuple[float, int]:
    """One optimiser step; the sum of the losses of its units and their number."""
    device = next(model.parameters()).device
    optimiser.zero_grad(set_to_none=True)
    sums, units = [], 0
    for micro in micros:
        with autocast(device, precision):
            losses = loss(model, micro)
        total = losses.float().sum()
        torch.autograd.backward(total)
        sums.append(total.detach())
        units += losses.numel()
    # One transfer from the device for all micro-batches, not one for each.
    values = torch.stack(sums).tolist()
    for value, micro in zip(values, micros, strict=True):
        if not math.isfinite(value):
            raise ClirError(f"The loss is {value} {place}: {describe(micro)}.", _NOT_FINITE)

    gradients = [
        parameter.grad
        for group in optimiser.param_groups
        for parameter in group["params"]
        if parameter.grad is not None
    ]
    # The number of units is known only now: summed gradients become means.
    torch._foreach_mul_(gradients, 1.0 / max(units, 1))
    norm = float(nn.utils.get_total_norm(gradients))
    if not math.isfinite(norm):
        raise ClirError(f"The gradient is {norm} {place}: {'; '.join(map(describe, micros))}.", _NOT_FINITE)
    if clip is not None and norm > clip:
        torch._foreach_mul_(gradients, clip / norm)
    optimiser.step()
    return sum(values), units
