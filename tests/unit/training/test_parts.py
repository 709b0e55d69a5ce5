"""The loss of pairs in parts is the loss of pairs."""

import weakref
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from clir_cli.encoders.layer import checkpoint_layers, set_dropout
from clir_cli.errors import ClirError
from clir_cli.learning.devices import set_seed
from clir_cli.learning.limit import HoldLimit
from clir_cli.learning.optimiser import build_optimiser
from clir_cli.learning.parallel import ALONE
from clir_cli.learning.step import StepTaker
from clir_cli.rerankers.build import Reranker, average_passages
from clir_cli.rerankers.reading import PassageReader
from clir_cli.training.loss import loss_of_pairs
from clir_cli.training.pairs import TrainingPair
from clir_cli.training.parts import PairLoss
from tests.tiny_collection import TinyCollection, make_collection

EVERYTHING = 10_000


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyCollection:
    return make_collection(tmp_path_factory.mktemp("encoder") / "tiny", topics=7)


@pytest.fixture(scope="module")
def pairs(tiny: TinyCollection) -> list[TrainingPair]:
    """Relevant documents that are long, others that are short."""

    def by_length(topic: str, relevant: int) -> list[str]:
        names = [name for name, grade in tiny.qrels[topic].items() if grade == relevant]
        return sorted(names, key=lambda name: len(tiny.documents[name]))

    return [TrainingPair(1, topic, by_length(topic, 1)[-1], by_length(topic, 0)[0]) for topic in tiny.queries]


def prepared(tiny: TinyCollection, kind: str, dropout: float) -> tuple[Reranker, PassageReader]:
    model, reader = tiny.reranker(kind=kind)
    set_dropout(model, dropout)
    return model.train(), reader


def go(
    model: Reranker, reader: PassageReader, pairs: list[TrainingPair], tokens: int, limit: int | None = None,
    loss: str = "cross_entropy",
) -> tuple[Tensor, dict[str, Tensor]]:  # fmt: skip
    """Losses and gradients."""
    model.zero_grad(set_to_none=True)
    parts = []
    for losses in PairLoss(reader, loss, tokens=tokens, limit=HoldLimit(limit))(model, pairs):
        losses.sum().backward()
        parts.append(losses.detach())
    return torch.cat(parts), gradients(model)


def gradients(model: Reranker) -> dict[str, Tensor]:
    found = {name: weight.grad for name, weight in model.named_parameters() if weight.grad is not None}
    assert found
    return found


@pytest.mark.parametrize(
    ("kind", "loss"), [("bert", "pointwise"), ("mart", "cross_entropy"), ("mores", "cross_entropy")]
)
def test_parts_give_the_loss_and_gradients_of_one_padded_batch(
    tiny: TinyCollection, pairs: list[TrainingPair], kind: str, loss: str
) -> None:
    model, reader = prepared(tiny, kind, 0.0)
    model.double()
    read = [reader.read(pair.topic, pair.positive) for pair in pairs]
    read += [reader.read(pair.topic, pair.negative) for pair in pairs]
    batch = reader.batch([passage for passages in read for passage in passages])
    losses = loss_of_pairs(loss)(*average_passages(model(batch), [len(passages) for passages in read]).chunk(2))
    losses.sum().backward()
    expected = {name: gradient.clone() for name, gradient in gradients(model).items()}

    for tokens in (1, 60, EVERYTHING):  # every passage by itself, a few together, all
        found, grown = go(model, reader, pairs, tokens, loss=loss)
        assert torch.allclose(found, losses, rtol=0, atol=1e-6)
        assert grown.keys() == expected.keys()
        assert all(torch.allclose(grown[name], expected[name], rtol=0, atol=1e-6) for name in expected)


def test_parts_of_like_length_hold_less_padding(tiny: TinyCollection, pairs: list[TrainingPair]) -> None:
    model, reader = prepared(tiny, "bert", 0.0)
    shapes: list[torch.Size] = []
    model.register_forward_pre_hook(lambda _, arguments: shapes.append(arguments[0].pieces.shape))
    passages = [p for pair in pairs for document in pair[2:] for p in reader.read(pair.topic, document)]
    whole = len(passages) * max(len(passage.pieces) for passage in passages)
    real = sum(len(passage.pieces) for passage in passages)
    go(model, reader, pairs, 100)
    assert sum(shape.numel() for shape in shapes) - real < (whole - real) / 4


