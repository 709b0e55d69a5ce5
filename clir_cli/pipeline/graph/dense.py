"""Stages of dense retrieval: the vectors of a collection, and the run made with them."""

from pathlib import Path
from typing import Any

from clir_cli.pipeline.graph.base import remembered
from clir_cli.pipeline.graph.encoders import Encoders
from clir_cli.pipeline.rows import DENSE
from clir_cli.pipeline.stage import Stage


class Dense(Encoders):
    """What searches by vectors."""

    @remembered
    def embed(self, pair: str) -> Stage:
        """The vectors of the collection that a pair searches: one key for all pairs that ask for the same."""
        dense, collection = self.of_pair(pair).retrieval.dense, self.experiment.collection(pair)
        settings, start, files = self._dense_model(pair)
        settings |= {"prefix": dense.document_prefix, "stored": dense.stored}
        needs = {"collection": self.collection(collection)} | start
        hints = {"tokens": dense.tokens}
        return self._stage("embed", collection, "dense:embed", settings, needs=needs, files=files, hints=hints)

    @remembered
    def retrieve_dense(self, pair: str) -> Stage:
        """The run of a pair's topics as they are, without any translation."""
        retrieval = self.of_pair(pair).retrieval
        dense = retrieval.dense
        settings, start, files = self._dense_model(pair)
        settings |= {
            "system": DENSE,
            "prefix": dense.query_prefix,
            "similarity": dense.similarity,
            "depth": retrieval.depth,
            "pools": self.pools(self.experiment.collection(pair)),
        }
        needs = {"vectors": self.embed(pair), "topics": self.topics(pair)} | start
        hints = {"tokens": dense.tokens, "block": dense.block}
        return self._stage(
            "retrieve", f"{pair} {DENSE}", "dense:retrieve", settings, needs=needs, files=files, hints=hints, pair=pair
        )

    def _dense_model(self, pair: str) -> tuple[dict[str, Any], dict[str, Stage], dict[str, list[Path]]]:
        """Which encoder makes vectors, and how: settings, the stage that makes it, or its files.

        Without a checkpoint of its own it is what the re-rankers start from, read as they read it.
        """
        whole = self.of_pair(pair)
        dense, encoder = whole.retrieval.dense, whole.encoder
        own = {name: value for name in ("revision", "layers") if (value := getattr(dense, name)) is not None}
        start: dict[str, Stage] = {}
        files: dict[str, list[Path]] = {}
        if dense.checkpoint is None and self.settings.pretrain is not None:
            model: dict[str, Any] = {"layers": dense.layers}
            start = {"start": self.pretrain()}
        else:
            chosen = dense if dense.checkpoint is not None else encoder
            model = {name: getattr(chosen, name) for name in ("checkpoint", "revision", "layers")} | own
            files = self._checkpoint_files(model)
        model |= {"text": encoder.text if dense.checkpoint is None else "raw"}
        model |= {"pooling": dense.pooling, "max_pieces": dense.max_pieces}
        settings = {"encoder": model, "threads": whole.training.threads, "precision": self._precision(whole)}
        return settings, start, files
