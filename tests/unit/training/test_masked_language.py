"""Masked language modelling."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from clir_cli.encoders.encoder import Encoder
from clir_cli.errors import DataError
from clir_cli.training.masked_language import (
    MaskedLanguageModel,
    held_out_loss,
    masked_loss,
    set_aside,
    train_masked_language,
)
from clir_cli.training.masking import InputCutter, Masker


def test_the_loss_is_minus_log_of_the_probability_of_each_hidden_piece(
    word_tokenizer: Any, tiny_encoder: Encoder
) -> None:
    model = MaskedLanguageModel(tiny_encoder, seed=1).eval()
    inputs = InputCutter(word_tokenizer, 16).cut(["the red cat sees the dog", "good bird", ("cat", "dog and bird")])
    batch = Masker(word_tokenizer, 0.4).hide(inputs, np.random.default_rng(3))
    with torch.no_grad():
        losses = masked_loss(model, batch).tolist()
        h = tiny_encoder(batch.pieces, batch.types, batch.real)
    embeddings = tiny_encoder.embeddings.word_embeddings.weight
    expected = []
    for row, column in batch.hidden.nonzero().tolist():  # row by row, left to right
        x = model.norm(torch.nn.functional.gelu(model.transform(h[row, column])))
        probabilities = (embeddings @ x + model.bias).softmax(0)
        expected.append(-float(probabilities[batch.answers[len(expected)]].log().detach()))
    assert losses == pytest.approx(expected, abs=1e-5)
    assert len(losses) > 2


def test_output_embeddings_are_the_input_embeddings(word_tokenizer: Any, tiny_encoder: Encoder) -> None:
    model = MaskedLanguageModel(tiny_encoder, seed=1)
    new = sum(p.numel() for p in model.parameters()) - sum(p.numel() for p in tiny_encoder.parameters())
    assert new == 16 * 16 + 16 + 2 * 16 + len(word_tokenizer)  # transform, layer norm, bias: no second table


def test_the_head_depends_on_the_seed_alone(tiny_encoder: Encoder) -> None:
    torch.manual_seed(1)
    first = MaskedLanguageModel(tiny_encoder, seed=5).transform.weight
    torch.manual_seed(2)
    assert MaskedLanguageModel(tiny_encoder, seed=5).transform.weight.equal(first)
    assert not MaskedLanguageModel(tiny_encoder, seed=6).transform.weight.equal(first)


def test_every_text_is_either_trained_on_or_measured_on() -> None:
    kept, held_out = set_aside(1000, 0.02, 512, seed=1)
    assert sorted([*kept, *held_out]) == list(range(1000))
    assert len(held_out) == 20
    assert len(set_aside(100_000, 0.02, 512, seed=1)[1]) == 512
    assert set_aside(49, 0.02, 512, seed=1)[1].tolist() == []
    assert set_aside(1000, 0.02, 512, seed=2)[1].tolist() != held_out.tolist()


def test_it_learns_what_follows_from_the_other_part(word_tokenizer: Any, tiny_encoder: Encoder, tmp_path: Path) -> None:
    """One of three words, and the same word as its "translation": from chance (log 3) a good part of the way down."""
    dice = np.random.default_rng(1)
    texts = [(word, f"the {word}") for word in dice.choice(["cat", "dog", "bird"], 600).tolist()]
    report = train_masked_language(
        tiny_encoder,
        word_tokenizer,
        texts,
        tmp_path,
        steps=150,
        batch=32,
        learning_rate=2e-2,
        mask=0.3,
        max_pieces=8,
        seed=1,
        checkpoint_every=75,
    )
    assert report["inputs"] == 588
    assert report["held_out_inputs"] == 12
    assert report["held_out_loss_before"] == pytest.approx(np.log(len(word_tokenizer)), abs=0.5)
    # "the" is certain; without the other part, two of three hidden pieces would cost log 3.
    assert report["held_out_loss_after"] < 2 / 3 * np.log(3) * 0.7


def test_the_held_out_loss_is_of_the_same_pieces_every_time(word_tokenizer: Any, tiny_encoder: Encoder) -> None:
    model = MaskedLanguageModel(tiny_encoder, seed=1).train()
    inputs = InputCutter(word_tokenizer, 16).cut(["the red cat sees the dog"] * 5)
    masker = Masker(word_tokenizer, 0.15)
    first = held_out_loss(model, masker, inputs, 2, seed=1, precision="float32")
    assert first == held_out_loss(model, masker, inputs, 2, seed=1, precision="float32")
    assert held_out_loss(model, masker, [], 2, seed=1, precision="float32") is None


def test_texts_without_pieces_are_refused(word_tokenizer: Any, tiny_encoder: Encoder, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no words"):
        train_masked_language(tiny_encoder, word_tokenizer, ["", " "], tmp_path, steps=1, batch=1, learning_rate=1e-3)
