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


def test_steps_are_fused_where_there_are_kernels() -> None:
    part = nn.Linear(3, 5)
    assert build_optimiser("adam", [(part.parameters(), 0.1)]).defaults["fused"]
    wave = nn.Parameter(torch.ones(3, 5, dtype=torch.complex64))  # there are none for complex numbers
    optimiser = build_optimiser("adam", [([wave], 0.1)])
    assert not optimiser.defaults["fused"]
    wave.grad = torch.ones_like(wave)
    optimiser.step()


@pytest.mark.parametrize("kind", ["adam", "adamw"])
def test_fused_steps_are_the_optimisers(kind: str) -> None:
    torch.manual_seed(1)
    part, other = nn.Linear(3, 5), nn.Linear(3, 5)
    other.load_state_dict(part.state_dict())
    plain = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}[kind]
    theirs = plain(
        [{"params": [other.weight], "weight_decay": 0.1}, {"params": [other.bias], "weight_decay": 0.0}], lr=0.01
    )
    ours = build_optimiser(kind, [(part.parameters(), 0.01)], weight_decay=0.1)
    for _ in range(5):
        inputs = torch.randn(7, 3)
        for model, optimiser in ((part, ours), (other, theirs)):
            optimiser.zero_grad()
            model(inputs).square().sum().backward()
            optimiser.step()
    torch.testing.assert_close(part.weight, other.weight, rtol=1e-6, atol=1e-7)
    torch.testing.assert_close(part.bias, other.bias, rtol=1e-6, atol=1e-7)
