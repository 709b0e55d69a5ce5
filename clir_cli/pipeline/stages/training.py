"""Stages of fine-tuning: training pairs, and one model on one fold."""

import json
from pathlib import Path
from typing import Any

from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.languages import adapters_of, base_of, sources_of
from clir_cli.pipeline.stages.material import Material, only, refuse_leak, seen_before
from clir_cli.records import ProgressCallback

_RECIPE = (
    "loss", "epochs", "patience", "optimiser", "learning_rate", "new_learning_rate",
    "weight_decay", "schedule", "warmup", "clip", "tokens", "cards", "compile", "seed",
)  # fmt: skip


def pairs(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Judgements and SMT's run -> the training pairs of all epochs and topics, one file for all models."""
    from clir_cli.training.pairs import draw_pairs, write_pairs

    settings, material = inputs.settings, Material(inputs)
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


def train(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """One model on one fold: the best epoch's weights in ``model/``, the log in ``log.jsonl``."""
    from clir_cli.evaluation.average_precision import mean_average_precision
    from clir_cli.learning.parallel import join_parallel
    from clir_cli.rerankers.adapters import AdapterPlan
    from clir_cli.rerankers.build import Reranker
    from clir_cli.rerankers.reading import PassageReader
    from clir_cli.reranking.rerank import rerank as score
    from clir_cli.training.fold import FoldAdapters, Reading, Recipe, train_fold
    from clir_cli.training.pairs import read_pairs

    parallel = join_parallel()
    settings, material = inputs.settings, Material(inputs)
    training, encoder = settings["training"], settings["encoder"]
    parts = material.split
    learned = sorted(material.topics_of(parts.training))
    refuse_leak(inputs, parts.test, "this fold tests")
    validation = training["validation"]
    chosen = material.topics_of(parts.validation)[: validation["topics"]]
    candidates = material.top(chosen, validation["depth"])

    def validate(model: Reranker, reader: PassageReader) -> float:
        own = {topic: candidates[topic] for topic in parallel.share(list(candidates))}
        run = score(model, reader, own, tokens=inputs.hints["tokens"], precision=settings["precision"])
        whole = {topic: entries for part in parallel.gather(run) for topic, entries in part.items()}
        return mean_average_precision(whole, material.qrels, chosen)

    recipe = Recipe(
        **{name: training[name] for name in _RECIPE},
        every=validation["every"],
        **training["batch"],
        precision=settings["precision"],
        threads=settings["threads"],
    )
    adapters = None
    if (said := settings.get("adapters")) is not None:
        languages, revisions = adapters_of(inputs)
        plan = AdapterPlan(**{name: said[name] for name in ("reduction", "stacking", "drop_last", "segments")})
        query, document = said["spoken"]
        adapters = FoldAdapters(
            plan, query, document, languages, revisions, invertible=said["invertible"],
            learning_rate=said["learning_rate"],
        )  # fmt: skip
    from_stage = "start" in inputs.needs
    build = dict(settings["model"]) | ({} if from_stage else only(encoder, "revision", "layers") or {})
    train_fold(
        base_of(inputs),
        out,
        build=build,
        topics=learned,
        pairs=read_pairs(inputs.needs["pairs"] / "pairs.tsv"),
        queries=material.queries,
        documents=material.pieces,
        links=material.links,
        validate=validate,
        recipe=recipe,
        reading=Reading(**{name: encoder[name] for name in ("text", "max_pieces", "document_pieces")}),
        gradient_checkpointing=inputs.hints["gradient_checkpointing"],
        tensorboard=inputs.hints["tensorboard"],
        adapters=adapters,
        parallel=parallel,
        progress=progress,
    )
    if not parallel.leads:
        return
    _describe(out, inputs, material)
    seen = sorted(parts.training | parts.validation | seen_before(inputs))
    (out / "seen_topics.json").write_text(json.dumps(seen, ensure_ascii=False), encoding="utf-8")


def _describe(out: Path, inputs: Inputs, material: Material) -> None:
    """What the folder of a model, or of its parts, is to say of itself: what it reads, its links, a model card."""
    from clir_cli.rerankers import about_parts
    from clir_cli.rerankers.card import CardFacts, write_card
    from clir_cli.rerankers.folder import add_use, read_description

    settings, told = inputs.settings, dict(inputs.hints.get("card", {}))
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    reading = only(settings["encoder"], "text", "max_pieces", "document_pieces") or {}
    if "fields" in told:
        reading["fields"] = told.pop("fields")
    links = told.pop("links", None)
    best = report["best_value"]
    validation = settings["training"]["validation"]
    counts = {"training": report["topics"], "validation": len(material.topics_of(material.split.validation))}
    if validation["topics"] is not None:
        counts["validation"] = min(counts["validation"], validation["topics"])
    is_whole = "adapters" not in settings
    languages = {} if is_whole else sources_of(inputs)
    facts = CardFacts(
        description=(read_description(out / "model") or {}) if is_whole else _as_built(settings["model"]),
        documents=len(material.pieces),
        topics=counts,
        fold=settings["fold"],
        settings=settings["training"] | {"precision": settings["precision"]},
        reading=reading,
        scores=[]
        if best is None
        else [
            f"MAP of the validation topics, {validation['depth']} candidates re-ranked, after epoch "
            f"{report['best_epoch']} of {report['epochs_run']} (the best, which is kept): {best:.4f}."
        ],
        adapters=None if is_whole else settings["adapters"],
        languages={
            code: f"adapters/{code}" if each.is_own else _name_of(each.place) for code, each in languages.items()
        },
        **told,
    )
    if is_whole:
        add_use(out / "model", reading=reading, links=links, card=write_card(facts))
        return
    base = about_parts.Source(base_of(inputs), settings["encoder"].get("revision"))
    about_parts.add_use(
        out / "parts", reading=reading, links=links, base=base, languages=languages, card=write_card(facts)
    )


def _as_built(model: dict[str, Any]) -> dict[str, Any]:
    """Settings of a model as its description: without translation layers there is nothing that they are given."""
    return model | ({"arm": None} if model["kind"] == "bert" else {})


def _name_of(place: str | Path) -> str:
    """A hub name, or the name of a folder: where it lies is nobody else's business."""
    return Path(place).name if Path(place).is_dir() else str(place)
