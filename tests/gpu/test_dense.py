"""Dense retrieval on a CUDA card: the vectors of the CPU, and its run."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from clir_cli.learning.devices import choose_device, resolve_precision
from clir_cli.retrieval.dense import search as module
from clir_cli.retrieval.dense.embed import load_embedder
from clir_cli.retrieval.dense.vectors import VectorStore
from tests.tiny_collection import make_collection

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA card on this machine"),
]


@pytest.mark.parametrize(("precision", "tolerance"), [("float32", 1e-3), ("bf16", 5e-2)])
def test_vectors_of_cpu_and_card_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, precision: str, tolerance: float
) -> None:
    if precision == "bf16" and resolve_precision("auto", choose_device()) != "bf16":
        pytest.skip("this card has no bf16")
    tiny = make_collection(tmp_path / "encoder")
    texts = [*tiny.documents.values(), ""]
    on_card = load_embedder(tiny.folder, tokens=100, precision=precision)
    assert on_card._device.type == "cuda"
    found = on_card.embed(texts).vectors
    monkeypatch.setattr("clir_cli.retrieval.dense.embed.choose_device", lambda: torch.device("cpu"))
    on_cpu = load_embedder(tiny.folder)
    assert found == pytest.approx(on_cpu.embed(texts).vectors, rel=tolerance, abs=tolerance)
    assert on_cpu.fingerprint == on_card.fingerprint


def test_runs_of_cpu_and_card_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(1)
    vectors = np.repeat(numbers.normal(size=(3000, 64)).astype(np.float32), 2, axis=0)  # every score twice
    np.save(tmp_path / "vectors-00000.npy", vectors)
    (tmp_path / "ids.txt").write_text("".join(f"{n}\n" for n in range(len(vectors))))
    (tmp_path / "about.json").write_text(json.dumps({"model": "x", "width": 64, "shard": len(vectors)}))
    report = {"documents": len(vectors), "cut": 0, "empty": 0, "max_pieces": 512}
    (tmp_path / "report.json").write_text(json.dumps(report))
    store, topics = VectorStore(tmp_path), [f"t{n}" for n in range(20)]
    queries = numbers.normal(size=(20, 64)).astype(np.float32)
    on_card = module.search(store, topics, queries, depth=500, block=700)
    monkeypatch.setattr(module, "choose_device", lambda: torch.device("cpu"))
    assert module.search(store, topics, queries, depth=500) == on_card
