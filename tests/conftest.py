"""Settings of all tests."""

import os
import signal
from pathlib import Path

from hypothesis import settings

# Each test process and its children keep what numba compiles to themselves; set before numba is imported.
if (worker := os.environ.get("PYTEST_XDIST_WORKER")) is not None:
    os.environ["NUMBA_CACHE_DIR"] = str(Path(__file__).parents[1] / ".pytest_cache" / f"numba-{worker}")

# Started in the background of a script, Python and its children ignore Ctrl-C; the tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine makes examples slow, not wrong.
settings.register_profile("clir", deadline=None)
settings.load_profile("clir")
