"""What a re-ranker that is no plain cross-encoder learns of ranking before any fold, once for all pairs.

MORES brings weights of its own (blocks, a second encoder) that no checkpoint has: its paper trains it on MS MARCO, then
adapts it to the topics of each fold.
"""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.learning.devices import choose_device, resolve_precision, set_threads
from clir_cli.lines import write_whole
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.rerankers.build import build_reranker, save_reranker
from clir_cli.training.ranking import train_ranking
from clir_cli.training.ranking_examples import RankingExamples
from clir_cli.training.work import claim_work, drop_checkpoints


def pretrain_model(
    folder: Path,
    *,
    start: str | Path,
    build: Mapping[str, Any],
    ranking: Mapping[str, Any],
    examples: Callable[[], RankingExamples],
    text: Literal["raw", "folded"] = "raw",
    checkpoint_every: int = 200,
    seed: int = 42,
    threads: int = 1,
    precision: str = "auto",
    progress: ProgressCallback = no_progress,
) -> dict[str, Any]:
    """Train the model that ``build`` makes over ``start`` for ranking and write it to ``folder/model``.

    ``build`` goes to ``build_reranker``, ``ranking`` (steps, batch, learning_rate, warmup, loss, max_pieces, held_out)
    to ``train_ranking``. What was learned, as plain values, is also ``folder/report.json``, written last. Killed and
    called again with the same arguments, the work goes on from the last checkpoint and ends the same, bit for bit on a
    CPU with the same number of ``threads``. Raises ``ClirError`` where ``folder`` holds unfinished work of other
    settings, ``DataError`` where the checkpoint does not fit.
    """
    done = folder / "report.json"
    if not done.is_file():
        settings = json.dumps([str(start), dict(build), dict(ranking), text, checkpoint_every, seed])
        claim_work(folder, settings)
        set_threads(threads)
        device = choose_device()
        model = build_reranker(start, **build, seed=seed).to(device)
        tokenizer = load_tokenizer(start, build.get("revision"))
        report = train_ranking(
            model,
            tokenizer,
            examples(),
            folder / "ranking",
            text=text,
            seed=seed,
            checkpoint_every=checkpoint_every,
            precision=resolve_precision(precision, device),
            identity=settings,
            progress=progress,
            **ranking,
        )
        for path in folder.glob(".model.*"):  # half-written by a run that was killed right here
            shutil.rmtree(path)
        save_reranker(model, tokenizer, folder / "model")
        with write_whole(done) as stream:
            json.dump(report, stream, indent=1)
    (folder / "settings.json").unlink(missing_ok=True)
    drop_checkpoints(folder / "ranking")
    found: dict[str, Any] = json.loads(done.read_text("utf-8"))
    return found
