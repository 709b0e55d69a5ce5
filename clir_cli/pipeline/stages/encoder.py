"""Stages of what every re-ranker stands on: the encoder, and the documents as its word pieces."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clir_cli.corpora.bitext import read_bitext
from clir_cli.corpora.document_store import DocumentStore
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.material import only, start_of
from clir_cli.pipeline.stages.stop_list import stop_list
from clir_cli.records import ProgressCallback
from clir_cli.trec import read_qrels


def pieces(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Documents -> their word pieces, once for all models, folds and pairs."""
    from clir_cli.encoders.checkpoint import load_tokenizer
    from clir_cli.encoders.piece_store import write_pieces
    from clir_cli.encoders.pieces import TextEncoder

    settings, store = inputs.settings, DocumentStore(inputs.needs["collection"] / "store")
    source = inputs.needs["start"] / "model" if "start" in inputs.needs else start_of(inputs)
    tokenizer = load_tokenizer(source, settings["encoder"].get("revision"))
    encoder = TextEncoder(tokenizer, settings["encoder"]["text"])
    most = settings["encoder"]["document_pieces"]
    write_pieces(out / "pieces", store, encoder, max_pieces=most, total=len(store.ids), progress=progress)


def pretrain(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Text and ranking examples -> the encoder (and head) that every model starts from."""
    from clir_cli.training.pretrain import pretrain as run_pretraining

    settings = inputs.settings
    encoder, masked, ranking = settings["encoder"], settings["masked_language"], settings["ranking"]
    start = None if settings["architecture"] else start_of(inputs)
    run_pretraining(
        out,
        start=start,
        revision=encoder["revision"] if start else None,
        layers=encoder["layers"] if start else None,
        architecture=settings["architecture"],
        texts=(lambda: _texts(inputs, masked)) if masked else None,
        masked_language=only(masked, "steps", "batch", "learning_rate", "mask", "max_pieces"),
        ranking=only(ranking, "steps", "batch", "learning_rate", "max_pieces", "held_out"),
        examples=(lambda: _examples(out, inputs, ranking)) if ranking else None,
        text=encoder["text"],
        checkpoint_every=settings["checkpoint_every"],
        seed=settings["seed"],
        threads=settings["threads"],
        precision=settings["precision"],
        progress=progress,
    )


def pretrain_model(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The encoder and ranking examples -> a MORES that ranks, from which every fold's starts."""
    from clir_cli.training.pretrain_model import pretrain_model as run

    settings, ranking = inputs.settings, inputs.settings["ranking"]
    from_stage = "start" in inputs.needs
    run(
        out,
        start=inputs.needs["start"] / "model" if from_stage else start_of(inputs),
        build=settings["model"] | ({} if from_stage else only(settings["encoder"], "revision", "layers") or {}),
        ranking=only(ranking, "steps", "batch", "learning_rate", "warmup", "loss", "max_pieces", "held_out") or {},
        examples=lambda: _examples(out, inputs, ranking),
        text=settings["encoder"]["text"],
        checkpoint_every=settings["checkpoint_every"],
        seed=settings["seed"],
        threads=settings["threads"],
        precision=settings["precision"],
        progress=progress,
    )


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


def _examples(out: Path, inputs: Inputs, ranking: dict[str, Any]) -> Any:
    from clir_cli.corpora.topics import read_topics
    from clir_cli.training.ranking_examples import query_examples, read_triples, title_examples

    most, seed = ranking["examples"], inputs.settings["seed"]
    if "triples" in inputs.files:
        return read_triples(inputs.files["triples"][0], most, seed=seed, folder=out)
    store = DocumentStore(inputs.needs[f"collection {ranking['titles_of']}"] / "store")
    stop = stop_list(inputs, inputs.settings["ranking_stop"])
    if "queries" not in inputs.files:
        return title_examples(store, examples=most, stop=stop, seed=seed)
    queries = {topic.id: topic.title for topic in read_topics(inputs.files["queries"])}
    judged = read_qrels(inputs.files["query_documents"][0]) if "query_documents" in inputs.files else None
    return query_examples(store, queries, judged, examples=most, stop=stop, seed=seed)
