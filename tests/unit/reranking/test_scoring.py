"""A score belongs to a query and a document, not to the batch it was computed in."""

import random

import pytest
import torch

from clir_cli.errors import ClirError
from clir_cli.reranking.scoring import score_documents
from tests.tiny_collection import TinyCollection, make_collection

MODELS = {
    "m2bert": {"kind": "bert"},
    "mart-plb": {"kind": "mart", "arm": "identity"},
    "mart": {"kind": "mart", "arm": "translation"},
    "mart-blocks": {"kind": "mart", "arm": "blocks"},
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
    one_by_one = {document: score_documents(model, reader, "t1", [document], batch=1)[0] for document in documents}
    assert len(set(one_by_one.values())) == len(documents)
    for batch in (1, 7, 32):
        random.Random(batch).shuffle(documents)
        scores = score_documents(model, reader, "t1", documents, batch=batch)
        assert scores == pytest.approx([one_by_one[document] for document in documents], rel=1e-5, abs=NEARLY_ZERO)
    for neighbour in ("short", "long"):
        scores = score_documents(model, reader, "t1", ["t1-d3", neighbour])
        assert scores == pytest.approx([one_by_one["t1-d3"], one_by_one[neighbour]], rel=1e-5, abs=NEARLY_ZERO)


def test_a_score_is_the_mean_over_real_passages(tiny: TinyCollection) -> None:
    model, reader = tiny.reranker(kind="mart")
    passages = reader.read("t1", "long")
    assert len(passages) > 5
    with torch.no_grad():
        logits = [float(model(reader.batch([passage]))) for passage in passages]
    (score,) = score_documents(model, reader, "t1", ["long"])
    assert score == pytest.approx(sum(logits) / len(logits), rel=1e-5, abs=NEARLY_ZERO)


def test_the_longest_come_first(tiny: TinyCollection, monkeypatch: pytest.MonkeyPatch) -> None:
    model, reader = tiny.reranker(kind="bert")
    lengths: list[int] = []
    original = reader.batch

    def batch(passages):  # type: ignore[no-untyped-def]
        lengths.extend(len(passage.pieces) for passage in passages)
        return original(passages)

    monkeypatch.setattr(reader, "batch", batch)
    score_documents(model, reader, "t1", list(tiny.documents), batch=3)
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[-1]


def test_no_documents_no_scores(tiny: TinyCollection) -> None:
    assert score_documents(*tiny.reranker(kind="bert"), "t1", []) == []


def test_a_score_that_is_no_number_names_its_document(tiny: TinyCollection) -> None:
    model, reader = tiny.reranker(kind="bert")
    torch.nn.init.constant_(model.head.bias, float("nan"))
    with pytest.raises(ClirError, match="document short for topic t1 is nan"):
        score_documents(model, reader, "t1", ["short"])
