"""Stages of the re-rankers: pre-training, training pairs, one fold's training, one fold's run."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from clir_cli.corpora.bitext import read_bitext
from clir_cli.corpora.document_store import DocumentStore
from clir_cli.corpora.folds import Split, read_folds, split
from clir_cli.errors import DataError
from clir_cli.pipeline.joined_topics import read_joined
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.stop_list import stop_list
from clir_cli.records import ProgressCallback, Qrels, Run, TopicLinks
from clir_cli.trec import read_qrels, read_run, write_run


@dataclass(frozen=True)
class _Material:
    """What a fold's job reads: texts, candidates, judgements, links and which topics are for what."""

    inputs: Inputs

    @cached_property
    def store(self) -> DocumentStore:
        return DocumentStore(self.inputs.needs["collection"] / "store")

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


def pairs(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Judgements and SMT's run -> the training pairs of all epochs and topics, one file for all models."""
    from clir_cli.training.pairs import draw_pairs, write_pairs

    settings, material = inputs.settings, _Material(inputs)
    drawn = draw_pairs(
        material.keys,
        material.qrels,
        material.candidates,
        exists=material.store,
        mode=settings["mode"],
        negatives=settings["negatives"],
        epochs=settings["epochs"],
        seed=settings["seed"],
    )
    write_pairs(out / "pairs.tsv", drawn.pairs)
    (out / "skipped.json").write_text(json.dumps(drawn.skipped, indent=1, ensure_ascii=False), encoding="utf-8")


def pretrain(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Text and ranking examples -> the encoder (and head) that every model starts from."""
    from clir_cli.training.pretrain import pretrain as run_pretraining

    settings = inputs.settings
    encoder, masked, ranking = settings["encoder"], settings["masked_language"], settings["ranking"]
    start = None if settings["architecture"] else _checkpoint(inputs)
    run_pretraining(
        out,
        start=start,
        revision=encoder["revision"] if start else None,
        layers=encoder["layers"] if start else None,
        architecture=settings["architecture"],
        texts=(lambda: _texts(inputs, masked)) if masked else None,
        masked_language=_only(masked, "steps", "batch", "learning_rate", "mask", "max_pieces"),
        ranking=_only(ranking, "steps", "batch", "learning_rate", "max_pieces", "held_out"),
        examples=(lambda: _examples(inputs, ranking)) if ranking else None,
        text=encoder["text"],
        checkpoint_every=settings["checkpoint_every"],
        seed=settings["seed"],
        threads=settings["threads"],
        precision=settings["precision"],
        progress=progress,
    )


def train(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """One model on one fold: the best epoch's weights in ``model/``, the log in ``log.jsonl``."""
    from clir_cli.evaluation.average_precision import mean_average_precision
    from clir_cli.rerankers.build import Reranker
    from clir_cli.rerankers.reading import PassageReader
    from clir_cli.reranking.rerank import rerank as score
    from clir_cli.training.fold import Reading, Recipe, train_fold
    from clir_cli.training.pairs import read_pairs

    settings, material = inputs.settings, _Material(inputs)
    training, encoder = settings["training"], settings["encoder"]
    parts = material.split
    learned = sorted(material.topics_of(parts.training))
    _refuse_leak(inputs, parts.test, "this fold tests")
    validation = training["validation"]
    chosen = material.topics_of(parts.validation)[: validation["topics"]]
    candidates = material.top(chosen, validation["depth"])

    def validate(model: Reranker, reader: PassageReader) -> float:
        run = score(model, reader, candidates, batch=inputs.hints["batch"], precision=settings["precision"])
        return mean_average_precision(run, material.qrels, chosen)

    recipe = Recipe(
        **{name: training[name] for name in _RECIPE},
        every=validation["every"],
        **training["batch"],
        precision=settings["precision"],
        threads=settings["threads"],
    )
    from_stage = "start" in inputs.needs
    build = dict(settings["model"]) | ({} if from_stage else _only(encoder, "revision", "layers") or {})
    train_fold(
        inputs.needs["start"] / "model" if from_stage else _checkpoint(inputs),
        out,
        build=build,
        topics=learned,
        pairs=read_pairs(inputs.needs["pairs"] / "pairs.tsv"),
        queries=material.queries,
        document_text=material.store.text,
        links=material.links,
        validate=validate,
        recipe=recipe,
        reading=Reading(**{name: encoder[name] for name in ("text", "max_pieces", "document_pieces")}),
        progress=progress,
    )
    seen = sorted(parts.training | parts.validation | _seen_before(inputs))
    (out / "seen_topics.json").write_text(json.dumps(seen, ensure_ascii=False), encoding="utf-8")


def rerank(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The trained model of a fold -> its ranking of the candidates of the fold's test topics."""
    from clir_cli.learning.devices import set_threads
    from clir_cli.rerankers.build import load_reranker

    material = _Material(inputs)
    set_threads(inputs.settings["threads"])
    model, tokenizer = load_reranker(inputs.needs["train"] / "model")
    _score(out, inputs, model, tokenizer, material.topics_of(material.split.test), material, progress)


def _score(
    out: Path,
    inputs: Inputs,
    model: Any,
    tokenizer: Any,
    topics: list[str],
    material: _Material,
    progress: ProgressCallback,
) -> None:
    """Write the run of a model over the candidates of ``topics``."""
    from clir_cli.learning.devices import choose_device
    from clir_cli.rerankers.reading import PassageReader
    from clir_cli.reranking.rerank import rerank as score

    settings = inputs.settings
    model.to(choose_device())
    encoder = settings["encoder"]
    reader = PassageReader(
        model,
        tokenizer,
        queries=material.queries,
        document_text=material.store.text,
        links=material.links,
        **{name: encoder[name] for name in ("text", "max_pieces", "document_pieces")},
    )
    run = score(
        model,
        reader,
        material.top(topics, settings["depth"]),
        batch=inputs.hints["batch"],
        precision=settings["precision"],
        shards=out / "shards",
        progress=progress,
    )
    write_run(out / "run.trec", run, "clir")


def rerank_untrained(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The encoder and head as they come -> a ranking of the candidates of every topic."""
    from clir_cli.learning.devices import set_threads
    from clir_cli.rerankers.zero_shot import load_zero_shot

    settings, material = inputs.settings, _Material(inputs)
    _refuse_leak(inputs, material.topic_keys, "it is to rank here")
    set_threads(settings["threads"])
    if "start" in inputs.needs:
        model, tokenizer = load_zero_shot(inputs.needs["start"] / "model")
    else:
        chosen = _only(settings["encoder"], "revision", "layers") or {}
        model, tokenizer = load_zero_shot(_checkpoint(inputs), **chosen)
    _score(out, inputs, model, tokenizer, list(material.queries), material, progress)


_RECIPE = (
    "loss", "epochs", "patience", "optimiser", "learning_rate", "new_learning_rate",
    "weight_decay", "schedule", "warmup", "clip", "seed",
)  # fmt: skip


def _only(settings: dict[str, Any] | None, *names: str) -> dict[str, Any] | None:
    return None if settings is None else {name: settings[name] for name in names}


def _checkpoint(inputs: Inputs) -> str | Path:
    """The encoder's local folder, or its name on the hub."""
    folders = inputs.files.get("checkpoint")
    return folders[0] if folders else str(inputs.settings["encoder"]["checkpoint"])


def _texts(inputs: Inputs, masked: dict[str, Any]) -> Iterator[str | tuple[str, str]]:
    for name in masked["collections"]:
        for _, text in DocumentStore(inputs.needs[f"collection {name}"] / "store"):
            yield text
    for pair in masked["bitext"]:
        source, target = inputs.files[f"bitext {pair}"]
        for sentences in read_bitext(source, target, inputs.settings["bitext_encoding"][pair]):
            if masked["translation"]:
                yield sentences.source, sentences.target
            else:
                yield from sentences


def _examples(inputs: Inputs, ranking: dict[str, Any]) -> Any:
    from clir_cli.corpora.topics import read_topics
    from clir_cli.training.ranking_examples import query_examples, read_triples, title_examples

    most, seed = ranking["examples"], inputs.settings["seed"]
    if "triples" in inputs.files:
        return read_triples(inputs.files["triples"][0], most, seed=seed)
    store = DocumentStore(inputs.needs[f"collection {ranking['titles_of']}"] / "store")
    stop = stop_list(inputs, inputs.settings["ranking_stop"])
    if "queries" not in inputs.files:
        return title_examples(store, examples=most, stop=stop, seed=seed)
    queries = {topic.id: topic.title for topic in read_topics(inputs.files["queries"])}
    judged = read_qrels(inputs.files["query_documents"][0]) if "query_documents" in inputs.files else None
    return query_examples(store, queries, judged, examples=most, stop=stop, seed=seed)


def _seen_before(inputs: Inputs) -> frozenset[str]:
    """Topic keys that the model this one starts from was trained or validated on."""
    start = inputs.needs.get("start")
    if start is None or not (start / "seen_topics.json").is_file():
        return frozenset()
    return frozenset(json.loads((start / "seen_topics.json").read_text(encoding="utf-8")))


def _refuse_leak(inputs: Inputs, tested: frozenset[str], why: str) -> None:
    leaked = sorted(tested & _seen_before(inputs))
    if leaked:
        raise DataError(
            f"The model to start from was trained on {len(leaked)} topics that {why} ({', '.join(leaked[:5])}).",
            "Start from the same fold of an experiment with the same topics, or from one on other topics.",
        )
