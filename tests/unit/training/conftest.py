"""A tokenizer of whole words and an encoder small enough to train in a test."""

from pathlib import Path
from typing import Any

import pytest

from clir_cli.encoders.encoder import Encoder, new_encoder
from clir_cli.training.vocabulary import learn_vocabulary

WORDS = ["red", "green", "blue", "cat", "dog", "bird", "sees", "hears", "finds", "good", "bad", "the", "and", "of"]


@pytest.fixture(scope="session")
def word_tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Each of ``WORDS`` is one piece."""
    from transformers import AutoTokenizer

    folder: Path = tmp_path_factory.mktemp("words") / "vocabulary"
    learn_vocabulary([" ".join(WORDS)] * 2, 300, folder)
    return AutoTokenizer.from_pretrained(folder)


@pytest.fixture
def tiny_encoder(word_tokenizer: Any) -> Encoder:
    """Two layers of width 16; the same weights in every test."""
    return new_encoder(len(word_tokenizer), layers=2, width=16, heads=2, inner=32, positions=40, dropout=0.0, seed=1)
