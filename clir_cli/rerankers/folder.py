"""What a folder says of a re-ranker beside its encoder.

    config.json, model.safetensors, tokenizer files   the encoder, readable by ``AutoModel`` and ``AutoTokenizer``
    reranker.json                                      what else the model holds

``model.safetensors`` also holds the re-ranker's own weights, under ``head.`` and ``mat.<layer>.``
"""

import json
from pathlib import Path
from typing import Any

from torch import Tensor

from clir_cli.encoders.folder import WEIGHTS
from clir_cli.errors import DataError

DESCRIPTION = "reranker.json"
OWN = ("head.", "mat.")


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
