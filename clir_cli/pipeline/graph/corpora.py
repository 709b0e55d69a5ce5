"""Stages of collections, topics and folds."""

from typing import Any

from clir_cli.pipeline.graph.base import Base, dumped, remembered
from clir_cli.pipeline.pools import pools_of
from clir_cli.pipeline.stage import Stage


class Corpora(Base):
    """What is read."""

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
