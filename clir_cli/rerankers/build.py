"""Re-rankers put together, written to folders and read from them, by their kind."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, get_args

import torch
from torch import Tensor

from clir_cli.encoders.checkpoint import check_vocabulary, is_local, load_tokenizer
from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.folder import write_folder
from clir_cli.encoders.load import load_encoder, load_head
from clir_cli.errors import DataError
from clir_cli.rerankers.classifier import give_pooler, take_head
from clir_cli.rerankers.cross_encoder import CrossEncoder, Description, new_cross_encoder, resolve_layers
from clir_cli.rerankers.folder import about_reranker, read_description, read_own_weights
from clir_cli.rerankers.mores.build import Adapt, choose_moving, new_mores
from clir_cli.rerankers.mores.model import Mores, MoresDescription
from clir_cli.rerankers.reranker import Reranker, average_passages
from clir_cli.translation.matrix import Arm

__all__ = [
    "CrossEncoder",
    "Description",
    "Kind",
    "Reranker",
    "assemble_reranker",
    "average_passages",
    "build_reranker",
    "load_reranker",
    "new_reranker",
    "resolve_layers",
    "save_reranker",
]

Kind = Literal["bert", "mart", "mores"]


def build_reranker(
    source: str | Path,
    *,
    revision: str | None = None,
    layers: int | None = None,
    kind: Kind = "bert",
    pooler: bool = False,
    adapt: Adapt = "all",
    seed: int = 42,
    **parts: Any,
) -> Reranker:
    """A re-ranker over a checkpoint, ready to be trained.

    ``source``: hub name, folder of a Hugging Face encoder, or a folder that ``save_reranker`` wrote; from the last one
    the head and whatever else the two models share are taken too. Everything else that is new depends on ``seed``
    alone, but the head of a sequence classifier of one or two labels stays where ``pooler`` is true. ``parts``: see
    ``new_cross_encoder`` (kinds bert and mart) and ``new_mores``. ``adapt``, of MORES alone: what training moves.

    Raises ``DataError`` for a checkpoint that does not fit (see ``load_encoder``), a MAT layer that does not exist, or
    a MORES of other parts.
    """
    # A classifier's head was trained on what the pooler makes of [CLS], by all layers: with both it is kept.
    head = load_head(source, revision) if pooler and layers is None and kind != "mores" else None
    encoder = load_encoder(source, revision=revision, layers=layers, pooler=pooler and head is None)
    if head is not None:
        give_pooler(encoder, head)
    model = new_reranker(encoder, kind=kind, seed=seed, **parts)
    if head is not None and isinstance(model, CrossEncoder):
        take_head(model, head)
    if (found := read_description(source)) is not None:
        _check_parts(model, found, source)
        _take(model, read_own_weights(source))
    if isinstance(model, Mores):
        choose_moving(model, adapt)
    return model


def new_reranker(encoder: Encoder, *, kind: Kind = "bert", seed: int = 42, **parts: Any) -> Reranker:
    """A re-ranker over ``encoder``, with new weights for all that is not in it; see ``build_reranker``."""
    if kind == "mores":
        return new_mores(encoder, seed=seed, **parts)
    return new_cross_encoder(encoder, kind=kind, seed=seed, **parts)


def save_reranker(model: Reranker, tokenizer: Any, folder: Path) -> None:
    """Write everything that scoring needs to ``folder``, whole or not at all."""
    check_vocabulary(tokenizer, model.encoder.config.vocab_size, folder)
    write_folder(Path(folder), model.encoder, tokenizer, model.own_weights(), about_reranker(asdict(model.description)))


def load_reranker(folder: str | Path) -> tuple[Reranker, Any]:
    """Read what ``save_reranker`` wrote: (model, in evaluation mode, and tokenizer).

    Raises ``DataError`` where the folder holds no re-ranker, or not all of one.
    """
    found = read_description(folder)
    if found is None:
        is_part = is_local(folder) and (Path(folder) / "parts.json").is_file()
        raise DataError(
            f"{folder} holds no {'whole ' if is_part else ''}re-ranker: its config.json names none.",
            "These are parts of one: `clir rerank --checkpoint` reads them." if is_part else "Give another folder.",
        )
    model = assemble_reranker(load_encoder(folder, pooler=found.get("pooler", False)), found)
    own = read_own_weights(folder)
    missing = sorted(model.own_weights().keys() ^ own.keys())
    if missing:
        raise DataError(f"The weights in {folder} do not fit its config.json: {missing[0]}.", "Train it again.")
    _take(model, own)
    return model.eval(), load_tokenizer(folder)


def assemble_reranker(encoder: Encoder, found: Mapping[str, Any]) -> Reranker:
    """The model that a folder describes, its own weights not read yet."""
    try:
        if found["kind"] not in get_args(Kind) or found["arm"] not in (None, *get_args(Arm)):
            raise TypeError(f"kind {found['kind']!r} with arm {found['arm']!r}")
        if found["kind"] == "mores":
            return Mores(encoder, MoresDescription(**found))
        return CrossEncoder(encoder, Description(**{**found, "mat_layers": tuple(found["mat_layers"])}))
    except (KeyError, TypeError, IndexError) as error:
        problem = f"A folder's config.json describes a re-ranker that this version does not know: {error}."
        raise DataError(problem, "Use the version of clir that wrote it, or copy the model again.") from error


def _check_parts(model: Reranker, found: Mapping[str, Any], source: str | Path) -> None:
    """Two MORES share all weights but those of translation knowledge, or none would fit."""
    if not isinstance(model, Mores) or found["kind"] != "mores":
        return
    for part in ("blocks", "tied"):
        if found[part] != getattr(model.description, part):
            raise DataError(
                f"{source} is a MORES with {part} {found[part]}, not {getattr(model.description, part)}.",
                "Train it for ranking with the same parts.",
            )


@torch.no_grad()
def _take(model: Reranker, weights: dict[str, Tensor]) -> None:
    """Copy the weights that have a place in ``model``."""
    for name, value in model.own_weights().items():
        if name in weights:
            if weights[name].shape != value.shape:
                raise DataError(
                    f"{name} has shape {tuple(weights[name].shape)}, the encoder needs {tuple(value.shape)}.",
                    "Head and encoder are not from the same model.",
                )
            value.copy_(weights[name])
