"""Stages of measures and tables."""

from typing import Any

from clir_cli.pipeline.graph.base import remembered
from clir_cli.pipeline.graph.neural import Neural
from clir_cli.pipeline.rows import FIRST_STAGE, HUMAN, PSQ, SMT
from clir_cli.pipeline.stage import Stage


class Results(Neural):
    """What is printed."""

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
