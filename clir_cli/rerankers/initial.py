"""New weights: a function of the seed and of a name, and of nothing else."""

import hashlib

import torch
from torch import nn

DEVIATION = 0.02
"""Standard deviation of new weights: BERT's, and what the MAT paper's code uses."""


@torch.no_grad()
def draw_weights(module: nn.Module, seed: int, name: str) -> None:
    """Give ``module`` fresh weights: N(0, 0.02), biases 0, layer norms 1 and 0, padding rows 0.

    Two models that hold a part of the same name get the same numbers for it, whatever else they hold and whatever
    random numbers were drawn before: m2BERT, MART and the placebo start from one head.
    """
    digest = hashlib.sha256(f"{seed}/{name}".encode()).digest()
    generator = torch.Generator().manual_seed(int.from_bytes(digest[:7], "big"))
    for part in module.modules():
        if isinstance(part, nn.Linear | nn.Embedding):
            part.weight.normal_(0.0, DEVIATION, generator=generator)
        elif isinstance(part, nn.LayerNorm):
            part.weight.fill_(1.0)
        if isinstance(part, nn.Embedding) and part.padding_idx is not None:
            part.weight[part.padding_idx].zero_()
        if isinstance(part, nn.Linear | nn.LayerNorm) and part.bias is not None:
            part.bias.zero_()
