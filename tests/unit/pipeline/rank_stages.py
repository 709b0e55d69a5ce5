"""Stage functions that run as several processes."""

import os
import time
from pathlib import Path
from typing import Any

from clir_cli.errors import DataError
from clir_cli.pipeline.stage import Inputs
from clir_cli.records import ProgressCallback


def train(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """A tiny re-ranker, validated by all processes together."""
    from clir_cli.encoders.piece_store import PieceStore
    from clir_cli.learning.parallel import join_parallel
    from clir_cli.training.fold import train_fold
    from tests.tiny_collection import TinyCollection

    parallel = join_parallel()
    tiny: TinyCollection = inputs.settings["tiny"]

    def validate(model: Any, reader: Any) -> float:
        own = {}
        for topic in parallel.share(["t6", "t7"]):
            for document, grade in tiny.qrels[topic].items():
                score = float(model(reader.batch(reader.read(topic, document))).mean())
                own[topic, document] = score if grade else -score
        whole = {pair: score for part in parallel.gather(own) for pair, score in part.items()}
        return sum(score for _, score in sorted(whole.items()))

    train_fold(
        tiny.folder,
        out,
        build={"kind": "mart", "dropout": 0.0},
        topics=["t1", "t2", "t3", "t4", "t5"],
        pairs=inputs.settings["pairs"],
        queries=tiny.queries,
        documents=PieceStore(inputs.needs["pieces"]),
        links=tiny.links,
        validate=validate,
        recipe=inputs.settings["recipe"],
        parallel=parallel,
        progress=progress,
    )


def one_fails(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The second process finds a fault while the first waits for it."""
    progress(1, 2, f"{os.environ['RANK']} of {os.environ['WORLD_SIZE']}")
    (out / f"process-{os.environ['RANK']}").write_text(str(os.getpid()))
    if os.environ["RANK"] == "1":
        while not (out / "process-0").is_file():
            time.sleep(0.01)
        raise DataError("topics.tsv:3: no tab.", "Add one.")
    time.sleep(60)


def one_is_killed(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The second process is killed, as where memory is short."""
    (out / f"process-{os.environ['RANK']}").write_text(str(os.getpid()))
    if os.environ["RANK"] == "1":
        os.kill(os.getpid(), 9)
    time.sleep(60)
