"""What becomes of faults."""

import pytest

from clir_cli.errors import DataError, Faults, stop_at_fault


def test_the_strict_handler_raises_the_fault() -> None:
    fault = DataError("a.tsv:1: there is no tab.", "Add one.")
    with pytest.raises(DataError) as caught:
        stop_at_fault(fault)
    assert caught.value is fault


def test_faults_are_counted_and_the_first_are_kept() -> None:
    faults = Faults(keep=2)
    for line in range(1, 6):
        faults(DataError(f"a.tsv:{line}: there is no tab.", "Add one."))
    assert faults.count == 5
    assert faults.examples == ["a.tsv:1: there is no tab. Add one.", "a.tsv:2: there is no tab. Add one."]


def test_a_handler_without_faults_is_still_a_handler() -> None:
    assert Faults()  # so that `faults or stop_at_fault` is what it looks like
