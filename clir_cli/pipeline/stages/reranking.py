"""Stages of scoring: a model's ranking of the first stage's documents."""

from pathlib import Path
from typing import Any

from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.material import Material, only, refuse_leak, start_of
from clir_cli.records import ProgressCallback
from clir_cli.trec import write_run


def rerank(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The trained model of a fold -> its ranking of the candidates of the fold's test topics (or its validation's)."""
    from clir_cli.learning.devices import set_threads
    from clir_cli.rerankers.build import load_reranker

    material = Material(inputs)
    set_threads(inputs.settings["threads"])
    model, tokenizer = load_reranker(inputs.needs["train"] / "model")
    is_validation = inputs.settings.get("part") == "validation"
    keys = material.split.validation if is_validation else material.split.test
    score = _score_stored if "represent" in inputs.needs else _score
    score(out, inputs, model, tokenizer, material.topics_of(keys), material, progress)


def rerank_untrained(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The encoder and head as they come -> a ranking of the candidates of every topic."""
    from clir_cli.learning.devices import set_threads
    from clir_cli.rerankers.zero_shot import load_zero_shot

    settings, material = inputs.settings, Material(inputs)
    refuse_leak(inputs, material.topic_keys, "it is to rank here")
    set_threads(settings["threads"])
    if "start" in inputs.needs:
        model, tokenizer = load_zero_shot(inputs.needs["start"] / "model")
    else:
        chosen = only(settings["encoder"], "revision", "layers") or {}
        model, tokenizer = load_zero_shot(start_of(inputs), **chosen)
    _score(out, inputs, model, tokenizer, list(material.queries), material, progress)


def _score(
    out: Path,
    inputs: Inputs,
    model: Any,
    tokenizer: Any,
    topics: list[str],
    material: Material,
    progress: ProgressCallback,
) -> None:
    """Write the run of a model over the candidates of ``topics``."""
    from clir_cli.learning.devices import choose_device
    from clir_cli.rerankers.reading import PassageReader
    from clir_cli.reranking.rerank import rerank as score

    settings = inputs.settings
    model.to(choose_device())
    if settings.get("int8"):
        from clir_cli.rerankers.int8 import quantise

        quantise(model)
    reader = PassageReader(model, tokenizer, **material.reading)
    run = score(
        model,
        reader,
        material.top(topics, settings["depth"]),
        tokens=inputs.hints["tokens"],
        precision=settings["precision"],
        shards=out / "shards",
        progress=progress,
    )
    write_run(out / "run.trec", run, "clir")


def _score_stored(
    out: Path,
    inputs: Inputs,
    model: Any,
    tokenizer: Any,
    topics: list[str],
    material: Material,
    progress: ProgressCallback,
) -> None:
    """The same from what is stored of the candidates."""
    from clir_cli.learning.devices import choose_device
    from clir_cli.rerankers.mores.representations import Representations
    from clir_cli.rerankers.mores.represented import RepresentedScorer
    from clir_cli.reranking.rerank import rerank_by

    settings = inputs.settings
    model.to(choose_device())
    scorer = RepresentedScorer(
        model,
        Representations(inputs.needs["represent"] / "documents"),
        tokenizer,
        queries=material.queries,
        links=material.links,
        text=settings["encoder"]["text"],
        absorb=settings["reuse"] == "absorbed",
    )
    candidates = material.top(topics, settings["depth"])
    run = rerank_by(scorer.score, candidates, shards=out / "shards", progress=progress)
    write_run(out / "run.trec", run, "clir")


def represent(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """A fold's MORES and the candidates of all topics -> what it keeps of these documents."""
    from clir_cli.learning.devices import choose_device, set_threads
    from clir_cli.rerankers.build import load_reranker
    from clir_cli.rerankers.mores.model import Mores
    from clir_cli.rerankers.mores.represent import represent as write

    settings, material = inputs.settings, Material(inputs)
    set_threads(settings["threads"])
    model, tokenizer = load_reranker(inputs.needs["train"] / "model")
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
