"""Stages of translation tables and of what M^tr takes from them."""

from typing import Any

from clir_cli.config.choices import bitext_for, turned
from clir_cli.config.knowledge_schema import AlignSettings, DictionarySettings, EmbeddingsSettings
from clir_cli.config.model_schema import Arm
from clir_cli.config.schema import languages_of
from clir_cli.config.sources import NONE, Source, find_source, legs_of, parts_there, what_lacks
from clir_cli.errors import UsageError
from clir_cli.pipeline.graph.base import dumped, remembered
from clir_cli.pipeline.graph.corpora import Corpora
from clir_cli.pipeline.stage import Stage

_ONLY_OF_OUR_ALIGNER = {
    "model1", "model2", "hmm", "agreement", "null_probability", "family_weight", "family_letters", "bayes", "table",
}  # fmt: skip
"""Settings of alignment that mean nothing to eflomal."""

SIDES = ("source", "target")


class Knowledge(Corpora):
    """What is known of words in two languages."""

    def align(self, pair: str) -> Stage:
        """The table that a pair is translated with."""
        return self._chosen_table(pair, self.rows.source(pair))

    def align_matrix(self, pair: str, model: str | None = None) -> Stage:
        """The table that M^tr of a pair is taken from: the same, or that of ``matrix.source``, or of a model's own."""
        return self._chosen_table(pair, self.rows.source_of_matrix(pair, model))

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
            return self._look_up(pair, source.dictionary, title, of=pair)
        return self._learn(pair, source.align, title, of=pair)

    def _look_up(self, pair: str, dictionary: DictionarySettings, title: str, *, of: str) -> Stage:
        """The table of word lists read from the first to the second language of ``pair``, for the pair ``of``."""
        settings = dumped(dictionary, {"path"}) | {"stop": self._stop_of(pair)}
        files = {"dictionary": dictionary.path}
        return self._stage("align", title, "knowledge:look_up", settings, files=files, pair=of)

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
    def matrices(self, pair: str, source: str | None = None) -> Stage:
        """The links of M^tr, from the table of ``source`` or of the one that the pair takes them from."""
        table = self.align_matrix(pair) if source is None else self._chosen_table(pair, source)
        settings = dumped(self.of_pair(pair).matrix, {"source"}) | {"stop": self._stop_of(pair)}
        name = pair if source in (None, self.rows.source_of_matrix(pair)) else f"{pair} {source}"
        return self._matrices(pair, name, settings, {"align": table})

    def matrices_of(self, pair: str, model: str) -> Stage:
        """The links that a model is given: those of M^tr, or what its ``arm`` or ``source`` puts in their place."""
        arm = self.settings.models[model].arm
        if arm is Arm.translation:
            return self.matrices(pair, self.settings.models[model].source)
        return self._altered(pair, arm, self.rows.source_of_matrix(pair, model))

    @remembered
    def _altered(self, pair: str, arm: Arm, source: str) -> Stage:
        """Links that are not those of M^tr."""
        settings = dumped(self.of_pair(pair).matrix, {"source"}) | {"stop": self._stop_of(pair), "arm": arm.value}
        needs: dict[str, Stage] = {}
        if arm is Arm.copies:
            settings = {name: settings[name] for name in ("stop_words", "stop", "arm")}
            return self._matrices(pair, f"{pair} {arm.value}", settings, needs)
        needs["align"] = self._chosen_table(pair, source)
        if arm is Arm.shuffled:
            settings["seed"] = self.settings.training.seed
        elif (other_way := self._other_way(pair, source)) is not None:
            needs["align"] = other_way
            settings["given"] = "other way"
        own = [] if source == self.rows.source_of_matrix(pair) else [source]
        return self._matrices(pair, " ".join([pair, *own, arm.value]), settings, needs)

    def _other_way(self, pair: str, source: str) -> Stage | None:
        """P(query word | document word) of a source that can be read the other way round; None where none can."""
        found = find_source(self.of_pair(pair).knowledge, source)
        assert found is not None, "settings are checked"
        other, title = turned(pair), f"{turned(pair)} {source}"
        if found.dictionary is not None:
            columns = {"source": found.dictionary.target, "target": found.dictionary.source}
            return self._look_up(other, found.dictionary.model_copy(update=columns), title, of=pair)
        if found.mix is None and found.pivot is None and found.embeddings is None and found.table is None:
            return self._learn(other, found.align, title, of=pair)
        return None

    def _matrices(self, pair: str, name: str, settings: dict[str, Any], needs: dict[str, Stage]) -> Stage:
        needs |= {"topics": self.topics(pair), "collection": self.collection(self.experiment.collection(pair))}
        return self._stage("matrices", name, "knowledge:matrices", settings, needs=needs, pair=pair)
