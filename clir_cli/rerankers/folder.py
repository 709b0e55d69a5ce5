"""A re-ranker as a folder: a checkpoint of Hugging Face's form, of the type ``clir-reranker``.

    config.json         what the model is (``reranker``), its encoder's configuration (``encoder``) and, where a stage
                        trained it, what it reads (``reading``) and which links it is given (``links``)
    model.safetensors   the encoder's weights by BERT's names, and the re-ranker's own (``head.``, ``mat.<layer>.``, ..)
    tokenizer files
    README.md           the model card, where a stage trained it

Folders made before had the encoder's configuration as ``config.json`` and the re-ranker's in ``reranker.json``: they
are read, too.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from clir_cli.encoders.checkpoint import RERANKER, is_local, read_config
from clir_cli.encoders.folder import WEIGHTS, write_config
from clir_cli.errors import DataError
from clir_cli.lines import write_whole

DESCRIPTION = "reranker.json"
_OF_ENCODERS = ("embeddings.", "encoder.", "pooler.")


def about_reranker(
    description: Mapping[str, Any], reading: Mapping[str, Any] | None = None, links: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What ``config.json`` says of a re-ranker, but for its encoder."""
    about: dict[str, Any] = {"model_type": RERANKER, "architectures": ["ClirReranker"], "dtype": "float32"}
    about["id2label"], about["label2id"] = {"0": "relevant"}, {"relevant": 0}
    about["reranker"] = dict(description)
    return about | {name: dict(part) for name, part in (("reading", reading), ("links", links)) if part is not None}


def read_description(source: str | Path) -> dict[str, Any] | None:
    """What a folder says of its re-ranker; None where ``source`` is no folder or holds none.

    Raises ``DataError`` where it does not say what kind of re-ranker it is.
    """
    if not is_local(source):
        return None
    file = Path(source) / "config.json"
    try:
        config = read_config(source) if file.is_file() else {}
        if config.get("model_type") == RERANKER:
            found = config["reranker"]
        elif (file := Path(source) / DESCRIPTION).is_file():
            found = json.loads(file.read_text("utf-8"))
        else:
            return None
        description = {key: value for key, value in found.items() if key != "format"}
        description["kind"], description["arm"]
        return description
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{file} is not the description of a re-ranker.", "Train or copy the model again.") from error


def read_use(source: str | Path, part: str) -> dict[str, Any]:
    """``reading`` or ``links`` of a re-ranker's folder; empty where it does not say.

    Raises ``DataError`` where it says what nothing can be read by.
    """
    if not is_local(source) or not (Path(source) / "config.json").is_file():
        return {}
    try:
        use = dict(read_config(source).get(part) or {})
        if part == "reading":
            check_reading(use)
        return use
    except (OSError, ValueError, TypeError) as error:
        problem = f"The part `{part}` of {Path(source) / 'config.json'} cannot be read: {error}."
        raise DataError(problem, "Train or copy the model again.") from error


def check_reading(use: Mapping[str, Any]) -> None:
    """Raises ``ValueError`` for what is no way to read texts."""
    for name, least in (("max_pieces", 16), ("document_pieces", 1)):
        if not isinstance(value := use.get(name, least), int) or value < least:
            raise ValueError(f"{name} is {value!r}, and no number from {least}")
    if use.get("text", "raw") not in ("raw", "folded"):
        raise ValueError(f"text is {use['text']!r}, neither raw nor folded")
    fields = use.get("fields", ["title"])
    if not isinstance(fields, list) or not fields or not {*fields} <= {"title", "description", "narrative"}:
        raise ValueError(f"fields is {fields!r}, and no list of parts of a topic")


def add_use(folder: Path, *, reading: Mapping[str, Any], links: Mapping[str, Any] | None, card: str) -> None:
    """Tell a re-ranker's folder what the model reads, and put a model card into it. Doing so again changes nothing."""
    config = read_config(folder)
    write_config(folder, config | {"reading": dict(reading)} | ({} if links is None else {"links": dict(links)}))
    with write_whole(folder / "README.md") as file:
        file.write(card)


def read_own_weights(source: str | Path) -> dict[str, Tensor]:
    """The weights of a re-ranker's folder that are not its encoder's."""
    from safetensors import SafetensorError, safe_open

    file = Path(source) / WEIGHTS
    try:
        with safe_open(file, framework="pt") as weights:
            names = [name for name in weights.keys() if not name.startswith(_OF_ENCODERS)]  # noqa: SIM118 (it is no dict)
            return {name: weights.get_tensor(name) for name in names}
    except (OSError, SafetensorError) as error:
        raise DataError(f"{file} cannot be read: {error}", "Train or copy the model again.") from error
