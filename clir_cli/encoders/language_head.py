"""The head of a masked language model: that of a checkpoint which still has it, or one that was trained here."""

from pathlib import Path
from typing import NamedTuple

from torch import Tensor

from clir_cli.encoders.checkpoint import RERANKER, first_line, load_config, quiet, read_config
from clir_cli.errors import DataError

WEIGHTS = "head.safetensors"


class LanguageHead(NamedTuple):
    """``W_e LN(gelu(W h + b)) + c``, with the input embeddings as W_e."""

    dense: tuple[Tensor, Tensor]
    """Weight [d, d] and bias [d]."""
    norm: tuple[Tensor, Tensor]
    """Weight and bias of the layer norm, [d] each."""
    bias: Tensor
    """c, [V]."""


_NAMES = {
    "bert": ("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", "cls.predictions.bias"),
    "roberta": ("lm_head.dense", "lm_head.layer_norm", "lm_head.bias"),
    "xlm-roberta": ("lm_head.dense", "lm_head.layer_norm", "lm_head.bias"),
}
"""``model_type`` -> names of linear map, layer norm and bias in a file."""


def load_language_head(source: str | Path, revision: str | None = None) -> LanguageHead | None:
    """The head of a checkpoint; None where it has none. Raises ``DataError`` where the checkpoint is not there."""
    from safetensors import SafetensorError, safe_open
    from transformers.utils.hub import cached_file

    config = load_config(source, revision)
    dense, norm, bias = _NAMES[config.model_type]
    try:
        with quiet():
            if read_config(source, revision).get("model_type") == RERANKER:
                return None
            file = cached_file(str(source), "model.safetensors", revision=revision)
        with safe_open(str(file), framework="pt") as weights:
            there = set(weights.keys())
            # Checkpoints of TensorFlow's time call the two parts of a layer norm gamma and beta.
            kinds = ("gamma", "beta") if f"{norm}.gamma" in there else ("weight", "bias")
            names = [f"{dense}.weight", f"{dense}.bias", f"{norm}.{kinds[0]}", f"{norm}.{kinds[1]}", bias]
            if not there.issuperset(names):
                return None
            found = [weights.get_tensor(name).float() for name in names]
    except (OSError, ValueError, SafetensorError) as error:
        raise DataError(
            f"The weights of {source} cannot be read: {first_line(error)}", "The checkpoint needs a model.safetensors."
        ) from error
    return LanguageHead((found[0], found[1]), (found[2], found[3]), found[4])


def write_language_head(folder: Path, head: LanguageHead) -> None:
    """Write ``head`` to ``folder``, which is there."""
    from safetensors.torch import save_file

    named = dict(zip(_PARTS, (*head.dense, *head.norm, head.bias), strict=True))
    save_file({name: value.detach().cpu().contiguous() for name, value in named.items()}, folder / WEIGHTS)


def read_language_head(folder: Path) -> LanguageHead:
    """What ``write_language_head`` wrote. Raises ``DataError`` where there is none."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        weights = load_file(folder / WEIGHTS)
        dense, dense_bias, norm, norm_bias, bias = (weights[name] for name in _PARTS)
    except (OSError, KeyError, SafetensorError) as error:
        raise DataError(f"{folder} holds no language head: {first_line(error)}", "Train it again.") from error
    return LanguageHead((dense, dense_bias), (norm, norm_bias), bias)


_PARTS = ("dense.weight", "dense.bias", "norm.weight", "norm.bias", "bias")
