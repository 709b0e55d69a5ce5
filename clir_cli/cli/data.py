"""The command that writes the sample."""

from pathlib import Path
from typing import Annotated

import typer

from clir_cli.cli import options as opt

PANEL = "Data"


def register(app: typer.Typer) -> None:
    app.command("sample", rich_help_panel=PANEL)(sample_command)


def sample_command(
    folder: Annotated[Path, typer.Argument(help="Where to write it.")] = Path("data/sample"),
    seed: Annotated[int, typer.Option(help="Another seed makes another sample.")] = 1,
    documents: Annotated[int, typer.Option(min=1, help="Documents of the English collection.")] = 1800,
    topics: Annotated[int, typer.Option(min=1, max=999, help="Topics; each needs at least 15 documents.")] = 120,
    words: Annotated[int, typer.Option(min=50, help="Words of an English document, about.")] = 50,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Write the synthetic sample: documents, topics, judgements, parallel text, dictionaries and word vectors."""
    sample(folder, seed, documents, topics, words, quiet)


def sample(folder: Path, seed: int, documents: int, topics: int, words: int, quiet: bool) -> None:
    from clir_cli.cli import console
    from clir_cli.cli.progress import watching
    from clir_cli.corpora.sample import generate_sample
    from clir_cli.errors import UsageError
    from clir_cli.pipeline.events import Event, EventKind

    try:
        with watching(0, quiet) as listen:

            def tell(done: int, total: int | None, text: str) -> None:
                if done == 0:
                    listen(Event(EventKind.started, "sample"))
                listen(Event(EventKind.progress, "sample", done, total, text))

            report = generate_sample(folder, seed=seed, documents=documents, topics=topics, words=words, progress=tell)
    except ValueError as error:
        problem = f"No such sample can be made: {error}."
        raise UsageError(problem, "Change --documents, --topics or --words.") from error
    others = ", ".join(f"{code} {count}" for code, count in report.documents.items() if code != "eng")
    console.say(
        f"{report.documents['eng']} documents, {report.topics} topics, {report.judged['eng']} judgements in English; "
        f"documents in {others}; parallel text of {', '.join(report.bitext)}: {folder}"
    )
    if not quiet:
        console.tell(f"Run an experiment of the project on it with the variable CLIR_SAMPLE={folder.absolute()}")
