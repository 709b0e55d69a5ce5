"""What stands beside a model in its ablation: the model with one part replaced, by name."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from clir_cli.config.model_schema import ModelSettings


@dataclass(frozen=True)
class Variants:
    """``label`` is the model's own title among its variants.

    ``left_out``: pair -> variants that it has no use for. ``against``: variant -> the model that it is compared with,
    where that is not the varied model itself; those are rows too, and the varied model is then none.
    """

    label: str
    models: Mapping[str, ModelSettings]
    left_out: Mapping[str, list[str]] = field(default_factory=dict)
    against: Mapping[str, tuple[str, ModelSettings]] = field(default_factory=dict)


def replaced(model: ModelSettings, label: str, **changes: object) -> ModelSettings:
    """``model`` with a title and a part of its own."""
    return model.model_copy(update={"label": label, **changes})
