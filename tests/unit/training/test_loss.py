"""Pairwise losses by their definitions."""

import math

import pytest
import torch

from clir_cli.errors import ClirError
from clir_cli.training.loss import cross_entropy, loss_of_pairs, pointwise, softmax_margin


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


def test_pointwise_is_the_two_label_cross_entropy_of_mores() -> None:
    two_labels = torch.randn(14, 2, dtype=torch.float64)  # (other, relevant), of 7 relevant documents and 7 others
    scores = two_labels[:, 1] - two_labels[:, 0]
    answers = torch.tensor([1] * 7 + [0] * 7)
    expected = torch.nn.functional.cross_entropy(two_labels, answers, reduction="none")
    assert torch.allclose(pointwise(scores[:7], scores[7:]), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("name", ["cross_entropy", "softmax_margin", "pointwise"])
def test_far_apart_scores_stay_finite(name: str) -> None:
    positive = torch.tensor([-1e4, 1e4], requires_grad=True)
    losses = loss_of_pairs(name)(positive, torch.tensor([1e4, -1e4]))
    losses.sum().backward()
    assert losses.isfinite().all()
    assert positive.grad is not None
    assert positive.grad.isfinite().all()
    assert losses[0] > losses[1]


def test_half_precision_scores_lose_nothing_more() -> None:
    positive, negative = torch.tensor([3.0], dtype=torch.bfloat16), torch.tensor([2.5], dtype=torch.bfloat16)
    assert cross_entropy(positive, negative).dtype == torch.float32


def test_unknown_name() -> None:
    with pytest.raises(ClirError, match="cross_entropy, softmax_margin, pointwise"):
        loss_of_pairs("hinge")
