"""Where computation runs, in which precision, and from which random numbers."""

import random
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal, cast

import numpy as np
import torch

from clir_cli.errors import ClirError

Precision = Literal["auto", "float32", "bf16"]


def choose_device() -> torch.device:
    """The first CUDA device, or the CPU where there is none."""
    return torch.device("cuda", 0) if torch.cuda.is_available() else torch.device("cpu")


def resolve_precision(precision: str, device: torch.device) -> Literal["float32", "bf16"]:
    """``auto`` -> bf16 where the CUDA device has it in hardware, else float32; other names as they are.

    A CPU stays in float32 under ``auto``: without hardware for it, bf16 is several times slower there.
    """
    if precision == "auto":
        return (
            "bf16" if device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False) else "float32"
        )
    if precision not in ("float32", "bf16"):
        raise ClirError(f"There is no precision {precision!r}.", "Choose auto, float32 or bf16.")
    return precision  # type: ignore[return-value]


def autocast(device: torch.device, precision: str) -> AbstractContextManager[Any]:
    """Context in which matrix products run in bf16 (weights stay in float32), or one that changes nothing."""
    if resolve_precision(precision, device) == "float32":
        return nullcontext()
    return torch.autocast(device.type, dtype=torch.bfloat16)


def set_threads(count: int) -> None:
    """CPU threads of this process. Part of what decides the last digits of a sum, so a setting, not a guess."""
    torch.set_num_threads(count)


def set_seed(seed: int) -> None:
    """Seed the generators of Python, numpy and torch (CPU and CUDA); take cuDNN's repeatable algorithms."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = False


def random_states() -> dict[str, Any]:
    """States of all generators, made only of what ``torch.load(weights_only=True)`` accepts."""
    version, numbers, gauss = random.getstate()
    kind, keys, position, has_gauss, cached = cast(tuple[Any, ...], np.random.get_state(legacy=True))
    return {
        "python": [version, torch.tensor(numbers), gauss],
        "numpy": [str(kind), torch.from_numpy(keys.astype(np.int64)), int(position), int(has_gauss), float(cached)],
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
    }


def restore_random_states(states: dict[str, Any]) -> None:
    """Put every generator where ``random_states()`` found it.

    CUDA states are left out where the number of cards differs: a run moved to another machine goes on, though
    not bit for bit.
    """
    version, numbers, gauss = states["python"]
    random.setstate((version, tuple(numbers.tolist()), gauss))
    kind, keys, position, has_gauss, cached = states["numpy"]
    np.random.set_state((kind, keys.numpy().astype(np.uint32), position, has_gauss, cached))
    torch.set_rng_state(states["torch"])
    if states["cuda"] and torch.cuda.is_available() and len(states["cuda"]) == torch.cuda.device_count():
        torch.cuda.set_rng_state_all(states["cuda"])
