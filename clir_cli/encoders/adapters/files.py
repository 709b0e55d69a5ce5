"""An adapter as a folder in AdapterHub's format.

    adapter_config.json     what it is made of (``config``), and for which encoder (``model_type``, ``hidden_size``, ..)
    adapter.safetensors     its weights, by the names they have in a model; ours
    pytorch_adapter.bin     the same as a pickle; older folders, and most public ones, have only this

The pickle is read by ``torch.load(weights_only=True)``, which builds tensors and plain containers and refuses
everything else, so nothing in it is run; training states of ours are read the same way. It is never written.
"""

import json
import os
import pickle
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from clir_cli.encoders.adapters.adapter import Adapter, AdapterShape
from clir_cli.encoders.adapters.config import ADAPTER_CONFIG, adapter_config, read_shape
from clir_cli.encoders.checkpoint import first_line, is_local, quiet
from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.folder import checksum_of
from clir_cli.errors import DataError

SAFE, PICKLED = "adapter.safetensors", "pytorch_adapter.bin"
OWN_EMBEDDINGS = "embedding.pt"
CHECKSUM = "encoder_checksum"
TRAIN_AGAIN = "Get the whole adapter again, or train one with `clir adapt`."

_LAYER = re.compile(
    r"(?:^|\.)encoder\.layer\.(\d+)\.output\.(?:adapters|layer_text_(?:lang|task)_adapters)\.(.+)"
    r"\.adapter_(down\.0|up)\.(weight|bias)$"
)
_INVERTIBLE = re.compile(r"(?:^|\.)invertible_(?:lang_)?adapters\.(.+)\.([FG])\.([02])\.(weight|bias)$")
_HEAD = re.compile(r"^(?:cls|lm_head|heads?|classifier)\.")


class ReadAdapter(NamedTuple):
    """What a folder holds."""

    adapter: Adapter
    name: str
    model_type: str | None
    """Of the encoder it was made for, where the folder says so."""
    model_name: str | None
    checksum: int | None = None
    """Of that encoder; only our own have it."""


def write_adapter(
    folder: Path,
    adapter: Adapter,
    name: str,
    model_type: str,
    model_name: str = "",
    *,
    checksum: int | None = None,
) -> None:
    """Write ``adapter`` to ``folder``, whole or not at all; what was there before goes.

    ``model_type``, ``model_name`` and ``checksum`` (``checksum_of``) are those of the encoder it was trained in.
    """
    from safetensors.torch import save_file

    partial = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    weights = {key: value.detach().cpu().contiguous() for key, value in _named(adapter, name, model_type).items()}
    save_file(weights, partial / SAFE, metadata={"format": "pt"})
    config = adapter_config(adapter.shape, name, model_type, model_name)
    if checksum is not None:
        config[CHECKSUM] = checksum
    (partial / ADAPTER_CONFIG).write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)


def _named(adapter: Adapter, name: str, model_type: str) -> dict[str, Tensor]:
    """The weights by the names they have in a model with a head, as the public ones do."""
    prefix = "bert" if model_type == "bert" else "roberta"
    found: dict[str, Tensor] = {}
    for number in range(adapter.shape.layers):
        part = adapter.bottleneck(number)
        if part is None:
            continue
        place = f"{prefix}.encoder.layer.{number}.output.adapters.{name}"
        for their, leaf in (("adapter_down.0", part.down), ("adapter_up", part.up)):
            found |= {f"{place}.{their}.weight": leaf.weight, f"{place}.{their}.bias": leaf.bias}
    if adapter.invertible is not None:
        for letter, part in (("F", adapter.invertible.f), ("G", adapter.invertible.g)):
            place = f"{prefix}.invertible_adapters.{name}.{letter}"
            for number, leaf in ((0, part.down), (2, part.up)):
                found |= {f"{place}.{number}.weight": leaf.weight, f"{place}.{number}.bias": leaf.bias}
    return found


def read_adapter(source: str | Path, *, layers: int | None = None, revision: str | None = None) -> ReadAdapter:
    """Read an adapter from a folder or the hub, for an encoder of ``layers`` layers (None: of all it has).

    An encoder of which only the first layers are kept takes an adapter for more layers: the others are left out.
    Weights of prediction heads beside it are not looked at. Raises ``DataError`` where there is no adapter, where it is
    of a kind that MAD-X does not have, brings embeddings of its own, has fewer layers, or lacks weights or has some
    that do not fit.
    """
    folder = fetch_adapter(source, revision)
    config = _read_config(folder)
    if (folder / OWN_EMBEDDINGS).is_file():
        raise DataError(
            f"{source} brings embeddings of its own ({OWN_EMBEDDINGS}), which are not read.",
            "Take an adapter that was trained with the encoder's own embeddings.",
        )
    weights = _read_weights(folder)
    numbers = {int(match.group(1)) for match in map(_LAYER.search, weights) if match}
    if not numbers:
        raise DataError(f"{folder} holds no adapter after the feed-forward parts of layers.", TRAIN_AGAIN)
    shape = read_shape(config, max(numbers) + 1, folder)
    layers = shape.layers if layers is None else layers
    if shape.layers < layers:
        raise DataError(
            f"{source} has adapters for {shape.layers} layers, the encoder has {layers}.",
            "Take the adapter that was made for this encoder, or lower encoder.layers.",
        )
    kept = AdapterShape(
        shape.width, layers, shape.reduction, shape.invertible, shape.activation,
        tuple(number for number in shape.left_out if number < layers),
    )  # fmt: skip
    adapter = Adapter(kept)
    _fill(adapter, weights, folder)
    return ReadAdapter(
        adapter, str(config.get("name", "")), config.get("model_type"), config.get("model_name"), config.get(CHECKSUM)
    )


