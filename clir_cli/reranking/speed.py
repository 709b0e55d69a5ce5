"""How fast models score, on inputs drawn for the purpose: what matters is their length, not what they say."""

import contextlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from clir_cli.encoders.layout import Layout
from clir_cli.encoders.piece_store import Pieces
from clir_cli.encoders.pieces import Text
from clir_cli.rerankers.batch import Batch, collate
from clir_cli.rerankers.inputs import Passage, QueryLinks, passages
from clir_cli.rerankers.mores.batch import ApartBatch, collate_apart
from clir_cli.rerankers.reranker import Reranker
from clir_cli.reranking.scoring import Scorer

PIECES_OF_A_WORD = 1.3
LINKED = 8
"""One document word in so many translates a query word."""


@dataclass(frozen=True, slots=True)
class Speed:
    """What scoring cost: of ``documents`` documents of one length, for a query."""

    documents: int
    seconds: float
    memory: int | None
    """Highest memory while scoring, in bytes: of a card what its tensors took, else what the process had; None where
    the system does not tell."""

    @property
    def pairs_per_second(self) -> float:
        return self.documents / self.seconds

    def milliseconds(self, documents: int) -> float:
        """For a query with so many documents."""
        return 1000 * documents * self.seconds / self.documents


class DrawnReader:
    """A query and documents of given lengths in pieces, the same for all models."""

    def __init__(self, model: Reranker, *, query: int, document: int, seed: int = 1) -> None:
        """``query`` and ``document``: pieces, special ones not counted; where both do not fit into one input the
        document is cut into passages, as any is.
        """
        self._model = model
        self._dice = np.random.default_rng([seed, query, document])
        self._vocabulary = int(model.encoder.config.vocab_size)
        pad = int(model.encoder.config.pad_token_id or 0)
        types = (0, 0, 0, 1, 1) if model.encoder.config.type_vocab_size > 1 else (0,) * 5
        self.layout = (
            Layout((1,), (2, 1), (2,), (0,) * 5, pad, cut=1) if model.apart else Layout((1,), (2,), (2,), types, pad)
        )
        words = self._words(query)
        self._query = Text(self._pieces(query), words, [str(word) for word in range(int(words.max()) + 1)])
        self._length = document

    def read(self, topic: str, document: str) -> list[Passage]:
        """Another document at each call."""
        words = self._words(self._length)
        count = int(words.max()) + 1
        asked = len(self._query.keys)
        keys = self._dice.integers(0, asked * LINKED, count).astype(np.int32)  # key k < asked translates query word k
        numbers = np.arange(asked, dtype=np.int32)
        links = QueryLinks(numbers, numbers, np.full(asked, 0.5, np.float32))
        return passages(
            self._query,
            Pieces(self._pieces(self._length), words, keys),
            links,
            self.layout,
            max_pieces=self._model.max_pieces,
            document_pieces=self._length,
            arm=self._model.arm,
        )

    def batch(self, passages: Sequence[Passage]) -> Batch | ApartBatch:
        """Passages side by side."""
        return collate_apart(passages, self.layout) if self._model.apart else collate(passages, self.layout)

    def _pieces(self, count: int) -> np.ndarray:
        return self._dice.integers(3, self._vocabulary, count).astype(np.int32)

    def _words(self, count: int) -> np.ndarray:
        begins = self._dice.random(count) < 1 / PIECES_OF_A_WORD
        begins[0] = True
        return (np.cumsum(begins) - 1).astype(np.int32)


def measure_scoring(
    model: Reranker,
    *,
    query: int,
    document: int,
    documents: int,
    tokens: int | None = None,
    precision: str = "float32",
    warm_up: int = 4,
) -> Speed:
    """Score ``documents`` documents of ``document`` pieces for a query of ``query``, with ``model`` where it is.

    Wall-clock seconds, after ``warm_up`` documents that are not counted.
    """
    device = next(model.parameters()).device
    scorer = Scorer(model, DrawnReader(model, query=query, document=document), tokens=tokens, precision=precision)
    scorer.score("warm-up", [str(number) for number in range(warm_up)])
    begin_memory(device)
    begun = time.perf_counter()
    scorer.score("measured", [str(number) for number in range(documents)])
    return Speed(documents, time.perf_counter() - begun, highest_memory(device))


def begin_memory(device: torch.device) -> None:
    """Forget the highest memory so far, where the system lets one."""
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    else:
        with contextlib.suppress(OSError):
            Path(f"/proc/{os.getpid()}/clear_refs").write_text("5")


def highest_memory(device: torch.device) -> int | None:
    """Highest memory since ``begin_memory``, in bytes."""
    if device.type == "cuda":
        return int(torch.cuda.max_memory_allocated(device))
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{os.getpid()}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return None
