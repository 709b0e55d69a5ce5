"""Scores from stored documents: a topic's query is read once, its documents never.

    s2        over the stored keys and values
    s1        keys and values are made from the stored D
    absorbed  over the stored D itself (``Attention.attend_absorbed``): no keys or values, the same scores

Whatever a topic's documents share is done once: the query's vectors, its links, and what the first block asks.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from clir_cli.encoders.budget import plan_batches
from clir_cli.encoders.layer import Attention
from clir_cli.encoders.layout import read_layout
from clir_cli.encoders.piece_store import Pieces
from clir_cli.records import TopicLinks
from clir_cli.rerankers.inputs import NO_LINKS, QueryLinks, passages
from clir_cli.rerankers.mat import folded_heads
from clir_cli.rerankers.mores.batch import side, word_slots
from clir_cli.rerankers.mores.knowledge import Translated, translate
from clir_cli.rerankers.mores.model import Mores
from clir_cli.rerankers.mores.representations import Representations, Rows
from clir_cli.rerankers.query_reader import QueryReader

ROWS_ON_CPU, ROWS_ON_CARD = 8192, 131072
"""Rows of stored documents read at once."""
EMPTY = Pieces(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int32))

Attend = Callable[[int, Tensor], Tensor]


class RepresentedScorer:
    """Scores documents with ``model`` from what ``store`` keeps of them.

    ``queries`` and ``links`` by topic, as for ``PassageReader``. ``absorb``: the third way, for a store of strategy s1.
    ``rows``: of stored documents that are read at once; None: by device; it changes no score.
    """

    def __init__(
        self,
        model: Mores,
        store: Representations,
        tokenizer: Any,
        *,
        queries: Mapping[str, str],
        links: Mapping[str, TopicLinks],
        text: Literal["raw", "folded"] = "raw",
        absorb: bool = False,
        rows: int | None = None,
    ) -> None:
        """Raises ``DataError`` where another model, or another tokenizer, made what is stored."""
        self._queries = QueryReader(
            tokenizer, queries=queries, links=links, vocabulary=lambda: store.vocabulary, arm=model.arm, text=text
        )
        store.check(model, self._queries.encoder)
        if absorb and store.strategy != "s1":
            raise ValueError("only a store of strategy s1 keeps what is absorbed over")
        self._model, self._store, self._absorb = model.eval(), store, absorb
        self._layout = read_layout(tokenizer, apart=True)
        self._device = next(model.parameters()).device
        self._rows = rows or (ROWS_ON_CPU if self._device.type == "cpu" else ROWS_ON_CARD)

    def score(self, topic: str, documents: Sequence[str]) -> list[float]:
        """The score of each document for ``topic``, the mean of its passages.

        Raises ``DataError`` for a topic without a query or a document that is not stored.
        """
        if not documents:
            return []
        found, owners = self._store.passages_of(documents)
        logits = np.empty(len(found))
        with torch.inference_mode(), folded_heads(self._model):
            query = _Query(self._model, self._queries, topic, self._layout, self._store.max_pieces, self._device)
            for chosen in plan_batches(self._store.lengths(found), self._rows):
                rows = self._store.read(found[chosen], keys=query.links is not None)
                logits[chosen] = self._score(query, rows).float().cpu().numpy()
        counts = np.bincount(owners, minlength=len(documents))
        scores: list[float] = (np.bincount(owners, weights=logits, minlength=len(documents)) / counts).tolist()
        return scores

    def _score(self, query: "_Query", rows: Rows) -> Tensor:
        """[B] logits of passages."""
        values = rows.values.to(self._device)
        mask = rows.mask
        width = self._model.encoder.width
        translated = None
        if query.links is not None and rows.keys is not None:
            translated = query.translate(rows.keys, values[..., -width:])
        if self._store.strategy == "s2":
            attend = _over_stored(self._model, values, mask)
        elif self._absorb:
            attend = _absorbed(self._model, values, mask)
        else:
            attend = _over_documents(self._model, values, mask)
        return self._model.interact(query.vectors, attend, None, query.words, translated)


def score_represented(scorer: RepresentedScorer, topic: str, documents: Sequence[str]) -> list[float]:
    """The scores of ``documents`` for ``topic``, in their order."""
    return scorer.score(topic, documents)


class _Query:
    """One topic's query, read once."""

    def __init__(
        self, model: Mores, reader: QueryReader, topic: str, layout: Any, max_pieces: int, device: torch.device
    ) -> None:
        text, links = reader.read(topic)
        (passage,) = passages(text, EMPTY, NO_LINKS, layout, max_pieces=max_pieces, arm=model.arm)
        pieces = [passage.pieces[: passage.query_length]]
        self.vectors = model.read_queries(side(pieces, layout, layout.types[1]).to(device))  # [1, q, d]
        self.words: tuple[Tensor, Tensor] | None = None
        self.links: _LinkTable | None = None
        if model.arm in ("translation", "blocks"):
            slots, sizes = word_slots([passage], layout)
            self.words = slots.to(device), sizes.to(device)
        if model.arm == "translation":
            self.links = _LinkTable(links, passage.query_words)

    def translate(self, keys: NDArray[np.int32], documents: Tensor) -> Translated:
        """What passages add to the query's words."""
        assert self.links is not None
        return translate(torch.from_numpy(self.links.find(keys)).to(documents.device), documents)


