"""Which layers carry M^tr: sets of them, how they are called, and how many layers there are."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from clir_cli.config.encoder_schema import CheckpointOf
from clir_cli.config.load import Experiment
from clir_cli.errors import ConfigError, UsageError
from clir_cli.pipeline.ablation.variants import Variants, replaced
from clir_cli.pipeline.rows import Rows

PAPER_LAYERS = ((-4,), (-3,), (-2,), (-3, -2), (-4, -3, -2))
"""The sets of figure 5 in the MAT paper, from the end: of twelve layers 9, 10, 11, 10 and 11, 9 to 11, from 1."""


def by_layers(experiment: Experiment, base: str) -> Variants:
    """The model with other layers. Of equal sets one is kept, and none that is the model's own.

    Raises ``UsageError`` for a model without MAT layers, ``ConfigError`` for layers that the encoder does not have.
    """
    varied, depth = experiment.settings.models[base], depth_of(experiment)
    if varied.kind != "mart":
        raise UsageError(f"{base} has no MAT layers to place.", "Name a model of kind mart with --model.")
    label = Rows(experiment).label(base)
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
            name, title = f"{base}-layers-{_name(chosen, depth)}", f"{label}, {_title(chosen, depth)}"
            variants[name] = replaced(varied, title, mat_layers=list(chosen))
    return Variants(f"{label}, {_title(varied.mat_layers, depth)}", variants)


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


def from_one(layers: Iterable[int], depth: int | None) -> list[int]:
    """As the paper counts; from the end where the depth is not known."""
    if depth is not None:
        return sorted(layer % depth + 1 for layer in layers)
    return sorted(layer + 1 if layer >= 0 else layer for layer in layers)


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


def _name(layers: Iterable[int], depth: int | None) -> str:
    """``9-10-11``; from the end ``last4-last3``."""
    return "-".join(str(layer) if layer > 0 else f"last{-layer}" for layer in from_one(layers, depth))


def _title(layers: Iterable[int], depth: int | None) -> str:
    """``layer 9``, ``layers 10 and 11``, ``layers 9, 10 and 11``; -1 is the last one."""
    numbers = [str(layer) for layer in from_one(layers, depth)]
    listed = numbers[0] if len(numbers) == 1 else f"{', '.join(numbers[:-1])} and {numbers[-1]}"
    return f"layer{'s' if len(numbers) > 1 else ''} {listed}"