def read_adapter_for(encoder: Encoder, source: str | Path, revision: str | None = None) -> ReadAdapter:
    """The same, for ``encoder``. Raises ``DataError`` also where the adapter is for another kind or width of encoder.

    Two encoders of one kind and size (BERT cased and uncased) are told apart by a checksum, which adapters of other
    tools do not have.
    """
    found = read_adapter(source, layers=len(encoder.layers), revision=revision)
    kind, width = str(encoder.config.model_type), encoder.width
    hint = "Take the adapter that was made for this encoder, or train one with `clir adapt`."
    if found.model_type is not None and found.model_type != kind:
        raise DataError(f"{source} is an adapter for a {found.model_type} model, this encoder is of type {kind}.", hint)
    if found.adapter.shape.width != width:
        raise DataError(f"{source} is an adapter for vectors of {found.adapter.shape.width}, not of {width}.", hint)
    if found.checksum is not None and found.checksum != checksum_of(encoder):
        named = f" ({found.model_name})" if found.model_name else ""
        raise DataError(f"{source} was trained in another encoder of this kind and size{named}.", hint)
    return found


def fetch_adapter(source: str | Path, revision: str | None = None) -> Path:
    """The folder of an adapter: ``source`` itself, or what the hub has under that name.

    Raises ``DataError`` where there is none.
    """
    if is_local(source):
        if (Path(source) / ADAPTER_CONFIG).is_file():
            return Path(source)
        raise DataError(f"{source} holds no adapter: it has no {ADAPTER_CONFIG}.", TRAIN_AGAIN)
    if isinstance(source, Path) or source.startswith((".", "/")) or source.count("/") > 1:
        raise DataError(f"There is no folder {source}.", "Name the folder of an adapter, or its name on the hub.")
    from huggingface_hub import snapshot_download

    try:
        with quiet():
            found = snapshot_download(source, revision=revision, allow_patterns=[ADAPTER_CONFIG, SAFE, PICKLED])
    except (OSError, ValueError) as error:
        raise DataError(
            f"{source} is no folder here, and cannot be fetched from the hub: {first_line(error)}",
            "Check the name; without a network, name a folder.",
        ) from error
    if not (Path(found) / ADAPTER_CONFIG).is_file():
        raise DataError(f"{source} on the hub holds no adapter: it has no {ADAPTER_CONFIG}.", TRAIN_AGAIN)
    return Path(found)


def _read_config(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / ADAPTER_CONFIG).read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise ValueError("it is no mapping")
        return found
    except (OSError, ValueError) as error:
        raise DataError(f"{folder / ADAPTER_CONFIG} cannot be read: {error}.", TRAIN_AGAIN) from error


def _read_weights(folder: Path) -> dict[str, Tensor]:
    """By their names in a file; those of heads are left out."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        if (folder / SAFE).is_file():
            weights: Any = load_file(folder / SAFE)
        elif (folder / PICKLED).is_file():
            weights = torch.load(folder / PICKLED, map_location="cpu", weights_only=True)
        else:
            raise DataError(f"{folder} has neither {SAFE} nor {PICKLED}.", TRAIN_AGAIN)
    except pickle.UnpicklingError as error:
        raise DataError(
            f"{folder / PICKLED} holds more than tensors, which is not read: {first_line(error)}",
            f"A pickle can run code. Have whoever made it write {SAFE}.",
        ) from error
    except (OSError, SafetensorError, RuntimeError, EOFError, ValueError) as error:
        raise DataError(f"The weights in {folder} cannot be read: {first_line(error)}", TRAIN_AGAIN) from error
    if not isinstance(weights, dict) or not all(isinstance(value, Tensor) for value in weights.values()):
        raise DataError(f"The weights in {folder} are no mapping of names to tensors.", TRAIN_AGAIN)
    return {name: value for name, value in weights.items() if not _HEAD.match(name)}


@torch.no_grad()
def _fill(adapter: Adapter, weights: Mapping[str, Tensor], folder: Path) -> None:
    """Copy ``weights`` to their places. Raises ``DataError`` for what is missing, too much or of another size."""
    wanted = dict(adapter.named_parameters())
    missing = set(wanted)
    for name, value in weights.items():
        key = _our_name(name)
        if key is None:
            raise DataError(f"{folder}: {name} is no weight of an adapter of MAD-X.", _OTHER_KINDS)
        if key.startswith("layers.") and int(key.split(".")[1]) >= adapter.shape.layers:
            continue
        if key not in wanted:
            raise DataError(f"{folder}: {name} is in the weights and not in {ADAPTER_CONFIG}.", TRAIN_AGAIN)
        if wanted[key].shape != value.shape:
            raise DataError(
                f"{folder}: {name} has shape {tuple(value.shape)}, {tuple(wanted[key].shape)} by {ADAPTER_CONFIG}.",
                TRAIN_AGAIN,
            )
        wanted[key].copy_(value)
        missing.discard(key)
    if missing:
        raise DataError(f"{folder} lacks {len(missing)} weights, such as {sorted(missing)[0]}.", TRAIN_AGAIN)


_OTHER_KINDS = "Only bottlenecks after the feed-forward part, and NICE after the embeddings, are known."


def _our_name(name: str) -> str | None:
    if match := _LAYER.search(name):
        number, _, leaf, parameter = match.groups()
        return f"layers.{number}.{'up' if leaf == 'up' else 'down'}.{parameter}"
    if match := _INVERTIBLE.search(name):
        _, letter, number, parameter = match.groups()
        return f"invertible.{letter.lower()}.{'down' if number == '0' else 'up'}.{parameter}"
    return None
