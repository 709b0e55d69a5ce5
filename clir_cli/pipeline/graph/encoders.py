"""The stage that makes or goes on with an encoder, and how a checkpoint enters the key of what reads it."""

from pathlib import Path
from typing import Any

from clir_cli.config.schema import ExperimentSettings
from clir_cli.pipeline.graph.base import dumped, remembered
from clir_cli.pipeline.graph.knowledge import Knowledge
from clir_cli.pipeline.stage import Stage

_NOT_OF_A_START = {"max_pieces", "document_pieces", "ranking_pretrained"}


class Encoders(Knowledge):
    """What everything neural starts from."""

    @remembered
    def pretrain(self, with_ranking: bool = True) -> Stage:
        """``with_ranking`` False: what it is before the ranking examples."""
        pretrain = self.settings.pretrain
        assert pretrain is not None
        if not with_ranking:
            pretrain = pretrain.model_copy(update={"ranking": None})
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
        if pretrain.ranking is not None:
            needs |= self._examples(settings, files)
        name = self.experiment.name if with_ranking else f"{self.experiment.name} text"
        return self._stage("pretrain", name, "encoder:pretrain", settings, needs=needs, files=files)

    def _examples(self, settings: dict[str, Any], files: dict[str, list[Path]]) -> dict[str, Stage]:
        """The ranking examples that a stage reads: told to its ``settings`` and ``files``, and stages it needs."""
        assert self.settings.pretrain is not None
        ranking = self.settings.pretrain.ranking
        assert ranking is not None
        for part in ("triples", "queries", "query_documents"):
            if (path := getattr(ranking, part)) is not None:
                files[part] = [path]
                settings["ranking"][part] = path.name
        if ranking.titles_of is None:
            return {}
        settings["ranking_stop"] = self.stop(self.language_of(ranking.titles_of))
        return {f"collection {ranking.titles_of}": self.collection(ranking.titles_of)}

    @remembered
    def pretrain_model(self, model: str) -> Stage:
        """A MORES, trained for ranking; those that differ in M^tr alone share it.

        It starts, as in its paper, from an encoder that has not seen the ranking examples: a cross-encoder's training
        leaves nothing to tell apart in the vectors that are not [CLS].
        """
        pretrain, chosen = self.settings.pretrain, self.settings.models[model]
        assert pretrain is not None
        assert pretrain.ranking is not None
        parts = {name: chosen.parts[name] for name in ("kind", "dropout", "blocks", "tied", "block_start")}
        source = dumped(pretrain.ranking, {"steps", "batch", "learning_rate", "max_pieces"})
        settings: dict[str, Any] = {
            "model": parts,
            "ranking": source | dumped(chosen.ranking),
            "encoder": {"text": self.settings.encoder.text},
            "checkpoint_every": pretrain.checkpoint_every,
            "seed": self.settings.training.seed,
            "threads": self.settings.training.threads,
            "precision": self._precision(self.settings),
        }
        files: dict[str, list[Path]] = {}
        needs: dict[str, Stage] = {}
        if pretrain.masked_language is not None:
            needs["start"] = self.pretrain(with_ranking=False)
        elif pretrain.architecture is not None:
            needs["start"] = self.pretrain()
        else:
            settings["encoder"] |= dumped(self.settings.encoder, _NOT_OF_A_START)
            files |= self._checkpoint_files(settings["encoder"])
        needs |= self._examples(settings, files)
        name = f"{self.experiment.name} {chosen.kind}"
        return self._stage("pretrain", name, "encoder:pretrain_model", settings, needs=needs, files=files)

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

    def _precision(self, settings: ExperimentSettings) -> str:
        precision = settings.training.precision
        if precision in ("float32", "bf16"):
            return precision
        from clir_cli.pipeline.workers import cards

        if not cards():
            return "float32"
        from clir_cli.learning.devices import choose_device, resolve_precision

        return resolve_precision(precision, choose_device())
