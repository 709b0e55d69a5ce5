"""The `clir` command: its groups, and what becomes of errors.

Exit codes: 0 done; 1 data or a stage; 2 usage or configuration; 130 Ctrl-C.
"""

import io
import os
import shlex
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from clir_cli.cli import (
    ablate,
    adapt,
    align,
    analyses,
    bench,
    compare,
    data,
    explain,
    figures,
    first_stage,
    paper,
    push,
    represent,
    reranking,
    results,
    settings,
    start,
    tables,
    validation,
    verify,
    whole,
)
from clir_cli.cli.help import ByFlow
from clir_cli.errors import ClirError, Interrupted

# Before any library that could phone home is imported; stages inherit it.
os.environ.update({"HF_HUB_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"})

app = typer.Typer(
    name="clir",
    help="Cross-language retrieval experiments, from raw collections to significance-tested tables.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    cls=ByFlow,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"clir {version('clir')}")
        raise typer.Exit


@app.callback()
def clir(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Cross-language retrieval experiments, from raw collections to significance-tested tables."""


for group in (
    start, data, align, tables, validation, first_stage, adapt, reranking, represent, push, bench, results, figures,
    verify, compare, paper, analyses, ablate, explain, whole, settings,
):  # fmt: skip
    group.register(app)


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the console script: run a command and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a pipe on Windows has few letters: better `?` than an error
            stream.reconfigure(errors="replace")
    sys.exit(run(list(sys.argv[1:] if arguments is None else arguments)))


def run(arguments: list[str]) -> int:
    """Run a command; whatever goes wrong becomes one sentence and an exit code."""
    debug = "--debug" in arguments
    try:
        # Typer turns Ctrl-C into exit code 130 and hands that back.
        code = app(arguments, standalone_mode=False, prog_name="clir") or 0
    except (KeyboardInterrupt, Interrupted, typer.Abort):
        code = 130
    except BrokenPipeError:
        # Whoever read our output has enough; keep Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        if debug and not _is_usage(error):
            raise
        return _explain(error)
    if code == 130:
        from clir_cli.cli.console import tell

        tell(f"Interrupted. Everything finished is kept. Go on with: {shlex.join(['clir', *arguments])}", "odd")
    return int(code)


def _is_usage(error: Exception) -> bool:
    return hasattr(error, "format_message")


def _explain(error: Exception) -> int:
    """One error in words, and the exit code it means."""
    if isinstance(error, ClirError):
        _tell(error.problem, error.hint)
        return error.exit_code
    if _is_usage(error):  # Typer's own: a wrong option, a missing argument, no command at all
        context = getattr(error, "ctx", None)
        if type(error).__name__ == "NoArgsIsHelpError":
            typer.echo(error.format_message(), err=True)  # type: ignore[attr-defined]
            return 2
        path = context.command_path if context is not None else "clir"
        _tell(error.format_message(), f"See `{path} --help`.")  # type: ignore[attr-defined]
        return int(getattr(error, "exit_code", 2))
    if isinstance(error, OSError) and error.strerror:
        where = f" ({error.filename})" if error.filename else ""
        _tell(f"{error.strerror}{where}.", "Check the path, its permissions and the space on the disk.")
        return 1
    _tell(f"Unexpected {type(error).__name__}: {error}.", "This is a fault of clir; --debug shows where.")
    return 1


def _tell(problem: str, hint: str) -> None:
    from clir_cli.cli.console import tell_error

    tell_error(problem, hint)
