"""Numbers for TensorBoard: every step once."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from clir_cli.errors import ClirError
from clir_cli.learning.scalars import ScalarFiles, check_tensorboard
from tests.unit.learning.children import EPOCHS, STEPS, train
from tests.unit.learning.test_resume import Crash

pytest.importorskip("tensorboard")


def read(folder: Path) -> list[tuple[int, str, float]]:
    """All numbers in the event files, as TensorBoard itself reads them."""
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader

    return [
        (event.step, value.tag, value.tensor.float_val[0])
        for path in sorted(folder.glob("*tfevents*"))
        for event in EventFileLoader(str(path)).Load()
        for value in event.summary.value
    ]


def test_every_step_once_however_often_the_run_is_killed(tmp_path: Path) -> None:
    left = 0

    def progress(*_: Any) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise Crash

    folder = tmp_path / "tensorboard"
    for steps in (1, 4, 7, 9, 12):
        left = steps
        with pytest.raises(Crash):
            train(tmp_path / "run", scalars=ScalarFiles(folder), checkpoint_every=3, progress=progress)
    train(tmp_path / "run", scalars=ScalarFiles(folder), checkpoint_every=3)
    found = read(folder)
    assert max(Counter((step, tag) for step, tag, _ in found).values()) == 1
    assert [step for step, tag, _ in found if tag == "loss"] == list(range(1, EPOCHS * STEPS + 1))
    for tag in ("epoch_loss", "validation", "validation_share"):
        assert [step for step, name, _ in found if name == tag] == list(range(STEPS, EPOCHS * STEPS + 1, STEPS))

    train(tmp_path / "whole", scalars=ScalarFiles(tmp_path / "other"))
    timeless = [number for number in found if number[1] != "validation_share"]
    assert timeless == [number for number in read(tmp_path / "other") if number[1] != "validation_share"]


def test_a_file_that_its_checkpoint_did_not_follow_is_made_again(tmp_path: Path) -> None:
    files = ScalarFiles(tmp_path)
    files.add(1, loss=0.5)
    files.write(1)
    files.add(2, loss=0.25)
    files.write(2)
    files.go_on_from(1)
    assert read(tmp_path) == [(1, "loss", 0.5)]


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "tensorboard.summary.writer.record_writer", None)
    with pytest.raises(ClirError, match="needs the package tensorboard") as caught:
        check_tensorboard()
    assert "clir[tensorboard]" in caught.value.hint
