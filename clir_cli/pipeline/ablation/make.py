"""An ablation as an experiment: which model is varied, for which pairs, and what is compared with what."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from clir_cli.config.choices import task_from
from clir_cli.config.evaluation_schema import ContrastSettings
from clir_cli.config.load import Experiment
from clir_cli.config.model_schema import Arm, ModelSettings
from clir_cli.config.problems import near_miss
from clir_cli.errors import ConfigError, UsageError
from clir_cli.pipeline.ablation.languages import by_steps, by_tasks, languages_swapped, trained_whole
from clir_cli.pipeline.ablation.layers import by_layers, depth_of, from_one
from clir_cli.pipeline.ablation.translations import by_arms, by_sources
from clir_cli.pipeline.ablation.variants import Variants
from clir_cli.pipeline.plan import Plan, Selection, make_plan
from clir_cli.pipeline.rows import Rows


class What(StrEnum):
    """The part that is another."""

    layers = "layers"
    knowledge = "knowledge"
    matrix = "matrix"
    task = "task"
    steps = "steps"


@dataclass(frozen=True)
class _Kind:
    title: str
    fits: Callable[[ModelSettings], bool]
    """Whether a model has the part."""
    lack: str
    """What a model without it is."""
    hint: str
    """Where there is nothing to put in the part's place."""


def _reads_translations(model: ModelSettings) -> bool:
    return model.arm is Arm.translation and model.has_branch


