"""How much a training step may hold in memory at once, and what becomes of that where it was too much."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class HoldLimit:
    """The largest part of a step whose activations are kept until its backward pass; None: a whole micro-batch.

    Sizes are in the loss's own measure (padded word pieces). The loss cuts its work by ``size`` and tells with ``hold``
    what it is about to keep; the training loop lowers the limit where memory runs out, and does the step again.
    """

    size: int | None = None
    halvings: list[list[int]] = field(default_factory=list)
    """[step of the epoch, new limit], of the epoch under way."""
    held: int = 0
    single: str | None = None

    def hold(self, size: int, single: str | None = None) -> None:
        """``size`` is to be kept now; ``single`` names it where it cannot be cut any further."""
        self.held, self.single = size, single

    def lower(self, held: int, step: int) -> None:
        """Keep at most half of ``held`` from now on; it was too much in ``step`` of the epoch."""
        self.size = max(1, min(held, held if self.size is None else self.size) // 2)
        self.halvings.append([step, self.size])

    def state(self) -> dict[str, Any]:
        """What a checkpoint has to keep."""
        return {"size": self.size, "halvings": [list(halving) for halving in self.halvings]}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what ``state()`` gave."""
        self.size, self.halvings = state["size"], [list(halving) for halving in state["halvings"]]
