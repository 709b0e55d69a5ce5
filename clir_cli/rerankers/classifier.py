"""Sequence classifiers of transformers, and CrossEncoders of sentence-transformers, as cross-encoders of ours.

    score = out(tanh(dense([CLS])))

BERT calls ``dense`` its pooler; RoBERTa and XLM-RoBERTa have it in their head. Dropout, which stands before each of
the two, does nothing when scoring. With two labels (nboost, amberoad: 0 not relevant, 1 relevant) the score is the
difference of their logits, which orders documents as the probability of label 1 does.
"""

import torch
from torch import nn

from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.load import ClassifierHead
from clir_cli.errors import DataError
from clir_cli.rerankers.cross_encoder import CrossEncoder


@torch.no_grad()
def give_pooler(encoder: Encoder, head: ClassifierHead) -> None:
    """Let ``encoder`` pool [CLS] by the first layer of ``head``. Raises ``DataError`` where it is of another width."""
    weight, bias = head.dense
    if weight.shape != (encoder.width, encoder.width):
        raise DataError(
            f"The classifier's head is {weight.shape[0]} wide, its encoder {encoder.width}.",
            "They are not from the same model: get the checkpoint again.",
        )
    with torch.random.fork_rng(devices=[]):  # building draws numbers that are thrown away
        pooler = nn.Linear(encoder.width, encoder.width)
    pooler.weight.copy_(weight)
    pooler.bias.copy_(bias)
    encoder.pooler = pooler


@torch.no_grad()
def take_head(model: CrossEncoder, head: ClassifierHead) -> None:
    """Let ``model`` score by the second layer of ``head``."""
    weight, bias = head.out
    if len(weight) == 2:
        weight, bias = weight[1:] - weight[:1], bias[1:] - bias[:1]
    model.head.weight.copy_(weight)
    model.head.bias.copy_(bias)
