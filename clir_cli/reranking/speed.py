"""How fast models score, and what it costs in memory and on disk."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from clir_cli.rerankers.mores.model import Mores
from clir_cli.rerankers.mores.represent import represent
from clir_cli.rerankers.mores.representations import Strategy
from clir_cli.rerankers.mores.represented import RepresentedScorer
from clir_cli.rerankers.reading import PassageReader
from clir_cli.rerankers.reranker import Reranker
from clir_cli.reranking.drawn import TOPIC, Drawn, draw
from clir_cli.reranking.scoring import Scorer

WARM_UP = 4
"""Documents that are scored first and not counted."""


@dataclass(frozen=True, slots=True)
class Speed:
    """What scoring ``documents`` documents for one query cost, in wall-clock seconds."""

    documents: int
    seconds: float
    memory: int | None
    """Highest memory while scoring, in bytes: of a card what its tensors took, else what the process had; None where
    the system does not tell."""
    stored: int | None = None
    """Bytes that are kept of a document; None where nothing is."""

    @property
    def seconds_each(self) -> float:
        return self.seconds / self.documents


def measure_scoring(
    model: Reranker,
    tokenizer: Any,
    folder: Path,
    *,
    query: int,
    document: int,
    documents: int,
    tokens: int | None = None,
    precision: str = "float32",
) -> Speed:
    """Score ``documents`` drawn documents of ``document`` pieces for a query of ``query``, ``model`` where it is.

    ``folder`` takes the documents' word pieces. A document that does not fit beside the query is cut, as any is.
    """
    drawn = draw(tokenizer, query, [document] * documents)
    reader = PassageReader(model, tokenizer, **drawn.reading(drawn.write(folder, tokenizer)), document_pieces=document)
    scorer = Scorer(model, reader, tokens=tokens, precision=precision)
    return _measure(lambda ids: scorer.score(TOPIC, ids), drawn, next(model.parameters()).device)


def measure_stored(
    model: Mores, tokenizer: Any, folder: Path, *, query: int, document: int, documents: int
) -> Iterator[tuple[str, Speed]]:
    """The same with documents that were represented before, in float16: by ``s1``, ``absorbed`` and ``s2``."""
    drawn = draw(tokenizer, query, [document] * documents)
    reading = drawn.reading(drawn.write(folder / "pieces", tokenizer))
    store, ids, device = reading.pop("documents"), list(drawn.documents), next(model.parameters()).device
    strategies: tuple[tuple[str, Strategy], ...] = (("s1", "s1"), ("absorbed", "s1"), ("s2", "s2"))
    for name, strategy in strategies:
        there = represent(folder / strategy, model, tokenizer, store, ids, strategy=strategy, document_pieces=document)
        size = sum(file.stat().st_size for file in (folder / strategy).glob("*.raw")) // documents
        scorer = RepresentedScorer(model, there, tokenizer, absorb=name == "absorbed", **reading)
        yield name, _measure(lambda ids, scorer=scorer: scorer.score(TOPIC, ids), drawn, device, size)  # type: ignore[misc]


def _measure(
    score: Callable[[list[str]], object], drawn: Drawn, device: torch.device, stored: int | None = None
) -> Speed:
    ids = list(drawn.documents)
    score(ids[:WARM_UP])
    _begin_memory(device)
    begun = time.perf_counter()
    score(ids)
    return Speed(len(ids), time.perf_counter() - begun, _highest_memory(device), stored)


def _begin_memory(device: torch.device) -> None:
    """Forget the highest memory so far, where the system lets one."""
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    else:
        with contextlib.suppress(OSError):
            Path(f"/proc/{os.getpid()}/clear_refs").write_text("5")


def _highest_memory(device: torch.device) -> int | None:
    if device.type == "cuda":
        return int(torch.cuda.max_memory_allocated(device))
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{os.getpid()}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return None
