"""The options that most commands share: declared once, handed on as one object."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        metavar="FILE",
        help="File of experiments; default: experiments.yaml here or in a folder above.",
    ),
]
ExperimentName = Annotated[
    str | None,
    typer.Option(
        "--experiment", "-e", metavar="NAME", help="Experiment of that file; default: what it calls `default`."
    ),
]
Sets = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY.PATH=VALUE", help="Change a setting for this run; repeatable.")
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", metavar="N", min=1, help="Stages made at a time; default: one a core, or one a GPU."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, results only.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]
Pairs = Annotated[
    list[str] | None, typer.Option("--pair", "-p", metavar="PAIR", help="Such as deu-eng; repeatable; default: all.")
]
Models = Annotated[
    list[str] | None, typer.Option("--model", "-m", metavar="MODEL", help="Such as mart; repeatable; default: all.")
]
Folds = Annotated[
    list[int] | None, typer.Option("--fold", "-f", metavar="N", min=1, help="Fold, from 1; repeatable; default: all.")
]
OnePair = Annotated[
    str | None, typer.Option("--pair", "-p", metavar="PAIR", help="Pair such as deu-eng; may be left out if alone.")
]

Table = Annotated[
    Path | None,
    typer.Option("--table", "-t", metavar="PATH", help="A table in a folder or file instead of a pair's."),
]


@dataclass(frozen=True)
class Common:
    """What every command that reads an experiment is given."""

    config: Path | None = None
    experiment: str | None = None
    sets: tuple[str, ...] = ()
    jobs: int | None = None
    quiet: bool = False


def common(
    config: Path | None,
    experiment: str | None,
    sets: list[str] | None,
    jobs: int | None = None,
    quiet: bool = False,
) -> Common:
    """The shared options as Typer gives them."""
    return Common(config, experiment, tuple(sets or ()), jobs, quiet)
