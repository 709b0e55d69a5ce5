"""An encoder, or the head of a classifier, read from a checkpoint.

Any checkpoint of BERT's architecture works (BERT, RoBERTa, XLM-RoBERTa), from the hub or from a folder; weights are
read from safetensors only, as float32.
"""

from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from clir_cli.encoders.checkpoint import first_line, load_config, quiet
from clir_cli.encoders.encoder import Encoder
from clir_cli.errors import DataError


def load_encoder(
    source: str | Path, *, revision: str | None = None, layers: int | None = None, pooler: bool = False
) -> Encoder:
    """Read an encoder from a folder or the hub, in float32, with its first ``layers`` layers (default: all).

    Raises ``DataError`` where the checkpoint is not there, is not of BERT's architecture, has no safetensors, lacks
    weights (the pooler's among them, where asked for), or has fewer layers.
    """
    from safetensors import SafetensorError
    from transformers import AutoModel

    config = load_config(source, revision)
    if layers is not None:
        if layers > config.num_hidden_layers:
            raise DataError(
                f"{source} has {config.num_hidden_layers} layers, {layers} were asked for.", "Lower `layers`."
            )
        config.num_hidden_layers = layers
    with quiet():
        try:
            model, report = AutoModel.from_pretrained(
                str(source),
                config=config,
                revision=revision,
                add_pooling_layer=pooler,
                dtype=torch.float32,
                use_safetensors=True,
                trust_remote_code=False,
                output_loading_info=True,
                ignore_mismatched_sizes=True,  # they are refused below, by name
            )
        except (OSError, ValueError, RuntimeError, SafetensorError) as error:
            raise DataError(
                f"The weights of {source} cannot be read: {first_line(error)}",
                "The checkpoint needs a model.safetensors that fits its config.json.",
            ) from error
    for name, there, wanted in sorted(report["mismatched_keys"]):
        raise DataError(
            f"{source}: {name} has shape {tuple(there)} in the weights and {tuple(wanted)} by config.json.",
            "They are not from the same model: get the whole checkpoint again.",
        )
    missing = sorted(report["missing_keys"])
    if pooler and missing and all(key.startswith("pooler.") for key in missing):
        raise DataError(f"{source} has no pooler.", "Set pooler: false: the re-ranker then reads [CLS] itself.")
    if missing:
        raise DataError(
            f"{source} lacks {len(missing)} weights of its architecture, such as {missing[0]}.",
            "Get the whole checkpoint, or lower encoder.layers.",
        )
    return Encoder(model)


class ClassifierHead(NamedTuple):
    """What a sequence classifier puts on [CLS]: ``out(tanh(dense([CLS])))``, both linear."""

    dense: tuple[Tensor, Tensor]
    """Weight [d, d] and bias [d]: BERT's pooler, or the first layer of RoBERTa's head."""
    out: tuple[Tensor, Tensor]
    """Weight [labels, d] and bias [labels], of one or two labels."""


_HEAD_NAMES = {
    "bert": (("bert.pooler.dense", "pooler.dense"), "classifier"),
    "roberta": (("classifier.dense",), "classifier.out_proj"),
    "xlm-roberta": (("classifier.dense",), "classifier.out_proj"),
}
"""``model_type`` -> names that the two layers of a classifier's head have in a file."""


def load_head(source: str | Path, revision: str | None = None) -> ClassifierHead | None:
    """The head of a sequence classifier of transformers (or a CrossEncoder of sentence-transformers).

    None where there is none, or none of one or two labels. Raises ``DataError`` where the checkpoint is not there.
    """
    from safetensors import SafetensorError, safe_open
    from transformers.utils.hub import cached_file

    dense_names, out_name = _HEAD_NAMES[load_config(source, revision).model_type]
    try:
        with quiet():
            file = cached_file(str(source), "model.safetensors", revision=revision)
        with safe_open(str(file), framework="pt") as weights:
            names = set(weights.keys())
            found = [name for name in (*dense_names, out_name) if {f"{name}.weight", f"{name}.bias"} <= names]
            if out_name not in found or len(found) < 2:
                return None
            dense, out = (
                (weights.get_tensor(f"{name}.weight").float(), weights.get_tensor(f"{name}.bias").float())
                for name in (found[0], out_name)
            )
    except (OSError, ValueError, SafetensorError) as error:
        raise DataError(
            f"The weights of {source} cannot be read: {first_line(error)}", "The checkpoint needs a model.safetensors."
        ) from error
    return ClassifierHead(dense, out) if len(out[0]) in (1, 2) else None
