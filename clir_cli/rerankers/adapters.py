"""Adapters in a re-ranker: one set for all its ways, everything else frozen but what is new in the model.

A way is a stack of layers that a text goes through: a cross-encoder has one, MORES one for documents and one for
queries (its query layers and blocks). Adapters of languages are shared by all ways, by number of the layer; each way
has a task adapter of its own, as its layers have weights of their own.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from torch import Tensor

from clir_cli.encoders.adapters.adapter import TASK_REDUCTION, Adapter, AdapterShape
from clir_cli.encoders.adapters.places import AdapterSet, Segments, Stacking
from clir_cli.encoders.encoder import Encoder
from clir_cli.errors import DataError
from clir_cli.rerankers.reranker import Reranker

OWN = "task."
"""How the names of a task adapter's weights begin in a file."""


@dataclass(frozen=True, slots=True)
class AdapterPlan:
    """How adapters stand in a re-ranker, apart from their weights.

    ``reduction`` of the task adapters; the rest as in ``AdapterSet``.
    """

    reduction: float = TASK_REDUCTION
    stacking: Stacking = "paper"
    drop_last: bool = False
    segments: Segments = "own"

    def plain(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


def give_adapters(model: Reranker, plan: AdapterPlan, *, seed: int = 42) -> AdapterSet:
    """Put places for adapters into ``model``, with fresh task adapters, and freeze all that is not new in it.

    What may move afterwards are the task adapters and what ``parameter_groups`` calls new: head and translation parts.
    Languages are added with ``add_languages``. Raises ``DataError`` where it has adapters already.
    """
    if model.adapters is not None:
        raise DataError("This re-ranker has adapters already.", "Build it anew.")
    ways = model.ways()
    old, _ = model.parameter_groups()
    for parameter in old:
        parameter.requires_grad_(False)
    count = max(number for way in ways.values() for number, _ in way) + 1
    adapters = AdapterSet(count, stacking=plan.stacking, drop_last=plan.drop_last, segments=plan.segments)
    shape = AdapterShape(model.encoder.width, count, plan.reduction, None)
    device = next(model.parameters()).device
    for way, layers in ways.items():
        there = {number for number, _ in layers}
        own = replace(shape, left_out=tuple(number for number in range(count) if number not in there))
        adapters.add_task(way, Adapter(own).start(seed, f"task.{way}").to(device))
        for number, layer in layers:
            adapters.fill_layer(layer, number, way)
    for encoder in (part for part in model.modules() if isinstance(part, Encoder)):
        adapters.fill_inputs(encoder)
    model.adapters = adapters
    return adapters


def add_languages(model: Reranker, languages: Mapping[str, Adapter]) -> None:
    """Let ``model`` know more languages; nothing else is loaded again. Raises ``DataError`` for another encoder's."""
    assert model.adapters is not None, "give_adapters comes first"
    for language, adapter in languages.items():
        check_fit(adapter.shape, model.encoder, language)
        model.adapters.add_language(language, adapter.to(next(model.parameters()).device))


def check_fit(shape: AdapterShape, encoder: Encoder, name: str) -> None:
    """Raise ``DataError`` where an adapter is not for ``encoder``."""
    for what, its, wanted in (("width", shape.width, encoder.width), ("layers", shape.layers, len(encoder.layers))):
        if its != wanted:
            raise DataError(
                f"Adapter {name} is for an encoder of {what} {its}, this one has {wanted}.",
                "Take the adapter that was made for this encoder, or train one with `clir adapt`.",
            )


def trained_parts(model: Reranker) -> dict[str, Tensor]:
    """The weights of ``model`` that may move, by their names in a file: all that has to be kept beside the start."""
    assert model.adapters is not None, "a model without adapters moves as a whole"
    moving = {p.data_ptr() for p in model.parameters() if p.requires_grad}
    parts = {name: value for name, value in model.own_weights().items() if value.data_ptr() in moving}
    return parts | {f"{OWN}{name}": value for name, value in model.adapters.tasks.state_dict().items()}


def count_moving(model: Reranker) -> int:
    """How many numbers training moves, biases and all."""
    return sum(p.numel() for p in model.parameters() if p.requires_grad)
