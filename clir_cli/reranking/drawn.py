"""A query and documents of given lengths, drawn: for measuring, where only lengths matter."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from clir_cli.encoders.piece_store import PieceStore, write_pieces
from clir_cli.encoders.pieces import TextEncoder
from clir_cli.errors import DataError
from clir_cli.records import TopicLinks

TOPIC = "drawn"
LINKED = 8
"""One document word in so many translates a query word."""


class Drawn(NamedTuple):
    """A query, documents by id, and links between their words."""

    query: str
    documents: dict[str, str]
    links: TopicLinks

    def write(self, folder: Path, tokenizer: Any) -> PieceStore:
        """The documents as word pieces."""
        return write_pieces(folder, self.documents.items(), TextEncoder(tokenizer), max_pieces=1 << 20)

    def reading(self, store: PieceStore) -> dict[str, Any]:
        """What a ``PassageReader`` is given."""
        return {"queries": {TOPIC: self.query}, "documents": store, "links": {TOPIC: self.links}}


def draw(tokenizer: Any, query: int, documents: list[int], seed: int = 1) -> Drawn:
    """A query of ``query`` word pieces and documents of so many each, special pieces not counted.

    Every word is one piece of ``tokenizer``. The same arguments give the same texts. Raises ``DataError`` where the
    vocabulary has too few whole words to draw from.
    """
    dice = np.random.default_rng(seed)
    words = whole_words(tokenizer)
    if len(words) <= 5 * query:
        problem = f"The tokenizer has {len(words)} whole words of 4 to 8 letters, too few for texts of given lengths."
        raise DataError(problem, "Take a checkpoint with a larger vocabulary, or a shorter query.")
    dice.shuffle(words)
    asked, answers, others = words[:query], words[query : 5 * query], words[5 * query :]
    texts = {}
    for number, count in enumerate(documents):
        linked = dice.random(count) < 1 / LINKED
        texts[f"d{number}"] = " ".join(np.where(linked, dice.choice(answers, count), dice.choice(others, count)))
    links = {word: {answer: float(dice.random()) for answer in dice.choice(answers, 4)} for word in asked}
    return Drawn(" ".join(asked), texts, links)


def whole_words(tokenizer: Any, most: int = 4000) -> list[str]:
    """Words of 4 to 8 plain letters that are a piece by themselves, between others too."""
    found = sorted({piece.removeprefix("▁") for piece in tokenizer.get_vocab() if piece.startswith("▁")})
    words = [word for word in found or sorted(tokenizer.get_vocab()) if 4 <= len(word) <= 8]
    words = [word for word in words if word.isascii() and word.isalpha() and word.islower()]
    kept = [word for word in words if len(tokenizer(f"a {word} a", add_special_tokens=False)["input_ids"]) == 3]
    return kept[:most]


def word_tokenizer() -> Any:
    """A tokenizer in BERT's arrangement to which each of some thousand made-up words is a piece."""
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
    wrap: Any = PreTrainedTokenizerFast
    names = ["input_ids", "token_type_ids", "attention_mask"]
    return wrap(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        model_input_names=names,
    )  # fmt: skip
