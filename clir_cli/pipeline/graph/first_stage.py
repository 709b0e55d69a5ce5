"""Stages of indexes and of the runs made with them."""

from typing import Any

from clir_cli.config.schema import languages_of
from clir_cli.pipeline.graph.base import dumped, remembered
from clir_cli.pipeline.graph.dense import Dense
from clir_cli.pipeline.rows import DENSE, HUMAN, PSQ, SMT
from clir_cli.pipeline.stage import Stage

_NOT_IN_KEYS = {"heap", "methods", "engine", "exact_lengths", "dense"}
"""Settings of BM25 that change no run, or enter its key where they do."""

_ONLY_OF_OTHERS = {
    SMT: {"psq"},
    PSQ: {"translations", "structure"},
    HUMAN: {"psq", "translations", "structure", "out_of_table"},
}
"""Settings of the first stage that mean nothing to a system."""


class FirstStage(Dense):
    """What searches whole collections."""

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
        """Every index of words that the first stage of a pair searches."""
        collection = self.experiment.collection(pair)
        by_words = [system for system in self.rows.first_stage(pair) if system != DENSE]
        engines = dict.fromkeys(self.engine(pair, system) for system in by_words)
        return [stage for engine in engines for stage in self.indexes(collection, engine).values()]

    def engine(self, pair: str, system: str) -> str:
        """PSQ is scored by our own engine only."""
        return "sparse" if system == PSQ else self.of_pair(pair).retrieval.engine

    @remembered
    def retrieve(self, pair: str, system: str) -> Stage:
        if system == DENSE:
            return self.retrieve_dense(pair)
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

    def candidates(self, pair: str) -> Stage:
        """The run that is re-ranked."""
        return self.retrieve(pair, self.rows.candidates(pair))
