"""Ablations: experiments made from an experiment, in which one part of one model is another, all else being equal.

They are experiments like any other: what they share with the one they come from (first stage, m2BERT, the model that
is varied) is the same stage by its key, so only the variants are trained.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from clir_cli.config.encoder_schema import CheckpointOf
from clir_cli.config.evaluation_schema import ContrastSettings
from clir_cli.config.load import Experiment
from clir_cli.config.model_schema import Arm, ModelSettings
from clir_cli.config.problems import near_miss
from clir_cli.config.sources import names_of_sources, what_lacks
from clir_cli.errors import ConfigError, UsageError
from clir_cli.pipeline.plan import Plan, Selection, make_plan
from clir_cli.pipeline.rows import Rows

PAPER_LAYERS = ((-4,), (-3,), (-2,), (-3, -2), (-4, -3, -2))
"""The sets of figure 5 in the MAT paper, from the end: of twelve layers 9, 10, 11, 10 and 11, 9 to 11, from 1."""

_ARM_LABELS = {
    Arm.identity: "identity",
    Arm.blocks: "word blocks only",
    Arm.shuffled: "shuffled table",
    Arm.transposed: "transposed table",
    Arm.copies: "exact copies only",
}


class What(StrEnum):
    """The part that is another."""

    layers = "layers"
    knowledge = "knowledge"
    matrix = "matrix"


_TITLES = {
    What.layers: "which layers carry M^tr",
    What.knowledge: "where M^tr takes its translations from",
    What.matrix: "what stands in the place of M^tr",
}


@dataclass(frozen=True)
class Ablation:
    """``experiment`` is ready to be planned; ``pairs`` are those of its pairs that train ``model`` and the variants."""

    what: What
    of: str
    """Name of the experiment it is made from."""
    model: str
    experiment: Experiment
    pairs: tuple[str, ...]

    @property
    def about(self) -> dict[str, Any]:
        """What each row is, for whoever draws it: ``layers`` from 1 (below 0: from the end), ``arm`` and ``source``.

        ``source`` is None where each pair takes its own; ``depth`` is None where only training tells it.
        """
        depth = depth_of(self.experiment)
        rows = {
            name: {
                "label": Rows(self.experiment).label(name),
                "kind": model.kind,
                "arm": model.arm.value if model.has_branch else None,
                "layers": _from_one(model.mat_layers, depth) if model.kind == "mart" else None,
                "source": model.source,
            }
            for name, model in self.experiment.settings.models.items()
        }
        about = {"ablation": self.what.value, "experiment": self.of, "model": self.model, "depth": depth}
        return about | {"pairs": list(self.pairs), "rows": rows}


def ablation_of(experiment: Experiment, what: str, model: str | None = None, pairs: Sequence[str] = ()) -> Experiment:
    """The experiment of ``make_ablation``. Its pairs that train nothing are there for the folds, which all share."""
    return make_ablation(experiment, what, model, pairs).experiment


def make_ablation(experiment: Experiment, what: str, model: str | None = None, pairs: Sequence[str] = ()) -> Ablation:
    """The ablation ``what`` of ``model`` (default: ``analysis.ablation.model``) in ``experiment``.

    ``pairs``: default those that train the model; others may be named. Rows are the model itself, m2BERT if the
    experiment has it, and the variants, called ``<model>-<layers, arm or source>``; comparisons are the model against
    each variant, and all against m2BERT. Raises ``UsageError`` where there is no such model or pair, nothing to vary,
    or nothing to judge by; ``ConfigError`` for layers that the encoder does not have.
    """
    what = What(what)
    base = _model_to_vary(experiment, model)
    chosen = _pairs_to_train(experiment, base, pairs)
    settings = experiment.settings
    varied = settings.models[base]
    label = Rows(experiment).label(base)
    depth = depth_of(experiment)
    if what is What.layers:
        if varied.kind != "mart":
            raise UsageError(f"{base} has no MAT layers to place.", "Name a model of kind mart with --model.")
        label_of_base, variants = f"{label}, {_layers_title(varied.mat_layers, depth)}", _by_layers(experiment, base)
        left_out: dict[str, list[str]] = {}
    elif what is What.matrix:
        label_of_base, variants, left_out = label, _by_arms(experiment, base), {}
    else:
        label_of_base, variants, left_out = _by_sources(experiment, base, chosen)
    if not variants:
        raise UsageError(f"There is nothing to put in the place of {base}'s {what.value}.", _HINTS[what])
    beside = _m2bert(experiment)
    models = {name: settings.models[name] for name in beside} | {
        base: varied.model_copy(update={"label": label_of_base}),
        **{name: other.model_copy(update={"label": f"{label}, {other.label}"}) for name, other in variants.items()},
    }
    overrides = {
        pair: override.model_copy(
            update={
                "interpolation": None,
                "models": [name for name in models if name not in left_out.get(pair, ())] if pair in chosen else [],
            }
        )
        for pair, override in experiment.written.pairs.items()
    }
    evaluation = settings.evaluation.model_copy(
        update={
            "compare": base,
            "baselines": [*variants, *beside],
            "contrasts": [
                ContrastSettings(system=name, baseline=other, family=True) for name in variants for other in beside
            ],
            "oracle": False,
        }
    )
    written = experiment.written.model_copy(
        update={
            "description": f"{experiment.name}, ablation of {label}: {_TITLES[what]}",
            "models": models,
            "pairs": overrides,
            "interpolation": {},
            "evaluation": evaluation,
            "expected": {},
        }
    )
    derived = replace(experiment, name=f"{experiment.name}-{what.value}", written=written)
    return Ablation(what, experiment.name, base, derived, tuple(chosen))


def plan_ablation(ablation: Ablation) -> Plan:
    """The plan of its report. Raises as ``make_plan`` does."""
    return make_plan(ablation.experiment, "report", Selection(pairs=ablation.pairs))


def possible_ablations(experiment: Experiment) -> Iterator[Ablation]:
    """Every ablation of every model over all judged pairs: what finished stages may belong to."""
    judged = [pair for pair in experiment.settings.pairs if experiment.is_judged(pair)]
    for what in What:
        for name in _varied_models(experiment):
            try:
                yield make_ablation(experiment, what, name, judged)
            except (UsageError, ConfigError):  # nothing to vary, or nothing that could have been trained
                continue


def depth_of(experiment: Experiment) -> int | None:
    """How many layers the encoder has; None where its checkpoint is not on this machine."""
    settings = experiment.settings
    if settings.encoder.layers is not None:
        return settings.encoder.layers
    if settings.pretrain is not None and settings.pretrain.architecture is not None:
        return settings.pretrain.architecture.layers
    checkpoint = settings.encoder.checkpoint
    if isinstance(checkpoint, CheckpointOf):
        return depth_of(experiment.other(checkpoint.experiment))
    if checkpoint is None:
        return None
    file = Path(checkpoint) / "config.json"
    if not Path(checkpoint).is_dir():
        from huggingface_hub import try_to_load_from_cache

        cached = try_to_load_from_cache(checkpoint, "config.json", revision=settings.encoder.revision)
        if not isinstance(cached, str):
            return None
        file = Path(cached)
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
        return int((config.get("encoder") or config)["num_hidden_layers"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


_HINTS = {
    What.layers: "Give sets of layers with --layers, such as --layers 2 --layers 1,2.",
    What.knowledge: "Give the pair another source under `knowledge`: a dictionary, word vectors, a table.",
    What.matrix: "Give other arms in analysis.ablation.arms.",
}


def _varied_models(experiment: Experiment) -> list[str]:
    models = experiment.settings.models.items()
    return [name for name, model in models if model.arm is Arm.translation and model.has_branch]


def _model_to_vary(experiment: Experiment, asked: str | None) -> str:
    models, varied, pairs = experiment.settings.models, _varied_models(experiment), experiment.settings.pairs
    name = asked or experiment.settings.analysis.ablation.model
    if name is not None and name not in models:
        known = near_miss(name, varied)
        raise UsageError(f"Experiment {experiment.name} has no model `{name}`{known}", "Choose one with --model.")
    if not varied or (name is not None and name not in varied):
        what = f"{name} is given no M^tr" if name else f"No model of experiment {experiment.name} reads M^tr"
        others = f"Choose one with --model: {', '.join(varied)}." if varied else "Add one, such as the preset mart."
        raise UsageError(f"{what}: nothing of it can be ablated.", others)
    trained = [model for model in varied if any(model in experiment.for_pair(pair).models for pair in pairs)]
    return name or next((model for model in (trained or varied) if model == "mart"), (trained or varied)[0])


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


def _m2bert(experiment: Experiment) -> list[str]:
    """The trained plain encoder of the experiment, if it has one."""
    plain = [name for name, model in experiment.settings.models.items() if model.kind == "bert" and not model.zero_shot]
    return ["m2bert"] if "m2bert" in plain else plain[:1]


def _by_layers(experiment: Experiment, base: str) -> dict[str, ModelSettings]:
    """The model with other layers, by name. Of equal sets one is kept, and none that is the model's own."""
    depth, varied = depth_of(experiment), experiment.settings.models[base]
    asked = experiment.settings.analysis.ablation.layers
    if asked is None:
        there = ([layer for layer in layers if depth is None or -layer <= depth] for layers in PAPER_LAYERS)
        sets: Iterable[Sequence[int]] = [layers for layers in there if layers]
    else:
        sets = [[layer - 1 if layer > 0 else layer for layer in layers] for layers in asked]
        _check_layers(asked, depth)
    seen, variants = [_canonical(varied.mat_layers, depth)], {}
    for layers in sets:
        chosen = _canonical(layers, depth)
        if chosen not in seen:
            seen.append(chosen)
            update = {"mat_layers": list(chosen), "label": _layers_title(chosen, depth)}
            variants[f"{base}-layers-{_layers_name(chosen, depth)}"] = varied.model_copy(update=update)
    return variants


