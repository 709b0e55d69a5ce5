"""Pairwise losses by their definitions."""

import math

import pytest
import torch

from clir_cli.errors import ClirError
from clir_cli.training.loss import cross_entropy, pairwise_loss, softmax_margin


def test_by_hand() -> None:
    positive, negative = torch.tensor([0.0, math.log(3), 0.0]), torch.tensor([0.0, 0.0, math.log(3)])
    # softmax gives the relevant document 1/2, 3/4 and 1/4.
    assert torch.allclose(cross_entropy(positive, negative), torch.tensor([math.log(2), math.log(4 / 3), math.log(4)]))
    assert torch.allclose(softmax_margin(positive, negative), torch.tensor([0.5, 0.25, 0.75]))


def test_equal_their_softmax_forms() -> None:
    positive, negative = torch.randn(7), torch.randn(7)
    p = torch.stack([positive, negative]).softmax(dim=0)[0]
    assert torch.allclose(cross_entropy(positive, negative), -p.log())
    assert torch.allclose(softmax_margin(positive, negative), 1 - p)


@pytest.mark.parametrize("name", ["cross_entropy", "softmax_margin"])
def test_far_apart_scores_stay_finite(name: str) -> None:
    positive = torch.tensor([-1e4, 1e4], requires_grad=True)
    losses = pairwise_loss(name)(positive, torch.tensor([1e4, -1e4]))
    losses.sum().backward()
    assert losses.isfinite().all()
    assert positive.grad is not None
    assert positive.grad.isfinite().all()
    assert losses[0] > losses[1]


def test_half_precision_scores_lose_nothing_more() -> None:
    positive, negative = torch.tensor([3.0], dtype=torch.bfloat16), torch.tensor([2.5], dtype=torch.bfloat16)
    assert cross_entropy(positive, negative).dtype == torch.float32


def test_unknown_name() -> None:
    with pytest.raises(ClirError, match="cross_entropy, softmax_margin"):
        pairwise_loss("hinge")
