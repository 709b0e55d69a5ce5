"""`clir table mix`, `pivot`, `invert`: tables out of tables."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clir_cli.cli import options as opt

if TYPE_CHECKING:
    from clir_cli.translation.table import TranslationTable

Out = Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where to write the table.")]
Named = Annotated[str, typer.Argument(help="Pair such as deu-eng, or a table in a folder or file.")]
MinProbability = Annotated[float, typer.Option(min=0, max=1, help="Smaller entries are left out.")]
MaxTranslations = Annotated[int, typer.Option(min=1, help="Most translations kept for a word.")]


def register(commands: typer.Typer) -> None:
    commands.command("mix")(mix_command)
    commands.command("pivot")(pivot_command)
    commands.command("invert")(invert_command)


def mix_command(
    parts: Annotated[
        list[str], typer.Argument(metavar="TABLE=WEIGHT...", help="Pairs, or tables in folders or files.")
    ],
    out: Out,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """A weighted mean of tables; a word that only some of them have is translated by those."""
    from clir_cli.errors import UsageError

    weights: dict[str, float] = {}
    for part in parts:
        name, equals, weight = part.rpartition("=")
        try:
            number = float(weight)
        except ValueError:
            number = 0.0
        if not equals or not name or not 0 < number < float("inf"):
            raise UsageError(f"{part} is not TABLE=WEIGHT with a weight above 0.", "For example: deu-eng=0.8")
        if name in weights:
            raise UsageError(f"{name} is named twice.", "Add up its weights.")
        weights[name] = number
    mix(opt.common(config, experiment, sets, None, quiet), weights, out)


def mix(options: opt.Common, weights: dict[str, float], out: Path) -> None:
    from clir_cli.translation import combine

    save(combine.mix({name: _named(options, name) for name in weights}, weights), out, {"weights": weights})


def pivot_command(
    first: Named,
    second: Named,
    out: Out,
    min_probability: MinProbability = 1e-4,
    max_translations: MaxTranslations = 100,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """One table over a language between: som-eng and eng-deu make som-deu."""
    options = opt.common(config, experiment, sets, None, quiet)
    pivot(options, first, second, out, min_probability, max_translations)


def pivot(
    options: opt.Common, first: str, second: str, out: Path, min_probability: float, max_translations: int
) -> None:
    from dataclasses import asdict

    from clir_cli.cli import console
    from clir_cli.translation import combine

    table, report = combine.pivot(
        _named(options, first), _named(options, second), min_probability=min_probability,
        max_translations=max_translations, names=(first, second),
    )  # fmt: skip
    save(table, out, asdict(report))
    console.say(
        f"{report.pivot_words} words between are in both; of a word's probability {report.kept:.2f} is left on average "
        f"of {report.mass:.2f}: {report.lost:.2f} met no second table, {report.pruned:.2f} was pruned."
    )


def invert_command(
    table: Named,
    out: Out,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """The other direction by Bayes' rule, every word of the query language being equally probable."""
    options = opt.common(config, experiment, sets, None, quiet)
    save(_named(options, table).inverse(), out, {"inverse_of": table})


def save(table: "TranslationTable", out: Path, report: dict[str, Any]) -> None:
    """Write a table and how it was made, and say how large it is."""
    import json

    from clir_cli.cli import console
    from clir_cli.lines import write_whole

    table.save(out)
    with write_whole(out / "report.json") as file:
        file.write(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    console.say(f"{table.probabilities.nnz} entries of {len(table)} words: {out}")


def _named(options: opt.Common, name: str) -> "TranslationTable":
    from clir_cli.cli.table_source import table_named

    return table_named(options, name)
