"""A cross-encoder of a real shape, for the benchmarks of the re-rankers."""

import os
from pathlib import Path

import torch

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.encoder import create_encoder
from clir_cli.reranking.drawn import word_tokenizer


def find_encoder(folder: Path) -> Path:
    """The real encoder where ``CLIR_REAL_DATA`` tells of one, else one of the same shape with random weights."""
    real = Path(os.environ.get("CLIR_REAL_DATA", "nowhere")) / ".." / "models" / "e5-small-7lang"
    if real.is_dir():
        print("encoder: e5-small-7lang, 12 layers, width 384")
        return real.resolve()
    print("encoder: random weights, 12 layers, width 384 (CLIR_REAL_DATA names no real one)")
    create_encoder(folder, word_tokenizer(), layers=12, width=384, heads=12, inner=1536, positions=512, seed=1)
    return folder


def save_cross_encoder(encoder: Path, folder: Path) -> None:
    """The encoder with a pooler and a head of one label, random ones, as Hugging Face's own classes save it."""
    from transformers import AutoModelForSequenceClassification

    torch.manual_seed(1)
    model = AutoModelForSequenceClassification.from_pretrained(encoder, num_labels=1, dtype=torch.float32)
    with torch.no_grad():
        model.classifier.weight.mul_(20)  # scores that can be told apart
    model.save_pretrained(folder)
    load_tokenizer(encoder).save_pretrained(folder)
