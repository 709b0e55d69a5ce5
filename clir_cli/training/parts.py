"""The loss of training pairs, their passages scored together with others of like length.

A micro-batch holds relevant documents, often long, and others, often short. Padded to the longest of them, much of the
work would be padding; scored in parts of like length and put back in order they give the same loss and gradients.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

import numpy as np
import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from clir_cli.encoders.budget import plan_batches
from clir_cli.learning.limit import HoldLimit
from clir_cli.rerankers.build import Reranker, average_passages
from clir_cli.rerankers.inputs import Passage
from clir_cli.rerankers.reading import PassageReader
from clir_cli.training.loss import loss_of_pairs
from clir_cli.training.pairs import TrainingPair

Documents = list[tuple[TrainingPair, str, list[Passage]]]
"""(pair, document, its passages) each."""


class PairLoss:
    """(model, pairs) -> the losses of one group of pairs after the other.

    ``loss`` by its name, ``tokens``: word pieces in one pass through the encoder, padding included. Without a limit the
    pairs are one group, whose activations are all kept until its backward pass. Where memory ran out before, groups
    are made that keep no more than ``limit`` says; a pair that is larger goes through the encoder twice, so that only
    one pass's activations are kept at once. Neither changes the gradients, dropout included, but for rounding.
    """

    def __init__(self, reader: PassageReader, loss: str, *, tokens: int, limit: HoldLimit) -> None:
        self._reader, self._losses, self._tokens, self._limit = reader, loss_of_pairs(loss), tokens, limit

    def __call__(self, model: Reranker, pairs: Sequence[TrainingPair]) -> Iterator[Tensor]:
        """The losses of each group, as ``loss_of_pairs`` orders them."""
        read = [
            [(pair, document, self._reader.read(pair.topic, document)) for document in (pair.positive, pair.negative)]
            for pair in pairs
        ]
        for group in self._cut(read):
            documents = [found[0] for found in group] + [found[1] for found in group]
            scores = self._score(model, documents)  # [2 pairs]
            yield self._losses(*scores.chunk(2))

    def _cut(self, pairs: list[Documents]) -> Iterator[list[Documents]]:
        """Neighbours, as many as may be kept at once; one at least."""
        group: list[Documents] = []
        size = 0
        for pair in pairs:
            own = sum(len(passage.pieces) for _, _, passages in pair for passage in passages)
            if group and self._limit.size is not None and size + own > self._limit.size:
                yield group
                group, size = [], 0
            group.append(pair)
            size += own
        yield group

    def _score(self, model: Reranker, documents: Documents) -> Tensor:
        """Scores of documents, [documents]."""
        passages = list(chain.from_iterable(parts for _, _, parts in documents))
        lengths = np.array([len(passage.pieces) for passage in passages])
        limit = self._limit.size
        batches = plan_batches(lengths, self._tokens if limit is None else min(limit, self._tokens))
        sizes = [len(batch) * int(lengths[batch].max()) for batch in batches]
        goes_twice = limit is not None and sum(sizes) > limit
        single = goes_twice and len(batches[int(np.argmax(sizes))]) == 1
        self._limit.hold(max(sizes) if goes_twice else sum(sizes), _describe(documents) if single else None)
        run: Callable[[Reranker, list[Passage]], Tensor] = self._run_twice if goes_twice else self._run
        logits = torch.cat([run(model, [passages[number] for number in batch]) for batch in batches])
        places = torch.from_numpy(np.argsort(np.concatenate(batches))).to(logits.device)
        return average_passages(logits.index_select(0, places), [len(parts) for _, _, parts in documents])

    def _run(self, model: Reranker, passages: list[Passage]) -> Tensor:
        device = next(model.parameters()).device
        batch = self._reader.batch(passages)
        if device.type == "cuda":
            batch = batch.pin_memory()
        logits: Tensor = model(batch.to(device, non_blocking=True))
        return logits

    def _run_twice(self, model: Reranker, passages: list[Passage]) -> Tensor:
        """As ``_run``, its activations made again for the backward pass, from the same random numbers."""
        weight = next(model.parameters())  # its device is the one whose random state is kept
        logits: Tensor = checkpoint(lambda _: self._run(model, passages), weight, use_reentrant=False)
        return logits


def _describe(documents: Documents) -> str:
    """The longest passage, for an error."""
    sizes = [max(len(passage.pieces) for passage in parts) for _, _, parts in documents]
    pair, document, _ = documents[int(np.argmax(sizes))]
    return f"a single passage of {max(sizes)} word pieces (topic {pair.topic}, document {document})"
