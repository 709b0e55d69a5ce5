"""Training stops when validation has not got better for long enough."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.learning.early_stopping import EarlyStopping


def watch(patience: int | None, values: list[float]) -> tuple[EarlyStopping, int]:
    """Feed values until it says stop; the watcher and how many it saw."""
    stopping = EarlyStopping(patience)
    for epoch, value in enumerate(values, 1):
        stopping.observe(epoch, value)
        if stopping.should_stop:
            return stopping, epoch
    return stopping, len(values)


@pytest.mark.parametrize(
    ("patience", "values", "best", "seen"),
    [
        (2, [0.1, 0.3, 0.2, 0.2, 0.9], 2, 4),  # two validations without a better one: the 0.9 is never seen
        (2, [0.1, 0.3, 0.2, 0.4, 0.3, 0.3], 4, 6),  # a better one starts the count again
        (2, [0.3, 0.3, 0.3], 1, 3),  # a tie is not better: the earlier epoch stays
        (0, [0.1, 0.2, 0.2, 0.9], 2, 3),
        (1, [0.1, 0.2, 0.2, 0.9], 2, 3),
        (None, [0.3, 0.2, 0.1, 0.0], 1, 4),
        (3, [0.0, 0.0], 1, 2),  # the first epoch is the best so far, even with a validation of 0
    ],
)
def test_best_epoch_and_end(patience: int | None, values: list[float], best: int, seen: int) -> None:
    stopping, epochs = watch(patience, values)
    assert (stopping.best_epoch, epochs) == (best, seen)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(0, 5), st.integers(0, 29))
def test_goes_on_from_its_state(values: list[float], patience: int, cut: int) -> None:
    whole, seen = watch(patience, values)
    first, seen_before = watch(patience, values[:cut])
    second = EarlyStopping(patience)
    second.restore(first.state())
    for epoch in range(seen_before + 1, seen + 1):
        second.observe(epoch, values[epoch - 1])
    assert second == whole
