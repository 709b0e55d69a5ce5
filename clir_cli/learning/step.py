"""One optimiser step: its micro-batches forward and backward, gradients brought together, the weights moved.

Where memory runs out, the gradients made so far are dropped, the random numbers put back where they were, less is held
at once, and the same step is done again: no unit is lost or counted twice.
"""

import gc
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from clir_cli.errors import ClirError
from clir_cli.learning.devices import autocast, random_states, restore_random_states
from clir_cli.learning.limit import HoldLimit
from clir_cli.learning.memory import is_out_of_memory, release_memory
from clir_cli.learning.parallel import Parallel

Micro = TypeVar("Micro")

Loss = Callable[[Any, Micro], Tensor | Iterable[Tensor]]
"""(model, micro-batch) -> the loss of each unit, [units]; or several such, each made when the one before is done."""

NOT_FINITE = "Try a smaller learning rate, gradient clipping, or float32 precision."


class _Share(NamedTuple):
    """What came of one process's micro-batches."""

    loss: float
    units: int
    reached: list[bool]
    """Which parameters have a gradient."""
    held: int | None
    """What was held when memory ran out; None where it did not."""


@dataclass
class StepTaker(Generic[Micro]):
    """Takes the steps of one run; the arguments are those of ``loop.fit``."""

    model: nn.Module
    optimiser: torch.optim.Optimizer
    loss: Loss[Micro]
    clip: float | None
    precision: str
    describe: Callable[[Micro], str]
    limit: HoldLimit
    parallel: Parallel

    def __post_init__(self) -> None:
        groups = self.optimiser.param_groups
        self._parameters: list[nn.Parameter] = [parameter for group in groups for parameter in group["params"]]
        self._device = next(self.model.parameters()).device

    def take(self, micros: Sequence[Micro], place: str, number: int) -> tuple[float, int]:
        """The sum of the losses of the step's units, over all processes, and their number.

        ``place`` names the step in errors; ``number`` is its own in the epoch.
        """
        while True:
            states = random_states()
            shares = self.parallel.gather(self._go_through(self.parallel.share(micros), place))
            held = [share.held for share in shares if share.held is not None]
            if not held:
                break
            self.limit.lower(min(held), number)  # the same in all processes
            restore_random_states(states)
        units = sum(share.units for share in shares)
        gradients = self._bring_together(shares)
        norm = float(nn.utils.get_total_norm(gradients)) / max(units, 1)
        if not math.isfinite(norm):
            raise ClirError(f"The gradient is {norm} {place}: {'; '.join(map(self.describe, micros))}.", NOT_FINITE)
        # The number of units is known only now: summed gradients become means, clipped ones in the same pass.
        factor = 1.0 if self.clip is None or norm <= self.clip else self.clip / norm
        torch._foreach_mul_(gradients, factor / max(units, 1))
        try:
            self.optimiser.step()
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            raise ClirError(  # some weights have moved: this step cannot be done again
                f"There is no memory for the optimiser {place}.",
                "It needs two numbers beside each weight: take a smaller encoder, or free memory.",
            ) from error
        return sum(share.loss for share in shares), units

    def _go_through(self, micros: Sequence[Micro], place: str) -> _Share:
        self.optimiser.zero_grad(set_to_none=True)
        self.limit.hold(0)
        try:
            loss, units = self._accumulate(micros, place)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            if self.limit.held == 0 or self.limit.single is not None:
                raise ClirError(
                    f"There is no memory for {self.limit.single or 'a micro-batch'} {place}.",
                    "Lower encoder.max_pieces, set training.gradient_checkpointing, or free memory.",
                ) from error
            held = self.limit.held
        else:
            return _Share(loss, units, [parameter.grad is not None for parameter in self._parameters], None)
        # Here the error is gone, and with it the frames that kept the tensors.
        self.optimiser.zero_grad(set_to_none=True)
        gc.collect()
        release_memory(self._device)
        return _Share(0.0, 0, [], held)

    def _accumulate(self, micros: Sequence[Micro], place: str) -> tuple[float, int]:
        sums: list[Tensor] = []
        owners: list[Micro] = []
        units = 0
        for micro in micros:
            for losses in self._losses(micro):
                total = losses.float().sum()
                torch.autograd.backward(total)
                sums.append(total.detach())
                owners.append(micro)
                units += losses.numel()
        # One transfer from the device for all micro-batches, not one for each.
        values = torch.stack(sums).tolist() if sums else []
        for value, micro in zip(values, owners, strict=True):
            if not math.isfinite(value):
                raise ClirError(f"The loss is {value} {place}: {self.describe(micro)}.", NOT_FINITE)
        return sum(values), units

    def _losses(self, micro: Micro) -> Iterator[Tensor]:
        """What the loss gives, made under ``autocast``; the backward passes between are not."""
        with autocast(self._device, self.precision):
            found = self.loss(self.model, micro)
        if isinstance(found, Tensor):
            yield found
            return
        parts = iter(found)
        while True:
            with autocast(self._device, self.precision):
                losses = next(parts, None)
            if losses is None:
                return
            yield losses

    def _bring_together(self, shares: Sequence[_Share]) -> list[Tensor]:
        """The gradients, summed over all processes."""
        gradients = []
        for parameter, *reached in zip(self._parameters, *(share.reached for share in shares), strict=True):
            if any(reached):
                if parameter.grad is None:
                    parameter.grad = torch.zeros_like(parameter)
                gradients.append(parameter.grad)
        self.parallel.sum(gradients)
        return gradients
