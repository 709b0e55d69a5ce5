"""Where a training run stands, in memory and on disk.

A run's folder holds ``checkpoint-<step>/`` (all that is needed to go on bit for bit), ``best-<epoch>/`` (weights of
the best epoch) and ``log.jsonl`` (one line an epoch). Of several processes that train together the first writes them.
"""

import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn

from clir_cli.errors import ClirError
from clir_cli.learning.checkpoint import load_checkpoint, load_state, save_checkpoint, save_state
from clir_cli.learning.devices import random_states, restore_random_states
from clir_cli.learning.early_stopping import EarlyStopping
from clir_cli.learning.limit import HoldLimit
from clir_cli.learning.parallel import Parallel
from clir_cli.learning.scalars import ScalarFiles


class FitReport(NamedTuple):
    """What came of a training run."""

    best_epoch: int  # whose weights the model now has; from 1
    best_value: float | None  # its validation; None without validation
    epochs_run: int
    stopped: bool  # whether patience ran out before the last epoch


class TrainingRun:
    """Counters, log and best epoch of one run, and their way to the disk and back.

    ``epoch`` counts finished epochs, ``step`` all steps; the others tell of the epoch that is under way.
    """

    def __init__(
        self,
        model: nn.Module,
        optimiser: torch.optim.Optimizer,
        folder: Path,
        identity: str,
        stopping: EarlyStopping,
        limit: HoldLimit,
        parallel: Parallel,
        scalars: ScalarFiles | None,
    ) -> None:
        self.model, self.optimiser, self.folder, self.identity = model, optimiser, folder, identity
        self.stopping, self.limit, self.parallel = stopping, limit, parallel
        self.scalars = scalars if parallel.leads else None
        self.epoch = self.step = self.step_in_epoch = self.units = 0  # epoch: finished ones
        self.loss_sum = self.seconds = self.validation_seconds = 0.0
        self.log: list[dict[str, Any]] = []
        for group in optimiser.param_groups:
            group.setdefault("initial_lr", group["lr"])

    def resume(self) -> bool:
        """Go on from the newest checkpoint; False where there is none."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.parallel.leads:
            self.parallel.wait()  # the first process tidies
        state = load_checkpoint(self.folder, tidy=self.parallel.leads)
        if self.parallel.leads:
            self.parallel.wait()
        if self.scalars is not None:
            self.scalars.go_on_from(0 if state is None else state["counters"]["step"])
        if state is None:
            return False
        begin_anew = f"Delete {self.folder} to train from the start."
        if state["identity"] != self.identity:
            raise ClirError(f"{self.folder} holds a training run with other settings or data.", begin_anew)
        if len(state["random"]) != self.parallel.count:
            raise ClirError(f"{self.folder} holds a run of {len(state['random'])} processes.", begin_anew)
        try:
            self._put_back(state["model"])
            self.optimiser.load_state_dict(state["optimiser"])
        except (RuntimeError, ValueError, KeyError) as error:
            reason = " ".join(str(error).split())
            raise ClirError(f"{self.folder} holds a training run of another model: {reason}", begin_anew) from error
        for name, value in state["counters"].items():
            setattr(self, name, value)
        self.log = json.loads(state["log"])
        self.stopping.restore(state["stopping"])
        self.limit.restore(state["limit"])
        restore_random_states(state["random"][self.parallel.rank])
        if self.parallel.leads:
            self._write_log()
            self._remove_other_best()
        return True

    def save(self) -> None:
        """Write a checkpoint of this very moment; all processes call it."""
        states = self.parallel.gather(random_states())
        if not self.parallel.leads:
            return
        if self.scalars is not None:
            self.scalars.write(self.step)
        counters = ("epoch", "step", "step_in_epoch", "units", "loss_sum", "seconds")
        state = {
            "identity": self.identity,
            "model": self._moving(),
            "optimiser": self.optimiser.state_dict(),
            "random": states,
            "counters": {name: getattr(self, name) for name in counters},
            "stopping": self.stopping.state(),
            "limit": self.limit.state(),
            "log": json.dumps(self.log),
        }
        save_checkpoint(self.folder, self.step, state)

    def count_step(self, loss_sum: float, units: int, seconds: float) -> None:
        """Note a step of the epoch under way."""
        self.step += 1
        self.step_in_epoch += 1
        self.units += units
        self.loss_sum += loss_sum
        self.seconds += seconds
        if self.scalars is not None:
            rates = {f"rate/{number}": group["lr"] for number, group in enumerate(self.optimiser.param_groups)}
            self.scalars.add(self.step, loss=loss_sum / max(units, 1), **rates)

    def end_epoch(self, value: float | None) -> None:
        """Note the epoch that is over, keep its weights if they are the best, write the checkpoint."""
        self.epoch += 1
        seconds = self.seconds + self.validation_seconds
        line: dict[str, Any] = {
            "epoch": self.epoch,
            "steps": self.step_in_epoch,
            "loss": self.loss_sum / max(self.units, 1),
            "validation": value,
            "seconds": round(seconds, 3),
            "validation_share": round(self.validation_seconds / seconds, 3) if seconds else 0.0,
        }
        if self.limit.halvings:  # steps after which less was held at once, and how much
            line["out_of_memory"] = self.limit.halvings
        self.log.append(line)
        if self.scalars is not None:
            self.scalars.add(self.step, epoch_loss=line["loss"], validation_share=line["validation_share"])
            if value is not None:
                self.scalars.add(self.step, validation=value)
        if value is not None and self.stopping.observe(self.epoch, value) and self.parallel.leads:
            # Under its epoch's own name: the checkpoint written last may still need the best one before it.
            save_state(self._best(), {"model": self._moving()})
        self.step_in_epoch = self.units = 0
        self.loss_sum = self.seconds = self.validation_seconds = 0.0
        self.limit.halvings = []
        self.save()
        if self.parallel.leads:
            self._write_log()
            self._remove_other_best()

    def finish(self, epochs: int, *, has_validation: bool) -> FitReport:
        """Give the model the weights of the best epoch; evaluation mode."""
        best_epoch, best_value = self.epoch, None
        self.parallel.wait()  # the first process may still be writing
        if has_validation and self.stopping.best_epoch:
            best_epoch, best_value = self.stopping.best_epoch, self.stopping.best_value
            self._put_back(load_state(self._best())["model"])
        self.model.eval()
        return FitReport(best_epoch, best_value, self.epoch, self.epoch < epochs)

    def _moving(self) -> dict[str, Any]:
        """The model's state without its frozen weights, which whoever goes on has already."""
        frozen = {name for name, parameter in self.model.named_parameters() if not parameter.requires_grad}
        return {name: value for name, value in self.model.state_dict().items() if name not in frozen}

    def _put_back(self, weights: dict[str, Any]) -> None:
        """Raises as ``load_state_dict`` does where ``weights`` are not those of ``_moving``."""
        missing, unexpected = self._moving().keys() - weights.keys(), weights.keys() - self._moving().keys()
        if missing or unexpected:
            raise RuntimeError(f"weights {sorted(missing)[:3]} are missing, {sorted(unexpected)[:3]} are unknown")
        self.model.load_state_dict(self.model.state_dict() | weights)

    def state_line(self, epoch: int, epochs: int) -> str:
        """Where the run stands, for people."""
        loss = self.loss_sum / self.units if self.units else self.log[-1]["loss"]
        text = f"epoch {epoch}/{epochs}  loss {loss:.4f}"
        if self.stopping.best_epoch:
            last = next(line["validation"] for line in reversed(self.log) if line["validation"] is not None)
            text += f"  validation {last:.4f} (best {self.stopping.best_value:.4f}, epoch {self.stopping.best_epoch})"
        if self.limit.size is not None:
            text += f"  (memory ran out: at most {self.limit.size} word pieces are kept at once)"
        return text

    def _best(self) -> Path:
        return self.folder / f"best-{self.stopping.best_epoch:08d}"

    def _remove_other_best(self) -> None:
        for path in self.folder.glob("best-*"):
            if path != self._best():
                shutil.rmtree(path)

    def _write_log(self) -> None:
        # Rewritten from the checkpoint's own copy: a line of an epoch that is to be redone cannot stay behind.
        partial = self.folder / "log.jsonl.partial"
        partial.write_text("".join(json.dumps(line) + "\n" for line in self.log), encoding="utf-8")
        partial.replace(self.folder / "log.jsonl")
