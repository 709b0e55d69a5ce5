"""A MORES learns to rank before any fold, and a run that was stopped ends as one that was not."""

from pathlib import Path
from typing import Any

import pytest
import torch

from clir_cli.encoders.encoder import Encoder, save_encoder
from clir_cli.errors import ClirError
from clir_cli.rerankers.build import load_reranker
from clir_cli.training.pretrain_model import pretrain_model
from clir_cli.training.ranking_examples import RankingExamples

RANKING = {"steps": 40, "batch": 8, "learning_rate": 0.01, "warmup": 4, "loss": "pointwise", "max_pieces": 20}


def examples() -> RankingExamples:
    """Each query asks for the documents that hold its word."""
    words = ["red", "green", "blue", "cat", "dog", "bird"]
    return RankingExamples(
        queries=[*words, *words],
        documents=[f"the {one} {other}" for one in words for other in words if one != other],
        relevant=[[number for number in range(30) if number // 5 == word] for word in [*range(6), *range(6)]],
    )


class StoppedError(Exception):
    """Stands for a kill."""


@pytest.fixture
def start(word_tokenizer: Any, tiny_encoder: Encoder, tmp_path: Path) -> Path:
    save_encoder(tiny_encoder, word_tokenizer, tmp_path / "start")
    return tmp_path / "start"


def train(folder: Path, start: Path, **options: Any) -> dict[str, Any]:
    return pretrain_model(
        folder,
        start=start,
        build={"kind": "mores", "blocks": 1, "block_start": "equal"},
        ranking=RANKING | options.pop("ranking", {}),
        examples=examples,
        checkpoint_every=8,
        precision="float32",
        **options,
    )


def test_stopped_and_resumed_is_never_stopped(start: Path, tmp_path: Path) -> None:
    def stop(done: int, total: int | None, text: str) -> None:
        if done >= 20:
            raise StoppedError

    whole = train(tmp_path / "whole", start)
    with pytest.raises(StoppedError):
        train(tmp_path / "stopped", start, progress=stop)
    with pytest.raises(ClirError, match="unfinished training with other settings"):
        train(tmp_path / "stopped", start, ranking={"loss": "cross_entropy"})
    assert train(tmp_path / "stopped", start) == whole
    one, other = (load_reranker(tmp_path / name / "model")[0].state_dict() for name in ("whole", "stopped"))
    assert all(torch.equal(value, other[name]) for name, value in one.items())
    assert not list((tmp_path / "stopped").glob("ranking/checkpoint-*"))
    assert train(tmp_path / "stopped", start, progress=stop) == whole  # only read


def test_every_part_learns(start: Path, tmp_path: Path) -> None:
    before = train(tmp_path / "before", start, ranking={"steps": 1, "learning_rate": 1e-12})
    after = train(tmp_path / "after", start)
    one, other = (load_reranker(tmp_path / name / "model")[0].state_dict() for name in ("before", "after"))
    moved = {name.split(".")[0] for name in one if not torch.equal(one[name], other[name])}
    assert moved == {"encoder", "query", "blocks", "head"}
    assert after["steps"] == 40
    assert before["queries"] + before["held_out_queries"] == 12
