"""MORES: modules for document, query and their interaction, so that documents are computed once.

    D  = encoder(document)                  all layers, without the query
    Q0 = query encoder(query)               the first L - l layers
    Qi = block_i(Qi-1, D), i = 1 .. l       attends to D, then to itself
    score = w . dropout([CLS] of Ql) + b

Gao, Dai and Callan, "Modularized Transfomer-based Ranking Framework", EMNLP 2020. The score of a document of several
passages is their mean, as for all re-rankers here.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Literal, cast

import torch
from torch import Tensor, nn

from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.layer import Layer, set_dropout
from clir_cli.errors import DataError
from clir_cli.rerankers.mat import MixedAttention
from clir_cli.rerankers.mores.batch import ApartBatch, Side
from clir_cli.rerankers.mores.block import InteractionBlock, copied_block
from clir_cli.rerankers.mores.knowledge import Translated, rows_of_queries, translate
from clir_cli.rerankers.reranker import Reranker
from clir_cli.translation.matrix import Arm

BlockStart = Literal["paper", "random", "equal"]


@dataclass(frozen=True, slots=True)
class MoresDescription:
    """What a MORES is, apart from its weights. ``arm`` None: without translation knowledge."""

    kind: Literal["mores"]
    arm: Arm | None
    blocks: int
    tied: bool
    block_start: BlockStart
    init: Literal["paper", "identity"]
    dropout: float | None


class Mores(Reranker):
    """``encoder`` reads documents, ``query`` queries (None where tied: the document encoder's first layers do)."""

    query: Encoder | None

    def __init__(self, encoder: Encoder, description: MoresDescription) -> None:
        """Queries' layers and blocks begin as copies of ``encoder``'s; other new weights are not drawn yet.

        Raises ``DataError`` where no layer would be left for queries.
        """
        super().__init__()
        count = len(encoder.layers) - description.blocks
        if count < 1:
            raise DataError(
                f"{description.blocks} interaction blocks leave no layer of {len(encoder.layers)} to read queries.",
                "Lower blocks.",
            )
        self.encoder = encoder
        self.description: MoresDescription = description
        with torch.random.fork_rng(devices=[]):  # building draws numbers that are thrown away
            rate, epsilon = encoder.config.hidden_dropout_prob, encoder.config.layer_norm_eps
            self.dropout = nn.Dropout(rate)
            self.head = nn.Linear(encoder.width, 1)
            self.query = None if description.tied else _first_layers(encoder, count)
            self.blocks = nn.ModuleList(
                copied_block(
                    cast(Layer, layer),
                    None if self.arm is None else MixedAttention(encoder.width, dropout=rate, epsilon=epsilon),
                )
                for layer in encoder.layers[count:]
            )
        if description.dropout is not None:
            set_dropout(self, description.dropout)

    @property
    def apart(self) -> bool:
        """Query and document are inputs of their own."""
        return True

    def forward(self, batch: ApartBatch) -> Tensor:
        """One logit a passage: [B], in float32. Raises ``ValueError`` for a batch made for another arm."""
        self.check_arm(batch.arm)
        pieces, types, mask = batch.documents
        d = self.encoder(pieces, types, mask, sides="document")  # [B, m, d]
        q = self.read_queries(batch.queries).index_select(0, batch.owners)  # [B, q, d]
        query_mask = None if batch.queries.mask is None else batch.queries.mask.index_select(0, batch.owners)
        knowledge, words, translated = batch.knowledge, None, None
        if knowledge is not None:
            words = knowledge.slots.index_select(0, batch.owners), knowledge.sizes.index_select(0, batch.owners)
            translated = None if knowledge.links is None else translate(knowledge.links, d)

        def attend(number: int, q: Tensor) -> Tensor:
            cross = self.block(number).cross
            return cross.attend(q, *cross.keys_and_values(d), mask)

        return self.interact(q, attend, query_mask, words, translated)

    def interact(
        self,
        q: Tensor,
        attend: Callable[[int, Tensor], Tensor],
        mask: Tensor | None = None,
        words: tuple[Tensor, Tensor] | None = None,
        translated: Translated | None = None,
    ) -> Tensor:
        """The blocks and the head: ``q`` [B, q, d] -> [B].

        ``attend(number, q)`` is the cross-attention of a block, [B, q, d], whatever it is made from. ``words`` are
        ``slots`` and ``sizes`` of ``CrossKnowledge``, ``translated`` what documents add to them. ``q`` and ``words``
        may be those of one query, where ``attend`` gives many documents'.
        """
        last = len(self.blocks) - 1
        for number in range(last + 1):
            block = self.block(number)
            rows = None
            if block.mix is not None:
                rows = q if words is None else rows_of_queries(q, *words, translated)
            q = block(q, attend(number, q), mask, rows, first_only=number == last)
        return self.score(q[:, 0])

    def read_queries(self, queries: Side) -> Tensor:
        """Q0: [U, q, d]."""
        reader = self.encoder if self.query is None else self.query
        q: Tensor = reader(*queries, sides="query", depth=len(self.encoder.layers) - len(self.blocks))
        return q

    def score(self, first: Tensor) -> Tensor:
        """[CLS] of the last block, [B, d] -> [B], in float32."""
        with torch.autocast(first.device.type, enabled=False):  # rankings need all digits of a score
            scores: Tensor = self.head(self.dropout(first).to(self.head.weight.dtype)).squeeze(-1)
        return scores

    def block(self, number: int) -> InteractionBlock:
        """A block by its number, from 0."""
        return cast(InteractionBlock, self.blocks[number])

    def parameter_groups(self) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
        """(pre-trained parameters, new ones: head and translation branches); of those that are to move."""
        new = list(self.head.parameters()) + self.task_parameters()
        for number in range(len(self.blocks)):
            mix = self.block(number).mix
            new += [] if mix is None else list(mix.parameters())
        known = {id(parameter) for parameter in new}
        old = [parameter for parameter in self.parameters() if id(parameter) not in known]
        moving = [[parameter for parameter in group if parameter.requires_grad] for group in (old, new)]
        return moving[0], moving[1]

    def ways(self) -> dict[str, list[tuple[int, Layer]]]:
        """Documents go through all layers of the encoder, queries through theirs (where not tied) and the blocks."""
        first = len(self.encoder.layers) - len(self.blocks)
        query: list[nn.Module] = [] if self.query is None else list(self.query.layers)
        query_layers = list(enumerate(query)) + [
            (first + number, self.block(number).layer) for number in range(len(self.blocks))
        ]
        return {
            "document": [(number, cast(Layer, layer)) for number, layer in enumerate(self.encoder.layers)],
            "query": [(number, cast(Layer, layer)) for number, layer in query_layers],
        }

    def own_weights(self) -> dict[str, Tensor]:
        """The weights beside the document encoder's: ``query.*`` (where not tied), ``block.<i>.*`` and ``head.*``."""
        weights = {f"head.{name}": value for name, value in self.head.state_dict().items()}
        if self.query is not None:
            weights |= {f"query.{name}": value for name, value in self.query.state_dict().items()}
        for number in range(len(self.blocks)):
            weights |= {f"block.{number}.{name}": value for name, value in self.block(number).state_dict().items()}
        return weights


def _first_layers(encoder: Encoder, count: int) -> Encoder:
    """A copy of the embeddings and the first ``count`` layers."""
    copy = deepcopy(encoder)
    copy.layers = copy.layers[:count]
    copy.pooler = None
    return copy
