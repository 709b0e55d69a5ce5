"""Commands of the re-rankers: pre-training, training, scoring."""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Annotated

import typer

from clir_cli.cli import options as opt

PANEL = "Re-ranking"


def register(app: typer.Typer) -> None:
    app.command("pretrain", rich_help_panel=PANEL)(pretrain_command)
    app.command("train", rich_help_panel=PANEL)(train_command)
    app.command("rerank", rich_help_panel=PANEL)(rerank_command)


def pretrain_command(
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Train or build the encoder before any fold: masked language modelling, ranking pairs."""
    pretrain(opt.common(config, experiment, sets, None, quiet))


def pretrain(options: opt.Common) -> None:
    from clir_cli.cli import console, making

    plan = making.make(options, "pretrain")
    console.say(str(plan.artifact(plan.targets[0])))


def train_command(
    pair: opt.Pairs = None,
    model: opt.Models = None,
    fold: opt.Folds = None,
    adapters: Annotated[
        bool, typer.Option("--adapters", help="Train the --model with adapters, the encoder frozen (MAD-X).")
    ] = False,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Fine-tune re-rankers, each model on each fold; goes on where it was stopped."""
    changed = [*(sets or []), *_transfer(None, pair, adapters, model)]
    train(opt.common(config, experiment, changed, jobs, quiet), pair, model, fold)


def _transfer(source: str | None, pairs: list[str] | None, adapters: bool, models: list[str] | None) -> list[str]:
    """--task-from and --adapters as settings. Raises ``UsageError`` where it is not said for what."""
    from clir_cli.errors import UsageError

    if source is not None and not pairs:
        raise UsageError("--task-from goes with --pair.", "Say which pair is ranked: --pair som-eng.")
    if adapters and not models:
        raise UsageError("--adapters goes with --model.", "Say which model has them: --model mart.")
    found = [f"pairs.{pair}.task_from={source}" for pair in pairs or [] if source is not None]
    return found + [f"models.{model}.adapters=true" for model in models or [] if adapters]


def train(options: opt.Common, pairs: list[str] | None, models: list[str] | None, folds: Iterable[int] | None) -> None:
    _make(options, "train", pairs, models, folds, "folder", "")


def rerank_command(
    context: typer.Context,
    pair: opt.Pairs = None,
    model: opt.Models = None,
    fold: opt.Folds = None,
    task_from: Annotated[
        str | None,
        typer.Option("--task-from", metavar="PAIR", help="Rank --pair by models trained on the topics of this pair."),
    ] = None,
    adapters: Annotated[bool, typer.Option("--adapters", help="As with `clir train`.")] = False,
    checkpoint: Annotated[
        str | None,
        typer.Option("--checkpoint", metavar="FOLDER", help="A model, or parts of one (folder or hub name)."),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option("--base", metavar="FOLDER", help="For parts: the encoder they were trained over (or hub name)."),
    ] = None,
    adapter: Annotated[
        list[str] | None,
        typer.Option("--adapter", metavar="CODE=FOLDER", help="For parts: a language's adapter; repeatable."),
    ] = None,
    run: Annotated[Path | None, typer.Option("--run", metavar="FILE", help="TREC run to re-rank.")] = None,
    topics: Annotated[
        list[Path] | None, typer.Option("--topics", metavar="PATH", help="Topics, in any known layout; repeatable.")
    ] = None,
    documents: Annotated[
        list[Path] | None, typer.Option("--documents", metavar="PATH", help="Documents, likewise; read as a stream.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The new run.")] = Path("reranked.trec"),
    table: Annotated[
        Path | None, typer.Option("--table", "-t", metavar="PATH", help="Translation table, for models that need one.")
    ] = None,
    links: Annotated[
        Path | None, typer.Option("--links", metavar="FILE", help="Or the links.npz that `clir matrices` wrote.")
    ] = None,
    depth: Annotated[int, typer.Option(min=1, help="Documents of a topic that are re-ranked.")] = 100,
    fields: Annotated[
        str | None, typer.Option("--fields", help="Parts of a topic that are read: title,description,narrative.")
    ] = None,
    topic_format: Annotated[str, typer.Option(help="As `format` of topics in experiments.yaml.")] = "auto",
    document_format: Annotated[str, typer.Option(help="As `format` of collections.")] = "auto",
    topic_encoding: Annotated[str | None, typer.Option(help="Default: by layout.")] = None,
    document_encoding: Annotated[str | None, typer.Option(help="Default: by format.")] = None,
    query_language: Annotated[
        str | None, typer.Option(metavar="CODE", help="With --table: its stop words; default: as in training.")
    ] = None,
    document_language: Annotated[str | None, typer.Option(metavar="CODE", help="Likewise.")] = None,
    query_stop_words: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A stop list instead, one word a line.")
    ] = None,
    document_stop_words: Annotated[Path | None, typer.Option(metavar="FILE", help="Likewise.")] = None,
    text: Annotated[str | None, typer.Option(help="raw or folded; default: as in training.")] = None,
    max_pieces: Annotated[int | None, typer.Option(min=16, help="Word pieces of an input; default: as above.")] = None,
    document_pieces: Annotated[int | None, typer.Option(min=1, help="Of a document; default: as above.")] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:1.")] = "auto",
    threads: Annotated[
        int, typer.Option(min=1, help="CPU threads; more are faster and may change last digits of scores.")
    ] = 1,
    tokens: Annotated[int | None, typer.Option(min=1, help="Word pieces scored at once; default: by device.")] = None,
    precision: Annotated[str, typer.Option(help="auto, float32, tf32 or bf16.")] = "auto",
    int8: Annotated[bool, typer.Option("--int8", help="On a CPU: faster, and scores differ a little.")] = False,
    representations: Annotated[
        Path | None,
        typer.Option("--representations", metavar="FOLDER", help="MORES: stored documents; --documents is not read."),
    ] = None,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:  # fmt: skip
    """Score the first stage's best documents: of an experiment's test topics, or of any run with --checkpoint.

    With --checkpoint no experiment is needed: give --run, --topics and --documents, and for the parts of a model with
    adapters --pair. Killed and called again with the same arguments, it goes on after the last whole topic.
    """
    from clir_cli.errors import UsageError

    if checkpoint is None:
        if given := written_among(context, except_for=_OF_EXPERIMENTS):
            raise UsageError(
                f"{', '.join(given)} {'goes' if len(given) == 1 else 'go'} with --checkpoint.",
                "An experiment has its own under `reranking` and `encoder`: --set reranking.depth=50.",
            )
        changed = [*(sets or []), *_transfer(task_from, pair, adapters, model)]
        rerank(opt.common(config, experiment, changed, jobs, quiet), pair, model, fold)
        return
    if model or fold or config or experiment or sets or jobs or task_from or adapters:
        raise UsageError(
            "--checkpoint needs no experiment.",
            "Leave out --model, --fold, --task-from, --adapters, --config, --experiment, --set and --jobs.",
        )
    if run is None or not topics or not (documents or representations):
        raise UsageError(
            "--checkpoint goes with --run, --topics and --documents.",
            "Name the run to re-rank, and the files of topics and documents.",
        )
    from clir_cli.cli.checkpoint_model import Standing
    from clir_cli.cli.rerank_files import Wishes, rerank_folder

    rerank_folder(
        Wishes(
            checkpoint, run, topics, documents or [], out, table=table, links=links, depth=depth, fields=fields,
            topic_format=topic_format, document_format=document_format, topic_encoding=topic_encoding,
            document_encoding=document_encoding, query_language=query_language, document_language=document_language,
            query_stop_words=query_stop_words, document_stop_words=document_stop_words, text=text,
            max_pieces=max_pieces, document_pieces=document_pieces, device=device, threads=threads, tokens=tokens,
            precision=precision, int8=int8,
            representations=representations, standing=Standing(pair or [], base, adapter or []),
        ),
        quiet,
    )  # fmt: skip


_OF_EXPERIMENTS = {
    "pair", "model", "fold", "task_from", "adapters", "config", "experiment", "sets", "jobs", "quiet", "debug",
    "checkpoint",
}  # fmt: skip


def written_among(context: typer.Context, except_for: Collection[str]) -> list[str]:
    """The options that were written on the command line, but for those ``except_for``."""
    return [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name is not None
        and parameter.name not in except_for
        and getattr(context.get_parameter_source(parameter.name), "name", "") == "COMMANDLINE"
    ]


def rerank(options: opt.Common, pairs: list[str] | None, models: list[str] | None, folds: Iterable[int] | None) -> None:
    _make(options, "rerank", pairs, models, folds, "run", "run.trec")


def _make(
    options: opt.Common,
    target: str,
    pairs: list[str] | None,
    models: list[str] | None,
    folds: Iterable[int] | None,
    column: str,
    file: str,
) -> None:
    from clir_cli.cli import console, making

    plan = making.make(options, target, making.select(pairs, models, list(folds or [])))
    rows = [[str(s.pair), str(s.model), str(s.fold or "all"), str(plan.artifact(s) / file)] for s in plan.targets]
    console.show_table(["pair", "model", "fold", column], rows, right=["fold"])
