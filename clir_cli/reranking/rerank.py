"""The second stage: candidates of the first one, scored by a re-ranker and put into its order."""

import time
from collections.abc import Callable
from pathlib import Path

from clir_cli.records import ProgressCallback, Run, no_progress
from clir_cli.rerankers.build import Reranker
from clir_cli.rerankers.reading import PassageReader
from clir_cli.reranking.scoring import Scorer
from clir_cli.reranking.shards import Shards
from clir_cli.trec import rank


def rerank(
    model: Reranker,
    reader: PassageReader,
    candidates: Run,
    *,
    tokens: int | None = None,
    precision: str = "float32",
    shards: Path | None = None,
    progress: ProgressCallback = no_progress,
) -> Run:
    """Re-rank every topic's candidates (cut to the depth that is wanted); validation and test share this.

    A topic without candidates keeps its empty list. Topics are scored one by one, and a batch never spans two, so a
    run that went on after a kill has the same bits as one that was not killed: give ``shards``, a folder in which
    finished topics are kept. ``tokens`` is the budget of ``Scorer``. ``model`` is set to evaluation mode.
    """
    trouble = ""

    def say(text: str) -> None:
        nonlocal trouble
        trouble = f"  ({text})"

    scorer = Scorer(model, reader, tokens=tokens, precision=precision, say=say)
    return rerank_by(scorer.score, candidates, shards=shards, trouble=lambda: trouble, progress=progress)


def rerank_by(
    score: Callable[[str, list[str]], list[float]],
    candidates: Run,
    *,
    shards: Path | None = None,
    trouble: Callable[[], str] = lambda: "",
    progress: ProgressCallback = no_progress,
) -> Run:
    """The same by any ``score(topic, documents)``; ``trouble`` is what is to be said beside the progress."""
    done = Shards(shards) if shards is not None else None
    run: Run = {}
    for number, (topic, entries) in enumerate(candidates.items(), 1):
        begun = time.perf_counter()
        documents = [entry.document for entry in entries]
        scores = done.get(topic, documents) if done else None
        speed = ""
        if scores is None:
            scores = score(topic, documents)
            speed = f"  {len(documents) / max(time.perf_counter() - begun, 1e-9):.1f} pairs/s"
            if done:
                done.add(topic, documents, scores)
        run[topic] = rank(zip(documents, scores, strict=True))
        progress(number, len(candidates), f"topic {topic}{speed}{trouble()}")
    return run
