"""Stages of the first stage: the Lucene index of a collection, and the runs of SMT and human translation."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from clir_cli.corpora.normalise import content_keys
from clir_cli.lines import write_whole
from clir_cli.pipeline.joined_topics import JoinedTopic, read_joined
from clir_cli.pipeline.pools import pool_of
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.stop_list import stop_list
from clir_cli.records import ProgressCallback, Run
from clir_cli.retrieval.search import build_index, search
from clir_cli.retrieval.translate_query import TEN_BEST, human, to_combine, translate, weigh
from clir_cli.translation.table import TranslationTable
from clir_cli.trec import write_run


def index(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The words of a store, or of the part of it that a pool names -> a Lucene index."""
    build_index(
        inputs.needs["collection"] / "store",
        out / "index",
        beginnings=inputs.settings.get("documents"),
        heap=inputs.hints["heap"],
        progress=progress,
    )


def retrieve(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Topics -> weighted query words -> a BM25 run; the queries are kept beside it as text."""
    settings = inputs.settings
    stop = stop_list(inputs, settings["stop"])
    topics = read_joined(inputs.needs["topics"] / "topics.tsv")
    structure = settings.get("structure", "nested")
    if settings["system"] == "smt":
        table = TranslationTable.load(inputs.needs["align"] / "table")
        queries = {
            topic.id: translate(
                content_keys(topic.query, stop),
                table,
                replace(TEN_BEST, top=settings["translations"], out_of_table=settings["out_of_table"]),
            )
            for topic in topics
        }
    else:
        queries = {topic.id: human(content_keys(topic.human, stop)) for topic in topics}
    with write_whole(out / "queries.txt") as file:
        for topic, words in queries.items():
            file.write(f"{topic}\t{to_combine(words, structure)}\n")
    run: Run = {}
    for name, asked in _by_index(topics, settings["pools"]).items():
        run |= search(
            inputs.needs[name] / "index",
            {topic: weigh(queries[topic], structure) for topic in asked},
            k1=settings["k1"],
            b=settings["b"],
            depth=settings["depth"],
            heap=inputs.hints["heap"],
            progress=progress,
        )
    write_run(out / "run.trec", {topic: run[topic] for topic in queries}, settings["system"])


def _by_index(topics: list[JoinedTopic], pools: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Name of an index among what the stage needs -> ids of the topics that search it."""
    if not pools:
        return {"index": [topic.id for topic in topics]}
    asked: dict[str, list[str]] = {}
    for topic in topics:
        asked.setdefault(f"index {pool_of(topic.key, pools)}", []).append(topic.id)
    return asked
