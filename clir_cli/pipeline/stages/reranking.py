"""Stages of scoring: a model's ranking of the first stage's documents."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.languages import load_trained
from clir_cli.pipeline.stages.material import Material, only, refuse_leak, start_of
from clir_cli.records import ProgressCallback, Run
from clir_cli.trec import write_run

Ranking = Callable[..., Run]
"""``ranking(candidates, shards=, progress=)``: candidates in a model's order."""


def rerank(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The trained model of a fold -> its ranking of the candidates of the fold's test topics (or its validation's)."""
    from clir_cli.learning.devices import set_threads

    material = Material(inputs)
    is_validation = inputs.settings.get("part") == "validation"
    keys = material.split.validation if is_validation else material.split.test
    if not is_validation:  # of whatever pair the model learned from: folds are by topic id
        refuse_leak(inputs, keys, "this fold tests", of="train")
    set_threads(inputs.settings["threads"])
    model, tokenizer = load_trained(inputs)
    rank = _by_what_is_stored if "represent" in inputs.needs else _by_reading
    _write(out, inputs, rank(inputs, model, tokenizer, material), material.topics_of(keys), material, progress)


def rerank_untrained(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The encoder and head as they come -> a ranking of the candidates of every topic."""
    from clir_cli.learning.devices import set_threads

    settings, material = inputs.settings, Material(inputs)
    refuse_leak(inputs, material.topic_keys, "it is to rank here")
    set_threads(settings["threads"])
    model, tokenizer = load_untrained(inputs)
    ranking = _by_reading(inputs, model, tokenizer, material)
    _write(out, inputs, ranking, list(material.queries), material, progress)


def load_untrained(inputs: Inputs) -> tuple[Any, Any]:
    """The encoder and head as they come, and their tokenizer."""
    from clir_cli.rerankers.zero_shot import load_zero_shot

    if "start" in inputs.needs:
        return load_zero_shot(inputs.needs["start"] / "model")
    return load_zero_shot(start_of(inputs), **(only(inputs.settings["encoder"], "revision", "layers") or {}))


def _write(
    out: Path, inputs: Inputs, ranking: Ranking, topics: list[str], material: Material, progress: ProgressCallback
) -> None:
    """Write the run of a model over the candidates of ``topics``."""
    candidates = material.top(topics, inputs.settings["depth"])
    write_run(out / "run.trec", ranking(candidates, shards=out / "shards", progress=progress), "clir")


def _by_reading(inputs: Inputs, model: Any, tokenizer: Any, material: Material) -> Ranking:
    """Query and document go through the model."""
    from clir_cli.learning.devices import choose_device
    from clir_cli.rerankers.int8 import quantise
    from clir_cli.rerankers.reading import PassageReader
    from clir_cli.reranking.rerank import rerank

    settings = inputs.settings
    model.to(choose_device())
    if settings.get("int8"):
        quantise(model)
    reader = PassageReader(model, tokenizer, **material.reading)
    return partial(rerank, model, reader, tokens=inputs.hints["tokens"], precision=settings["precision"])


def _by_what_is_stored(inputs: Inputs, model: Any, tokenizer: Any, material: Material) -> Ranking:
    """The query goes through the model, and what is stored of the document."""
    from clir_cli.learning.devices import choose_device
    from clir_cli.rerankers.mores.representations import Representations
    from clir_cli.rerankers.mores.represented import RepresentedScorer
    from clir_cli.reranking.rerank import rerank_by

    settings = inputs.settings
    scorer = RepresentedScorer(
        model.to(choose_device()),
        Representations(inputs.needs["represent"] / "documents"),
        tokenizer,
        queries=material.queries,
        links=material.links,
        text=settings["encoder"]["text"],
        absorb=settings["reuse"] == "absorbed",
    )
    return partial(rerank_by, scorer.score)


def represent(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """A fold's MORES and the candidates of all topics -> what it keeps of these documents."""
    from clir_cli.learning.devices import choose_device, set_threads
    from clir_cli.rerankers.mores.model import Mores
    from clir_cli.rerankers.mores.represent import represent as write

    settings, material = inputs.settings, Material(inputs)
    set_threads(settings["threads"])
    model, tokenizer = load_trained(inputs)
    assert isinstance(model, Mores)
    model.to(choose_device())
    documents = {entry.document for entries in material.candidates.values() for entry in entries[: settings["depth"]]}
    encoder = settings["encoder"]
    write(
        out / "documents",
        model,
        tokenizer,
        material.pieces,
        sorted(documents),
        strategy=settings["strategy"],
        dtype=settings["dtype"],
        tokens=inputs.hints["tokens"],
        progress=progress,
        **{name: encoder[name] for name in ("text", "max_pieces", "document_pieces")},
    )
