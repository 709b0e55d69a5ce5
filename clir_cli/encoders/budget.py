"""Which inputs share a batch: those of like length, as many as a budget of word pieces allows."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clir_cli.encoders.encoder import Encoder

TOKENS_ON_CARD = 32768
"""What keeps a card busy."""
LEAST_BYTES_ON_CPU = 1 << 21
"""What may at least lie between the two maps of a feed-forward part, the widest place of a layer, in a batch."""
CACHES_ON_CPU = 3
"""So many times a core's own cache may lie there: larger batches read the weights less often, but find less of their
own in the cache (docs/decisions/008-scoring.md has the measurements)."""


def default_tokens(encoder: Encoder) -> int:
    """The budget of a batch for ``encoder`` where it is, in word pieces, where none is asked for."""
    if next(encoder.parameters()).device.type != "cpu":
        return TOKENS_ON_CARD
    return max(1, bytes_on_cpu() // (4 * int(encoder.config.intermediate_size)))


def bytes_on_cpu() -> int:
    """Bytes a batch may take at the widest place of a layer, by the size of a core's second-level cache."""
    try:
        size = os.sysconf("SC_LEVEL2_CACHE_SIZE")
    except (AttributeError, ValueError, OSError):  # not on every system
        size = 0
    return max(LEAST_BYTES_ON_CPU, CACHES_ON_CPU * size)


def plan_batches(lengths: Sequence[int] | NDArray[Any], tokens: int) -> list[NDArray[np.int64]]:
    """Numbers of the inputs of each batch; every input is in one.

    The longest come first, so that trouble with memory shows at once. A batch is padded to its longest input, and
    so padded holds at most ``tokens`` pieces; an input that is longer than that is a batch of its own.
    """
    if tokens < 1:
        raise ValueError(f"a budget of {tokens} pieces holds nothing")
    sizes = np.asarray(lengths, dtype=np.int64)
    order = np.argsort(-sizes, kind="stable")
    batches = []
    place = 0
    while place < len(order):
        count = max(1, tokens // max(1, int(sizes[order[place]])))
        batches.append(order[place : place + count])
        place += count
    return batches