def _check_layers(asked: Iterable[Sequence[int]], depth: int | None) -> None:
    outside = [layer for layers in asked for layer in layers if depth is not None and abs(layer) > depth]
    if outside:
        raise ConfigError(
            f"analysis.ablation.layers: there is no layer {outside[0]}, the encoder has {depth}.",
            f"Layers are counted from 1 to {depth}, or from -{depth} to -1.",
        )


def _canonical(layers: Iterable[int], depth: int | None) -> tuple[int, ...]:
    """Sorted, each once, and from the end where the depth is known."""
    return tuple(sorted({layer % depth - depth if depth is not None else layer for layer in layers}))


def _from_one(layers: Iterable[int], depth: int | None) -> list[int]:
    """As the paper counts; from the end where the depth is not known."""
    if depth is not None:
        return sorted(layer % depth + 1 for layer in layers)
    return sorted(layer + 1 if layer >= 0 else layer for layer in layers)


def _layers_name(layers: Iterable[int], depth: int | None) -> str:
    """``9-10-11``; from the end ``last4-last3``."""
    return "-".join(str(layer) if layer > 0 else f"last{-layer}" for layer in _from_one(layers, depth))


def _layers_title(layers: Iterable[int], depth: int | None) -> str:
    """``layer 9``, ``layers 10 and 11``, ``layers 9, 10 and 11``; -1 is the last one."""
    numbers = [str(layer) for layer in _from_one(layers, depth)]
    listed = numbers[0] if len(numbers) == 1 else f"{', '.join(numbers[:-1])} and {numbers[-1]}"
    return f"layer{'s' if len(numbers) > 1 else ''} {listed}"


