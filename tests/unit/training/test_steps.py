"""Training counted in steps."""

import json
from itertools import pairwise
from pathlib import Path

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from clir_cli.training.steps import Batches, epoch_bounds, fit_steps


@given(st.integers(1, 2000), st.integers(1, 300))
def test_epochs_are_of_like_length_and_no_longer_than_asked(steps: int, every: int) -> None:
    bounds = epoch_bounds(steps, every)
    lengths = [last - first for first, last in pairwise(bounds)]
    assert sum(lengths) == steps
    assert max(lengths) <= every
    assert max(lengths) - min(lengths) <= 1
    assert lengths[-1] == max(lengths)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=40), st.integers(1, 9), st.integers(0, 5))
def test_a_pass_holds_no_example_twice_and_leaves_out_less_than_a_batch(
    lengths: list[int], batch: int, seed: int
) -> None:
    batches = Batches(lengths, batch, seed)
    size = min(batch, len(lengths))
    in_pass = len(lengths) // size
    for number in range(3):
        seen = [int(place) for step in range(number * in_pass, (number + 1) * in_pass) for place in batches(step)]
        assert len(seen) == len(set(seen)) == in_pass * size
        assert set(seen) <= set(range(len(lengths)))


def test_a_batch_depends_on_its_step_alone() -> None:
    lengths = list(range(1, 31))
    in_order = Batches(lengths, 4, seed=3)
    forward = [in_order(step).tolist() for step in range(20)]
    out_of_order = Batches(lengths, 4, seed=3)
    assert [out_of_order(step).tolist() for step in reversed(range(20))] == forward[::-1]
    other_seed = Batches(lengths, 4, seed=4)
    assert [other_seed(step).tolist() for step in range(20)] != forward
    assert forward[:7] != forward[7:14]  # every pass is shuffled anew


def test_a_batch_holds_examples_of_like_length() -> None:
    lengths = [1, 100] * 10
    batches = Batches(lengths, 5, seed=1)
    for step in range(4):
        assert len({lengths[place] for place in batches(step)}) == 1


def test_each_step_is_taken_once_and_logged_by_epoch(tmp_path: Path) -> None:
    model = nn.Linear(1, 1)
    asked: list[int] = []

    def batch_of_step(step: int) -> torch.Tensor:
        asked.append(step)
        return torch.full((3, 1), float(step))

    fit_steps(
        model,
        batch_of_step=batch_of_step,
        loss=lambda model, batch: model(batch).square().squeeze(1),
        steps=7,
        learning_rate=1e-3,
        folder=tmp_path,
        seed=1,
        checkpoint_every=3,
    )
    assert asked == list(range(7))
    assert [json.loads(line)["steps"] for line in (tmp_path / "log.jsonl").read_text().splitlines()] == [2, 2, 3]
