"""Checkpoints that rank as they are."""

from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import BertConfig, BertForSequenceClassification

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.errors import DataError
from clir_cli.rerankers.build import build_reranker, save_reranker
from clir_cli.rerankers.reading import PassageReader
from clir_cli.rerankers.zero_shot import load_zero_shot
from tests.tiny_collection import TinyCollection, make_collection


@pytest.fixture
def tiny(tmp_path: Path) -> TinyCollection:
    return make_collection(tmp_path / "encoder")


def classifier(tiny: TinyCollection, labels: int, folder: Path, seed: int = 5) -> BertForSequenceClassification:
    """A Hugging Face sequence classifier over the same vocabulary."""
    torch.manual_seed(seed)
    tokenizer = load_tokenizer(tiny.folder)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=48, num_labels=labels, pad_token_id=0,
    )  # fmt: skip
    model = BertForSequenceClassification(config).eval()
    with torch.no_grad():  # large weights, so that scores differ
        for parameter in model.parameters():
            parameter.mul_(5)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return model


def scores(model: Any, tokenizer: Any, tiny: TinyCollection, topic: str) -> list[float]:
    reader = PassageReader(model, tokenizer, queries=tiny.queries, documents=tiny.pieces(), links=tiny.links)
    from clir_cli.reranking.scoring import Scorer

    documents = [entry.document for entry in tiny.candidates[topic]]
    return Scorer(model, reader).score(topic, documents)


@pytest.mark.parametrize("labels", [1, 2])
def test_scores_are_those_of_the_classifier(tiny: TinyCollection, tmp_path: Path, labels: int) -> None:
    theirs = classifier(tiny, labels, tmp_path / "classifier")
    model, tokenizer = load_zero_shot(tmp_path / "classifier")
    short = [entry.document for entry in tiny.candidates["t1"]]
    expected = []
    for document in short:
        pair = tokenizer(
            tiny.queries["t1"], tiny.documents[document], return_tensors="pt", return_token_type_ids=True,
            truncation="only_second", max_length=48,
        )  # fmt: skip
        with torch.no_grad():
            logits = theirs(**pair).logits[0]
        expected.append(float(logits[-1] if labels == 1 else logits[1] - logits[0]))
    ours = scores(model, tokenizer, tiny, "t1")
    fits = [
        place for place, document in enumerate(short)
        if len(tokenizer(tiny.queries["t1"], tiny.documents[document])["input_ids"]) <= 48
    ]  # fmt: skip
    assert len(fits) >= 3  # longer documents are read in passages, the classifier would cut them
    assert [ours[place] for place in fits] == pytest.approx([expected[place] for place in fits], abs=1e-4)
    assert max(ours) - min(ours) > 1e-3


def test_a_folder_of_ours_scores_with_the_head_it_holds(tiny: TinyCollection, tmp_path: Path) -> None:
    trained = build_reranker(tiny.folder, seed=3).eval()
    save_reranker(trained, load_tokenizer(tiny.folder), tmp_path / "ours")
    model, tokenizer = load_zero_shot(tmp_path / "ours")
    assert torch.equal(model.head.weight, trained.head.weight)
    assert scores(model, tokenizer, tiny, "t1") == scores(trained, tokenizer, tiny, "t1")


def test_an_encoder_without_a_head_cannot_rank(tiny: TinyCollection) -> None:
    with pytest.raises(DataError) as caught:
        load_zero_shot(tiny.folder)
    assert str(caught.value) == (
        f"{tiny.folder} cannot rank as it is: it brings no ranking head of one or two labels. "
        "Pre-train it on ranking examples (`pretrain.ranking`), or take a checkpoint trained for re-ranking."
    )


def test_a_classifier_of_three_labels_is_no_ranker(tiny: TinyCollection, tmp_path: Path) -> None:
    classifier(tiny, 3, tmp_path / "three")
    with pytest.raises(DataError, match="no ranking head of one or two labels"):
        load_zero_shot(tmp_path / "three")


def test_a_cut_encoder_lost_the_layer_its_head_reads(tiny: TinyCollection, tmp_path: Path) -> None:
    classifier(tiny, 2, tmp_path / "classifier")
    with pytest.raises(DataError, match="its head belongs to its last layer"):
        load_zero_shot(tmp_path / "classifier", layers=1)
