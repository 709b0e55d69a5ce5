"""Stages that bring raw files into one form: collections, topics with judgements, folds."""

import json
from dataclasses import asdict
from pathlib import Path

from clir_cli.corpora.document_store import DocumentStore, write_store
from clir_cli.corpora.documents import read_documents
from clir_cli.corpora.folds import assign_folds, write_folds
from clir_cli.corpora.topics import read_topics, topic_key
from clir_cli.evaluation.judgements import clean_judgements
from clir_cli.pipeline.joined_topics import JoinedTopic, read_joined, write_joined
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.stop_list import stop_list
from clir_cli.records import ProgressCallback
from clir_cli.trec import read_qrels, write_qrels


def collection(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Documents -> a store of texts, ids, vocabulary and the words that Lucene indexes."""
    settings = inputs.settings
    documents = read_documents(
        inputs.files["documents"],
        format=settings["format"],
        encoding=settings["encoding"],
        fields=settings["fields"],
    )
    write_store(documents, out / "store", stop_list(inputs, settings["stop"]), progress)


def topics(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Topics of the query language, their human translations and the judgements, joined by topic number."""
    texts: dict[str, dict[str, str]] = {}
    spelling: dict[str, str] = {}
    for side in ("query", "human"):
        if side in inputs.files:
            settings = inputs.settings[side]
            read = read_topics(inputs.files[side], format=settings["format"], encoding=settings["encoding"])
            texts[side] = {topic_key(topic.id): topic.text(tuple(settings["fields"])) for topic in read}
            if side == "query":
                spelling = {topic_key(topic.id): topic.id for topic in read}
    human = texts.get("human", {})
    joined = [JoinedTopic(id, key, texts["query"][key], human.get(key, "")) for key, id in spelling.items()]
    store = DocumentStore(inputs.needs["collection"] / "store")
    qrels, report = clean_judgements(read_qrels(inputs.files["qrels"][0]), list(spelling.values()), store.__contains__)
    untranslated = [topic.id for topic in joined if not topic.human] if "human" in texts else []
    write_joined(out / "topics.tsv", joined)
    write_qrels(out / "qrels.txt", qrels)
    summary = asdict(report) | {"untranslated": untranslated}
    (out / "report.json").write_text(json.dumps(summary, indent=1, ensure_ascii=False), encoding="utf-8")


def folds(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The test fifth of every topic that any pair can evaluate."""
    keys: set[str] = set()
    for folder in inputs.needs.values():
        judged = read_qrels(folder / "qrels.txt")
        keys |= {topic.key for topic in read_joined(folder / "topics.tsv") if topic.id in judged}
    write_folds(out / "folds.tsv", assign_folds(keys, inputs.settings["count"], inputs.settings["seed"]))