_KINDS = {
    What.layers: _Kind(
        "which layers carry M^tr", _reads_translations, "is given no M^tr",
        "Give sets of layers with --layers, such as --layers 2 --layers 1,2.",
    ),
    What.knowledge: _Kind(
        "where M^tr takes its translations from", _reads_translations, "is given no M^tr",
        "Give the pair another source under `knowledge`: a dictionary, word vectors, a table.",
    ),
    What.matrix: _Kind(
        "what stands in the place of M^tr", _reads_translations, "is given no M^tr",
        "Give other arms in analysis.ablation.arms.",
    ),
    What.task: _Kind(
        "which pair a model learns its task on", lambda model: not model.zero_shot, "is not trained",
        "Name pairs to learn from with --from, and text of their languages under `adapters.languages`.",
    ),
    What.steps: _Kind(
        "how long the ranked language was learned",
        lambda model: model.adapters is not None and model.adapters.language, "has no language adapters",
        "Give shares of the steps in analysis.ablation.shares.",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Ablation:
    """``experiment`` is ready to be planned; ``pairs`` are those of its pairs that have ``model`` and the variants."""

    what: What
    of: str
    """Name of the experiment it is made from."""
    model: str
    experiment: Experiment
    pairs: tuple[str, ...]
    against: dict[str, str]
    """Variant -> the row it is compared with, where that is not ``model``."""

    def about(self, plan: Plan) -> dict[str, Any]:
        """What each row is, for whoever draws it; ``plan`` is finished.

        ``layers`` from 1 (below 0: from the end), ``arm`` and ``source`` (None where each pair takes its own),
        ``task_from`` of each pair, ``steps`` in which each pair's language was learned, and ``against``. ``depth`` is
        None where only training tells it.
        """
        depth, settings = depth_of(self.experiment), self.experiment.settings
        rows = {
            name: {
                "label": Rows(self.experiment).label(name),
                "kind": model.kind,
                "arm": model.arm.value if model.has_branch else None,
                "layers": from_one(model.mat_layers, depth) if model.kind == "mart" else None,
                "source": model.source,
                "task_from": {pair: task_from(settings, pair, name) for pair in self.pairs},
                "steps": self._steps(plan, name),
                "against": self.against.get(name),
            }
            for name, model in settings.models.items()
        }
        about = {"ablation": self.what.value, "experiment": self.of, "model": self.model, "depth": depth}
        return about | {"pairs": list(self.pairs), "rows": rows}

    def _steps(self, plan: Plan, name: str) -> dict[str, int]:
        """Pair -> steps of the adapters that were exchanged for it, where they were learned here."""
        found = {}
        for stage in plan.stages:
            if stage.kind == "rerank" and stage.model == name and stage.pair in self.pairs:
                assert stage.pair is not None
                for language in languages_swapped(self.experiment, name, stage.pair):
                    if (adapter := stage.needs.get(f"adapter {language}")) is not None:
                        report = json.loads((plan.artifact(adapter) / "report.json").read_text(encoding="utf-8"))
                        found[stage.pair] = int(report["steps"])
        return found


def make_ablation(experiment: Experiment, what: str, model: str | None = None, pairs: Sequence[str] = ()) -> Ablation:
    """The ablation ``what`` of ``model`` (default: ``analysis.ablation.model``) in ``experiment``.

    ``pairs``: default those that train the model; others may be named. Rows are the model itself, the plain encoder if
    the experiment trains it, and the variants, called ``<model>-<part>``; comparisons are the model against each
    variant, and all against the plain encoder. Raises ``UsageError`` where there is no such model or pair, nothing to
    vary, or nothing to judge by; ``ConfigError`` for layers that the encoder does not have.
    """
    what = What(what)
    base = _model_to_vary(experiment, what, model)
    chosen = _pairs_to_train(experiment, base, pairs)
    settings = experiment.settings
    variants = _variants(experiment, what, base, chosen)
    if not variants.models:
        raise UsageError(f"There is nothing to put in the place of {base}'s {what.value}.", _KINDS[what].hint)
    against = {name: other for name, (other, _) in variants.against.items()}
    if against:
        beside: list[str] = []
        models = {**variants.models, **dict(variants.against.values())}
        first, *others = against.items()
        compare, baselines = first[0], [first[1]]
        contrasts = [ContrastSettings(system=name, baseline=other, family=True) for name, other in others]
    else:
        beside = trained_whole(experiment, base, chosen)[:1] if what is What.steps else _plain(experiment)
        own = settings.models[base].model_copy(update={"label": variants.label})
        models = {name: settings.models[name] for name in beside} | {base: own, **variants.models}
        compare, baselines = base, [*variants.models, *beside]
        contrasts = [
            ContrastSettings(system=name, baseline=other, family=True) for name in variants.models for other in beside
        ]
    overrides = {
        pair: override.model_copy(
            update={
                "interpolation": None,
                "models": [name for name in models if name not in variants.left_out.get(pair, ())]
                if pair in chosen
                else [],
            }
        )
        for pair, override in experiment.written.pairs.items()
    }
    evaluation = settings.evaluation.model_copy(
        update={"compare": compare, "baselines": baselines, "contrasts": contrasts, "oracle": False}
    )
    written = experiment.written.model_copy(
        update={
            "description": f"{experiment.name}, ablation of {Rows(experiment).label(base)}: {_KINDS[what].title}",
            "models": models,
            "pairs": overrides,
            "interpolation": {},
            "evaluation": evaluation,
            "expected": {},
        }
    )
    derived = replace(experiment, name=f"{experiment.name}-{what.value}", written=written)
    return Ablation(what, experiment.name, base, derived, tuple(chosen), against)


def _variants(experiment: Experiment, what: What, base: str, pairs: list[str]) -> Variants:
    match what:
        case What.layers:
            return by_layers(experiment, base)
        case What.knowledge:
            return by_sources(experiment, base, pairs)
        case What.matrix:
            return by_arms(experiment, base)
        case What.task:
            return by_tasks(experiment, base, pairs)
        case What.steps:
            return by_steps(experiment, base, pairs)


def plan_ablation(ablation: Ablation) -> Plan:
    """The plan of its report. Raises as ``make_plan`` does."""
    return make_plan(ablation.experiment, "report", Selection(pairs=ablation.pairs))


def possible_ablations(experiment: Experiment) -> Iterator[Ablation]:
    """Every ablation of every model over all judged pairs: what finished stages may belong to."""
    judged = [pair for pair in experiment.settings.pairs if experiment.is_judged(pair)]
    for what in What:
        for name in _varied_models(experiment, what):
            try:
                yield make_ablation(experiment, what, name, judged)
            except (UsageError, ConfigError):  # nothing to vary, or nothing that could have been trained
                continue


def _varied_models(experiment: Experiment, what: What) -> list[str]:
    return [name for name, model in experiment.settings.models.items() if _KINDS[what].fits(model)]


def _model_to_vary(experiment: Experiment, what: What, asked: str | None) -> str:
    models, varied, pairs = experiment.settings.models, _varied_models(experiment, what), experiment.settings.pairs
    usual = experiment.settings.analysis.ablation.model
    name = asked or (usual if usual in varied or usual not in models else None)
    if name is not None and name not in models:
        known = near_miss(name, varied)
        raise UsageError(f"Experiment {experiment.name} has no model `{name}`{known}", "Choose one with --model.")
    if not varied or (name is not None and name not in varied):
        lack = _KINDS[what].lack
        found = f"{name} {lack}" if name else f"Every model of experiment {experiment.name} {lack}"
        others = f"Choose one with --model: {', '.join(varied)}." if varied else "Add one to `models`."
        raise UsageError(f"{found}: nothing of it can be ablated.", others)
    trained = [model for model in varied if any(model in experiment.for_pair(pair).models for pair in pairs)] or varied
    preferred = [name for name in trained if name == "mart" or (what is What.task and models[name].adapters)]
    return name or [*preferred, *trained][0]


def _pairs_to_train(experiment: Experiment, model: str, asked: Sequence[str]) -> list[str]:
    """The pairs asked for, or all that train ``model``; in the order of the file."""
    for pair in asked:
        experiment.for_pair(pair)  # says so where there is none
        if not experiment.is_judged(pair):
            raise UsageError(f"{pair} has no judgements to train with.", "Name another pair, or give it `qrels`.")
    wanted = {
        pair: pair in asked if asked else model in experiment.for_pair(pair).models for pair in experiment.written.pairs
    }
    chosen = [pair for pair, is_wanted in wanted.items() if is_wanted and experiment.is_judged(pair)]
    if not chosen:
        raise UsageError(f"Experiment {experiment.name} trains {model} for no pair.", "Name one with --pair.")
    return chosen


def _plain(experiment: Experiment) -> list[str]:
    """The encoder trained whole and given nothing, if the experiment has one."""
    plain = [
        name
        for name, model in experiment.settings.models.items()
        if model.kind == "bert" and not model.zero_shot and model.adapters is None and model.masked_language is None
    ]
    return ["m2bert"] if "m2bert" in plain else plain[:1]
