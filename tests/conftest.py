"""Settings of all tests."""

import signal

from hypothesis import settings

# Started in the background of a script, Python and its children ignore Ctrl-C; the tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine makes examples slow, not wrong.
settings.register_profile("clir", deadline=None)
settings.load_profile("clir")
