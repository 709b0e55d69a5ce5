"""What each stage does: read its needs, call the layer that knows how, write its result.

Every function here has the form ``stage(out, inputs, progress)`` and runs in a worker process.
"""
