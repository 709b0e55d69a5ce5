"""New weights."""

import torch
from torch import nn

from clir_cli.rerankers.initial import draw_weights


def drawn(module: nn.Module, seed: int, name: str) -> nn.Module:
    draw_weights(module, seed, name)
    return module


def test_seed_and_name_decide():
    first = drawn(nn.Linear(5, 3), 1, "head").weight
    torch.randn(7)
    assert torch.equal(first, drawn(nn.Linear(5, 3), 1, "head").weight)
    assert not torch.equal(first, drawn(nn.Linear(5, 3), 2, "head").weight)
    assert not torch.equal(first, drawn(nn.Linear(5, 3), 1, "mat.1").weight)


def test_drawing_leaves_the_global_generator_alone():
    part = nn.Linear(5, 3)
    before = torch.get_rng_state()
    draw_weights(part, 1, "head")
    assert torch.equal(before, torch.get_rng_state())


def test_kinds_of_parameters():
    part = drawn(nn.ModuleList([nn.Embedding(9, 4, padding_idx=2), nn.Linear(4, 3), nn.LayerNorm(3)]), 1, "x")
    assert not part[0].weight[2].any()
    assert part[0].weight[1].all()
    assert not part[1].bias.any()
    assert (part[2].weight == 1).all()
