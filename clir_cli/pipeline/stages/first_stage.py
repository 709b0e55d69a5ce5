"""Stages of the first stage: the indexes of a collection, and the runs of SMT, PSQ and human translation."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from clir_cli.corpora.normalise import content_keys
from clir_cli.inspection.coverage import doubt_pair
from clir_cli.lines import write_whole
from clir_cli.pipeline.joined_topics import JoinedTopic, read_joined
from clir_cli.pipeline.pools import pool_of
from clir_cli.pipeline.rows import HUMAN, PSQ
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.stop_list import stop_list
from clir_cli.records import ProgressCallback, Run
from clir_cli.retrieval.search import build_index, search
from clir_cli.retrieval.sparse import search as sparse
from clir_cli.retrieval.sparse.index import write_index
from clir_cli.retrieval.sparse.psq import search_structured, to_text
from clir_cli.retrieval.translate_query import TEN_BEST, human, to_combine, translate, weigh
from clir_cli.translation.rules import TranslatedWord, TranslationRules
from clir_cli.translation.table import TranslationTable
from clir_cli.trec import write_run

WARNING = "warning.txt"
"""Beside a run: what is doubtful about it."""


def index(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The words of a store, or of the part of it that a pool names -> a Lucene index."""
    build_index(
        inputs.needs["collection"] / "store",
        out / "index",
        beginnings=inputs.settings.get("documents"),
        heap=inputs.hints["heap"],
        progress=progress,
    )


def index_sparse(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The same -> an index of our own engine."""
    store = inputs.needs["collection"] / "store"
    write_index(store, out / "index", beginnings=inputs.settings.get("documents"), progress=progress)


def retrieve(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Topics -> translated queries -> a BM25 run; the queries are kept beside it as text."""
    settings = inputs.settings
    topics = read_joined(inputs.needs["topics"] / "topics.tsv")
    queries = translate_queries(topics, inputs)
    if settings["system"] != HUMAN:
        _warn(out, topics, inputs)
    structure = settings.get("structure", "nested")
    written = to_text if settings["system"] == PSQ else partial(to_combine, structure=structure)
    with write_whole(out / "queries.txt") as file:
        for topic, words in queries.items():
            file.write(f"{topic}\t{written(words)}\n")
    scoring = {"k1": settings["k1"], "b": settings["b"], "depth": settings["depth"], "progress": progress}
    run: Run = {}
    for name, ids in _by_index(topics, settings["pools"]).items():
        index, asked = inputs.needs[name] / "index", {topic: queries[topic] for topic in ids}
        if settings["system"] == PSQ:
            run |= search_structured(index, asked, **scoring, exact_lengths=settings["exact_lengths"])
            continue
        weighed = {topic: weigh(words, structure) for topic, words in asked.items()}
        if settings.get("engine") == "sparse":
            run |= sparse.search(index, weighed, **scoring, exact_lengths=settings["exact_lengths"])
        else:
            run |= search(index, weighed, **scoring, heap=inputs.hints["heap"])
    write_run(out / "run.trec", {topic: run[topic] for topic in queries}, settings["system"])


def translate_queries(topics: list[JoinedTopic], inputs: Inputs) -> dict[str, list[TranslatedWord]]:
    """Topic id -> its words in the document language, by what the system is."""
    settings = inputs.settings
    stop = stop_list(inputs, settings["stop"])
    if settings["system"] == HUMAN:
        return {topic.id: human(content_keys(topic.human, stop)) for topic in topics}
    if settings["system"] == PSQ:
        chosen = settings["psq"] | {"document_stop": stop_list(inputs, settings["document_stop"])}
        rules = TranslationRules(out_of_table=settings["out_of_table"], **chosen)
    else:
        rules = replace(TEN_BEST, top=settings["translations"], out_of_table=settings["out_of_table"])
    table = TranslationTable.load(inputs.needs["align"] / "table")
    return {topic.id: translate(content_keys(topic.query, stop), table, rules) for topic in topics}


def _warn(out: Path, topics: list[JoinedTopic], inputs: Inputs) -> None:
    """Where the table looks like another pair's, a sentence that every command over this run will say."""
    table = TranslationTable.load(inputs.needs["align"] / "table")
    stop = stop_list(inputs, inputs.settings["stop"])
    queries = {topic.id: content_keys(topic.query, stop) for topic in topics}
    if doubt := doubt_pair(queries, set(table.source_words), set(table.target_words), where="the table"):
        (out / WARNING).write_text(" ".join(doubt), encoding="utf-8")


def _by_index(topics: list[JoinedTopic], pools: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Name of an index among what the stage needs -> ids of the topics that search it."""
    asked: dict[str, list[str]] = {}
    for topic in topics:
        asked.setdefault(name_index(topic, pools), []).append(topic.id)
    return asked


def name_index(topic: JoinedTopic, pools: list[dict[str, Any]]) -> str:
    """The name that the index which a topic searches has among what the stage needs."""
    return f"index {pool_of(topic.key, pools)}" if pools else "index"
