"""An encoder as a folder: Hugging Face's files, written whole or not at all."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

from torch import Tensor

from clir_cli.encoders.encoder import Encoder, checkpoint_name

WEIGHTS = "model.safetensors"


def write_folder(
    folder: Path,
    encoder: Encoder,
    tokenizer: Any,
    own: dict[str, Tensor] | None = None,
    beside: dict[str, str] | None = None,
) -> None:
    """Write a model beside ``folder`` and rename it into place; what was there before goes.

    ``own``: weights beside the encoder's, by their names in the file; ``beside``: more files, name -> text.
    """
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
    for name, text in (beside or {}).items():
        (partial / name).write_text(text, "utf-8")
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
