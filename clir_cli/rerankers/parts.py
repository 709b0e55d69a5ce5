"""What training an adapted re-ranker leaves: the parts that moved, and how to put them on what they started from.

parts.safetensors   task adapters (``task.<way>.``), head, translation parts: nothing that the start has already
parts.json          what they are (see ``about_parts``)
"""

import shutil
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from clir_cli.encoders.adapters.files import read_adapter_for
from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.folder import encoder_weights
from clir_cli.errors import DataError
from clir_cli.rerankers.about_parts import ABOUT, AboutParts, Source, read_about, write_about
from clir_cli.rerankers.adapters import AdapterPlan, add_languages, give_adapters, trained_parts
from clir_cli.rerankers.build import build_reranker
from clir_cli.rerankers.reranker import Reranker

WEIGHTS = "parts.safetensors"


def build_adapted(source: str | Path, build: Mapping[str, Any], plan: AdapterPlan, seed: int) -> Reranker:
    """A re-ranker over ``source`` with fresh task adapters; arguments as for ``build_reranker``."""
    model = build_reranker(source, **build, seed=seed)
    give_adapters(model, plan, seed=seed)
    return model


def load_languages(
    model: Reranker, folders: Mapping[str, str | Path], *, revisions: Mapping[str, str | None], invertible: bool
) -> None:
    """Let ``model`` know the languages whose adapters lie in ``folders`` (or on the hub), and nothing else anew.

    ``invertible`` False: without what stands after the embeddings, even where an adapter has it. Raises ``DataError``
    where an adapter is not there, or is for another encoder.
    """
    found = {}
    for language, folder in folders.items():
        adapter = read_adapter_for(model.encoder, folder, revisions.get(language)).adapter
        if not invertible:
            adapter.invertible = None
        found[language] = adapter
    add_languages(model, found)


def speak_pair(
    model: Reranker, about: AboutParts, query: str, document: str, sources: Mapping[str, Source]
) -> tuple[str | None, str | None]:
    """From now on ``model`` ranks documents in one language for queries in another; the languages it goes through.

    Adapters that it does not know yet are read from ``sources``; nothing else is. Raises ``DataError`` for a language
    that has none, and for adapters of another encoder.
    """
    assert model.adapters is not None, "load_parts comes first"
    spoken = about.spoken(query, document)
    new = {code: sources.get(code) for code in spoken if code is not None and code not in model.adapters.languages}
    for code, source in new.items():
        if source is None:
            layers = f" --layers {about.build['layers']}" if about.build.get("layers") else ""
            raise DataError(
                f"The model goes through an adapter of language {code}, and none is known.",
                f"Name its folder or hub name: --adapter {code}=FOLDER. It is learned from plain text by "
                f"`clir adapt --language {code} --text FILE --checkpoint BASE{layers} --out FOLDER`.",
            )
    found = {code: source for code, source in new.items() if source is not None}
    load_languages(
        model,
        {code: source.place for code, source in found.items()},
        revisions={code: source.revision for code, source in found.items()},
        invertible=bool(about.invertible),
    )
    model.adapters.speak(*spoken)
    return spoken


def save_parts(
    model: Reranker,
    folder: Path,
    build: Mapping[str, Any],
    plan: AdapterPlan,
    seed: int,
    *,
    language: bool = True,
    invertible: bool = True,
) -> None:
    """Write what of ``model`` moved to ``folder``, whole or not at all.

    ``language``, ``invertible``: which adapters of languages it goes through.
    """
    from safetensors.torch import save_file

    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    parts = trained_parts(model)
    save_file({name: parts[name].detach().cpu().contiguous() for name in sorted(parts)}, partial / WEIGHTS)
    about = {"build": dict(build), "plan": plan.plain(), "seed": seed, "start": _checksum(model)}
    write_about(partial, about | {"language": language, "invertible": invertible})
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)


def load_parts(source: str | Path, folder: Path) -> tuple[Reranker, Any]:
    """The model that ``save_parts`` wrote, over the ``source`` it started from, in evaluation mode; and the tokenizer.

    It knows no language yet. Raises ``DataError`` where ``folder`` holds no such parts, or they are of another start.
    """
    about = read_about(folder)
    weights = read_parts(folder)
    model = build_adapted(source, about.build, about.plan, about.seed)
    if _checksum(model) != about.start:
        raise DataError(
            f"The parts in {folder} were trained over another encoder than {source}.", "Name the one they started from."
        )
    own = trained_parts(model)
    if wrong := sorted(own.keys() ^ weights.keys()):
        raise DataError(f"The weights in {folder} do not fit its {ABOUT}: {wrong[0]}.", "Train it again.")
    _copy(own, weights, folder)
    return model.eval(), load_tokenizer(source, about.build.get("revision"))


def read_parts(folder: Path) -> dict[str, Tensor]:
    """The weights in a folder of parts. Raises ``DataError`` where they are not whole."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(folder / WEIGHTS)
    except (OSError, SafetensorError) as error:
        raise DataError(f"{folder} holds no whole parts of a re-ranker: {error}.", "Train it again.") from error


@torch.no_grad()
def _copy(own: Mapping[str, Tensor], weights: Mapping[str, Tensor], folder: Path) -> None:
    for name, value in own.items():
        if value.shape != weights[name].shape:
            raise DataError(
                f"{folder}: {name} has shape {tuple(weights[name].shape)}, the model needs {tuple(value.shape)}.",
                "Train it again.",
            )
        value.copy_(weights[name])


def _checksum(model: Reranker) -> int:
    """Of everything that is frozen beside the adapters of languages."""
    moving = {value.data_ptr() for value in trained_parts(model).values()}
    found = 0
    weights = encoder_weights(model.encoder) | model.own_weights()
    for name in sorted(weights):
        if weights[name].data_ptr() not in moving:
            found = zlib.crc32(weights[name].detach().cpu().contiguous().numpy().tobytes(), found)
    return found
