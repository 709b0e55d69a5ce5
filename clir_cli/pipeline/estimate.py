"""What a plan will cost, from what stages of the same kind have cost on this machine."""

from dataclasses import dataclass
from statistics import median

from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.store import MARKER, read_marker

NOMINAL = {
    "collection": (2, 2e6), "topics": (1, 1e5), "folds": (1, 1e4), "align": (15, 2e6), "index": (5, 1e6),
    "embed": (30, 2e6), "retrieve": (5, 2e7), "matrices": (2, 1e6), "pieces": (3, 1e6), "pretrain": (180, 5e6),
    "head": (10, 1e6), "adapt": (20, 3e5),
    "pairs": (1, 1e6), "train": (40, 4e6), "represent": (10, 1e7), "rerank": (5, 1e6), "interpolate": (2, 1e6),
    "evaluate": (1, 1e6), "gap": (5, 1e5), "report": (2, 1e5),
}  # fmt: skip
"""Seconds and bytes of a stage on the sample, two cores: used for kinds that have not run here yet."""


@dataclass(frozen=True)
class Estimate:
    """Seconds of work (over all jobs), bytes on disk, and the kinds whose figures are only nominal."""

    seconds: float
    bytes: float
    nominal: tuple[str, ...]


def estimate(plan: Plan) -> Estimate:
    """Sum over the stages that would run; the median of finished stages of a kind stands for one of it."""
    seconds = size = 0.0
    nominal: list[str] = []
    for kind in dict.fromkeys(stage.kind for stage in plan.to_run):
        count = sum(stage.kind == kind for stage in plan.to_run)
        made = [read_marker(path.parent)["made"] for path in (plan.store.folder / kind).glob(f"*/{MARKER}")]
        if made:
            one = median(m["seconds"] for m in made), median(m["bytes"] for m in made)
        else:
            one = NOMINAL[kind]
            nominal.append(kind)
        seconds += count * one[0]
        size += count * one[1]
    return Estimate(seconds, size, tuple(nominal))
