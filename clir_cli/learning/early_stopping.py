"""When training has stopped getting better."""

import math
from dataclasses import dataclass


@dataclass
class EarlyStopping:
    """The best validation so far and how many came since without a better one.

    ``patience`` is the number of validations without a better value after which training stops (0 acts as 1:
    the first one that is no better stops it); None never stops. Larger values are better. On a tie the earlier
    epoch stays the best.
    """

    patience: int | None
    best_epoch: int = 0
    best_value: float = -math.inf
    without_better: int = 0

    def observe(self, epoch: int, value: float) -> bool:
        """Note the validation ``value`` of ``epoch`` (from 1); True where it is the best so far."""
        if value > self.best_value:
            self.best_epoch, self.best_value, self.without_better = epoch, value, 0
            return True
        self.without_better += 1
        return False

    @property
    def should_stop(self) -> bool:
        """Whether patience has run out."""
        return self.patience is not None and self.without_better >= max(self.patience, 1)

    def state(self) -> dict[str, float]:
        """What a checkpoint has to keep; patience itself is a setting and stays out."""
        return {
            "best_epoch": self.best_epoch,
            "best_value": self.best_value,
            "without_better": self.without_better,
        }

    def restore(self, state: dict[str, float]) -> None:
        """Go on from what ``state()`` gave."""
        self.best_epoch = int(state["best_epoch"])
        self.best_value = float(state["best_value"])
        self.without_better = int(state["without_better"])
