"""A BERT-like encoder, taken apart into its leaf modules and put together with places for more.

This is the only file that knows how transformers arranges a model; ``load`` reads one from a checkpoint.
"""

from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn

from clir_cli.encoders.initial import draw_encoder
from clir_cli.encoders.layer import Attention, FeedForward, Layer, Sides, gelu
from clir_cli.errors import DataError

LEAVES = {
    "attend.query": "attention.self.query",
    "attend.key": "attention.self.key",
    "attend.value": "attention.self.value",
    "attend.output": "attention.output.dense",
    "attend.norm": "attention.output.LayerNorm",
    "feed.inner": "intermediate.dense",
    "feed.outer": "output.dense",
    "norm": "output.LayerNorm",
}
"""Our name of a leaf module in a layer -> the checkpoint's."""


class Encoder(nn.Module):
    """Embeddings and a stack of layers; ``pooler`` is the checkpoint's map of [CLS], None where not asked for.

    ``invertible`` is a place after the embeddings, empty until an adapter is put in.
    """

    config: Any
    embeddings: nn.Module
    invertible: nn.Module | None
    pooler: nn.Module | None

    def __init__(self, model: Any) -> None:
        """``model``: a loaded ``BertModel`` or ``XLMRobertaModel``, whose leaf modules are used as they are."""
        super().__init__()
        config = model.config
        self.config = config
        self.embeddings = model.embeddings
        self.invertible = None
        self.layers = nn.ModuleList(_layer(layer, config) for layer in model.encoder.layer)
        self.pooler = model.pooler.dense if model.pooler is not None else None
        # RoBERTa's positions begin after the number of its padding piece, BERT's at 0.
        self.first_position: int = 0 if config.model_type == "bert" else config.pad_token_id + 1

    @property
    def width(self) -> int:
        """d, the length of a hidden vector."""
        return int(self.config.hidden_size)

    @property
    def max_pieces(self) -> int:
        """The longest input, special pieces included."""
        return int(self.config.max_position_embeddings) - self.first_position

    def forward(
        self,
        pieces: Tensor,
        types: Tensor,
        mask: Tensor | None = None,
        knowledge: Any = None,
        *,
        sides: Sides = None,
        first_only: bool = False,
        depth: int | None = None,
    ) -> Tensor:
        """Hidden vectors of the last layer; with ``first_only`` those of the first piece alone, [B, 1, d].

        ``depth``: go only through so many layers, from the first.

        ``pieces`` and ``types`` int64 [B, m]; ``mask`` boolean [B, m], False at padding, None where there is none;
        ``knowledge`` is for the layers' ``mix`` places, ``sides`` for adapters. Returns [B, m, d]. Padding is on the
        right and moves nothing.
        """
        h = self._embed(pieces, types, sides)
        *lower, last = cast(list[Layer], list(self.layers[:depth]))
        for layer in lower:
            h = layer(h, mask, knowledge, sides)
        return last.first(h, mask, sides) if first_only else last(h, mask, knowledge, sides)

    def states(
        self,
        pieces: Tensor,
        types: Tensor,
        mask: Tensor | None = None,
        knowledge: Any = None,
        *,
        sides: Sides = None,
    ) -> list[Tensor]:
        """The embeddings and what each layer makes of them, the last included: L + 1 tensors [B, m, d]."""
        found = [self._embed(pieces, types, sides)]
        for layer in self.layers:
            found.append(layer(found[-1], mask, knowledge, sides))
        return found

    def _embed(self, pieces: Tensor, types: Tensor, sides: Sides) -> Tensor:
        length = pieces.shape[1]
        if length > self.max_pieces:
            raise DataError(
                f"An input of {length} pieces does not fit an encoder with {self.max_pieces} positions.",
                f"Set max_pieces to at most {self.max_pieces}.",
            )
        if self.config.type_vocab_size == 1:
            types = torch.zeros_like(types)
        positions = torch.arange(self.first_position, self.first_position + length, device=pieces.device)
        found: Tensor = self.embeddings(input_ids=pieces, token_type_ids=types, position_ids=positions.unsqueeze(0))
        if self.invertible is not None:
            found = self.invertible(found, sides)
        return found

    def pool(self, h: Tensor) -> Tensor:
        """The vector that stands for each input: [CLS], through the pooler where there is one; [B, m, d] -> [B, d]."""
        first = h[:, 0]
        return first if self.pooler is None else torch.tanh(self.pooler(first))


def _layer(layer: Any, config: Any) -> Layer:
    leaf = {ours: layer.get_submodule(theirs) for ours, theirs in LEAVES.items()}
    dropout = config.hidden_dropout_prob
    attend = Attention(
        *(leaf[f"attend.{name}"] for name in ("query", "key", "value", "output", "norm")),
        heads=config.num_attention_heads,
        dropout=dropout,
        attention_dropout=config.attention_probs_dropout_prob,
    )
    activation = gelu if config.hidden_act == "gelu" else layer.intermediate.intermediate_act_fn
    return Layer(attend, FeedForward(leaf["feed.inner"], activation, leaf["feed.outer"], dropout=dropout), leaf["norm"])


def create_encoder(
    folder: Path,
    tokenizer: Any,
    *,
    layers: int = 4,
    width: int = 64,
    heads: int = 4,
    inner: int = 256,
    positions: int = 256,
    dropout: float = 0.1,
    seed: int = 42,
) -> None:
    """Write a BERT with random weights (no pooler), and its tokenizer, to ``folder``: a checkpoint like any other."""
    encoder = new_encoder(
        len(tokenizer),
        layers=layers,
        width=width,
        heads=heads,
        inner=inner,
        positions=positions,
        dropout=dropout,
        pad=tokenizer.pad_token_id,
        seed=seed,
    )
    save_encoder(encoder, tokenizer, folder)


def new_encoder(
    vocabulary: int,
    *,
    layers: int,
    width: int,
    heads: int,
    inner: int,
    positions: int,
    dropout: float = 0.1,
    pad: int = 0,
    seed: int = 42,
) -> Encoder:
    """A BERT with random weights (``draw_encoder``), decided by ``seed`` alone; ``vocabulary``: its embeddings."""
    from transformers import BertConfig, BertModel

    config = BertConfig(
        vocab_size=vocabulary,
        num_hidden_layers=layers,
        hidden_size=width,
        num_attention_heads=heads,
        intermediate_size=inner,
        max_position_embeddings=positions,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=dropout,
        pad_token_id=pad,
    )
    with torch.random.fork_rng(devices=[]):  # building draws numbers that are thrown away
        encoder = Encoder(BertModel(config, add_pooling_layer=False))
    draw_encoder(encoder, seed)
    return encoder


def save_encoder(encoder: Encoder, tokenizer: Any, folder: Path) -> None:
    """Write encoder and tokenizer to ``folder`` as a Hugging Face checkpoint, whole or not at all."""
    from clir_cli.encoders.folder import write_folder

    write_folder(folder, encoder, tokenizer)


def checkpoint_name(name: str) -> str:
    """Our name of an encoder's parameter -> its name in a Hugging Face checkpoint."""
    if name.startswith("layers."):
        _, number, rest = name.split(".", 2)
        leaf, parameter = rest.rsplit(".", 1)
        return f"encoder.layer.{number}.{LEAVES[leaf]}.{parameter}"
    if name.startswith("pooler."):
        return name.replace("pooler.", "pooler.dense.", 1)
    return name
