"""Ranking in one language: what a re-ranker learns before any topic, as m2BERT and MORES learned from MS MARCO.

Pairs of a relevant and another document are scored, and trained with pairwise cross-entropy or the loss that is asked
for. A document is read as far as it fits, beside the query or apart from it, into one input.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from clir_cli.encoders.layout import read_layout
from clir_cli.encoders.piece_store import number_keys
from clir_cli.encoders.pieces import TextEncoder
from clir_cli.learning.devices import autocast
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.rerankers.batch import Batch, collate
from clir_cli.rerankers.inputs import NO_LINKS, Passage, passages
from clir_cli.rerankers.mores.batch import ApartBatch, collate_apart
from clir_cli.rerankers.reranker import Reranker
from clir_cli.training.loss import loss_of_pairs
from clir_cli.training.masked_language import set_aside
from clir_cli.training.ranking_examples import RankingExamples
from clir_cli.training.steps import Batches, fit_steps

HELD_OUT_SHARE = 0.1
"""Queries that are set aside to measure on."""
NEGATIVES = 20
"""Other documents that a held-out query's answer is compared with."""


class PassageMaker:
    """One input for a query and a document, by their numbers."""

    def __init__(
        self,
        examples: RankingExamples,
        tokenizer: Any,
        text: Literal["raw", "folded"],
        max_pieces: int,
        *,
        apart: bool = False,
    ) -> None:
        encoder = TextEncoder(tokenizer, text)
        self.layout = read_layout(tokenizer, apart=apart)
        self._max_pieces = max_pieces
        # Titles and documents come back pass after pass; how many are kept changes only the time.
        self._query = lru_cache(20_000)(lambda number: encoder.encode(examples.queries[number], max_pieces))
        # The keys of words lead nowhere here: nothing is translated in one language.
        self._document = lru_cache(20_000)(
            lambda number: number_keys(encoder.encode(examples.documents[number], max_pieces), {})
        )

    def make(self, query: int, document: int) -> Passage:
        """Query and document, the document cut where its input is full."""
        asked = self._query(query)
        room = self._max_pieces - self.layout.document_specials
        if self.layout.cut is None:
            room -= min(len(asked.pieces), room // 2)
        return passages(
            asked,
            self._document(document),
            NO_LINKS,
            self.layout,
            max_pieces=self._max_pieces,
            document_pieces=room,
            arm=None,
        )[0]

    def batch(self, pairs: Sequence[tuple[int, int]]) -> Batch | ApartBatch:
        """The inputs of (query, document) pairs, side by side."""
        made = [self.make(query, document) for query, document in pairs]
        return collate(made, self.layout) if self.layout.cut is None else collate_apart(made, self.layout)


def ranking_loss(name: str = "cross_entropy") -> Callable[[Reranker, Batch | ApartBatch], Tensor]:
    """The loss ``name`` of a batch whose first half are relevant documents, the second the others: one a pair.

    ``pointwise`` gives two a pair.
    """
    losses = loss_of_pairs(name)

    def loss(model: Reranker, batch: Batch | ApartBatch) -> Tensor:
        positive, negative = model(batch.to(next(model.parameters()).device)).chunk(2)
        return losses(positive, negative)

    return loss


def train_ranking(
    model: Reranker,
    tokenizer: Any,
    examples: RankingExamples,
    folder: Path,
    *,
    steps: int,
    batch: int,
    learning_rate: float,
    warmup: int | None = None,
    loss: str = "cross_entropy",
    max_pieces: int = 128,
    held_out: int = 100,
    text: Literal["raw", "folded"] = "raw",
    seed: int = 42,
    checkpoint_every: int = 200,
    precision: str = "float32",
    identity: str = "",
    progress: ProgressCallback = no_progress,
) -> dict[str, Any]:
    """Train a re-ranker where it is, on ``steps`` batches of ``batch`` pairs; what it learned, as plain values.

    ``warmup``: see ``fit_steps``; ``loss``: see ``loss_of_pairs``.
    In every pass over the queries each gets one of its relevant documents and one other, drawn anew. ``folder`` holds
    the run: killed and called again with the same arguments, it goes on and ends the same. The report says how well
    queries that were set aside, ``held_out`` at most, are answered before and after (see ``held_out_quality``).
    """
    kept, set_apart = set_aside(len(examples.queries), HELD_OUT_SHARE, held_out, seed)
    aside: list[int] = set_apart.tolist()
    maker = PassageMaker(examples, tokenizer, text, max_pieces, apart=model.apart)
    batches = Batches([1] * len(kept), batch, seed)

    def batch_of_step(step: int) -> Batch | ApartBatch:
        dice = np.random.default_rng([seed, 5, step])
        queries: list[int] = kept[batches(step)].tolist()
        relevant = [(query, examples.draw_relevant(query, dice)) for query in queries]
        return maker.batch(relevant + [(query, examples.draw_other(query, dice)) for query in queries])

    before = held_out_quality(model, maker, examples, aside, seed, precision)
    fit_steps(
        model,
        batch_of_step=batch_of_step,
        loss=ranking_loss(loss),
        warmup=warmup,
        steps=steps,
        learning_rate=learning_rate,
        folder=folder,
        seed=seed,
        checkpoint_every=checkpoint_every,
        precision=precision,
        identity=identity,
        progress=progress,
    )
    return {
        "queries": len(kept),
        "documents": len(examples.documents),
        "steps": steps,
        "held_out_queries": len(aside),
        "before": before,
        "after": held_out_quality(model, maker, examples, aside, seed, precision),
    }


@torch.no_grad()
def held_out_quality(
    model: Reranker,
    maker: PassageMaker,
    examples: RankingExamples,
    queries: Sequence[int],
    seed: int,
    precision: str = "float32",
) -> dict[str, float]:
    """How a relevant document of each query fares against 20 others; nothing without queries.

    ``accuracy``: share of the others it is scored above (a tie counts a half; chance is 0.5). ``reciprocal_rank``: mean
    of 1/rank among the 21 (chance is 0.174). Both against documents drawn at random, and, as ``hard_...``, against
    documents that share a word with the query, where there are such.
    """
    kinds = {"": 0.0, "hard_": 1.0} if examples.sharing else {"": 0.0}
    values: dict[str, list[float]] = {}
    model.eval()
    for query in queries:
        dice = np.random.default_rng([seed, 6, query])
        relevant = examples.draw_relevant(query, dice)
        for kind, hard_share in kinds.items():
            others = [examples.draw_other(query, dice, hard_share) for _ in range(NEGATIVES)]
            scores = _score(model, maker.batch([(query, number) for number in (relevant, *others)]), precision)
            above, equal = (scores[1:] > scores[0]).sum(), (scores[1:] == scores[0]).sum()
            worse = float(above + equal / 2)
            values.setdefault(f"{kind}accuracy", []).append(1 - worse / NEGATIVES)
            values.setdefault(f"{kind}reciprocal_rank", []).append(1 / (1 + worse))
    return {name: float(np.mean(of_queries)) for name, of_queries in values.items()}


def _score(model: Reranker, batch: Batch | ApartBatch, precision: str) -> np.ndarray:
    device = next(model.parameters()).device
    with autocast(device, precision):
        return model(batch.to(device)).float().cpu().numpy()
