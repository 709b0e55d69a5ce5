"""Commands of the re-rankers: pre-training, training, scoring."""

from collections.abc import Iterable

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
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Fine-tune re-rankers, each model on each fold; goes on where it was stopped."""
    train(opt.common(config, experiment, sets, jobs, quiet), pair, model, fold)


def train(options: opt.Common, pairs: list[str] | None, models: list[str] | None, folds: Iterable[int] | None) -> None:
    _make(options, "train", pairs, models, folds, "folder", "")


def rerank_command(
    pair: opt.Pairs = None,
    model: opt.Models = None,
    fold: opt.Folds = None,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Score the first stage's best documents of the test topics."""
    rerank(opt.common(config, experiment, sets, jobs, quiet), pair, model, fold)


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
