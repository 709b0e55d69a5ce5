"""``adapter_config.json`` of an AdapterHub folder: what it says of the weights, and what of it can be used here."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clir_cli.encoders.adapters.adapter import AdapterShape
from clir_cli.encoders.adapters.bottleneck import ACTIVATIONS
from clir_cli.errors import DataError

ADAPTER_CONFIG = "adapter_config.json"

_FIXED: dict[str, Any] = {
    "adapter_residual_before_ln": False,
    "cross_adapter": False,
    "is_parallel": False,
    "ln_after": False,
    "ln_before": False,
    "mh_adapter": False,
    "original_ln_after": True,
    "original_ln_before": True,
    "output_adapter": True,
    "phm_layer": False,
    "residual_before_ln": True,
    "scaling": 1.0,
    "use_gating": False,
}
"""What AdapterHub's configurations ``seq_bn`` and ``seq_bn_inv`` (once ``pfeiffer``) say: LA(h, r) of MAD-X.

``adapter_residual_before_ln`` means nothing without ``ln_after``.
"""
_NO_MATTER = {"adapter_residual_before_ln"}


def adapter_config(shape: AdapterShape, name: str, model_type: str, model_name: str) -> dict[str, Any]:
    """What to write beside the weights."""
    invertible = shape.invertible is not None
    config = _FIXED | {
        "dropout": 0.0,
        "init_weights": "bert",
        "inv_adapter": "nice" if invertible else None,
        "inv_adapter_reduction_factor": _plain(shape.invertible) if shape.invertible is not None else None,
        "leave_out": list(shape.left_out),
        "non_linearity": shape.activation,
        "reduction_factor": _plain(shape.reduction),
    }
    return {
        "config": config,
        "hidden_size": shape.width,
        "model_class": {"bert": "BertModel", "roberta": "RobertaModel"}.get(model_type, "XLMRobertaModel"),
        "model_name": model_name,
        "model_type": model_type,
        "name": name,
    }


def _plain(number: float) -> float | int:
    return int(number) if number == int(number) else number


def read_shape(found: Mapping[str, Any], layers: int, folder: Path) -> AdapterShape:
    """The shape that a folder's ``adapter_config.json`` describes, for weights of ``layers`` layers.

    Layers that are left out at the end count too. Older files have ``invertible_adapter`` and other spellings. Raises
    ``DataError`` where it is no adapter of MAD-X.
    """
    file = folder / ADAPTER_CONFIG
    config = found.get("config")
    if not isinstance(config, Mapping):
        raise DataError(f"{file} has no `config`.", "Get the whole adapter again.")
    config = {str(key).lower(): value for key, value in config.items()}
    for key, wanted in _FIXED.items():
        if key in config and key not in _NO_MATTER and config[key] != wanted:
            raise DataError(
                f"{file}: {key} is {config[key]!r}; an adapter of MAD-X has {wanted!r}.",
                "Only adapters of the kinds seq_bn and seq_bn_inv (pfeiffer) are known.",
            )
    try:
        activation = str(config["non_linearity"]).lower()
        if activation not in ACTIVATIONS:
            raise ValueError(f"there is no activation {activation!r}")
        left_out = tuple(sorted(int(number) for number in config.get("leave_out") or ()))
        return AdapterShape(
            width=int(found["hidden_size"]),
            layers=max([layers, *(number + 1 for number in left_out)]),
            reduction=float(config["reduction_factor"]),
            invertible=_invertible(config),
            activation=activation,
            left_out=left_out,
        )
    except (KeyError, TypeError, ValueError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise DataError(f"{file} does not describe an adapter: {what}.", "Get the whole adapter again.") from error


def _invertible(config: Mapping[str, Any]) -> float | None:
    kind, reduction = config.get("inv_adapter"), config.get("inv_adapter_reduction_factor")
    if isinstance(older := config.get("invertible_adapter"), Mapping):
        kind, reduction = older.get("block_type"), older.get("reduction_factor")
    if not kind:
        return None
    if kind != "nice":
        raise ValueError(f"its invertible adapter is {kind}, only nice is known")
    return float(2 if reduction is None else reduction)