class _LinkTable:
    """P(document word | query word) of one topic, by the numbers of document words."""

    def __init__(self, links: QueryLinks, query_words: int) -> None:
        self._keys, places = np.unique(links.keys, return_inverse=True)
        self._table = np.zeros((len(self._keys) + 1, query_words), dtype=np.float32)  # the last row links nothing
        within = links.query_words < query_words
        self._table[places[within], links.query_words[within]] = links.p[within]

    def find(self, keys: NDArray[np.int32]) -> NDArray[np.float32]:
        """``keys`` [B, m] -> [B, Q, m]."""
        if not len(self._keys):
            return np.zeros((len(keys), self._table.shape[1], keys.shape[1]), dtype=np.float32)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        places = np.where(self._keys[places] == keys, places, len(self._keys))
        return np.ascontiguousarray(self._table[places].swapaxes(1, 2))


def _over_stored(model: Mores, values: Tensor, mask: Tensor | None) -> Attend:
    """Keys and values as they are stored."""
    width = model.encoder.width

    def attend(number: int, q: Tensor) -> Tensor:
        first = 2 * number * width
        return attend_over(
            model.block(number).cross, q, values[..., first : first + width],
            values[..., first + width : first + 2 * width], mask,
        )  # fmt: skip

    return attend


def _over_documents(model: Mores, documents: Tensor, mask: Tensor | None) -> Attend:
    """Keys and values made from D."""

    def attend(number: int, q: Tensor) -> Tensor:
        cross = model.block(number).cross
        return attend_over(cross, q, cross.key(documents), cross.value(documents), mask)

    return attend


def _absorbed(model: Mores, documents: Tensor, mask: Tensor | None) -> Attend:
    """Scores against D itself, W_v after pooling."""

    def attend(number: int, q: Tensor) -> Tensor:
        return model.block(number).cross.attend_absorbed(q, documents, mask)

    return attend


def attend_over(cross: Attention, q: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None) -> Tensor:
    """``cross.attend`` of one query, or one a document: ``q`` [1 or B, q, d], keys and values [B, m, d]."""
    batch = len(keys)
    asked = cross.split(cross.query(q)).expand(batch, -1, -1, -1)
    attended = functional.scaled_dot_product_attention(
        asked, cross.split(keys), cross.split(values), attn_mask=None if mask is None else mask[:, None, None, :]
    )
    output: Tensor = cross.output(attended.transpose(1, 2).flatten(2))
    return output
