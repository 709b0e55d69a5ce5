"""New weights: a function of the seed and of a name, and of nothing else."""

import hashlib
from typing import Any

import torch
from torch import nn

DEVIATION, ITS_WIDTH = 0.02, 768
"""Standard deviation of new weights, BERT's and that of the MAT paper's code, and the width it belongs to."""

WORDS, TYPES, POSITIONS = 0.2, 0.1, 0.04
"""Standard deviations of the embeddings of an encoder made from scratch: what a piece is outweighs where it is."""
FOCUS = 1.6
"""How sharply its first layer attends to equal pieces: equal ones score about 8 more than others."""


def deviation(width: int) -> float:
    """0.02 at 768; at other widths what lets a linear map pass on as much: the gain of d inputs grows with sqrt(d)."""
    return float(DEVIATION * (ITS_WIDTH / width) ** 0.5)


@torch.no_grad()
def draw_weights(module: nn.Module, seed: int, name: str, spread: float = DEVIATION) -> None:
    """Give ``module`` fresh weights: N(0, ``spread``), biases 0, layer norms 1 and 0, padding rows 0.

    Two models that hold a part of the same name get the same numbers for it, whatever else they hold and whatever
    random numbers were drawn before: m2BERT, MART and the placebo start from one head.
    """
    generator = generator_of(seed, name)
    for part in module.modules():
        if isinstance(part, nn.Linear | nn.Embedding):
            part.weight.normal_(0.0, spread, generator=generator)
        elif isinstance(part, nn.LayerNorm):
            part.weight.fill_(1.0)
        if isinstance(part, nn.Embedding) and part.padding_idx is not None:
            part.weight[part.padding_idx].zero_()
        if isinstance(part, nn.Linear | nn.LayerNorm) and part.bias is not None:
            part.bias.zero_()


def generator_of(seed: int, name: str) -> torch.Generator:
    """Random numbers that belong to a seed and a name."""
    digest = hashlib.sha256(f"{seed}/{name}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))


@torch.no_grad()
def draw_encoder(encoder: Any, seed: int) -> None:
    """Fresh weights for an encoder made from scratch, which starts with an eye for equal pieces.

    Queries and keys of the first layer are the same random map, so a piece attends to its equals wherever they stand,
    and what it gets from them tells by its type embedding whether one is in the other text. Every ranker has to find
    this out; from BERT's start a small encoder does not in the few hundred steps that a sample can afford, from this
    one it does. Ours, not a paper's; checkpoints that are loaded do not pass here.
    """
    draw_weights(encoder, seed, "encoder", deviation(encoder.width))
    numbers = generator_of(seed, "encoder start")
    parts = encoder.embeddings
    for part, spread in (
        (parts.word_embeddings, WORDS),
        (parts.token_type_embeddings, TYPES),
        (parts.position_embeddings, POSITIONS),
    ):
        part.weight.mul_(spread / deviation(encoder.width))
    draw_eye_for_equals(encoder.layers[0].attend, numbers)


@torch.no_grad()
def draw_eye_for_equals(attention: Any, numbers: torch.Generator) -> None:
    """Queries and keys become the same random map, values and output maps that pass on what is attended to."""
    gain = attention.query.in_features**-0.5
    attention.query.weight.normal_(0.0, FOCUS * gain, generator=numbers)
    attention.key.weight.copy_(attention.query.weight)
    for part in (attention.value, attention.output):
        part.weight.normal_(0.0, gain, generator=numbers)
