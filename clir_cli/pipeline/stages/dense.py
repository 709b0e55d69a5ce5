"""Stages of dense retrieval."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from clir_cli.lines import write_whole
from clir_cli.pipeline.joined_topics import read_joined
from clir_cli.pipeline.pools import pool_of, searched_by
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.first_stage import WARNING
from clir_cli.records import ProgressCallback, Run
from clir_cli.trec import write_run

if TYPE_CHECKING:
    from clir_cli.retrieval.dense.embed import Embedder
    from clir_cli.retrieval.dense.vectors import VectorReport


def embed(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Documents -> a vector each, once for all pairs."""
    from clir_cli.retrieval.dense.vectors import write_vectors

    write_vectors(
        inputs.needs["collection"] / "store",
        out / "vectors",
        _embedder(inputs),
        prefix=inputs.settings["prefix"],
        stored=inputs.settings["stored"],
        progress=progress,
    )


def retrieve(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Topics as they are -> vectors -> the run of the documents that are nearest."""
    from clir_cli.retrieval.dense.search import search
    from clir_cli.retrieval.dense.vectors import VectorStore

    settings, pools = inputs.settings, inputs.settings["pools"]
    topics = read_joined(inputs.needs["topics"] / "topics.tsv")
    vectors = VectorStore(inputs.needs["vectors"] / "vectors")
    embedder = _embedder(inputs)
    vectors.check(embedder)
    queries = embedder.embed([topic.query for topic in topics], settings["prefix"]).vectors
    with write_whole(out / "queries.txt") as file:
        for topic in topics:
            file.write(f"{topic.id}\t{settings['prefix']}{' '.join(topic.query.split())}\n")
    by_pool: dict[int | None, list[int]] = {}
    for number, topic in enumerate(topics):
        by_pool.setdefault(pool_of(topic.key, pools) if pools else None, []).append(number)
    run: Run = {}
    for numbers in by_pool.values():
        run |= search(
            vectors,
            [topics[number].id for number in numbers],
            queries[numbers],
            similarity=settings["similarity"],
            depth=settings["depth"],
            block=inputs.hints["block"],
            is_searched=searched_by(topics[numbers[0]].key, pools),
            progress=progress,
        )
    write_run(out / "run.trec", {topic.id: run[topic.id] for topic in topics}, settings["system"])
    if warning := _half_read(vectors.report):
        (out / WARNING).write_text(warning, encoding="utf-8")


def _embedder(inputs: Inputs) -> "Embedder":
    from clir_cli.learning.devices import set_threads
    from clir_cli.pipeline.stages.material import start_of
    from clir_cli.retrieval.dense.embed import load_embedder

    settings: dict[str, Any] = inputs.settings["encoder"]
    set_threads(inputs.settings["threads"])
    return load_embedder(
        inputs.needs["start"] / "model" if "start" in inputs.needs else start_of(inputs),
        revision=settings.get("revision"),
        layers=settings["layers"],
        pooling=settings["pooling"],
        text=settings["text"],
        max_pieces=settings["max_pieces"],
        tokens=inputs.hints["tokens"],
        precision=inputs.settings["precision"],
    )


def _half_read(report: "VectorReport") -> str | None:
    """Which documents were not read to their end: a sentence that every command over this run will say."""
    if not report.cut:
        return None
    return (
        f"{report.cut} of {report.documents} documents are longer than {report.max_pieces} word pieces; "
        "dense retrieval reads no further."
    )
