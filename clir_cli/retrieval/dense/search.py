"""Exact search: every query against every document, block by block, keeping the best.

A score is summed in float64 and rounded to the grain of float32 below 1, so that neither the block nor the place in it
shows in a run: equal vectors have equal scores, and ties fall as everywhere, by document id descending.
"""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from clir_cli.errors import DataError
from clir_cli.learning.devices import choose_device
from clir_cli.records import ProgressCallback, Run, ScoredDoc, no_progress
from clir_cli.retrieval.dense.embed import Vectors
from clir_cli.retrieval.dense.vectors import VectorStore

QUERIES = 256
"""Queries compared with a block at once."""

BLOCK = 8192
"""Documents compared at once, by default."""

GRAIN = 2.0**-24
"""Products with a query of length 1 are rounded to multiples of this: what float64 gets wrong is far smaller."""

_NOTHING = torch.iinfo(torch.int64).min


def search(
    store: VectorStore,
    topics: Sequence[str],
    queries: Vectors,
    *,
    similarity: Literal["cosine", "dot"] = "cosine",
    depth: int = 1000,
    block: int = BLOCK,
    is_searched: Callable[[str], bool] = lambda document: True,
    progress: ProgressCallback = no_progress,
) -> Run:
    """For each topic the best ``depth`` documents, by the cosine or the product of their vectors.

    ``queries``: float32 [topics, d]. A vector of nothing but 0 stands for no text: such a query has an empty list, such
    a document is in none. ``is_searched`` tells by its id whether a document takes part. Memory: ``block`` documents,
    their scores for ``QUERIES`` topics, and ``depth`` documents a topic. Raises ``DataError`` where lengths differ.
    """
    if queries.shape != (len(topics), store.width):
        raise DataError(
            f"Queries of shape {list(queries.shape)} do not fit {len(topics)} topics and vectors of {store.width}.",
            "Ask with the model that embedded the collection.",
        )
    device = choose_device()
    places = np.empty(len(store), np.int64)
    in_order = sorted(range(len(store)), key=store.ids.__getitem__)
    places[in_order] = np.arange(len(store))
    takes_part = np.fromiter(map(is_searched, store.ids), np.bool_, len(store))
    asked = np.flatnonzero(queries.any(axis=1))
    directions = torch.from_numpy(queries[asked]).to(device, torch.float64)
    lengths = directions.norm(dim=1, keepdim=True)
    directions /= lengths
    if similarity == "cosine":
        lengths.fill_(1.0)
    best = torch.full((len(asked), min(depth, len(store))), _NOTHING, device=device)  # [topics, depth], best first
    for first, vectors in store.blocks(block):
        numbers = np.flatnonzero(vectors.any(axis=1) & takes_part[first : first + len(vectors)])
        documents = torch.from_numpy(vectors[numbers]).to(device, torch.float64)
        if similarity == "cosine":
            documents /= documents.norm(dim=1, keepdim=True)
        marks = torch.from_numpy(places[first + numbers]).to(device)
        for some in range(0, len(asked), QUERIES):
            part = slice(some, some + QUERIES)
            scores = (directions[part] @ documents.T / GRAIN).round() * GRAIN * lengths[part]
            keys = _keys(scores.float(), marks)
            best[part] = torch.cat([best[part], keys], dim=1).topk(best.shape[1], dim=1).values
        progress(first + len(vectors), len(store), "searching")
    run: Run = {topic: [] for topic in topics}
    for number, keys in zip(asked.tolist(), best, strict=True):
        found, scores = _opened(keys[keys != _NOTHING])
        run[topics[number]] = [
            ScoredDoc(store.ids[in_order[place]], score)
            for place, score in zip(found.tolist(), scores.tolist(), strict=True)
        ]
    return run


def _keys(scores: Tensor, places: Tensor) -> Tensor:
    """One int64 a score, in whose order scores come first and places among sorted ids second.

    The bits of a float32 order as an int32 does, once those below zero are turned round; 0 is added to make -0 a 0.
    """
    return (_turned((scores + 0.0).view(torch.int32)).to(torch.int64) << 32) | places


def _opened(keys: Tensor) -> tuple[Tensor, Tensor]:
    """The places and scores of keys."""
    return keys & 0xFFFFFFFF, _turned((keys >> 32).to(torch.int32)).view(torch.float32)


def _turned(bits: Tensor) -> Tensor:
    return torch.where(bits < 0, bits ^ 0x7FFFFFFF, bits)
