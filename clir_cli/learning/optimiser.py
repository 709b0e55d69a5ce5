"""Optimisers by name and the learning rate's way through training."""

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import nn

from clir_cli.errors import ClirError

FUSED = ("cpu", "cuda")
"""Devices whose optimisers are one kernel."""


def build_optimiser(
    kind: str, groups: Sequence[tuple[Iterable[nn.Parameter], float]], *, weight_decay: float = 0.0
) -> torch.optim.Optimizer:
    """``adam`` or ``adamw`` over groups of (parameters, learning rate).

    Parameters that need no gradient are left out. Each step is one kernel a tensor (``fused``) where the parameters'
    device has that. Weight decay (L2 in adam, decoupled in adamw) goes to matrices
    only: biases and layer norms are vectors and stay free of it, as is usual for BERT.
    """
    kinds: dict[str, type[torch.optim.Optimizer]] = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}
    if kind not in kinds:
        raise ClirError(f"There is no optimiser {kind!r}.", f"Choose one of: {', '.join(kinds)}.")
    settings: list[dict[str, Any]] = []
    for parameters, rate in groups:
        trained = [parameter for parameter in parameters if parameter.requires_grad]
        matrices = [parameter for parameter in trained if parameter.dim() > 1]
        vectors = [parameter for parameter in trained if parameter.dim() <= 1]
        for members, decay in ((matrices, weight_decay), (vectors, 0.0)):
            if members:
                settings.append({"params": members, "lr": rate, "weight_decay": decay})
    parameters = [parameter for group in settings for parameter in group["params"]]
    fused = all(parameter.is_floating_point() and parameter.device.type in FUSED for parameter in parameters)
    return kinds[kind](settings, fused=fused or None)  # type: ignore[call-arg]


def learning_rate_factor(step: int, total_steps: int, *, schedule: str = "constant", warmup: int = 0) -> float:
    """What the learning rate of ``step`` (from 0) is multiplied by.

    Warm-up rises by equal parts to 1 at step ``warmup``; then ``constant`` stays, ``linear`` falls by equal parts to
    0 at ``total_steps`` (a step that is not taken).
    """
    if schedule not in ("constant", "linear"):
        raise ClirError(f"There is no schedule {schedule!r}.", "Choose constant or linear.")
    if step < warmup:
        return (step + 1) / (warmup + 1)
    if schedule == "constant":
        return 1.0
    return max(0.0, (total_steps - step) / max(1, total_steps - warmup))
