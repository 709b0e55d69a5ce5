"""What the stages of re-rankers read."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clir_cli.corpora.document_store import DocumentStore
from clir_cli.corpora.folds import Split, read_folds, split
from clir_cli.errors import DataError
from clir_cli.pipeline.joined_topics import read_joined
from clir_cli.pipeline.stage import Inputs
from clir_cli.records import Qrels, Run, TopicLinks
from clir_cli.trec import read_qrels, read_run

if TYPE_CHECKING:
    from clir_cli.encoders.piece_store import PieceStore


@dataclass(frozen=True)
class Material:
    """What a fold's job reads: texts, candidates, judgements, links and which topics are for what."""

    inputs: Inputs

    @cached_property
    def store(self) -> DocumentStore:
        return DocumentStore(self.inputs.needs["collection"] / "store")

    @cached_property
    def pieces(self) -> "PieceStore":
        """The collection's documents as word pieces."""
        from clir_cli.encoders.piece_store import PieceStore

        return PieceStore(self.inputs.needs["pieces"] / "pieces")

    @cached_property
    def reading(self) -> dict[str, Any]:
        """What any model is given to read, as arguments of ``PassageReader``."""
        chosen = {name: self.inputs.settings["encoder"][name] for name in ("text", "max_pieces", "document_pieces")}
        return {"queries": self.queries, "documents": self.pieces, "links": self.links, **chosen}

    @cached_property
    def qrels(self) -> Qrels:
        return read_qrels(self.inputs.needs["topics"] / "qrels.txt")

    @cached_property
    def keys(self) -> dict[str, str]:
        """Topic -> joining key, of the topics that can be evaluated."""
        topics = read_joined(self.inputs.needs["topics"] / "topics.tsv")
        return {topic.id: topic.key for topic in topics if topic.id in self.qrels}

    @cached_property
    def queries(self) -> dict[str, str]:
        return {topic.id: topic.query for topic in read_joined(self.inputs.needs["topics"] / "topics.tsv")}

    @cached_property
    def topic_keys(self) -> frozenset[str]:
        """Joining keys of all topics, judged or not."""
        return frozenset(topic.key for topic in read_joined(self.inputs.needs["topics"] / "topics.tsv"))

    @cached_property
    def candidates(self) -> Run:
        return read_run(self.inputs.needs["candidates"] / "run.trec")

    @cached_property
    def links(self) -> dict[str, TopicLinks]:
        if "matrices" not in self.inputs.needs:
            return {}
        from clir_cli.translation.links_file import read_links

        return read_links(self.inputs.needs["matrices"] / "links.npz")

    @cached_property
    def split(self) -> Split:
        folds = read_folds(self.inputs.needs["folds"] / "folds.tsv")
        return split(folds, self.inputs.settings["fold"])

    def topics_of(self, keys: frozenset[str]) -> list[str]:
        """Topics whose key is among ``keys``, in the order of the topic file."""
        return [topic for topic, key in self.keys.items() if key in keys]

    def top(self, topics: list[str], depth: int) -> Run:
        """The first ``depth`` candidates of each topic; a topic without any keeps an empty list."""
        return {topic: self.candidates.get(topic, [])[:depth] for topic in topics}


def only(settings: dict[str, Any] | None, *names: str) -> dict[str, Any] | None:
    return None if settings is None else {name: settings[name] for name in names}


def start_of(inputs: Inputs) -> str | Path:
    """The encoder's local folder, or its name on the hub."""
    folders = inputs.files.get("checkpoint")
    return folders[0] if folders else str(inputs.settings["encoder"]["checkpoint"])


def seen_before(inputs: Inputs, of: str = "start") -> frozenset[str]:
    """Topic keys that the model this one starts from (``of`` "train": this one itself) was trained or validated on."""
    start = inputs.needs.get(of)
    if start is None or not (start / "seen_topics.json").is_file():
        return frozenset()
    return frozenset(json.loads((start / "seen_topics.json").read_text(encoding="utf-8")))


def refuse_leak(inputs: Inputs, tested: frozenset[str], why: str, of: str = "start") -> None:
    """Raise ``DataError`` where a model was trained on topics that it is to be tested on; ``of``: as there."""
    leaked = sorted(tested & seen_before(inputs, of))
    if leaked:
        raise DataError(
            f"The model to start from was trained on {len(leaked)} topics that {why} ({', '.join(leaked[:5])}).",
            "Start from the same fold of an experiment with the same topics, or from one on other topics.",
        )
