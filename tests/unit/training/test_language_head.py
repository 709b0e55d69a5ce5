"""A checkpoint's own language head, against transformers' models as the reference."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from clir_cli.encoders.language_head import load_language_head
from clir_cli.encoders.load import load_encoder
from clir_cli.training.language_learner import LanguageLearner, LanguageRecipe
from clir_cli.training.masking import Masker
from clir_cli.training.packing import pack_texts


@pytest.mark.parametrize("kind", ["bert", "xlm-roberta"])
@torch.no_grad()
def test_logits_are_those_of_transformers(kind: str, word_tokenizer: Any, tmp_path: Path) -> None:
    from transformers import AutoConfig, AutoModelForMaskedLM

    config = AutoConfig.for_model(
        kind, vocab_size=len(word_tokenizer), hidden_size=12, num_hidden_layers=2, num_attention_heads=3,
        intermediate_size=14, max_position_embeddings=40, type_vocab_size=1 if kind == "xlm-roberta" else 2,
        pad_token_id=word_tokenizer.pad_token_id,
    )  # fmt: skip
    torch.manual_seed(3)
    reference = AutoModelForMaskedLM.from_config(config).eval()
    for parameter in reference.parameters():
        parameter.normal_(0, 0.3)
    reference.save_pretrained(tmp_path / "model")
    head = load_language_head(tmp_path / "model")
    assert head is not None
    inputs = pack_texts(["the red cat sees the dog and the bird"] * 5, word_tokenizer, 12)
    learner = LanguageLearner(
        load_encoder(tmp_path / "model"), word_tokenizer, inputs, tmp_path, LanguageRecipe(), identity="",
        progress=lambda *_: None,
    )  # fmt: skip
    learner.take_head(head)
    assert not any(parameter.requires_grad for parameter in learner.model.parameters())
    batch = Masker(word_tokenizer, 0.4).hide(inputs[:3], np.random.default_rng(2))
    expected = reference(batch.pieces, attention_mask=batch.real).logits[batch.hidden]
    torch.testing.assert_close(learner.model.eval()(batch), expected, rtol=1e-4, atol=1e-5)
