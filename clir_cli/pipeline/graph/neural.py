"""Stages of re-rankers."""

from pathlib import Path
from typing import Any

from clir_cli.config.encoder_schema import CheckpointOf
from clir_cli.config.schema import ExperimentSettings, languages_of
from clir_cli.errors import ConfigError
from clir_cli.pipeline.graph.base import dumped, remembered
from clir_cli.pipeline.graph.languages import Languages
from clir_cli.pipeline.stage import Stage

_OF_BASE = ("checkpoint", "revision", "layers")


class Neural(Languages):
    """What is trained, and what ranks with it."""

    @remembered
    def pairs(self, pair: str, seed: int | None = None) -> Stage:
        training = self.of_pair(pair).training
        seed, suffix = self.seed(pair, seed)
        settings = {"mode": training.pairs, "negatives": training.negatives, "epochs": training.epochs}
        settings["seed"] = seed
        needs = {"topics": self.topics(pair), "candidates": self.candidates(pair)}
        needs["collection"] = self.collection(self.experiment.collection(pair))
        return self._stage("pairs", f"{pair}{suffix}", "training:pairs", settings, needs=needs, pair=pair)

    def seed(self, pair: str, seed: int | None = None) -> tuple[int, str]:
        """The seed meant (default: the first of the pair), and how names of stages tell it from the others."""
        known = self.rows.seeds(pair)
        chosen = known[0] if seed is None else seed
        return chosen, f" seed {chosen}" if len(known) > 1 else ""

    def train(self, pair: str, model: str, fold: int, seed: int | None = None) -> Stage:
        """What a fold of ``pair`` is ranked by: trained on the topics of that pair, or of the one it is taken from."""
        source = self.rows.task_from(pair, model)
        chosen = self.settings.models[model]
        language = None
        if chosen.masked_language is not None:
            language = languages_of(source if chosen.masked_language == "source" else pair)[0]
        return self._train(source, model, fold, self.seed(pair, seed)[0], language)

    @remembered
    def _train(self, pair: str, model: str, fold: int, seed: int, language: str | None) -> Stage:
        """``language``: in which the encoder was trained further, all its weights, before."""
        whole = self.of_pair(pair)
        seed, suffix = self.seed(pair, seed)
        chosen = self.settings.models[model]
        apart = {
            "folds",
            "keep",
            "threads",
            "precision",
            "pairs",
            "negatives",
            "gradient_checkpointing",
            "tensorboard",
            "seeds",
        }
        training = dumped(chosen.training.lay_over(whole.training), apart) | {"seed": seed}
        settings: dict[str, Any] = {
            "model": chosen.parts,
            "encoder": dumped(whole.encoder, {"ranking_pretrained"}),
            "training": training,
            "fold": fold,
            "threads": whole.training.threads,
            "precision": self._precision(whole),
        }
        if chosen.pooler:  # a classifier's head stays, which before it did not
            settings["head"] = "kept"
        needs = self._reading(pair, model) | {"pairs": self.pairs(pair, seed), "folds": self.folds()}
        start, files = self._start(pair, fold, settings["encoder"])
        if chosen.kind == "mores" and self._has_examples(pair):
            start = {"start": self.pretrain_model(model)}
        if language is not None:
            start, files = {"start": self.adapt_encoder(language)}, {}
            settings["encoder"] = {key: value for key, value in settings["encoder"].items() if key not in _OF_BASE}
        needs |= start
        if chosen.adapters is not None:
            stages, folders, said = self.adapters_of(model, pair, pair)
            needs |= stages
            files = files | folders
            settings["adapters"] = said | dumped(chosen.adapters, {"language", "invertible", "share"})
        hints = {
            "tokens": whole.reranking.tokens,
            "cards": whole.training.cards,
            "gradient_checkpointing": whole.training.gradient_checkpointing,
            "tensorboard": whole.training.tensorboard,
            "card": self._card(pair, model),
        }
        name = f"{pair} {model} fold {fold}"
        if chosen.masked_language == "target":
            name = f"{pair} {model} {language} fold {fold}"
        return self._stage(
            "train", f"{name}{suffix}", "training:train", settings, needs=needs, files=files, hints=hints,
            pair=pair, model=model, fold=fold,
        )  # fmt: skip

    def _has_examples(self, pair: str) -> bool:
        """Whether a MORES can learn to rank before any fold."""
        pretrain = self.settings.pretrain
        from_another = isinstance(self.of_pair(pair).encoder.checkpoint, CheckpointOf)
        return pretrain is not None and pretrain.ranking is not None and not from_another

    def _card(self, pair: str, model: str) -> dict[str, Any]:
        """What a trained model's folder is told of its experiment: names for its card, and how it is to be used."""
        chosen = self.settings.models[model]
        checkpoint = self.of_pair(pair).encoder.checkpoint
        base, is_on_hub = str(checkpoint), False
        if isinstance(checkpoint, CheckpointOf):
            base = f"{checkpoint.model} of experiment {checkpoint.experiment}"
        elif checkpoint is None:
            base = "a new encoder, pre-trained in the experiment"
        elif (self.experiment.file.parent / checkpoint).is_dir():
            base = Path(checkpoint).name
        elif self.settings.pretrain is not None:
            base = f"{checkpoint}, pre-trained further in the experiment"
        else:
            is_on_hub = True
        card: dict[str, Any] = {
            "experiment": self.experiment.name,
            "pair": pair,
            "model": chosen.label or model,
            "collection": self.experiment.collection(pair),
            "base": base,
            "base_is_on_hub": is_on_hub,
            "fields": list(self.settings.topics[self.experiment.topics(pair)].fields),
        }
        if chosen.reads_translations:
            card["links"] = self.matrices_of(pair, model).settings
        return card

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

    def pieces(self, pair: str) -> Stage:
        """The documents of a pair as word pieces of its encoder."""
        return self._pieces(self.experiment.collection(pair), pair)

    @remembered
    def _pieces(self, collection: str, pair: str) -> Stage:
        encoder = self.of_pair(pair).encoder
        tokenizer, start, files = self._tokenizer(pair)
        settings = {"encoder": {"text": encoder.text, "document_pieces": encoder.document_pieces} | tokenizer}
        needs = {"collection": self.collection(collection)} | start
        return self._stage("pieces", collection, "encoder:pieces", settings, needs=needs, files=files)

    def _tokenizer(self, pair: str) -> tuple[dict[str, Any], dict[str, Stage], dict[str, list[Path]]]:
        """Where the tokenizer of a pair's models comes from, as settings, stages and files; the same for all folds."""
        encoder = self.of_pair(pair).encoder
        if isinstance(encoder.checkpoint, CheckpointOf):
            return self._other_graph(encoder.checkpoint)._tokenizer(encoder.checkpoint.pair or pair)
        if self.settings.pretrain is not None:
            return {}, {"start": self.pretrain()}, {}
        settings = {"checkpoint": encoder.checkpoint, "revision": encoder.revision}
        return settings, {}, self._checkpoint_files(settings)

    @remembered
    def rerank_untrained(self, pair: str, model: str) -> Stage:
        """All topics, scored by what the encoder brings with it."""
        whole = self.of_pair(pair)
        settings: dict[str, Any] = {
            "depth": whole.reranking.depth,
            "encoder": dumped(whole.encoder, {"ranking_pretrained"}),
            "threads": whole.training.threads,
            "precision": self._precision(whole),
            **_int8(whole),
        }
        start, files = self._start(pair, 1, settings["encoder"])
        needs = self._reading(pair, model) | start
        hints = {"tokens": whole.reranking.tokens}
        return self._stage(
            "rerank", f"{pair} {model}", "reranking:rerank_untrained", settings, needs=needs, files=files, hints=hints,
            pair=pair, model=model, version=2,
        )  # fmt: skip

    @remembered
    def rerank(self, pair: str, model: str, fold: int, seed: int | None = None) -> Stage:
        whole = self.of_pair(pair)
        seed, suffix = self.seed(pair, seed)
        chosen = self.settings.models[model]
        settings = {
            "depth": whole.reranking.depth,
            "encoder": dumped(whole.encoder, {"checkpoint", "revision", "layers", "ranking_pretrained"}),
            "arm": chosen.parts["arm"],
            "fold": fold,
            "threads": whole.training.threads,
            "precision": self._precision(whole),
            **_int8(whole),
        }
        needs = self._reading(pair, model) | {"train": self.train(pair, model, fold, seed), "folds": self.folds()}
        files = self._adapted(pair, model, settings, needs)
        if chosen.kind == "mores" and whole.reranking.reuse != "none":
            settings["reuse"] = whole.reranking.reuse
            needs["represent"] = self.represent(pair, model, fold, seed)
        hints: dict[str, Any] = {"tokens": whole.reranking.tokens}
        if whole.training.keep == "scores":
            hints["drop"] = {"train": "model" if chosen.adapters is None else "parts"}
        return self._stage(
            "rerank", f"{pair} {model} fold {fold}{suffix}", "reranking:rerank", settings, needs=needs, files=files,
            hints=hints, pair=pair, model=model, fold=fold,
        )  # fmt: skip

    def _adapted(
        self, pair: str, model: str, settings: dict[str, Any], needs: dict[str, Stage]
    ) -> dict[str, list[Path]]:
        """What a stage needs to load a model with adapters, told to ``settings`` and ``needs``; its files."""
        if self.settings.models[model].adapters is None:
            return {}
        start, files, base = self.base_of(model)
        stages, folders, settings["adapters"] = self.adapters_of(model, pair, self.rows.task_from(pair, model))
        settings["encoder"] = settings["encoder"] | base
        needs |= start | stages
        return files | folders

    @remembered
    def represent(self, pair: str, model: str, fold: int, seed: int | None = None) -> Stage:
        """What MORES keeps of the candidates of all topics, for a fold's model."""
        whole = self.of_pair(pair)
        seed, suffix = self.seed(pair, seed)
        settings = {
            "depth": whole.reranking.depth,
            "strategy": "s2" if whole.reranking.reuse == "s2" else "s1",
            "dtype": whole.reranking.stored,
            "encoder": dumped(whole.encoder, {"checkpoint", "revision", "layers", "ranking_pretrained"}),
            "threads": whole.training.threads,
        }
        needs = {
            "candidates": self.candidates(pair),
            "pieces": self.pieces(pair),
            "train": self.train(pair, model, fold, seed),
        }
        files = self._adapted(pair, model, settings, needs)
        return self._stage(
            "represent", f"{pair} {model} fold {fold}{suffix}", "reranking:represent", settings, needs=needs,
            files=files, hints={"tokens": whole.reranking.tokens}, pair=pair, model=model, fold=fold,
        )  # fmt: skip

    def _reading(self, pair: str, model: str) -> dict[str, Stage]:
        """What any model reads to score: texts, candidates and, where it looks at them, links."""
        needs = {
            "topics": self.topics(pair),
            "candidates": self.candidates(pair),
            "pieces": self.pieces(pair),
        }
        if self.settings.models[model].reads_translations:
            needs["matrices"] = self.matrices_of(pair, model)
        return needs

    def _other_graph(self, checkpoint: CheckpointOf) -> "Neural":
        return type(self)(self.experiment.other(checkpoint.experiment), self.checksums)

    def _other_model(self, checkpoint: CheckpointOf, pair: str, fold: int) -> Stage:
        other = self._other_graph(checkpoint)
        other_pair = checkpoint.pair or pair
        trained = other.rows.folds(other_pair)
        if fold not in trained and len(trained) > 1:
            raise ConfigError(
                f"encoder.checkpoint: experiment {checkpoint.experiment} trains folds {trained}, not fold {fold}.",
                "Let it train the same folds, or one single fold on other topics.",
            )
        return other.train(other_pair, checkpoint.model, fold if fold in trained else trained[0])


def _int8(settings: ExperimentSettings) -> dict[str, Any]:
    """Keys of stages stay what they are where nothing is quantised."""
    return {"int8": True} if settings.reranking.int8 else {}
