"""A query and documents of given lengths, and a cross-encoder for them, for the benchmarks of the re-rankers."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.encoder import create_encoder
from clir_cli.records import TopicLinks

QUERY_PIECES = 16


@dataclass
class Pairs:
    """A query, documents by id, and links between their words."""

    query: str
    documents: dict[str, str]
    links: TopicLinks


def find_encoder(folder: Path) -> Path:
    """The real encoder where ``CLIR_REAL_DATA`` tells of one, else one of the same shape with random weights."""
    real = Path(os.environ.get("CLIR_REAL_DATA", "nowhere")) / ".." / "models" / "e5-small-7lang"
    if real.is_dir():
        print("encoder: e5-small-7lang, 12 layers, width 384")
        return real.resolve()
    print("encoder: random weights, 12 layers, width 384 (CLIR_REAL_DATA names no real one)")
    create_encoder(folder, _word_tokenizer(), layers=12, width=384, heads=12, inner=1536, positions=512, seed=1)
    return folder


def draw_pairs(tokenizer: Any, lengths: list[int], seed: int = 1) -> Pairs:
    """Documents that make inputs of ``lengths`` pieces beside a query of 16, [CLS] and [SEP] counted.

    Every word is one piece; one document word in eight translates a query word.
    """
    dice = np.random.default_rng(seed)
    words = _whole_words(tokenizer)
    dice.shuffle(words)
    asked, answers, others = words[:QUERY_PIECES], words[QUERY_PIECES : 5 * QUERY_PIECES], words[5 * QUERY_PIECES :]
    specials = len(tokenizer("a", "a")["input_ids"]) - 2
    documents = {}
    for number, length in enumerate(lengths):
        count = length - specials - QUERY_PIECES
        drawn = np.where(dice.random(count) < 1 / 8, dice.choice(answers, count), dice.choice(others, count))
        documents[f"d{number}"] = " ".join(drawn)
    links = {word: {answer: float(dice.random()) for answer in dice.choice(answers, 4)} for word in asked}
    return Pairs(" ".join(asked), documents, links)


def save_cross_encoder(encoder: Path, folder: Path) -> None:
    """The encoder with a pooler and a head of one label, random ones, as Hugging Face's own classes save it."""
    from transformers import AutoModelForSequenceClassification

    torch.manual_seed(1)
    model = AutoModelForSequenceClassification.from_pretrained(encoder, num_labels=1, dtype=torch.float32)
    with torch.no_grad():
        model.classifier.weight.mul_(20)  # scores that can be told apart
    model.save_pretrained(folder)
    load_tokenizer(encoder).save_pretrained(folder)


def _whole_words(tokenizer: Any) -> list[str]:
    """Words of 4 to 8 plain letters that are a piece by themselves, between others too."""
    found = sorted({piece.removeprefix("▁") for piece in tokenizer.get_vocab() if piece.startswith("▁")})
    words = [word for word in found or sorted(tokenizer.get_vocab()) if 4 <= len(word) <= 8]
    words = [word for word in words if word.isascii() and word.isalpha() and word.islower()]
    kept = [word for word in words if len(tokenizer(f"a {word} a", add_special_tokens=False)["input_ids"]) == 3]
    return kept[:4000]


def _word_tokenizer() -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    letters = "abcdefghijklmnopqrst"
    words = [a + b + c + d for a in letters for b in "aeiou" for c in letters for d in "aeiou"][:6000]
    vocabulary = {piece: number for number, piece in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )
