"""A collection small enough to train on in a test: made-up words in two languages, a dictionary between them."""

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.encoder import create_encoder
from clir_cli.encoders.piece_store import PieceStore, write_pieces
from clir_cli.encoders.pieces import TextEncoder
from clir_cli.records import Qrels, Run, ScoredDoc, TopicLinks
from clir_cli.rerankers.build import Reranker, build_reranker
from clir_cli.rerankers.reading import PassageReader

VOWELS, CONSONANTS = "aeiou", "bdfgklmnprstvz"


@dataclass
class TinyCollection:
    """Topics t1, t2, ... with some relevant documents each; every query word has one translation in those."""

    folder: Path  # of the encoder
    queries: dict[str, str] = field(default_factory=dict)
    documents: dict[str, str] = field(default_factory=dict)
    qrels: Qrels = field(default_factory=dict)
    candidates: Run = field(default_factory=dict)
    links: dict[str, TopicLinks] = field(default_factory=dict)

    def reranker(self, seed: int = 1, **build: Any) -> tuple[Reranker, PassageReader]:
        """A new re-ranker in evaluation mode, and what it reads."""
        model = build_reranker(self.folder, seed=seed, **build).eval()
        return model, self.reader(model)

    def reader(self, model: Reranker, **reading: Any) -> PassageReader:
        return PassageReader(
            model,
            load_tokenizer(self.folder),
            queries=self.queries,
            documents=self.pieces(),
            links=self.links,
            **reading,
        )

    def pieces(self) -> PieceStore:
        """The documents, as they are now, as word pieces."""
        folder = self.folder.with_name(f"pieces-{len(list(self.folder.parent.glob('pieces-*')))}")
        encoder = TextEncoder(load_tokenizer(self.folder))
        return write_pieces(folder, self.documents.items(), encoder, max_pieces=800)


def make_collection(
    folder: Path, *, topics: int = 8, relevant: int = 2, others: int = 6, positions: int = 48, seed: int = 1
) -> TinyCollection:
    """Documents of 3 to 40 words; topic lists hold all documents made for the topic, relevant ones not first."""
    numbers = random.Random(seed)
    syllables = [consonant + vowel for consonant in CONSONANTS for vowel in VOWELS]
    words = ["".join(pair) for pair in numbers.sample([(x, y) for x in syllables for y in syllables], 120)]
    source, target = words[:40], words[40:]  # the last 40 target words translate nothing
    create_encoder(
        folder, _tokenizer(words), layers=4, width=16, heads=2, inner=32, positions=positions, dropout=0.1, seed=seed
    )
    tiny = TinyCollection(folder)
    for number in range(topics):
        topic = f"t{number + 1}"
        asked = numbers.sample(range(40), 3)
        tiny.queries[topic] = " ".join(source[word] for word in asked)
        tiny.links[topic] = {source[word]: {target[word]: numbers.uniform(0.3, 0.9)} for word in asked}
        tiny.qrels[topic] = {}
        names = []
        for document in range(relevant + others):
            name = f"{topic}-d{document}"
            unrelated = [word for index, word in enumerate(target) if index not in asked]
            text = numbers.choices(unrelated, k=numbers.randint(3, 40))
            if document >= others:
                text[: len(asked)] = [target[word] for word in asked]
                numbers.shuffle(text)
            tiny.documents[name] = " ".join(text)
            tiny.qrels[topic][name] = int(document >= others)
            names.append(name)
        tiny.candidates[topic] = [ScoredDoc(name, float(-place)) for place, name in enumerate(names)]
    return tiny


def _tokenizer(words: list[str]) -> Any:
    """WordPiece with a piece for each syllable, so that every word has two."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    syllables = sorted({word[:2] for word in words} | {"##" + word[2:] for word in words})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *syllables]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]",
    )  # fmt: skip
