"""A step that does not fit into memory is done again with less held at once."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from clir_cli.errors import ClirError
from clir_cli.learning.limit import HoldLimit
from clir_cli.learning.loop import fit
from clir_cli.learning.memory import is_out_of_memory
from clir_cli.learning.optimiser import build_optimiser
from tests.unit.learning.test_resume import assert_same, end_of

WIDTH = 5


class Narrow(nn.Module):
    """A device that has no room for more than ``room`` inputs at once; what it raises is up to the test."""

    def __init__(self, room: int, error: Exception) -> None:
        super().__init__()
        torch.manual_seed(2)
        self.layers = nn.Sequential(nn.Linear(WIDTH, 7), nn.Dropout(0.5), nn.Tanh(), nn.Linear(7, 1))
        self.room, self.error = room, error
        self.refused = 0

    def forward(self, x: Tensor) -> Tensor:
        if len(x) > self.room:
            self.refused += 1
            raise self.error
        return self.layers(x).squeeze(-1)


class Stop(BaseException):
    """The run is killed."""


def train(folder: Path, room: int, error: Exception, stop_at: int = -1, told: list[str] | None = None) -> Narrow:
    """Two epochs of two steps with 12 and 3 units."""
    model, limit = Narrow(room, error), HoldLimit()
    torch.manual_seed(3)
    inputs = torch.randn(15, WIDTH)

    def loss(model: Any, micro: list[int]) -> Iterator[Tensor]:
        size = limit.size or len(micro)
        for begin in range(0, len(micro), size):
            part = micro[begin : begin + size]
            limit.hold(len(part), f"input {part[0]}" if len(part) == 1 else None)
            yield model(inputs[part]).square()

    def progress(done: int, total: int | None, text: str) -> None:
        if told is not None:
            told.append(text)
        if done == stop_at:
            raise Stop

    fit(
        model,
        optimiser=build_optimiser("adam", [(model.parameters(), 0.01)]),
        steps_of_epoch=lambda _: [[list(range(9)), list(range(9, 12))], [[12, 13, 14]]],
        loss=loss,
        epochs=2,
        folder=folder,
        seed=5,
        limit=limit,
        progress=progress,
    )
    return model


SHORT = [
    torch.OutOfMemoryError("CUDA out of memory."),
    MemoryError(),
    RuntimeError("[enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory: ..."),
]


@pytest.mark.parametrize("error", SHORT, ids=["card", "Python", "CPU allocator"])
def test_the_same_step_with_less_held(tmp_path: Path, error: Exception) -> None:
    told: list[str] = []
    model = train(tmp_path / "narrow", 3, error, told=told)
    assert model.refused == 2  # at 9 and at 4; then 2 are held
    lines = [json.loads(line) for line in (tmp_path / "narrow" / "log.jsonl").read_text().splitlines()]
    assert [line.get("out_of_memory") for line in lines] == [[[1, 4], [1, 2]], None]
    assert "at most 2" in told[0]
    # As if it had always been cut so: no unit lost, none counted twice, no random number used up.
    steps = [[[0, 1], [2, 3], [4, 5], [6, 7], [8], [9, 10], [11]], [[12, 13], [14]]]
    free = Narrow(99, error)
    torch.manual_seed(3)
    inputs = torch.randn(15, WIDTH)
    fit(
        free,
        optimiser=build_optimiser("adam", [(free.parameters(), 0.01)]),
        steps_of_epoch=lambda _: steps,
        loss=lambda model, micro: model(inputs[micro]).square(),
        epochs=2,
        folder=tmp_path / "free",
        seed=5,
    )
    assert_same(model.state_dict(), free.state_dict())
    losses = [json.loads(line)["loss"] for line in (tmp_path / "free" / "log.jsonl").read_text().splitlines()]
    assert losses == [line["loss"] for line in lines]


def test_a_resumed_run_goes_on_with_less(tmp_path: Path) -> None:
    train(tmp_path / "whole", 3, SHORT[0])
    with pytest.raises(Stop):
        train(tmp_path / "killed", 3, SHORT[0], stop_at=3)
    again = train(tmp_path / "killed", 3, SHORT[0])
    assert again.refused == 0
    assert_same(end_of(tmp_path / "killed"), end_of(tmp_path / "whole"))


def test_what_cannot_be_cut_is_named(tmp_path: Path) -> None:
    with pytest.raises(ClirError) as caught:
        train(tmp_path, 0, SHORT[0])
    assert caught.value.problem == "There is no memory for input 0 in epoch 1, step 1 of 2."


def test_other_errors_are_not_memory(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="mat1 and mat2"):
        train(tmp_path, 3, RuntimeError("mat1 and mat2 shapes cannot be multiplied"))
    assert not is_out_of_memory(ValueError("not enough memory"))
