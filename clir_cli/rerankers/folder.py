"""A model as a folder: Hugging Face's files for the encoder, and ours beside them.

    config.json, model.safetensors, tokenizer files   the encoder, readable by ``AutoModel`` and ``AutoTokenizer``
    reranker.json                                      what else the model holds

``model.safetensors`` also holds the re-ranker's own weights, under ``head.`` and ``mat.<layer>.``
"""

import json
import os
import shutil
from pathlib import Path
from typing import Any

from torch import Tensor

from clir_cli.errors import DataError
from clir_cli.rerankers.encoder import Encoder, checkpoint_name

DESCRIPTION = "reranker.json"
WEIGHTS = "model.safetensors"
OWN = ("head.", "mat.")


def write_folder(
    folder: Path,
    encoder: Encoder,
    tokenizer: Any,
    own: dict[str, Tensor] | None = None,
    description: dict[str, Any] | None = None,
) -> None:
    """Write a model beside ``folder`` and rename it into place; what was there before goes."""
    from safetensors.torch import save_file

    folder = Path(folder)
    partial = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    weights = {checkpoint_name(name): value for name, value in encoder_weights(encoder).items()} | (own or {})
    save_file(
        {name: weights[name].detach().cpu().contiguous() for name in sorted(weights)},
        partial / WEIGHTS,
        metadata={"format": "pt"},
    )
    config = encoder.config.to_dict() | {
        "architectures": ["BertModel" if encoder.config.model_type == "bert" else "XLMRobertaModel"],
        "num_hidden_layers": len(encoder.layers),
        "dtype": "float32",
    }
    config.pop("_name_or_path", None)  # where the encoder was read from: nobody else's business, and not the same twice
    (partial / "config.json").write_text(json.dumps(config, indent=2, sort_keys=True, default=str) + "\n", "utf-8")
    if description is not None:
        (partial / DESCRIPTION).write_text(json.dumps(description, indent=2) + "\n", "utf-8")
    tokenizer.save_pretrained(partial)
    if folder.exists():
        old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
        folder.rename(old)
        partial.rename(folder)
        shutil.rmtree(old)
    else:
        partial.rename(folder)


def encoder_weights(encoder: Encoder) -> dict[str, Tensor]:
    """The encoder's own parameters: without what was put into the places of its layers."""
    return {
        name: value
        for name, value in encoder.state_dict().items()
        if not (name.startswith("layers.") and name.split(".")[2] in ("mix", "adapt"))
    }


def read_description(source: str | Path) -> dict[str, Any] | None:
    """What ``reranker.json`` says; None where ``source`` holds no re-ranker."""
    file = Path(source) / DESCRIPTION
    if not file.is_file():
        return None
    try:
        description = json.loads(file.read_text("utf-8"))
        return {key: description[key] for key in ("kind", "arm", "mat_layers", "init", "pooler", "dropout")}
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{file} is not the description of a re-ranker.", "Train or copy the model again.") from error


def read_own_weights(source: str | Path) -> dict[str, Tensor]:
    """The re-ranker's own weights (``head.``, ``mat.``) in a folder that ``write_folder`` made."""
    from safetensors import SafetensorError, safe_open

    file = Path(source) / WEIGHTS
    try:
        with safe_open(file, framework="pt") as weights:
            names = [name for name in weights.keys() if name.startswith(OWN)]  # noqa: SIM118 (it is no dict)
            return {name: weights.get_tensor(name) for name in names}
    except (OSError, SafetensorError) as error:
        raise DataError(f"{file} cannot be read: {error}", "Train or copy the model again.") from error
