"""Stages of translation tables and of what M^tr takes from them."""

from clir_cli.config.choices import bitext_for
from clir_cli.config.knowledge_schema import AlignSettings, EmbeddingsSettings
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
    def matrices(self, pair: str) -> Stage:
        settings = dumped(self.of_pair(pair).matrix, {"source"}) | {"stop": self._stop_of(pair)}
        needs = {
            "topics": self.topics(pair),
            "align": self.align_matrix(pair),
            "collection": self.collection(self.experiment.collection(pair)),
        }
        return self._stage("matrices", pair, "knowledge:matrices", settings, needs=needs, pair=pair)
