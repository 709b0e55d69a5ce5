"""Stages of measures and tables."""

from typing import Any

from clir_cli.config.evaluation_schema import EvaluationSettings
from clir_cli.pipeline.contrasts import contrasts_of
from clir_cli.pipeline.graph.base import dumped, remembered
from clir_cli.pipeline.graph.interpolation import Interpolation
from clir_cli.pipeline.rows import DENSE, HUMAN, ORACLE, PSQ, SMT
from clir_cli.pipeline.stage import Stage

QUESTION = {"test", "correction", "family", "draws", "seed"}
"""Settings of how comparisons are tested."""


class Results(Interpolation):
    """What is printed."""

    def evaluations(self, pair: str, system: str) -> list[Stage]:
        """The measures of a system, once for each seed that it was trained with."""
        if not self.rows.is_trained(system):
            return [self.evaluate(pair, system)]
        return [self.evaluate(pair, system, seed) for seed in self.rows.seeds(pair)]

    @remembered
    def evaluate(self, pair: str, system: str, seed: int | None = None) -> Stage:
        suffix = self.seed(pair, seed)[1] if self.rows.is_trained(system) else ""
        settings: dict[str, Any] = {"measures": self.settings.evaluation.measures, "system": system}
        needs = {"topics": self.topics(pair)}
        if system == ORACLE:
            needs["run"] = self.candidates(pair)
            settings["oracle"] = self.of_pair(pair).reranking.depth
        elif system in self.settings.interpolation:
            needs["run"] = self.interpolate(pair, system, seed)
        elif not self.rows.is_trained(system):
            needs["run"] = self.whole_run(pair, system)
        if self.rows.is_trained(system):
            needs["folds"] = self.folds()
            settings["folds"] = self.rows.folds(pair)
            if "run" not in needs:
                needs |= {f"run {fold}": self.rerank(pair, system, fold, seed) for fold in self.rows.folds(pair)}
        name = f"{pair} {system}{suffix}"
        model = system if system in self.settings.models else None
        return self._stage(
            "evaluate", name, "results:evaluate", settings, needs=needs, pair=pair, model=model, version=2
        )

    def report(self, systems: dict[str, list[str]]) -> Stage:
        """The tables over the given systems of the given pairs."""
        evaluation = self.settings.evaluation
        shown = {system for chosen in systems.values() for system in chosen}
        beside = [system for system in (PSQ, DENSE) if system in shown]
        parts = {system for mixture in self.settings.interpolation.values() for system in mixture.systems}
        mixed_untrained = [name for name in self.settings.interpolation if not self.rows.is_trained(name)]
        oracle = [ORACLE] if ORACLE in shown else []
        settings = {
            "experiment": self.experiment.name,
            "description": self.settings.description,
            "systems": systems,
            "labels": {system: self.rows.label(system) for system in sorted(shown | parts)},
            "untrained": [SMT, HUMAN, *self.rows.zero_shot(), *beside, *mixed_untrained, *oracle],
            "folds": {pair: self.rows.folds(pair) for pair in systems if set(systems[pair]) & set(self.rows.trained())},
            "seeds": {pair: self.rows.seeds(pair) for pair in systems if len(self.rows.seeds(pair)) > 1},
            "fold_count": self.settings.training.folds.count,
            "measures": evaluation.measures,
            "mean": evaluation.mean,
            "alpha": evaluation.alpha,
            "question": dumped(evaluation, set(EvaluationSettings.model_fields) - QUESTION),
            "compare": evaluation.compare,
            "contrasts": [list(contrast) for contrast in contrasts_of(self.settings)],
            "margins": evaluation.margins,
            "notes": self.rows.notes(systems),
            "explanations": self.rows.explanations(systems),
            "mixed": list(self.settings.interpolation),
            "depths": {
                pair: self.of_pair(pair).reranking.depth
                for pair, chosen in systems.items()
                if {ORACLE, *self.settings.models} & set(chosen)
            },
            "not_available": {pair: self.rows.not_available(pair) for pair in systems},
            "availability": self.rows.availability(systems),
        }
        needs = {
            stage.name: stage
            for pair in systems
            for system in systems[pair]
            for stage in self.evaluations(pair, system)
        }
        needs |= {f"topics {pair}": self.topics(pair) for pair in systems}
        for pair, chosen in systems.items():
            mixed = [name for name in chosen if name in self.settings.interpolation]
            needs |= {f"weights {pair} {name}": self.interpolate(pair, name) for name in mixed}
        if settings["folds"] or evaluation.mean == "folds":  # else a few topics, too few for folds, are enough
            needs["folds"] = self.folds()
        return self._stage("report", self.experiment.name, "results:report", settings, needs=needs, version=3)