def test_going_twice_changes_no_bit_with_dropout_on(tiny: TinyCollection, pairs: list[TrainingPair]) -> None:
    model, reader = prepared(tiny, "mart", 0.2)
    results = []
    for limit in (None, 30):  # 30: less than a pair
        set_seed(4)
        results.append(go(model, reader, pairs[:1], 30, limit))
        results.append((torch.rand(3), {}))  # the numbers after it are the same too
    (plain, expected), after, (twice, found), after_twice = results
    assert torch.equal(plain, twice)
    assert torch.equal(after[0], after_twice[0])
    assert all(torch.equal(found[name], expected[name]) for name in expected)


def test_gradient_checkpointing_changes_no_bit_and_keeps_less(tiny: TinyCollection, pairs: list[TrainingPair]) -> None:
    kept: list[int] = []

    def pack(tensor: Tensor) -> Tensor:
        kept[-1] += tensor.numel()
        return tensor

    results = []
    model, reader = prepared(tiny, "mart", 0.2)
    for switch in (False, True):
        if switch:
            checkpoint_layers(model)
        set_seed(4)
        kept.append(0)
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            results.append(go(model, reader, pairs, EVERYTHING))
    (plain, expected), (twice, found) = results
    assert torch.equal(plain, twice)
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], expected[name]) for name in expected)
    assert kept[1] < kept[0] / 2


class SmallDevice:
    """Memory for the activations of ``room`` word pieces: more than that, kept for a backward pass, is refused."""

    def __init__(self, model: Reranker, room: int) -> None:
        self.room = room
        self.kept: dict[int, int] = {}
        self.refused = 0
        model.encoder.get_submodule("embeddings.LayerNorm").register_forward_pre_hook(self.take)

    def take(self, _: Any, arguments: tuple[Tensor]) -> None:
        h = arguments[0]  # [B, m, d], kept by the layer norm until its backward pass
        pieces = h.shape[0] * h.shape[1]
        if sum(self.kept.values()) + pieces > self.room:
            self.refused += 1
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate ...")
        self.kept[id(h)] = pieces
        weakref.finalize(h, self.kept.pop, id(h))


def taken(tiny: TinyCollection, pairs: list[TrainingPair], room: int) -> tuple[Reranker, SmallDevice, HoldLimit]:
    """One step of two micro-batches on a device with so much room."""
    model, reader = prepared(tiny, "mart", 0.0)
    device, limit = SmallDevice(model, room), HoldLimit()
    taker = StepTaker(
        model,
        build_optimiser("adam", [(model.parameters(), 0.01)]),
        PairLoss(reader, "cross_entropy", tokens=200, limit=limit),
        None,
        "float32",
        repr,
        limit,
        ALONE,
    )
    assert taker.take([pairs[:5], pairs[5:]], "in this step", 1)[1] == len(pairs)
    return model, device, limit


@pytest.mark.parametrize("room", [400, 60])
def test_a_step_goes_on_where_memory_runs_out(tiny: TinyCollection, pairs: list[TrainingPair], room: int) -> None:
    free, device, limit = taken(tiny, pairs, EVERYTHING)
    assert limit.size is None
    full, device, limit = taken(tiny, pairs, room)
    assert device.refused == len(limit.halvings) > 0
    assert not device.kept
    assert limit.size is not None
    expected, found = gradients(free), gradients(full)
    for name in expected:
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-4, atol=1e-7)


def test_a_passage_that_does_not_fit_is_named(tiny: TinyCollection, pairs: list[TrainingPair]) -> None:
    with pytest.raises(ClirError) as caught:
        taken(tiny, pairs, 20)
    assert caught.value.problem.startswith("There is no memory for a single passage of ")
    assert "(topic t1, document t1-d" in caught.value.problem
    assert caught.value.problem.endswith(" in this step.")
    assert "encoder.max_pieces" in caught.value.hint
