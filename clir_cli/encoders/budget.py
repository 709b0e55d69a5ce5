"""Which inputs share a batch: those of like length, as many as a budget of word pieces allows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clir_cli.encoders.encoder import Encoder

TOKENS_ON_CARD = 32768
"""What keeps a card busy."""
BYTES_ON_CPU = 1 << 21
"""What may lie between the two maps of a feed-forward part, the widest place of a layer, to stay in a core's cache."""


def default_tokens(encoder: Encoder) -> int:
    """The budget of a batch for ``encoder`` where it is, in word pieces, where none is asked for."""
    if next(encoder.parameters()).device.type != "cpu":
        return TOKENS_ON_CARD
    return max(1, BYTES_ON_CPU // (4 * int(encoder.config.intermediate_size)))


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
