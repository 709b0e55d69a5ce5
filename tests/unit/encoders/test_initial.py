"""New weights."""

import torch
from torch import nn

from clir_cli.encoders.encoder import new_encoder
from clir_cli.encoders.initial import deviation, draw_weights


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


def test_encoder_from_scratch_attends_to_equal_pieces_of_the_other_text():
    encoder = new_encoder(50, layers=2, width=64, heads=4, inner=64, positions=32, seed=3).eval()
    pieces = torch.tensor([[1, 7, 8, 9, 2, 20, 21, 22, 23, 7, 24, 25, 26, 27, 2]])
    types = torch.tensor([[0] * 5 + [1] * 10])
    positions = torch.arange(15).unsqueeze(0)
    h = encoder.embeddings(input_ids=pieces, token_type_ids=types, position_ids=positions)
    attend = encoder.layers[0].attend
    query, key = (part(h).unflatten(-1, (4, 16)).transpose(1, 2) for part in (attend.query, attend.key))
    weights = (query @ key.transpose(-1, -2) / 4).softmax(-1)[0]  # [heads, 15, 15]
    others = [place for place in range(15) if place not in (1, 9)]
    assert (weights[:, 1, 9] > weights[:, 1, others].max(dim=-1).values).all()
    assert weights[:, 1, 9].mean() > 3 * weights[:, 1, others].sum(dim=-1).mean()


def test_spread_keeps_the_gain_at_every_width():
    assert deviation(768) == 0.02
    assert deviation(192) == 0.04
