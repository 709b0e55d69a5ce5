"""Where computation runs, in which precision, and from which random numbers."""

import os
import random
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Literal, cast

import numpy as np
import torch

from clir_cli.errors import ClirError

Precision = Literal["auto", "float32", "tf32", "bf16"]


def choose_device() -> torch.device:
    """The first CUDA device (of several processes that train together: each its own), or the CPU where there is none.

    It becomes the one that CUDA uses where none is named.
    """
    if not torch.cuda.is_available():
        return torch.device("cpu")
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    torch.cuda.set_device(device)
    return device


def resolve_precision(precision: str, device: torch.device) -> Literal["float32", "tf32", "bf16"]:
    """``auto`` -> bf16 where the CUDA device has it in hardware, else float32; other names as they are.

    A CPU stays in float32 under ``auto``: without hardware for it, bf16 is several times slower there. tf32 is a way in
    which cards multiply float32 matrices; on a CPU it is float32.
    """
    if precision == "auto":
        return (
            "bf16" if device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False) else "float32"
        )
    if precision not in ("float32", "tf32", "bf16"):
        raise ClirError(f"There is no precision {precision!r}.", "Choose auto, float32, tf32 or bf16.")
    if precision == "tf32" and device.type != "cuda":
        return "float32"
    return precision  # type: ignore[return-value]


def autocast(device: torch.device, precision: str) -> AbstractContextManager[Any]:
    """Context in which matrix products run in bf16 or tf32 (weights stay in float32), or one that changes nothing."""
    resolved = resolve_precision(precision, device)
    if resolved == "bf16":
        return torch.autocast(device.type, dtype=torch.bfloat16)
    return _tf32() if resolved == "tf32" else nullcontext()


def matrix_products(device: torch.device, precision: str) -> AbstractContextManager[Any]:
    """Context for a whole training run: tf32 is for backward passes too, which ``autocast`` must not be around."""
    return _tf32() if resolve_precision(precision, device) == "tf32" else nullcontext()


@contextmanager
def _tf32() -> Iterator[None]:
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


def check_compiler(device: torch.device) -> None:
    """Raises ``ClirError`` where ``torch.compile`` cannot make code for ``device``."""
    try:
        torch.compile(_some_product, dynamic=True)(torch.ones(3, 5, device=device))
    except Exception as error:  # inductor, triton and the compiler raise errors of their own kinds
        raise ClirError(
            f"torch.compile does not work here: {str(error).strip().splitlines()[0]}",
            "Install a C++ compiler (on a card: Triton), or set training.compile: false.",
        ) from error


def _some_product(x: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.gelu(x * 2 + 1).sum(dim=1)


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
        # Of the card in use: looking at the others would take memory on each of them.
        "cuda": [torch.cuda.get_rng_state()] if torch.cuda.is_available() else [],
    }


def restore_random_states(states: dict[str, Any]) -> None:
    """Put every generator where ``random_states()`` found it.

    A card's state is left out where there is no card: a run moved to another machine goes on, though not bit for bit.
    """
    version, numbers, gauss = states["python"]
    random.setstate((version, tuple(numbers.tolist()), gauss))
    kind, keys, position, has_gauss, cached = states["numpy"]
    np.random.set_state((kind, keys.numpy().astype(np.uint32), position, has_gauss, cached))
    torch.set_rng_state(states["torch"])
    if states["cuda"] and torch.cuda.is_available():
        torch.cuda.set_rng_state(states["cuda"][0])
