"""Settings of all tests."""

from hypothesis import settings

# A busy machine makes examples slow, not wrong.
settings.register_profile("clir", deadline=None)
settings.load_profile("clir")
