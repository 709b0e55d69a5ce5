"""What one call of the training loop does."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from clir_cli.errors import ClirError
from clir_cli.learning.loop import epoch_order, fit
from clir_cli.learning.run import FitReport
from tests.unit.learning.children import train


class Weight(nn.Module):
    """A model of one number w; with loss c * w its gradient is c."""

    def __init__(self, value: float = 0.0) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[value]]))


def linear_loss(model: Weight, units: list[float]) -> Tensor:
    return model.w[0, 0] * torch.tensor(units)


def fit_weight(
    folder: Path, steps: Sequence[Sequence[list[float]]], rate: float = 1.0, epochs: int = 1, **settings: Any
) -> tuple[float, FitReport]:
    """Plain gradient descent; the final w."""
    model = Weight()
    settings = {"loss": linear_loss, "seed": 1, "steps_of_epoch": lambda _: steps, **settings}
    optimiser = torch.optim.SGD(model.parameters(), lr=rate)
    report = fit(model, optimiser=optimiser, epochs=epochs, folder=folder, **settings)
    return model.w.item(), report


@pytest.mark.parametrize("micros", [[[1.0, 2.0, 6.0]], [[1.0], [2.0, 6.0]], [[1.0], [2.0], [6.0]]])
def test_a_step_descends_the_mean_over_units_however_it_is_cut(tmp_path: Path, micros: list[list[float]]) -> None:
    w, _ = fit_weight(tmp_path, [micros])
    assert w == pytest.approx(-3)


def test_a_smaller_last_step_is_a_whole_step(tmp_path: Path) -> None:
    w, report = fit_weight(tmp_path, [[[1.0], [3.0]], [[5.0]]])
    assert w == pytest.approx(-(2 + 5))
    assert report == FitReport(best_epoch=1, best_value=None, epochs_run=1, stopped=False)
    line = json.loads((tmp_path / "log.jsonl").read_text())
    assert line["steps"] == 2
    assert line["loss"] == pytest.approx((0 + 0 + 5 * -2) / 3)  # mean over units: w was 0, then -2


def test_clipping_bounds_the_mean_gradient(tmp_path: Path) -> None:
    assert fit_weight(tmp_path / "a", [[[30.0, 50.0]]], clip=2.0)[0] == pytest.approx(-2)
    assert fit_weight(tmp_path / "b", [[[0.5, 1.5]]], clip=2.0)[0] == pytest.approx(-1)


def test_linear_schedule_spans_all_epochs(tmp_path: Path) -> None:
    steps = [[[1.0]], [[1.0]]]
    assert fit_weight(tmp_path / "a", steps, epochs=2, schedule="linear")[0] == pytest.approx(-(1 + 0.75 + 0.5 + 0.25))
    assert fit_weight(tmp_path / "b", steps, epochs=2, schedule="linear", total_steps=8)[0] == pytest.approx(-6.5 * 0.5)
    assert fit_weight(tmp_path / "c", steps, epochs=1, warmup=1)[0] == pytest.approx(-1.5)


def fit_watched(
    folder: Path, values: Sequence[float], epochs: int, **settings: Any
) -> tuple[float, FitReport, list[int]]:
    """Each epoch moves w by -1, so -w is the epoch; its validation is values[epoch - 1]. Also the epochs validated."""
    seen: list[int] = []

    def validate(model: Weight) -> float:
        assert not model.training
        assert not torch.is_grad_enabled()
        seen.append(round(-model.w.item()))
        return values[seen[-1] - 1]

    w, report = fit_weight(folder, [[[1.0]]], epochs=epochs, validate=validate, **settings)
    return w, report, seen


def test_the_best_epoch_comes_back(tmp_path: Path) -> None:
    w, report, seen = fit_watched(tmp_path, [0.1, 0.5, 0.4, 0.2, 0.9], epochs=5, patience=2)
    assert report == FitReport(best_epoch=2, best_value=0.5, epochs_run=4, stopped=True)
    assert w == -2
    assert seen == [1, 2, 3, 4]
    validations = [json.loads(line)["validation"] for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert validations == [0.1, 0.5, 0.4, 0.2]


def test_of_equal_epochs_the_first_is_best(tmp_path: Path) -> None:
    w, report, _ = fit_watched(tmp_path, [0.5, 0.5, 0.5], epochs=3)
    assert (w, report.best_epoch, report.stopped) == (-1, 1, False)


def test_validation_every_few_epochs_and_after_the_last(tmp_path: Path) -> None:
    w, report, seen = fit_watched(tmp_path, [0.0, 0.1, 0.9, 0.2, 0.3], epochs=5, validate_every=2)
    assert seen == [2, 4, 5]
    assert (w, report.best_epoch) == (-5, 5)


def test_infinite_loss_names_epoch_step_and_examples(tmp_path: Path) -> None:
    def loss(model: Weight, micro: list[float]) -> Tensor:
        return linear_loss(model, micro) + (math.inf if micro == [7.0] else 0.0)

    with pytest.raises(ClirError) as caught:
        fit_weight(tmp_path, [[[1.0]], [[2.0], [7.0]]], loss=loss, describe=lambda micro: f"topic {micro[0]:g}")
    assert caught.value.problem == "The loss is inf in epoch 1, step 2 of 2: topic 7."
    assert "learning rate" in caught.value.hint


def test_infinite_gradient_is_not_taken(tmp_path: Path) -> None:
    def loss(model: Weight, micro: list[float]) -> Tensor:
        return (model.w[0] ** 2).sqrt()  # 0 at w = 0, where its slope is 0 / 0

    with pytest.raises(ClirError, match="gradient is nan in epoch 1, step 1 of 1: topic 3"):
        fit_weight(tmp_path, [[[3.0]]], loss=loss, describe=lambda micro: f"topic {micro[0]:g}")


def test_a_validation_that_is_no_number_stops(tmp_path: Path) -> None:
    with pytest.raises(ClirError, match="validation after epoch 1"):
        fit_watched(tmp_path, [math.nan], epochs=1)


def test_an_epoch_without_examples_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ClirError, match="Epoch 1 has no training examples"):
        fit_weight(tmp_path, [])


def test_a_state_of_another_run_is_refused_and_kept(tmp_path: Path) -> None:
    train(tmp_path / "run", epochs=1, identity="one")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ClirError, match="other settings") as caught:
        train(tmp_path / "run", epochs=1, identity="two")
    assert str(tmp_path / "run") in caught.value.hint
    with pytest.raises(ClirError, match="another model"):
        fit_weight(tmp_path / "run", [[[1.0]]], identity="one")
    assert sorted(tmp_path.rglob("*")) == before


def test_more_epochs_go_on_where_fewer_ended(tmp_path: Path) -> None:
    settings = {"steps_of_epoch": lambda epoch: [[[float(epoch)]]]}
    assert fit_weight(tmp_path, [], epochs=2, **settings)[0] == -(1 + 2)
    assert fit_weight(tmp_path, [], epochs=4, **settings)[0] == -(1 + 2 + 3 + 4)


def test_progress_tells_where_the_run_stands(tmp_path: Path) -> None:
    told: list[tuple[int, int | None, str]] = []

    def progress(*arguments: Any) -> None:
        told.append(arguments)

    fit_weight(tmp_path, [[[1.0]], [[3.0]]], epochs=2, validate=lambda model: 0.5, progress=progress)
    assert [done for done, _, _ in told] == [1, 2, 2, 3, 4, 4]  # and once more after each validation
    assert {total for _, total, _ in told} == {4}
    assert told[0][2] == "epoch 1/2  loss 0.0000"
    assert told[-1][2].endswith("validation 0.5000 (best 0.5000, epoch 1)")


def test_epoch_order_is_decided_by_seed_and_epoch() -> None:
    orders = [epoch_order(20, seed=seed, epoch=epoch) for seed in (1, 2) for epoch in (1, 2)]
    assert all(sorted(order) == list(range(20)) for order in orders)
    assert len({tuple(order) for order in orders}) == 4
    assert epoch_order(6, seed=42, epoch=1) == [4, 3, 0, 2, 5, 1]  # on every machine and Python
