"""Stages of encoders and re-rankers."""

from pathlib import Path
from typing import Any

from clir_cli.config.encoder_schema import CheckpointOf
from clir_cli.config.model_schema import Arm, ModelSettings
from clir_cli.config.schema import ExperimentSettings
from clir_cli.errors import ConfigError
from clir_cli.pipeline.graph.base import dumped, remembered
from clir_cli.pipeline.graph.first_stage import FirstStage
from clir_cli.pipeline.stage import Stage


class Neural(FirstStage):
    """What is trained, and what ranks with it."""

    @remembered
    def pretrain(self) -> Stage:
        pretrain = self.settings.pretrain
        assert pretrain is not None
        settings = dumped(pretrain) | {
            "encoder": dumped(self.settings.encoder, {"document_pieces", "ranking_pretrained"}),
            "seed": self.settings.training.seed,
            "threads": self.settings.training.threads,
            "precision": self._precision(self.settings),
        }
        needs: dict[str, Stage] = {}
        files: dict[str, list[Path]] = self._checkpoint_files(settings["encoder"])
        if (mlm := pretrain.masked_language) is not None:
            needs |= {f"collection {name}": self.collection(name) for name in mlm.collections}
            for pair in mlm.bitext:
                bitext = self.settings.bitext[pair]
                files[f"bitext {pair}"] = [bitext.source, bitext.target]
                settings.setdefault("bitext_encoding", {})[pair] = bitext.encoding
        if (ranking := pretrain.ranking) is not None:
            if ranking.titles_of is not None:
                needs[f"collection {ranking.titles_of}"] = self.collection(ranking.titles_of)
                settings["ranking_stop"] = self.stop(self.language_of(ranking.titles_of))
            for part in ("triples", "queries", "query_documents"):
                if (path := getattr(ranking, part)) is not None:
                    files[part] = [path]
                    settings["ranking"][part] = path.name
        return self._stage("pretrain", self.experiment.name, "neural:pretrain", settings, needs=needs, files=files)

    @remembered
    def pairs(self, pair: str) -> Stage:
        training = self.of_pair(pair).training
        settings = {"mode": training.pairs, "negatives": training.negatives, "epochs": training.epochs}
        settings["seed"] = training.seed
        needs = {"topics": self.topics(pair), "candidates": self.candidates(pair)}
        needs["collection"] = self.collection(self.experiment.collection(pair))
        return self._stage("pairs", pair, "neural:pairs", settings, needs=needs, pair=pair)

    @remembered
    def train(self, pair: str, model: str, fold: int) -> Stage:
        whole = self.of_pair(pair)
        chosen = self.settings.models[model]
        training = dumped(whole.training, {"folds", "keep", "threads", "precision", "pairs", "negatives"})
        settings: dict[str, Any] = {
            "model": dumped(chosen, {"label", "zero_shot"}),
            "encoder": dumped(whole.encoder, {"ranking_pretrained"}),
            "training": training,
            "fold": fold,
            "threads": whole.training.threads,
            "precision": self._precision(whole),
        }
        needs = self._reading(pair, chosen) | {"pairs": self.pairs(pair), "folds": self.folds()}
        start, files = self._start(pair, fold, settings["encoder"])
        needs |= start
        hints = {"batch": whole.reranking.batch}
        return self._stage(
            "train", f"{pair} {model} fold {fold}", "neural:train", settings, needs=needs, files=files, hints=hints,
            pair=pair, model=model, fold=fold,
        )  # fmt: skip

    def _start(self, pair: str, fold: int, encoder: dict[str, Any]) -> tuple[dict[str, Stage], dict[str, list[Path]]]:
        """What a model starts from: a stage, or the files of a checkpoint; ``encoder`` keeps what still matters."""
        checkpoint = self.of_pair(pair).encoder.checkpoint
        if self.settings.pretrain is None and not isinstance(checkpoint, CheckpointOf):
            return {}, self._checkpoint_files(encoder)
        for name in ("checkpoint", "revision", "layers"):  # where that stage started from is its own affair
            del encoder[name]
        if isinstance(checkpoint, CheckpointOf):
            return {"start": self._other_model(checkpoint, pair, fold)}, {}
        return {"start": self.pretrain()}, {}

    @remembered
    def rerank_untrained(self, pair: str, model: str) -> Stage:
        """All topics, scored by what the encoder brings with it."""
        whole = self.of_pair(pair)
        settings: dict[str, Any] = {
            "depth": whole.reranking.depth,
            "encoder": dumped(whole.encoder, {"ranking_pretrained"}),
            "threads": whole.training.threads,
            "precision": self._precision(whole),
        }
        start, files = self._start(pair, 1, settings["encoder"])
        needs = self._reading(pair, self.settings.models[model]) | start
        hints = {"batch": whole.reranking.batch}
        return self._stage(
            "rerank", f"{pair} {model}", "neural:rerank_untrained", settings, needs=needs, files=files, hints=hints,
            pair=pair, model=model, version=2,
        )  # fmt: skip

    @remembered
    def rerank(self, pair: str, model: str, fold: int) -> Stage:
        whole = self.of_pair(pair)
        chosen = self.settings.models[model]
        settings = {
            "depth": whole.reranking.depth,
            "encoder": dumped(whole.encoder, {"checkpoint", "revision", "layers", "ranking_pretrained"}),
            "arm": chosen.arm.value,
            "fold": fold,
            "threads": whole.training.threads,
            "precision": self._precision(whole),
        }
        needs = self._reading(pair, chosen) | {"train": self.train(pair, model, fold), "folds": self.folds()}
        hints: dict[str, Any] = {"batch": whole.reranking.batch}
        if whole.training.keep == "scores":
            hints["drop"] = {"train": "model"}
        name = f"{pair} {model} fold {fold}"
        return self._stage(
            "rerank", name, "neural:rerank", settings, needs=needs, hints=hints, pair=pair, model=model, fold=fold
        )

    def _reading(self, pair: str, model: ModelSettings) -> dict[str, Stage]:
        """What any model reads to score: texts, candidates and, where it looks at them, links."""
        needs = {
            "collection": self.collection(self.experiment.collection(pair)),
            "topics": self.topics(pair),
            "candidates": self.candidates(pair),
        }
        if model.kind == "mart" and model.arm is Arm.translation:
            needs["matrices"] = self.matrices(pair)
        return needs

    def _checkpoint_files(self, encoder: dict[str, Any]) -> dict[str, list[Path]]:
        """A local checkpoint is known by its files; a hub name by itself and its revision, which stay in settings."""
        checkpoint = encoder["checkpoint"]
        if not isinstance(checkpoint, str):
            return {}
        folder = self.experiment.file.parent / checkpoint
        if not folder.is_dir():
            return {}
        encoder["checkpoint"] = None
        return {"checkpoint": [folder]}

    def _other_model(self, checkpoint: CheckpointOf, pair: str, fold: int) -> Stage:
        other = type(self)(self.experiment.other(checkpoint.experiment), self.checksums)
        other_pair = checkpoint.pair or pair
        trained = other.rows.folds(other_pair)
        if fold not in trained and len(trained) > 1:
            raise ConfigError(
                f"encoder.checkpoint: experiment {checkpoint.experiment} trains folds {trained}, not fold {fold}.",
                "Let it train the same folds, or one single fold on other topics.",
            )
        return other.train(other_pair, checkpoint.model, fold if fold in trained else trained[0])

    def _precision(self, settings: ExperimentSettings) -> str:
        if settings.training.precision != "auto":
            return settings.training.precision
        from clir_cli.pipeline.workers import cards

        if not cards():
            return "float32"
        from clir_cli.learning.devices import choose_device, resolve_precision

        return resolve_precision("auto", choose_device())
