"""Scores of one topic's candidates. Which documents are scored together does not change a score."""

import math
from collections.abc import Sequence

import numpy as np
import torch

from clir_cli.errors import ClirError
from clir_cli.learning.devices import autocast
from clir_cli.rerankers.build import Reranker
from clir_cli.rerankers.reading import PassageReader


def score_documents(
    model: Reranker,
    reader: PassageReader,
    topic: str,
    documents: Sequence[str],
    *,
    batch: int = 32,
    precision: str = "float32",
) -> list[float]:
    """The score of each document for ``topic``: the mean logit of its passages (MAT, section 3.4).

    Passages are sorted by length, the longest first: little padding, and memory trouble shows at once. ``batch``
    passages are scored together. The model must be in evaluation mode. Raises ``ClirError`` for a score that is not
    finite.
    """
    found = [reader.read(topic, document) for document in documents]
    owners = np.repeat(np.arange(len(documents)), [len(parts) for parts in found])  # [passages]
    passages = [passage for parts in found for passage in parts]
    order = sorted(range(len(passages)), key=lambda number: -len(passages[number].pieces))
    device = next(model.parameters()).device
    logits = np.empty(len(passages), dtype=np.float64)
    with torch.inference_mode(), autocast(device, precision):
        for start in range(0, len(order), batch):
            chosen = order[start : start + batch]
            inputs = reader.batch([passages[number] for number in chosen]).to(device)
            logits[chosen] = model(inputs).float().cpu().numpy()
    sums = np.bincount(owners, weights=logits, minlength=len(documents))
    scores = sums / np.bincount(owners, minlength=len(documents))
    for document, score in zip(documents, scores, strict=True):
        if not math.isfinite(score):
            raise ClirError(
                f"The score of document {document} for topic {topic} is {score}.",
                "The model's weights are not sound: train it again, in float32 if it was trained in bf16.",
            )
    return scores.tolist()
