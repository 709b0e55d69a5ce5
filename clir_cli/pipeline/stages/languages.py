"""Stages that learn a language from plain text, and what stages of re-rankers make of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clir_cli.corpora.document_store import DocumentStore
from clir_cli.lines import read_lines
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.material import start_of
from clir_cli.records import ProgressCallback

if TYPE_CHECKING:
    from clir_cli.rerankers.about_parts import Source


def head(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Text of a language and the encoder -> a language head, what it reached in ``report.json``."""
    from clir_cli.training.language_adapter import learn_head

    learn_head(out, _learner(inputs, progress))


def adapt(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Text of a language, the encoder and a head -> its adapter in ``adapter/``, perplexities in ``report.json``."""
    from clir_cli.training.language_adapter import LanguageShape, adapt_language

    settings = inputs.settings
    shape = settings["shape"]
    adapt_language(
        out,
        _learner(inputs, progress),
        language=settings["language"],
        head=inputs.needs["head"],
        shape=LanguageShape(
            reduction=shape["reduction"],
            invertible=2 if shape["invertible"] else None,
            left_out=tuple(shape["left_out"]),
        ),
    )


def adapt_encoder(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Text of a language, the encoder and a head -> the encoder in ``model/``, all its weights trained on."""
    from clir_cli.training.language_adapter import adapt_encoder as train

    train(out, _learner(inputs, progress), head=inputs.needs["head"])


def _learner(inputs: Inputs, progress: ProgressCallback) -> Any:
    from clir_cli.training.language_adapter import Learner
    from clir_cli.training.language_learner import LanguageRecipe

    settings = inputs.settings
    encoder = settings["encoder"]
    recipe = LanguageRecipe(
        **settings["recipe"],
        checkpoint_every=inputs.hints["checkpoint_every"],
        seed=settings["seed"],
        threads=settings["threads"],
        precision=settings["precision"],
    )
    return Learner(
        base_of(inputs), lambda: _texts(inputs), recipe, encoder.get("revision"), encoder.get("layers"),
        encoder["text"], progress,
    )  # fmt: skip


def _texts(inputs: Inputs) -> Iterator[str]:
    for path in inputs.files.get("text", []):
        yield from (line for _, line in read_lines(path))
    for name in inputs.settings["text"]["collections"]:
        for _, text in DocumentStore(inputs.needs[f"collection {name}"] / "store"):
            yield text
    for pair, encoding in inputs.settings["text"]["bitext"].items():
        for path in inputs.files[f"bitext {pair}"]:
            yield from (line for _, line in read_lines(path, encoding))


def base_of(inputs: Inputs) -> str | Path:
    """The encoder that adapters stand in."""
    return inputs.needs["start"] / "model" if "start" in inputs.needs else start_of(inputs)


def adapters_of(inputs: Inputs) -> tuple[dict[str, str | Path], dict[str, str | None]]:
    """Language -> where its adapter is, and the revision of those on the hub."""
    begin = "adapter "
    found: dict[str, str | Path] = {
        name.removeprefix(begin): folder / "adapter" for name, folder in inputs.needs.items() if name.startswith(begin)
    }
    found |= {name.removeprefix(begin): paths[0] for name, paths in inputs.files.items() if name.startswith(begin)}
    hub = inputs.settings["adapters"]["hub"]
    found |= {language: each["name"] for language, each in hub.items()}
    return found, {language: each["revision"] for language, each in hub.items()}


def sources_of(inputs: Inputs) -> "dict[str, Source]":
    """Language -> where its adapter is; those that a stage learned are the experiment's own."""
    from clir_cli.rerankers.about_parts import Source

    found, revisions = adapters_of(inputs)
    return {
        language: Source(place, revisions.get(language), is_own=f"adapter {language}" in inputs.needs)
        for language, place in found.items()
    }


def load_trained(inputs: Inputs) -> tuple[Any, Any]:
    """The model that a fold's training left, with adapters of the pair that is ranked where it has any; tokenizer."""
    from clir_cli.rerankers.build import load_reranker
    from clir_cli.rerankers.parts import load_languages, load_parts

    said = inputs.settings.get("adapters")
    if said is None:
        return load_reranker(inputs.needs["train"] / "model")
    model, tokenizer = load_parts(base_of(inputs), inputs.needs["train"] / "parts")
    languages, revisions = adapters_of(inputs)
    load_languages(model, languages, revisions=revisions, invertible=said["invertible"])
    assert model.adapters is not None
    model.adapters.speak(*said["spoken"])
    return model, tokenizer
