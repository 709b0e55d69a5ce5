"""`clir push`: a trained model to the hub."""

from pathlib import Path
from typing import Annotated, Any

import typer

from clir_cli.cli import options as opt

PANEL = "Re-ranking"


def register(app: typer.Typer) -> None:
    app.command("push", rich_help_panel=PANEL)(push_command)


def push_command(
    to: Annotated[str, typer.Option("--to", metavar="USER/NAME", help="Name on the hub.")],
    pair: opt.OnePair = None,
    model: Annotated[str | None, typer.Option("--model", "-m", help="A model of the experiment.")] = None,
    fold: Annotated[int | None, typer.Option("--fold", "-f", min=1, help="Its fold.")] = None,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", metavar="FOLDER", help="Or a folder: a model, parts, an adapter.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Only you see it.")] = False,
    update: Annotated[bool, typer.Option("--update", help="Into a repository that is there already.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List what would be uploaded.")] = False,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:  # fmt: skip
    """Upload a trained model with its card to the hub, under the name given with --to.

    Of a model with adapters its parts and the adapters of languages that were learned for it; or an adapter alone.
    The token is that of `hf auth login`, or of the variable HF_TOKEN. Read the card first: it names your collections.
    """
    folder = checkpoint or trained_folder(opt.common(config, experiment, sets, None, quiet), pair, model, fold)
    if checkpoint is not None and (pair or model or fold or config or experiment or sets):
        from clir_cli.errors import UsageError

        raise UsageError("--checkpoint needs no experiment.", "Leave out --pair, --model, --fold and the like.")
    push(folder, to, private=private, update=update, dry_run=dry_run)


def trained_folder(options: opt.Common, pair: str | None, model: str | None, fold: int | None) -> Path:
    """The folder of a model that was trained. Raises ``UsageError`` where it was not, or where several are meant."""
    from clir_cli.cli import making
    from clir_cli.errors import UsageError

    chosen = making.select([pair] if pair else None, [model] if model else None, [fold] if fold else None)
    plan = making.plan_for(options, "train", chosen)
    targets = [stage for stage in plan.targets if stage.kind == "train"]
    if len(targets) != 1:
        many = ", ".join(stage.name for stage in targets[:5]) or "none"
        raise UsageError(f"One model is pushed at a time; these are meant: {many}.", "Give --pair, --model and --fold.")
    (stage,) = targets
    if not plan.store.has(stage):
        raise UsageError(
            f"{stage.label} is not trained.",
            f"Train it: clir train --pair {stage.pair} --model {stage.model} --fold {stage.fold}",
        )
    return plan.artifact(stage) / ("parts" if "adapters" in stage.settings else "model")


def push(folder: Path, to: str, *, private: bool, update: bool, dry_run: bool) -> None:
    """Check the model, make the repository, upload the files."""
    from clir_cli.cli import console
    from clir_cli.rerankers.upload import check_name, files_to_upload, upload_model

    check_name(to)
    files = files_to_upload(folder)
    if dry_run:
        sizes = {name: len(file) if isinstance(file, bytes) else file.stat().st_size for name, file in files.items()}
        rows = [[name, console.size(sizes[name])] for name in sorted(sizes)]
        console.show_table(["file", "size"], rows, right=["size"])
        return
    console.say(upload_model(files, to, is_private=private, updates=update, reach=_reach))


def _reach() -> str | None:
    """Why the hub cannot be reached; None where it can."""
    from clir_cli.cli.checkup.hub import endpoint, is_offline, why_unreachable

    if is_offline():
        return "a variable keeps this machine off the network"
    why: Any = why_unreachable(endpoint())
    return None if why is None else f"{endpoint()}: {why}"
