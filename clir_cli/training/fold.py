"""What one job of training does: one re-ranker on one fold's training topics."""

import hashlib
import json
import shutil
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.layer import checkpoint_layers, compile_layers
from clir_cli.encoders.piece_store import PieceStore
from clir_cli.errors import DataError
from clir_cli.learning.devices import check_compiler, choose_device, resolve_precision, set_threads
from clir_cli.learning.limit import HoldLimit
from clir_cli.learning.loop import epoch_order, fit
from clir_cli.learning.optimiser import build_optimiser
from clir_cli.learning.parallel import ALONE, Parallel
from clir_cli.learning.scalars import ScalarFiles
from clir_cli.records import ProgressCallback, TopicLinks, no_progress
from clir_cli.rerankers.adapters import AdapterPlan
from clir_cli.rerankers.build import Reranker, build_reranker, save_reranker
from clir_cli.rerankers.parts import build_adapted, load_languages, save_parts
from clir_cli.rerankers.reading import PassageReader
from clir_cli.training.pairs import TrainingPair
from clir_cli.training.parts import PairLoss


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a re-ranker is trained; the defaults are the paper's (MAT, section 4.2).

    ``forward`` and ``effective`` count units: pairs, or documents (two of them a pair). ``new_learning_rate`` is
    that of head and MAT layers, None for the same. ``patience`` counts validations, which come ``every`` so many
    epochs. ``tokens``: word pieces in one pass through the encoder, padding included; ``cards``: processes that train
    together; ``compile``: layers by ``torch.compile``. These three decide only last digits (and dropout's draws).
    """

    loss: str = "cross_entropy"
    epochs: int = 100
    patience: int = 20
    every: int = 1
    optimiser: str = "adam"
    learning_rate: float = 2e-5
    new_learning_rate: float | None = None
    weight_decay: float = 0.0
    schedule: str = "constant"
    warmup: int = 0
    clip: float | None = None
    forward: int = 2
    effective: int = 16
    unit: Literal["pairs", "documents"] = "pairs"
    precision: str = "float32"
    threads: int = 1
    tokens: int = 512
    cards: int = 1
    compile: bool = False
    seed: int = 42


@dataclass(frozen=True, slots=True)
class Reading:
    """How much of the texts the model reads, and in which form."""

    text: Literal["raw", "folded"] = "raw"
    max_pieces: int = 512
    document_pieces: int = 800


@dataclass(frozen=True, slots=True)
class FoldAdapters:
    """Adapters in what is trained: then only the task's move, and what is new in the model.

    ``languages``: language -> folder or hub name of its adapter, with ``revisions``; ``query`` and ``document`` are the
    two that are spoken, None for no adapter. ``learning_rate``: of all that moves.
    """

    plan: AdapterPlan
    query: str | None
    document: str | None
    languages: Mapping[str, str | Path]
    revisions: Mapping[str, str | None]
    invertible: bool
    learning_rate: float

    def identity(self) -> list[Any]:
        """What of it decides the weights, but for the adapters of languages."""
        return [self.plan.plain(), self.query, self.document, self.invertible, self.learning_rate]


class FoldReport(NamedTuple):
    """What came of a job. ``best_value`` is None without validation; ``pairs`` counts those of the first epoch."""

    best_epoch: int
    best_value: float | None
    epochs_run: int
    stopped: bool
    topics: int
    pairs: int


def train_fold(
    source: str | Path,
    folder: Path,
    *,
    build: Mapping[str, Any],
    topics: Collection[str],
    pairs: Iterable[TrainingPair],
    queries: Mapping[str, str],
    documents: PieceStore,
    links: Mapping[str, TopicLinks],
    validate: Callable[[Reranker, PassageReader], float] | None,
    recipe: Recipe = Recipe(),
    reading: Reading = Reading(),
    gradient_checkpointing: bool = False,
    tensorboard: bool = False,
    adapters: FoldAdapters | None = None,
    parallel: Parallel = ALONE,
    progress: ProgressCallback = no_progress,
) -> FoldReport:
    """Train a re-ranker on the pairs of the training ``topics`` and write the best one to ``folder/model``.

    With ``adapters`` only they, head and translation parts move, and only what moved is written, to ``folder/parts``.

    ``source`` and ``build`` go to ``build_reranker`` (a seed is added). ``queries`` and ``links`` hold training and
    validation topics, ``documents`` the word pieces of the collection. ``validate(model, reader)``, larger is better,
    chooses the epoch. An epoch goes through its pairs in an order that seed and epoch
    decide, so all models see the same; what does not fill the last step makes a smaller one.

    ``gradient_checkpointing`` takes less memory and more time, and changes nothing else. ``tensorboard``: numbers for
    it, in ``folder/tensorboard``. ``parallel``: the processes that train together (``recipe.cards`` of them); all call
    this function, the first writes, and ``validate`` must give all the same.

    ``folder`` also gets ``log.jsonl``, ``report.json`` (written last) and, while the job runs, its state: a killed job
    goes on, a finished one is only read. Raises ``DataError`` where an epoch has no pairs, ``ClirError`` where the loss
    is not finite or a passage does not fit into memory, naming topics and documents, and where what TensorBoard or
    ``torch.compile`` need is missing.
    """
    finished = folder / "report.json"
    if finished.exists():
        if parallel.leads:
            _drop_state(folder)
        return FoldReport(**json.loads(finished.read_text(encoding="utf-8")))
    pairs_of_epoch = _group(pairs, topics, recipe.epochs)
    set_threads(recipe.threads)
    device = choose_device()
    scalars = ScalarFiles(folder / "tensorboard") if tensorboard else None
    if recipe.compile:
        check_compiler(device)
    model = _build(source, build, adapters, recipe.seed).to(device)
    if gradient_checkpointing:
        checkpoint_layers(model)
    if recipe.compile:
        compile_layers(model)
    tokenizer = load_tokenizer(source, build.get("revision"))
    reader = PassageReader(model, tokenizer, queries=queries, documents=documents, links=links, **asdict(reading))
    limit = HoldLimit()
    old, new = model.parameter_groups()
    new_rate = recipe.learning_rate if recipe.new_learning_rate is None else recipe.new_learning_rate
    if adapters is not None:
        new_rate = adapters.learning_rate
    report = fit(
        model,
        optimiser=build_optimiser(
            recipe.optimiser, [(old, recipe.learning_rate), (new, new_rate)], weight_decay=recipe.weight_decay
        ),
        steps_of_epoch=lambda epoch: cut_steps(pairs_of_epoch[epoch - 1], epoch, recipe),
        loss=PairLoss(reader, recipe.loss, tokens=recipe.tokens, limit=limit),
        epochs=recipe.epochs,
        folder=folder,
        seed=recipe.seed,
        schedule=recipe.schedule,
        warmup=recipe.warmup,
        clip=recipe.clip,
        validate=None if validate is None else lambda model: validate(model, reader),
        validate_every=recipe.every,
        patience=recipe.patience,
        precision=resolve_precision(recipe.precision, device),
        describe=describe_pairs,
        identity=_identity(recipe, reading, build, adapters, pairs_of_epoch),
        limit=limit,
        parallel=parallel,
        scalars=scalars,
        progress=progress,
    )
    first = pairs_of_epoch[0]
    result = FoldReport(*report, topics=len({pair.topic for pair in first}), pairs=len(first))
    if parallel.leads:
        for path in [*folder.glob(".model.*"), *folder.glob(".parts.*")]:  # half-written when a job was killed
            shutil.rmtree(path)
        if adapters is None:
            save_reranker(model, tokenizer, folder / "model")
        else:
            save_parts(
                model, folder / "parts", build, adapters.plan, recipe.seed,
                language=(adapters.query, adapters.document) != (None, None), invertible=adapters.invertible,
            )  # fmt: skip
        _finish(folder, result)
    parallel.wait()
    return result


def _build(source: str | Path, build: Mapping[str, Any], adapters: FoldAdapters | None, seed: int) -> Reranker:
    if adapters is None:
        return build_reranker(source, **build, seed=seed)
    model = build_adapted(source, build, adapters.plan, seed)
    load_languages(model, adapters.languages, revisions=adapters.revisions, invertible=adapters.invertible)
    assert model.adapters is not None
    model.adapters.speak(adapters.query, adapters.document)
    return model


def _finish(folder: Path, result: FoldReport) -> None:
    """Write the report, which says that the job is finished; the model lies there already."""
    partial = folder / "report.json.partial"
    partial.write_text(json.dumps(result._asdict(), indent=2) + "\n", encoding="utf-8")
    partial.replace(folder / "report.json")
    _drop_state(folder)


def _drop_state(folder: Path) -> None:
    """Remove what a finished job no longer needs, the larger part of its folder: checkpoint and copied best weights."""
    for path in [*folder.glob("checkpoint-*"), *folder.glob("best-*")]:
        shutil.rmtree(path)


def cut_steps(pairs: Sequence[TrainingPair], epoch: int, recipe: Recipe) -> list[list[list[TrainingPair]]]:
    """An epoch's pairs, shuffled -> steps of ``effective`` -> micro-batches of ``forward``."""
    documents = 2 if recipe.unit == "documents" else 1
    forward, effective = max(1, recipe.forward // documents), max(1, recipe.effective // documents)
    shuffled = [pairs[number] for number in epoch_order(len(pairs), seed=recipe.seed, epoch=epoch)]
    return [_cut(step, forward) for step in _cut(shuffled, effective)]


def _cut(pairs: list[TrainingPair], size: int) -> list[list[TrainingPair]]:
    return [pairs[start : start + size] for start in range(0, len(pairs), size)]


def describe_pairs(micro: Iterable[TrainingPair]) -> str:
    """Topics and documents of a micro-batch, for an error."""
    return ", ".join(f"topic {pair.topic} with {pair.positive} and {pair.negative}" for pair in micro)


def _group(pairs: Iterable[TrainingPair], topics: Collection[str], epochs: int) -> list[list[TrainingPair]]:
    grouped: list[list[TrainingPair]] = [[] for _ in range(epochs)]
    chosen = frozenset(topics)
    for pair in pairs:
        if pair.topic in chosen and pair.epoch <= epochs:
            grouped[pair.epoch - 1].append(pair)
    for epoch, members in enumerate(grouped, 1):
        if not members:
            raise DataError(
                f"The {len(chosen)} training topics have no training pairs in epoch {epoch}.",
                "Each needs a relevant document in the collection and another one among training.negatives of SMT.",
            )
    return grouped


def _identity(
    recipe: Recipe,
    reading: Reading,
    build: Mapping[str, Any],
    adapters: FoldAdapters | None,
    pairs: list[list[TrainingPair]],
) -> str:
    """What decides the weights, but for the texts: a state of another identity is not continued."""
    settings = [asdict(recipe), asdict(reading), dict(build), pairs]
    settings += [] if adapters is None else [adapters.identity()]
    return hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode()).hexdigest()
