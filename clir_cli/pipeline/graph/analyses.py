"""Stages that look into trained models."""

from typing import Any

from clir_cli.pipeline.graph.base import dumped, remembered
from clir_cli.pipeline.graph.results import Results
from clir_cli.pipeline.stage import Stage


class Analyses(Results):
    """What is looked at."""

    @remembered
    def gap(self, pair: str, model: str, fold: int) -> Stage:
        """The translation gap in the layers of a fold's model."""
        whole = self.of_pair(pair)
        settings: dict[str, Any] = {
            "gap": dumped(self.settings.analysis.gap),
            "encoder": dumped(whole.encoder, {"checkpoint", "revision", "layers", "ranking_pretrained"}),
            "fold": fold,
            "threads": whole.training.threads,
        }
        needs = self._reading(pair, model) | {
            "matrices": self.matrices(pair),
            "train": self.train(pair, model, fold),
            "folds": self.folds(),
        }
        files = self._adapted(pair, model, settings, needs)
        return self._stage(
            "gap", f"{pair} {model} fold {fold}", "analyses:gap", settings, needs=needs, files=files,
            hints={"tokens": whole.reranking.tokens}, pair=pair, model=model, fold=fold,
        )  # fmt: skip

    def has_gap(self, pair: str, model: str) -> bool:
        """Whether the translation gap of a model can be measured: words of both sides in one input, and a table.

        Translations are those of the pair's M^tr, so a model that is given other links is left out. One with adapters
        is measured through those of the pair.
        """
        chosen = self.settings.models[model]
        if chosen.kind == "mores" or not self.rows.has_matrices(pair):
            return False
        return not chosen.reads_translations or self.matrices_of(pair, model).key == self.matrices(pair).key
