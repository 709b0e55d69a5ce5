"""A score belongs to a query and a document, not to the batch it was computed in."""

import random
from typing import Any

import pytest
import torch

from clir_cli.errors import ClirError
from clir_cli.rerankers.batch import Batch
from clir_cli.rerankers.build import Reranker
from clir_cli.reranking.scoring import Scorer
from tests.tiny_collection import TinyCollection, make_collection

MODELS = {
    "m2bert": {"kind": "bert"},
    "mart-plb": {"kind": "mart", "arm": "identity"},
    "mart": {"kind": "mart", "arm": "translation"},
    "mart-blocks": {"kind": "mart", "arm": "blocks"},
    "mores": {"kind": "mores"},
    "mores-tied-2": {"kind": "mores", "blocks": 2, "tied": True, "block_start": "random"},
    "mores-mat": {"kind": "mores", "blocks": 2, "arm": "translation"},
    "mores-plb": {"kind": "mores", "arm": "identity"},
    "mores-blocks": {"kind": "mores", "arm": "blocks"},
}

NEARLY_ZERO = 1e-6
"""Scores of an untrained head lie around 0, where a relative tolerance asks for more digits than float32 has."""


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyCollection:
    """Beside its own documents: one of 2 words, and one so long that it makes many passages."""
    tiny = make_collection(tmp_path_factory.mktemp("encoder") / "tiny", topics=1, others=9)
    tiny.documents["short"] = " ".join(tiny.documents["t1-d0"].split()[:2])
    tiny.documents["long"] = " ".join(" ".join(tiny.documents.values()).split()[:300])
    tiny.documents["empty"] = ""
    return tiny


@pytest.mark.parametrize("name", MODELS)
def test_same_scores_whatever_the_batch(tiny: TinyCollection, name: str) -> None:
    model, reader = tiny.reranker(**MODELS[name])
    documents = list(tiny.documents)
    alone = {document: Scorer(model, reader, tokens=1).score("t1", [document])[0] for document in documents}
    assert len(set(alone.values())) == len(documents)
    for tokens in (1, 100, 700, 100_000):
        random.Random(tokens).shuffle(documents)
        scores = Scorer(model, reader, tokens=tokens).score("t1", documents)
        assert scores == pytest.approx([alone[document] for document in documents], rel=1e-5, abs=NEARLY_ZERO)
    for neighbour in ("short", "long"):
        scores = Scorer(model, reader).score("t1", ["t1-d3", neighbour])
        assert scores == pytest.approx([alone["t1-d3"], alone[neighbour]], rel=1e-5, abs=NEARLY_ZERO)


@pytest.mark.parametrize("name", MODELS)
def test_same_logits_in_batches_of_1_7_and_32(tiny: TinyCollection, name: str) -> None:
    """Shuffled, so that the shortest stand beside the longest, which no budget would do."""
    model, reader = tiny.reranker(**MODELS[name])
    passages = [passage for document in tiny.documents for passage in reader.read("t1", document)]
    with torch.inference_mode():
        alone = torch.cat([model(reader.batch([passage])) for passage in passages])
        for size in (7, 32):
            order = random.Random(size).sample(range(len(passages)), len(passages))
            parts = [order[start : start + size] for start in range(0, len(order), size)]
            found = torch.cat([model(reader.batch([passages[number] for number in part])) for part in parts])
            torch.testing.assert_close(found, alone[order], rtol=1e-5, atol=NEARLY_ZERO)


def test_a_score_is_the_mean_over_real_passages(tiny: TinyCollection) -> None:
    model, reader = tiny.reranker(kind="mart")
    passages = reader.read("t1", "long")
    assert len(passages) > 5
    with torch.no_grad():
        logits = [float(model(reader.batch([passage]))) for passage in passages]
    (score,) = Scorer(model, reader).score("t1", ["long"])
    assert score == pytest.approx(sum(logits) / len(logits), rel=1e-5, abs=NEARLY_ZERO)


class Watched(torch.nn.Module):
    """A re-ranker that notes the size of each batch, and has no memory for more than ``most`` pieces, padding too."""

    def __init__(self, model: Reranker, most: int | None = None, error: type[BaseException] | None = None) -> None:
        super().__init__()
        self.model, self.encoder, self.most, self.error = model, model.encoder, most, error
        self.shapes: list[tuple[int, int]] = []
        self.scored = 0

    def forward(self, batch: Batch) -> Any:
        if self.most is not None and batch.pieces.numel() > self.most:
            assert self.error is not None
            raise self.error("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes.")
        self.shapes.append(tuple(batch.pieces.shape))  # type: ignore[arg-type]
        self.scored += len(batch)
        return self.model(batch)


def test_the_longest_come_first_within_the_budget(tiny: TinyCollection) -> None:
    model, reader = tiny.reranker(kind="bert")
    watched = Watched(model)
    Scorer(watched, reader, tokens=120).score("t1", list(tiny.documents))
    lengths = [length for _, length in watched.shapes]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[-1]
    assert max(count * length for count, length in watched.shapes) <= 120


@pytest.mark.parametrize("error", [RuntimeError, MemoryError, torch.OutOfMemoryError])
def test_out_of_memory_halves_the_budget_and_loses_nothing(tiny: TinyCollection, error: type[BaseException]) -> None:
    model, reader = tiny.reranker(kind="mart")
    documents = list(tiny.documents)
    expected = Scorer(model, reader).score("t1", documents)
    said: list[str] = []
    watched = Watched(model, most=100, error=error)
    scorer = Scorer(watched, reader, tokens=1000, say=said.append)
    assert scorer.score("t1", documents) == pytest.approx(expected, rel=1e-5, abs=NEARLY_ZERO)
    assert watched.scored == sum(len(reader.read("t1", document)) for document in documents)
    assert scorer.tokens <= 100
    assert said[-1] == f"out of memory: going on with batches of {scorer.tokens} word pieces"
    count = len(said)
    scorer.score("t1", documents)
    assert len(said) == count  # the smaller budget stays


def test_a_passage_that_fits_no_memory_is_named(tiny: TinyCollection) -> None:
    model, reader = tiny.reranker(kind="bert")
    watched = Watched(model, most=10, error=RuntimeError)
    with pytest.raises(ClirError, match=r"no memory to score a passage of \d+ word pieces \(document t1-d3, "):
        Scorer(watched, reader).score("t1", ["t1-d3"])


def test_other_errors_are_not_taken_for_a_lack_of_memory(tiny: TinyCollection) -> None:
    class Broken(Watched):
        def forward(self, batch: Batch) -> Any:
            raise RuntimeError("a fault in the code")

    model, reader = tiny.reranker(kind="bert")
    with pytest.raises(RuntimeError, match="a fault in the code"):
        Scorer(Broken(model), reader).score("t1", ["t1-d3"])


def test_no_documents_no_scores(tiny: TinyCollection) -> None:
    assert Scorer(*tiny.reranker(kind="bert")).score("t1", []) == []


def test_a_score_that_is_no_number_names_its_document(tiny: TinyCollection) -> None:
    model, reader = tiny.reranker(kind="bert")
    torch.nn.init.constant_(model.head.bias, float("nan"))
    with pytest.raises(ClirError, match="document short for topic t1 is nan"):
        Scorer(model, reader).score("t1", ["short"])
