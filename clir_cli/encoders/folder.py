"""An encoder as a folder: Hugging Face's files, written whole or not at all."""

import json
import os
import shutil
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from clir_cli.encoders.encoder import Encoder, checkpoint_name
from clir_cli.lines import write_whole

WEIGHTS = "model.safetensors"


def write_folder(
    folder: Path,
    encoder: Encoder,
    tokenizer: Any,
    own: Mapping[str, Tensor] | None = None,
    about: Mapping[str, Any] | None = None,
) -> None:
    """Write a model beside ``folder`` and rename it into place; what was there before goes.

    ``own``: weights beside the encoder's, by their names in the file. ``about``: what ``config.json`` says of a model
    around the encoder, whose configuration then is its part ``encoder``.
    """
    folder = Path(folder)
    partial = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    write_files(partial, encoder, tokenizer, own, about)
    if folder.exists():
        old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
        folder.rename(old)
        partial.rename(folder)
        shutil.rmtree(old)
    else:
        partial.rename(folder)


def write_files(
    folder: Path,
    encoder: Encoder,
    tokenizer: Any | None,
    own: Mapping[str, Tensor] | None = None,
    about: Mapping[str, Any] | None = None,
) -> None:
    """The same into a folder that is there and may hold other files; ``tokenizer`` None: none is written."""
    from safetensors.torch import save_file

    weights = {checkpoint_name(name): value for name, value in encoder_weights(encoder).items()} | dict(own or {})
    save_file(
        {name: weights[name].detach().cpu().contiguous() for name in sorted(weights)},
        folder / WEIGHTS,
        metadata={"format": "pt"},
    )
    config = describe_encoder(encoder)
    write_config(folder, config if about is None else {**about, "encoder": config})
    if tokenizer is not None:
        tokenizer.save_pretrained(folder)


def describe_encoder(encoder: Encoder) -> dict[str, Any]:
    """The configuration of an encoder as ``config.json`` has it."""
    config: dict[str, Any] = encoder.config.to_dict() | {
        "architectures": ["BertModel" if encoder.config.model_type == "bert" else "XLMRobertaModel"],
        "num_hidden_layers": len(encoder.layers),
        "dtype": "float32",
    }
    config.pop("_name_or_path", None)  # where the encoder was read from: nobody else's business, and not the same twice
    return config


def write_config(folder: Path, config: Mapping[str, Any]) -> None:
    """Write ``config.json``, whole or not at all."""
    with write_whole(folder / "config.json") as file:
        file.write(json.dumps(config, indent=2, sort_keys=True, default=str) + "\n")


def encoder_weights(encoder: Encoder) -> dict[str, Tensor]:
    """The encoder's own parameters: without what was put into the places of its layers."""
    return {
        name: value
        for name, value in encoder.state_dict().items()
        if not (name.startswith("layers.") and name.split(".")[2] in ("mix", "adapt"))
    }


def checksum_of(encoder: Encoder) -> int:
    """Of the encoder's first layer and of what it adds to the vectors of pieces: the same where layers were cut off."""
    found = 0
    for name, value in sorted(encoder_weights(encoder).items()):
        if name.startswith(("embeddings.", "layers.0.")) and "word_embeddings" not in name:
            found = zlib.crc32(value.detach().cpu().contiguous().numpy().tobytes(), found)
    return found
