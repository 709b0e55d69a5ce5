"""How the benchmarks measure."""

import statistics
import time
from collections.abc import Callable


def cpu_seconds(step: Callable[[], object], rounds: int) -> float:
    """Median CPU time of ``step``."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        step()
        times.append(time.process_time() - start)
    return statistics.median(times)
