"""Stages that bring raw files into one form: collections, topics with judgements, folds."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from clir_cli.corpora.collection_files import find_files
from clir_cli.corpora.document_store import DocumentStore, write_store
from clir_cli.corpora.documents import read_documents
from clir_cli.corpora.folds import assign_folds, write_folds
from clir_cli.corpora.ir_datasets_documents import read_ir_dataset
from clir_cli.corpora.topics import parse_ranges, read_topics, topic_key
from clir_cli.errors import DataError, Faults, stop_at_fault
from clir_cli.evaluation.judgements import clean_judgements
from clir_cli.pipeline.joined_topics import JoinedTopic, read_joined, write_joined
from clir_cli.pipeline.pools import Pool, pool_of, searched_by
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.stop_list import stop_list
from clir_cli.records import ProgressCallback, Qrels, Topic
from clir_cli.trec import read_qrels, write_qrels


def collection(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Documents -> a store of texts, ids, vocabulary and the words that Lucene indexes."""
    settings = inputs.settings
    faults = Faults() if settings["faults"] == "skip" else None
    if settings["dataset"] is not None:
        documents = read_ir_dataset(settings["dataset"], faults or stop_at_fault)
    else:
        documents = read_documents(
            inputs.files["documents"],
            format=settings["format"],
            encoding=settings["encoding"],
            fields=settings["fields"],
            on_fault=faults or stop_at_fault,
        )
    write_store(documents, out / "store", stop_list(inputs, settings["stop"]), progress, faults=faults)


def topics(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Topics of the query language, their human translations and the judgements, joined by topic number.

    Topics that not all of ``topics.intersect`` have leave, and so do those that no pool of the collection is for.
    """
    query = _read(inputs, "query")
    human = _read(inputs, "human") if "human" in inputs.files else {}
    shared = [_read(inputs, name) for name in inputs.files if name.startswith("shared ")]
    pools = inputs.settings["pools"]
    unshared = [topic.id for key, topic in query.items() if not all(key in other for other in shared)]
    outside = [topic.id for key, topic in query.items() if pools and pool_of(key, pools) is None]
    left = {*unshared, *outside}
    joined = [
        JoinedTopic(topic.id, key, _text(inputs, "query", topic), _text(inputs, "human", human.get(key)))
        for key, topic in query.items()
        if topic.id not in left
    ]
    if not joined:
        raise DataError(
            f"None of the {len(query)} topics is left: {len(unshared)} are not in all of topics.intersect, "
            f"{len(outside)} in no pool.",
            "Compare the numbers of the topics.",
        )
    untranslated = [topic.id for topic in joined if not topic.human] if human else []
    store = DocumentStore(inputs.needs["collection"] / "store")
    summary: dict[str, Any] = {
        "untranslated": untranslated, "unshared": unshared, "outside": outside, "faulty": store.report.faults,
    }  # fmt: skip
    write_joined(out / "topics.tsv", joined)
    if "qrels" in inputs.files:
        judged = [file for path in inputs.files["qrels"] for file in find_files(path)]
        read, outside_pool = _within_pools(read_qrels(judged), joined, pools)
        qrels, report = clean_judgements(read, [topic.id for topic in joined], store.__contains__)
        write_qrels(out / "qrels.txt", qrels)
        summary |= asdict(report) | {"outside_pool": outside_pool}
    (out / "report.json").write_text(json.dumps(summary, indent=1, ensure_ascii=False), encoding="utf-8")


def _read(inputs: Inputs, side: str) -> dict[str, Topic]:
    """Joining key -> topic."""
    settings = inputs.settings[side]
    numbers = parse_ranges(settings["numbers"]) if settings["numbers"] else None
    files = [file for path in inputs.files[side] for file in find_files(path)]
    read = read_topics(files, format=settings["format"], encoding=settings["encoding"], numbers=numbers)
    return {topic_key(topic.id): topic for topic in read}


def _text(inputs: Inputs, side: str, topic: Topic | None) -> str:
    return "" if topic is None else topic.text(tuple(inputs.settings[side]["fields"]))


def _within_pools(qrels: Qrels, topics: list[JoinedTopic], pools: list[Pool]) -> tuple[Qrels, int]:
    """Judgements of documents that their topic searches, and how many of the other ones there were."""
    if not pools:
        return qrels, 0
    declared = {topic.key for topic in topics}
    kept: Qrels = {}
    outside = 0
    for topic, grades in qrels.items():
        key = topic_key(topic)
        is_searched = searched_by(key, pools)
        kept[topic] = {document: grade for document, grade in grades.items() if is_searched(document)}
        outside += (len(grades) - len(kept[topic])) if key in declared else 0
    return kept, outside


def folds(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The test fifth of every topic that any pair can evaluate."""
    keys: set[str] = set()
    for folder in inputs.needs.values():
        judged = read_qrels(folder / "qrels.txt")
        keys |= {topic.key for topic in read_joined(folder / "topics.tsv") if topic.id in judged}
    write_folds(out / "folds.tsv", assign_folds(keys, inputs.settings["count"], inputs.settings["seed"]))
