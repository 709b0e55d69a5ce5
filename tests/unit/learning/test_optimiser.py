"""Learning rates and parameter groups."""

import pytest
import torch
from torch import nn

from clir_cli.errors import ClirError
from clir_cli.learning.optimiser import build_optimiser, learning_rate_factor


def factors(count: int, **settings: object) -> list[float]:
    return [learning_rate_factor(step, count, **settings) for step in range(count)]  # type: ignore[arg-type]


def test_constant_and_linear() -> None:
    assert factors(4) == [1, 1, 1, 1]
    assert factors(4, schedule="linear") == [1, 0.75, 0.5, 0.25]
    assert learning_rate_factor(4, 4, schedule="linear") == 0
    assert learning_rate_factor(9, 4, schedule="linear") == 0


def test_warm_up_comes_first() -> None:
    assert factors(6, warmup=3) == [0.25, 0.5, 0.75, 1, 1, 1]
    assert factors(7, schedule="linear", warmup=3) == [0.25, 0.5, 0.75, 1, 0.75, 0.5, 0.25]


def test_unknown_names_are_answered_with_the_known() -> None:
    with pytest.raises(ClirError, match="constant or linear"):
        learning_rate_factor(0, 1, schedule="cosine")
    with pytest.raises(ClirError, match="adamw"):
        build_optimiser("sgd", [])


def test_groups_have_their_rates_and_vectors_no_decay() -> None:
    old, new = nn.Linear(3, 5), nn.Linear(5, 1)
    frozen = nn.Linear(7, 7).requires_grad_(False)
    optimiser = build_optimiser(
        "adamw", [([*old.parameters(), *frozen.parameters()], 0.1), (new.parameters(), 0.2)], weight_decay=0.01
    )
    seen = {
        tuple(parameter.shape): (group["lr"], group["weight_decay"])
        for group in optimiser.param_groups
        for parameter in group["params"]
    }
    assert seen == {(5, 3): (0.1, 0.01), (5,): (0.1, 0.0), (1, 5): (0.2, 0.01), (1,): (0.2, 0.0)}
    assert isinstance(build_optimiser("adam", [(new.parameters(), 0.2)]), torch.optim.Adam)
