"""Stages of rows that are mixed from two others."""

from dataclasses import replace
from typing import Any

from clir_cli.pipeline.graph.base import dumped, remembered
from clir_cli.pipeline.graph.neural import Neural
from clir_cli.pipeline.rows import FIRST_STAGE
from clir_cli.pipeline.stage import Stage


class Interpolation(Neural):
    """Two runs as one, and what its weights are chosen on."""

    def whole_run(self, pair: str, system: str) -> Stage:
        """The run of a system that nobody trains: all topics at once."""
        return self.retrieve(pair, system) if system in FIRST_STAGE else self.rerank_untrained(pair, system)

    @remembered
    def rerank_validation(self, pair: str, model: str, fold: int, seed: int | None = None) -> Stage:
        """As ``rerank``, of the topics that the fold validates on: made only where a weight is chosen on them."""
        test = self.rerank(pair, model, fold, seed)
        return replace(test, name=f"{test.name} validation", settings=test.settings | {"part": "validation"})

    @remembered
    def interpolate(self, pair: str, name: str, seed: int | None = None) -> Stage:
        """All folds of a mixture: a fold's weight is chosen on its validation topics, and used on its test topics."""
        chosen = self.settings.interpolation[name]
        seed, suffix = self.seed(pair, seed) if self.rows.is_trained(name) else (None, "")
        folds = self.rows.folds_of(pair, name)
        settings: dict[str, Any] = dumped(chosen, {"label"}) | {"name": name, "folds": folds}
        settings["reranked"] = [system not in FIRST_STAGE for system in chosen.systems]
        needs = {"topics": self.topics(pair), "folds": self.folds()}
        for side, system in zip(("first", "second"), chosen.systems, strict=True):
            if not self.rows.is_trained(system):
                needs[side] = self.whole_run(pair, system)
                continue
            for fold in folds:
                needs[f"{side} test {fold}"] = self.rerank(pair, system, fold, seed)
                needs[f"{side} validation {fold}"] = self.rerank_validation(pair, system, fold, seed)
        return self._stage(
            "interpolate", f"{pair} {name}{suffix}", "interpolation:interpolate", settings, needs=needs, pair=pair,
            model=name,
        )  # fmt: skip
