"""The command that begins an experiment of one's own."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clir_cli.cli import options as opt

if TYPE_CHECKING:
    from clir_cli.config.load import Experiment
    from clir_cli.pipeline.new_experiment.wishes import NewExperiment, Wishes

PANEL = "Data"


def register(app: typer.Typer) -> None:
    app.command("init", rich_help_panel=PANEL)(init_command)


def init_command(
    topics: Annotated[
        list[Path] | None,
        typer.Option("--topics", metavar="FILE", help="Queries: TSV, JSON lines or CLEF; repeatable; needed."),
    ] = None,
    documents: Annotated[
        list[Path] | None,
        typer.Option("--documents", metavar="PATH", help="File or folder: TSV, JSON lines, SGML; repeatable; needed."),
    ] = None,
    pair: Annotated[
        str | None,
        typer.Option(
            "--pair", "-p", metavar="PAIR", help="Languages of queries and documents, such as deu-eng; needed."
        ),
    ] = None,
    qrels: Annotated[
        list[Path] | None,
        typer.Option("--qrels", metavar="FILE", help="Judgements; repeatable. Without them: runs, no tables."),
    ] = None,
    bitext: Annotated[
        tuple[Path, Path] | None,
        typer.Option("--bitext", metavar="SOURCE TARGET", help="Parallel text, line by line; to learn translations."),
    ] = None,
    dictionary: Annotated[
        Path | None, typer.Option("--dictionary", metavar="FILE", help="Instead: a word list, word TAB translation.")
    ] = None,
    table: Annotated[
        Path | None, typer.Option("--table", metavar="FILE", help="Instead: a table, `source target p`.")
    ] = None,
    human: Annotated[
        list[Path] | None,
        typer.Option("--human", metavar="FILE", help="The topics in the language of the documents; repeatable."),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option("--encoder", metavar="NAME|FOLDER", help="To re-rank with; without one: first stage only."),
    ] = None,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Of the experiment.")] = "mine",
    file: Annotated[
        Path, typer.Option("--file", metavar="FILE", help="Where it is written; a file that is there is added to.")
    ] = Path("experiments.yaml"),
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Write an experiment of your own from a few files, ready for `clir run-all`."""
    from clir_cli.pipeline.new_experiment.wishes import Wishes

    wishes = Wishes(
        file, name, pair, topics or (), human or (), documents or (), qrels or (), bitext, dictionary, table, encoder
    )
    init(wishes, quiet=quiet)


def init(wishes: "Wishes", *, quiet: bool = False) -> None:
    from clir_cli.cli import console
    from clir_cli.pipeline.new_experiment.placing import place
    from clir_cli.pipeline.new_experiment.wishes import settle

    new = settle(wishes)
    was_there = wishes.file.exists()
    experiment = place(new)
    done = "Added to" if was_there else "Written:"
    console.say(f"{done} {wishes.file} (experiment {wishes.name})")
    if not quiet:
        console.show_table(["what", "language", "format", "encoding", "lines", "files"], _rows(new), right=["lines"])
    for remark in [*new.remarks, *_advice(new)]:
        console.say(f"-- {remark}", "odd")
    where = _where(wishes)
    if _has_errors(experiment, quiet=quiet):
        console.say(
            f"{wishes.file} stays as it was written. Mend the data, then: clir validate {where}. "
            f"Were the options wrong, take `{wishes.name}` out of it and call clir init again.",
            "bad",
        )
        raise typer.Exit(1)
    console.say(f"Next: clir run-all {where}", "head")


def _rows(new: "NewExperiment") -> list[list[str]]:
    wishes = new.wishes
    looks = [
        ("topics", new.query, new.topics, wishes.topics),
        ("human", new.document, new.human, wishes.human),
        ("documents", new.document, new.documents, wishes.documents),
        ("bitext", f"{new.query}-{new.document}", new.bitext, wishes.bitext or ()),
    ]
    return [
        [
            what,
            language,
            look.format,
            look.encoding,
            _counted(look.lines, what),
            ", ".join(path.name for path in paths),
        ]
        for what, language, look, paths in looks
        if look is not None
    ]


def _counted(lines: tuple[int, ...] | None, what: str) -> str:
    if lines is None:
        return ""
    return " and ".join(map(str, dict.fromkeys(lines))) if what == "bitext" else str(sum(lines))


def _advice(new: "NewExperiment") -> list[str]:
    found = []
    for language in new.without_stop_words:
        found.append(f"There is no list of stop words for {language}: none are used; see `languages` in the file.")
    if not new.wishes.qrels:
        found.append("Without judgements there will be runs, but no tables: add `qrels` later.")
    if new.translations == "none":
        found.append("Nothing is translated: only the human translations are searched.")
    if new.models == ["zero-shot"]:
        found.append("zero-shot needs a checkpoint that was trained for ranking: it brings its own head.")
    return found


def _has_errors(experiment: "Experiment", *, quiet: bool) -> bool:
    """Read the data itself, say what is odd in it; whether a run would fail."""
    from clir_cli.cli.progress import watching
    from clir_cli.cli.validation import show
    from clir_cli.inspection.findings import FEW
    from clir_cli.pipeline.validate.walk import Inspection

    inspection = Inspection(experiment, None, FEW)
    with watching(len(inspection.steps), quiet) as listener:
        findings = inspection.run(listener)
    show(findings)
    return findings.has_errors()


def _where(wishes: "Wishes") -> str:
    """The options that name the experiment, for a shell."""
    import shlex

    from clir_cli.config.load import find_file
    from clir_cli.errors import ConfigError

    try:
        is_found = find_file(Path.cwd()).samefile(wishes.file)
    except ConfigError:
        is_found = False
    return shlex.join(["-e", wishes.name, *([] if is_found else ["--config", str(wishes.file)])])
