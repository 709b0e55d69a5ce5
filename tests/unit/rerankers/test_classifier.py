"""Classifiers of transformers score the same here."""

from pathlib import Path

import pytest
import torch

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.rerankers.build import build_reranker, load_reranker, save_reranker
from clir_cli.rerankers.zero_shot import load_zero_shot
from clir_cli.reranking.texts import score_texts

QUERY, DOCUMENTS = "katze haus", ["die katze", "haus eau katze eau", "l'eau ..", "e"]


@pytest.fixture(scope="module", params=[("xlm-roberta", 1), ("roberta", 2)], ids=lambda param: f"{param[0]}-{param[1]}")
def classifier(request, tmp_path_factory, sentence_pieces):
    """(model of transformers, its folder): large weights, so that scores differ."""
    from transformers import AutoConfig, AutoModelForSequenceClassification

    kind, labels = request.param
    folder = tmp_path_factory.mktemp("classifier") / kind
    config = AutoConfig.for_model(
        kind, vocab_size=len(sentence_pieces), hidden_size=12, num_hidden_layers=2, num_attention_heads=3,
        intermediate_size=20, max_position_embeddings=66, type_vocab_size=1, pad_token_id=1, num_labels=labels,
    )  # fmt: skip
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(3)
        model = AutoModelForSequenceClassification.from_config(config).eval()
        for parameter in model.parameters():
            parameter.mul_(5).add_(0.01)
    model.save_pretrained(folder)
    sentence_pieces.save_pretrained(folder)
    return model, folder


def logits(model, tokenizer) -> list[float]:
    found = []
    for document in DOCUMENTS:
        pair = tokenizer(QUERY, document, return_tensors="pt")
        with torch.no_grad():
            scores = model(input_ids=pair["input_ids"], attention_mask=pair["attention_mask"]).logits[0]
        found.append(float(scores[-1] if len(scores) == 1 else scores[1] - scores[0]))
    return found


def test_logits_are_those_of_transformers(classifier):
    theirs, folder = classifier
    model, tokenizer = load_zero_shot(folder)
    expected = logits(theirs, tokenizer)
    assert max(expected) - min(expected) > 1e-3
    assert score_texts(model, tokenizer, QUERY, DOCUMENTS) == pytest.approx(expected, abs=1e-5)


def test_a_head_that_reads_the_pooler_is_kept_for_fine_tuning(classifier, tmp_path: Path):
    _, folder = classifier
    ranker, tokenizer = load_zero_shot(folder)
    expected = score_texts(ranker, tokenizer, QUERY, DOCUMENTS)
    start = build_reranker(folder, pooler=True, seed=1).eval()
    assert score_texts(start, tokenizer, QUERY, DOCUMENTS) == expected
    save_reranker(start, tokenizer, tmp_path / "start")
    assert score_texts(*load_reranker(tmp_path / "start"), QUERY, DOCUMENTS) == expected
    fresh = build_reranker(folder, pooler=False, seed=1)
    assert fresh.encoder.pooler is None
    assert not torch.equal(fresh.head.weight, start.head.weight)
    assert load_tokenizer(folder).get_vocab() == tokenizer.get_vocab()