def _by_arms(experiment: Experiment, base: str) -> dict[str, ModelSettings]:
    """The model given something else than M^tr, by name."""
    varied = experiment.settings.models[base]
    return {
        f"{base}-{arm.value}": varied.model_copy(
            update={"arm": arm, "label": _ARM_LABELS[arm], "source": varied.source if arm.reads_table else None}
        )
        for arm in experiment.settings.analysis.ablation.arms
        if arm is not Arm.translation
    }


def _by_sources(
    experiment: Experiment, base: str, pairs: Sequence[str]
) -> tuple[str, dict[str, ModelSettings], dict[str, list[str]]]:
    """Label of the model itself, the model with other sources by name, and which of them a pair has no use for.

    A source that none of the pairs has is left out. One that a pair's model reads already is no variant there.
    """
    varied, rows = experiment.settings.models[base], Rows(experiment)
    own = {pair: rows.source_of_matrix(pair, base) for pair in pairs}
    by_pair = {pair: experiment.for_pair(pair) for pair in pairs}
    asked = experiment.settings.analysis.ablation.sources
    known = dict.fromkeys(name for pair in pairs for name in asked or names_of_sources(by_pair[pair].knowledge))
    useful = [
        name
        for name in known
        if any(own[pair] != name and what_lacks(by_pair[pair], pair, name) is None for pair in pairs)
    ]
    variants = {f"{base}-{name}": varied.model_copy(update={"source": name, "label": name}) for name in useful}
    left_out = {pair: [f"{base}-{own[pair]}"] for pair in pairs}
    sources = set(own.values())
    title = sources.pop() if len(sources) == 1 else "the pair's own table"
    return f"{rows.label(base)}, {title}", variants, left_out
