"""Scores of one topic's candidates. Which documents are scored together does not change a score."""

import math
from collections import deque
from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from clir_cli.encoders.budget import default_tokens, plan_batches
from clir_cli.errors import ClirError
from clir_cli.learning.devices import autocast
from clir_cli.learning.memory import is_out_of_memory, release_memory
from clir_cli.rerankers.build import Reranker
from clir_cli.rerankers.inputs import Passage
from clir_cli.rerankers.mat import folded_heads
from clir_cli.rerankers.reading import PassageReader


class Scorer:
    """Scores documents with one model; validation and re-ranking share it.

    ``tokens``: the budget of a batch in word pieces, padding included; None: by device. Where memory runs out it is
    halved, for good, and the work goes on: ``say`` is told.
    """

    def __init__(
        self,
        model: Reranker,
        reader: PassageReader,
        *,
        tokens: int | None = None,
        precision: str = "float32",
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """``model`` is set to evaluation mode."""
        self._model, self._reader, self._precision, self._say = model.eval(), reader, precision, say
        self._device = next(model.parameters()).device
        self.tokens = tokens or default_tokens(model.encoder)

    def score(self, topic: str, documents: Sequence[str]) -> list[float]:
        """The score of each document for ``topic``: the mean logit of its passages (MAT, section 3.4).

        Raises ``ClirError`` for a score that is not finite, and for a passage that does not fit into memory by itself.
        """
        found = [self._reader.read(topic, document) for document in documents]
        owners = np.repeat(np.arange(len(documents)), [len(parts) for parts in found])  # [passages]
        passages = [passage for parts in found for passage in parts]
        logits = self.score_passages(passages, lambda number: f"document {documents[owners[number]]}, topic {topic}")
        sums = np.bincount(owners, weights=logits, minlength=len(documents))
        scores = sums / np.bincount(owners, minlength=len(documents))
        for document, score in zip(documents, scores, strict=True):
            if not math.isfinite(score):
                raise ClirError(
                    f"The score of document {document} for topic {topic} is {score}.",
                    "The model's weights are not sound: train it again, in float32 if it was trained in bf16.",
                )
        return scores.tolist()

    def score_passages(self, passages: Sequence[Passage], describe: Callable[[int], str]) -> NDArray[np.float64]:
        """[passages] logits; ``describe`` names a passage by its number, for an error.

        What a batch that did not fit held is scored in smaller ones, each passage once.
        """
        lengths = np.array([len(passage.pieces) for passage in passages], dtype=np.int64)
        waiting = deque(plan_batches(lengths, self.tokens))
        parts: list[tuple[NDArray[np.int64], Tensor]] = []
        with torch.inference_mode(), autocast(self._device, self._precision), folded_heads(self._model):
            while waiting:
                chosen = waiting.popleft()
                try:
                    parts.append((chosen, self._run([passages[number] for number in chosen])))
                except (RuntimeError, MemoryError) as error:
                    if not is_out_of_memory(error):
                        raise
                    self._shrink(len(chosen), int(lengths[chosen].max()), describe(int(chosen[0])), error)
                    left = np.concatenate([chosen, *waiting])
                    waiting = deque(left[batch] for batch in plan_batches(lengths[left], self.tokens))
        logits = np.empty(len(passages))
        for chosen, found in parts:  # read only now: a card works on while the next batch is put together
            logits[chosen] = found.float().cpu().numpy()
        return logits

    def _run(self, passages: list[Passage]) -> Tensor:
        batch = self._reader.batch(passages)
        if self._device.type == "cuda":
            batch = batch.pin_memory()
        logits: Tensor = self._model(batch.to(self._device, non_blocking=True))
        return logits

    def _shrink(self, count: int, longest: int, first: str, error: BaseException) -> None:
        if count == 1:
            raise ClirError(
                f"There is no memory to score a passage of {longest} word pieces ({first}).",
                "Lower encoder.max_pieces, or free memory.",
            ) from error
        self.tokens = max(longest, count * longest // 2)
        self._say(f"out of memory: going on with batches of {self.tokens} word pieces")
        release_memory(self._device)
