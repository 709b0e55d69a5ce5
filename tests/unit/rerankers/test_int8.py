"""Quantised models rank almost as they did, and run on processors alone."""

from pathlib import Path

import pytest
import torch

from clir_cli.errors import UsageError
from clir_cli.rerankers.int8 import quantise
from clir_cli.reranking.scoring import Scorer
from tests.tiny_collection import make_collection


@pytest.mark.parametrize("kind", ["bert", "mart", "mores"])
def test_scores_stay_near(tmp_path: Path, kind: str) -> None:
    tiny = make_collection(tmp_path / "encoder", topics=1)
    model, reader = tiny.reranker(kind=kind)
    with torch.no_grad():
        model.head.weight.mul_(50)  # type: ignore[union-attr, operator]
    names = [entry.document for entry in tiny.candidates["t1"]]
    before = torch.tensor(Scorer(model, reader).score("t1", names))
    floats = sum(parameter.numel() for parameter in model.parameters())
    after = torch.tensor(Scorer(quantise(model), reader).score("t1", names))
    assert sum(parameter.numel() for parameter in model.parameters()) < 0.7 * floats  # the rest is packed
    assert not torch.equal(before, after)
    changes = before - after - (before - after).mean()  # what all scores share moves no document
    assert float(changes.abs().max()) < 0.1 * float(before.max() - before.min())


def test_refused_where_it_cannot_run(tmp_path: Path) -> None:
    model, _ = make_collection(tmp_path / "encoder", topics=1).reranker()
    with pytest.raises(UsageError, match=r"int8 is for CPUs, and the model is on a card\."):
        quantise(model.to("meta"))  # stands for a card: a device that is no CPU
