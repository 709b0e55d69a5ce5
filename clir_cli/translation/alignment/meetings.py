"""The first iteration: from the uniform table a link's posterior is one over the words it could have come from."""

from typing import Any

import numba
import numpy as np

from clir_cli.translation.alignment.kernels import ONE

_compiled: Any = numba.njit(cache=True, nogil=True)


@_compiled
def count_meetings(first, last, offsets, source_start, target_start, ids, counts):  # type: ignore[no-untyped-def]
    """Add 1 / (I J), the product of both posteriors, to the count of every cell of the pairs ``first`` to ``last``."""
    base = offsets[first]
    for k in range(first, last):
        size = (source_start[k + 1] - source_start[k]) * (target_start[k + 1] - target_start[k])
        count = np.int64(ONE / size)
        for at in range(offsets[k] - base, offsets[k + 1] - base):
            counts[ids[at], 1] += count
