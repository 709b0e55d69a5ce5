"""`clir adapt`: a language learned from plain text, as an adapter of an experiment's encoder or of any other."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from clir_cli.cli import options as opt

PANEL = "Re-ranking"


def register(app: typer.Typer) -> None:
    app.command("adapt", rich_help_panel=PANEL)(adapt_command)


def adapt_command(
    more: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]..", help="More files of --text.")] = None,
    language: Annotated[
        list[str] | None,
        typer.Option("--language", "-l", metavar="CODE", help="ISO 639-3, such as som; default: all that have text."),
    ] = None,
    text: Annotated[
        list[Path] | None, typer.Option("--text", metavar="FILE..", help="Plain text, a line a text; .gz too.")
    ] = None,
    checkpoint: Annotated[
        str | None,
        typer.Option("--checkpoint", metavar="FOLDER", help="An encoder (or hub name), without an experiment."),
    ] = None,
    layers: Annotated[int | None, typer.Option(min=1, help="With --checkpoint: its first layers.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FOLDER", help="With --checkpoint.")] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Default: 250000, or as the experiment says.")] = None,
    epochs: Annotated[float | None, typer.Option(help="Passes over the text, in place of --steps.")] = None,
    batch: Annotated[int | None, typer.Option(min=1, help="Inputs in a step; default: 64.")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="Default: 0.0001.")] = None,
    max_pieces: Annotated[int | None, typer.Option(min=8, help="Word pieces of an input; default: 128.")] = None,
    whole_words: Annotated[bool, typer.Option("--whole-words", help="Hide all pieces of a word together.")] = False,
    head_steps: Annotated[
        int | None, typer.Option(min=1, help="Of the language head, where the encoder has none; default: 1000.")
    ] = None,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Learn a language from plain text: a language adapter and an invertible one, the encoder frozen (MAD-X).

    Says how perplexing text that was set aside is before and after. Killed and called again, it goes on.
    """
    files = [*(text or []), *(more or [])]
    wishes = {
        "steps": steps, "epochs": epochs, "batch": batch, "learning_rate": learning_rate, "max_pieces": max_pieces,
        "head_steps": head_steps, "whole_words": whole_words or None,
    }  # fmt: skip
    given = {name: value for name, value in wishes.items() if value is not None}
    from clir_cli.errors import UsageError

    if files and len(language or []) != 1:
        raise UsageError("--text goes with one --language.", "Say which language the text is in: --language som.")
    if checkpoint is None:
        if layers is not None or out is not None:
            raise UsageError("--layers and --out go with --checkpoint.", "An experiment has `encoder.layers`.")
        common = opt.common(config, experiment, [*(sets or []), *_sets(given, language, files)], jobs, quiet)
        adapt(common, language or [])
        return
    if config or experiment or sets or jobs:
        raise UsageError("--checkpoint needs no experiment.", "Leave out --config, --experiment, --set and --jobs.")
    if not files or out is None or not language:
        raise UsageError("--checkpoint goes with --language, --text and --out.", "Name all three.")
    adapt_checkpoint(Asked(checkpoint, layers, language[0], files, out, given), quiet)


def _sets(given: dict[str, Any], language: list[str] | None, files: list[Path]) -> list[str]:
    """The options as settings of an experiment."""
    import json

    found = [f"adapters.{name}={json.dumps(value)}" for name, value in given.items()]
    if files and language:
        paths = json.dumps([str(file.absolute()) for file in files])
        found.append(f"adapters.languages.{language[0]}={paths}")
    return found


def adapt(options: opt.Common, languages: list[str]) -> None:
    """The adapters of an experiment's languages."""
    import json

    from clir_cli.cli import console, making
    from clir_cli.pipeline.plan import Selection

    plan = making.make(options, "adapt", Selection(languages=tuple(languages) or None))
    rows = []
    for stage in plan.targets:
        folder = plan.artifact(stage)
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        rows.append([report["language"], *_perplexities(report), str(folder / "adapter")])
    console.show_table(["language", "before", "after", "adapter"], rows, right=["before", "after"])


@dataclass(frozen=True)
class Asked:
    """What the command was given, without an experiment."""

    checkpoint: str
    layers: int | None
    language: str
    files: list[Path]
    out: Path
    recipe: dict[str, Any]


def adapt_checkpoint(asked: Asked, quiet: bool) -> None:
    """The adapter of one language for any encoder.

    Raises ``UsageError`` where another process is making the same, ``DataError`` where text or encoder are not right.
    """
    from clir_cli.cli import console
    from clir_cli.cli.rerank_files import line_by_line
    from clir_cli.config.adapter_schema import AdaptersSettings
    from clir_cli.encoders.checkpoint import fetch_checkpoint
    from clir_cli.errors import UsageError
    from clir_cli.lines import check_place, read_lines
    from clir_cli.pipeline.lock import Lock
    from clir_cli.training.language_adapter import Learner, adapt_language, learn_head
    from clir_cli.training.language_learner import LanguageRecipe

    if len(asked.language) != 3 or not (asked.language.isalpha() and asked.language.islower()):
        raise UsageError(f"{asked.language!r} is no language code.", "Give an ISO 639-3 code, such as som.")
    for file in asked.files:
        next(read_lines(file), None)  # a file that is not there is told before anything is loaded
    check_place(asked.out)
    lock = Lock(asked.out.with_name(f".{asked.out.name}.lock"))
    if not lock.acquire():
        raise UsageError(f"{asked.out} is being made by another process.", "Wait for it, or name another --out.")
    with lock:
        given = dict(asked.recipe)
        head_steps = given.pop("head_steps", AdaptersSettings().head_steps)
        learner = Learner(
            fetch_checkpoint(asked.checkpoint),
            lambda: (line for file in asked.files for _, line in read_lines(file)),
            LanguageRecipe(**given),
            layers=asked.layers,
            progress=line_by_line(quiet),
        )
        of_head = replace(learner.recipe, steps=head_steps, epochs=None, learning_rate=None)
        learn_head(asked.out / "head", replace(learner, recipe=of_head))
        report = adapt_language(asked.out, learner, language=asked.language, head=asked.out / "head")
    before, after = _perplexities(report)
    if not quiet:
        console.tell(f"Perplexity of held-out text: {before} before, {after} after ({report['steps']} steps).")
    console.say(str(asked.out / "adapter"))


def _perplexities(report: dict[str, Any]) -> list[str]:
    values = (report["perplexity_before"], report["perplexity_after"])
    return ["not measured" if value is None else f"{value:.2f}" for value in values]
