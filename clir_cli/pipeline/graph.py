"""An experiment as a graph of stages: who needs what. One method builds one kind of stage."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from clir_cli.config.choices import bitext_for
from clir_cli.config.knowledge_schema import AlignSettings, EmbeddingsSettings
from clir_cli.config.load import Experiment
from clir_cli.config.schema import Arm, CheckpointOf, ExperimentSettings, ModelSettings, languages_of
from clir_cli.config.settings import Settings
from clir_cli.config.sources import NONE, Source, find_source, legs_of, parts_there, what_lacks
from clir_cli.errors import ConfigError, UsageError
from clir_cli.pipeline.checksums import Checksums
from clir_cli.pipeline.pools import pools_of
from clir_cli.pipeline.rows import FIRST_STAGE, HUMAN, PSQ, SMT, Rows
from clir_cli.pipeline.stage import Stage

STAGES = "clir_cli.pipeline.stages"

_NOT_IN_KEYS = {"heap", "methods", "engine", "exact_lengths"}
"""Settings of the first stage that change no run, or enter its key where they do."""

_ONLY_OF_OTHERS = {
    SMT: {"psq"},
    PSQ: {"translations", "structure"},
    HUMAN: {"psq", "translations", "structure", "out_of_table"},
}
"""Settings of the first stage that mean nothing to a system."""

_ONLY_OF_OUR_ALIGNER = {
    "model1", "model2", "hmm", "agreement", "null_probability", "family_weight", "family_letters", "bayes", "table",
}  # fmt: skip
"""Settings of alignment that mean nothing to eflomal."""

SIDES = ("source", "target")

Builder = TypeVar("Builder", bound=Callable[..., Any])


def remembered(method: Builder) -> Builder:
    """One stage object for one set of arguments: equal stages are the same node."""
    return cache(method)  # type: ignore[return-value]


def dumped(settings: Settings, exclude: set[str] | None = None) -> dict[str, Any]:
    """Settings as they enter a key and travel to a worker."""
    return settings.model_dump(mode="json", by_alias=True, exclude=exclude)


class Graph:
    """The stages of one experiment. Building costs nothing but the checksums of raw files."""

    def __init__(self, experiment: Experiment, checksums: Checksums) -> None:
        self.experiment = experiment
        self.settings = experiment.settings
        self.rows = Rows(experiment)
        self.checksums = checksums

    @remembered
    def of_pair(self, pair: str) -> ExperimentSettings:
        return self.experiment.for_pair(pair)

    def language_of(self, collection: str) -> str:
        return self.settings.collections[collection].language or collection

    def stop(self, language: str) -> dict[str, str]:
        """The stop list of a language as it enters a key: a file by its contents, its path travels in the hints."""
        path = self.stop_files().get(language)
        if path is not None:
            return {"language": language, "spec": f"sha256:{self.checksums.of(path)}"}
        setting = self.settings.languages.get(language)
        return {"language": language, "spec": str(setting.stop_words) if setting else "iso"}

    def stop_files(self) -> dict[str, Path]:
        languages = self.settings.languages.items()
        return {name: setting.stop_words for name, setting in languages if isinstance(setting.stop_words, Path)}

    # --- corpora ----------------------------------------------------------------------------------------------------

    @remembered
    def collection(self, name: str) -> Stage:
        source = self.settings.collections[name]
        settings = dumped(source, {"path", "language", "pools"}) | {"stop": self.stop(self.language_of(name))}
        return self._stage("collection", name, "corpora:collection", settings, files={"documents": source.path})

    def pools(self, collection: str) -> list[dict[str, Any]]:
        """Parts of the collection that topics search, as they enter keys; none where every topic searches all."""
        return pools_of(self.settings.collections[collection])

    @remembered
    def topics(self, pair: str) -> Stage:
        collection = self.experiment.collection(pair)
        asked = self.experiment.topics(pair)
        sources = {"query": self.settings.topics[asked]}
        if (translations := self.experiment.human_topics(pair)) is not None:
            sources["human"] = self.settings.topics[translations]
        shared = self.settings.topics_intersect
        if asked in shared:
            sources |= {f"shared {name}": self.settings.topics[name] for name in sorted(shared) if name != asked}
        settings: dict[str, Any] = {
            # Of the shared ones only the numbers matter, not which parts of them would make a query.
            name: dumped(source, {"path", "fields"} if name.startswith("shared ") else {"path"})
            for name, source in sources.items()
        }
        settings["pools"] = self.pools(collection)
        files = {name: source.path for name, source in sources.items()}
        if self.experiment.is_judged(pair):
            files["qrels"] = self.settings.qrels[self.experiment.qrels(pair)]
        needs = {"collection": self.collection(collection)}
        return self._stage("topics", pair, "corpora:topics", settings, needs=needs, files=files, pair=pair)

    @remembered
    def folds(self) -> Stage:
        """Made over the topics of every pair, whatever is selected: transfer must never test on its training topics."""
        settings = {"count": self.settings.training.folds.count, "seed": self.settings.training.seed}
        needs = {pair: self.topics(pair) for pair in self.settings.pairs if self.experiment.is_judged(pair)}
        return self._stage("folds", self.experiment.name, "corpora:folds", settings, needs=needs)

    # --- translation and first stage --------------------------------------------------------------------------------

    def align(self, pair: str) -> Stage:
        """The table that a pair is translated with."""
        return self._chosen_table(pair, self.rows.source(pair))

    def align_matrix(self, pair: str) -> Stage:
        """The table that M^tr of a pair is taken from: the same, or that of ``matrix.source``."""
        return self._chosen_table(pair, self.rows.source_of_matrix(pair))

    def _chosen_table(self, pair: str, source: str) -> Stage:
        if source == NONE:
            raise UsageError(f"{pair} has no translations: its knowledge.source is none.", "Name another pair.")
        lack = what_lacks(self.of_pair(pair), pair, source)
        if lack is not None:
            raise UsageError(f"{pair}: translations by {source} are not available: {lack}.", "Name another pair.")
        return self.table(pair, source)

    @remembered
    def table(self, pair: str, name: str) -> Stage:
        """The table of one source of a pair; which has to be there."""
        settings = self.of_pair(pair)
        source = find_source(settings.knowledge, name)
        assert source is not None, "settings are checked"
        title = pair if name == self.rows.source(pair) else f"{pair} {name}"
        if source.mix is not None:
            weights = parts_there(settings, pair, source)
            needs = {part: self.table(pair, part) for part in weights}
            return self._stage("align", title, "knowledge:mix", {"weights": weights}, needs=needs, pair=pair)
        if source.pivot is not None:
            return self._pivot(pair, source, title)
        if source.embeddings is not None:
            return self._embed(pair, source.embeddings, title)
        if source.table is not None:
            taken = dumped(source.table, {"path", "vocabularies"})
            files = {"table": [source.table.path], "vocabularies": source.table.vocabularies or []}
            return self._stage("align", title, "knowledge:take", taken, files=files, pair=pair)
        if source.dictionary is not None:
            looked_up = dumped(source.dictionary, {"path"}) | {"stop": self._stop_of(pair)}
            files = {"dictionary": source.dictionary.path}
            return self._stage("align", title, "knowledge:look_up", looked_up, files=files, pair=pair)
        return self._learn(pair, source.align, title, of=pair)

    def _learn(self, pair: str, align: AlignSettings, title: str, *, of: str) -> Stage:
        """The table learned from the parallel text of ``pair``, for the pair ``of``."""
        bitext = bitext_for(self.settings, pair)
        assert bitext is not None, "settings are checked"
        settings = dumped(align, _ONLY_OF_OUR_ALIGNER if align.tool == "eflomal" else None) | {
            "encoding": bitext.encoding,
            "stop": self._stop_of(pair),
        }
        files = {"source": [bitext.source], "target": [bitext.target]}
        hints = {"any_threads": True}
        return self._stage("align", title, "knowledge:align", settings, files=files, pair=of, hints=hints)

    def _pivot(self, pair: str, source: Source, title: str) -> Stage:
        assert source.pivot is not None
        legs = legs_of(pair, source.pivot)
        needs = {
            part: self._learn(leg, source.align, f"{leg} bitext", of=pair)
            for part, leg in zip(("first", "second"), legs, strict=True)
        }
        settings = dumped(source.align, set(type(source.align).model_fields) - {"min_probability", "max_translations"})
        return self._stage("align", title, "knowledge:pivot", settings, needs=needs, pair=pair)

    def _embed(self, pair: str, embeddings: EmbeddingsSettings, title: str) -> Stage:
        settings = dumped(embeddings) | {"stop": self._stop_of(pair)}
        files = {side: [self.settings.vectors[code]] for side, code in zip(SIDES, languages_of(pair), strict=True)}
        needs = {"collection": self.collection(self.experiment.collection(pair))}
        if not embeddings.csls:  # with it, all words of the vectors are asked for, and topics do not matter
            needs["topics"] = self.topics(pair)
        return self._stage("align", title, "knowledge:embed", settings, needs=needs, files=files, pair=pair)

    def _stop_of(self, pair: str) -> list[dict[str, str]]:
        return [self.stop(language) for language in languages_of(pair)]

    @remembered
    def index(self, collection: str, engine: str = "lucene", pool: int | None = None) -> Stage:
        """The index of a whole collection, or of one of its pools (counted from 0), for one of the engines."""
        needs = {"collection": self.collection(collection)}
        pools = self.settings.collections[collection].pools or []
        settings: dict[str, Any] = {} if pool is None else {"documents": pools[pool].documents}
        name = collection if pool is None else f"{collection} {pools[pool].topics}"
        if engine == "sparse":
            settings["engine"] = engine
            return self._stage("index", f"{name} sparse", "first_stage:index_sparse", settings, needs=needs)
        hints = {"heap": self.settings.retrieval.heap}
        return self._stage("index", name, "first_stage:index", settings, needs=needs, hints=hints)

    def indexes(self, collection: str, engine: str) -> dict[str, Stage]:
        """Every index of an engine that topics of a collection search."""
        pools = range(len(self.pools(collection)))
        several = {f"index {pool}": self.index(collection, engine, pool) for pool in pools}
        return several or {"index": self.index(collection, engine)}

    def indexes_of(self, pair: str) -> list[Stage]:
        """Every index that the first stage of a pair searches."""
        collection = self.experiment.collection(pair)
        engines = dict.fromkeys(self.engine(pair, system) for system in self.rows.first_stage(pair))
        return [stage for engine in engines for stage in self.indexes(collection, engine).values()]

    def engine(self, pair: str, system: str) -> str:
        """PSQ is scored by our own engine only."""
        return "sparse" if system == PSQ else self.of_pair(pair).retrieval.engine

    @remembered
    def retrieve(self, pair: str, system: str) -> Stage:
        query, document = languages_of(pair)
        retrieval = self.of_pair(pair).retrieval
        collection = self.experiment.collection(pair)
        engine = self.engine(pair, system)
        needs = self.indexes(collection, engine) | {"topics": self.topics(pair)}
        settings = dumped(retrieval, _NOT_IN_KEYS | _ONLY_OF_OTHERS[system])
        settings |= {"system": system, "pools": self.pools(collection)}
        if engine == "sparse":
            settings |= {"engine": engine, "exact_lengths": retrieval.exact_lengths}
        settings["stop"] = self.stop(document if system == HUMAN else query)
        if system != HUMAN:
            needs["align"] = self.align(pair)
        if system == PSQ:
            settings["document_stop"] = self.stop(document)
        hints = {"heap": retrieval.heap}
        name = f"{pair} {system}"
        return self._stage("retrieve", name, "first_stage:retrieve", settings, needs=needs, hints=hints, pair=pair)

    @remembered
    def matrices(self, pair: str) -> Stage:
        settings = dumped(self.of_pair(pair).matrix, {"source"}) | {"stop": self._stop_of(pair)}
        needs = {
            "topics": self.topics(pair),
            "align": self.align_matrix(pair),
            "collection": self.collection(self.experiment.collection(pair)),
        }
        return self._stage("matrices", pair, "knowledge:matrices", settings, needs=needs, pair=pair)

    # --- re-rankers -------------------------------------------------------------------------------------------------

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

    def candidates(self, pair: str) -> Stage:
        """The run that is re-ranked: SMT's, or the human translation's where nothing is translated."""
        return self.retrieve(pair, self.rows.candidates(pair))

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

    # --- results ----------------------------------------------------------------------------------------------------

    @remembered
    def evaluate(self, pair: str, system: str) -> Stage:
        settings: dict[str, Any] = {"measures": self.settings.evaluation.measures, "system": system}
        needs = {"topics": self.topics(pair)}
        if system in FIRST_STAGE:
            needs["run"] = self.retrieve(pair, system)
        elif self.settings.models[system].zero_shot:
            needs["run"] = self.rerank_untrained(pair, system)
        else:
            needs["folds"] = self.folds()
            needs |= {f"run {fold}": self.rerank(pair, system, fold) for fold in self.rows.folds(pair)}
            settings["folds"] = self.rows.folds(pair)
        name = f"{pair} {system}"
        model = system if system in self.settings.models else None
        return self._stage("evaluate", name, "results:evaluate", settings, needs=needs, pair=pair, model=model)

    def report(self, systems: dict[str, list[str]]) -> Stage:
        """The tables over the given systems of the given pairs."""
        evaluation = self.settings.evaluation
        has_psq = any(PSQ in chosen for chosen in systems.values())
        settings = {
            "experiment": self.experiment.name,
            "description": self.settings.description,
            "systems": systems,
            "labels": {system: self.rows.label(system) for chosen in systems.values() for system in chosen},
            "untrained": [SMT, HUMAN, *self.rows.zero_shot(), *([PSQ] if has_psq else [])],
            "folds": {pair: self.rows.folds(pair) for pair in systems if set(systems[pair]) & set(self.rows.trained())},
            "fold_count": self.settings.training.folds.count,
            "measures": evaluation.measures,
            "mean": evaluation.mean,
            "alpha": evaluation.alpha,
            "compare": evaluation.compare,
            "baselines": evaluation.baselines,
            "margins": evaluation.margins,
            "notes": self.rows.notes(systems),
            "not_available": {pair: self.rows.not_available(pair) for pair in systems},
            "availability": self.rows.availability(systems),
        }
        needs = {f"{pair} {system}": self.evaluate(pair, system) for pair in systems for system in systems[pair]}
        needs |= {f"topics {pair}": self.topics(pair) for pair in systems}
        if settings["folds"] or evaluation.mean == "folds":  # else a few topics, too few for folds, are enough
            needs["folds"] = self.folds()
        return self._stage("report", self.experiment.name, "results:report", settings, needs=needs)

    # --- shared parts -----------------------------------------------------------------------------------------------

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
        other = Graph(self.experiment.other(checkpoint.experiment), self.checksums)
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

    def _stage(
        self,
        kind: str,
        name: str,
        function: str,
        settings: dict[str, Any],
        hints: dict[str, Any] | None = None,
        **rest: Any,
    ) -> Stage:
        hints = {"stop_files": self.stop_files()} | (hints or {})
        return Stage(kind, name, f"{STAGES}.{function}", settings, self.checksums, hints=hints, **rest)
