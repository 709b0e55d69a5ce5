"""Commands about translation tables: look into them, compare them, bring them in and out."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clir_cli.cli import options as opt
from clir_cli.cli import table_combine, table_coverage

if TYPE_CHECKING:
    from clir_cli.translation.formats.building import TableReport

PANEL = "Translation"
commands = typer.Typer(
    help="Look into translation tables, compare, combine, import and export them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


class Format(StrEnum):
    """Formats of table files."""

    auto = "auto"
    matclir = "matclir"
    tsv = "tsv"
    giza = "giza"
    giza_inverse = "giza-inverse"
    moses_lex = "moses-lex"
    moses_phrases = "moses-phrases"
    fast_align = "fast-align"
    eflomal = "eflomal"
    patapsco = "patapsco"
    fast_psq = "fast-psq"


class Export(StrEnum):
    """Formats that are written."""

    matclir = "matclir"
    moses_lex = "moses-lex"
    fast_psq = "fast-psq"


def register(app: typer.Typer) -> None:
    table_coverage.register(commands)
    table_combine.register(commands)
    app.add_typer(commands, name="table", rich_help_panel=PANEL)


@commands.command("show")
def show_command(
    pair: Annotated[str, typer.Argument(help="Pair such as deu-eng; with --table, the first word.")],
    words: Annotated[list[str] | None, typer.Argument(metavar="WORD...", help="Words of the query language.")] = None,
    table: opt.Table = None,
    top: Annotated[int, typer.Option(min=1, help="Most translations of a word.")] = 10,
    inverse: Annotated[
        bool, typer.Option("--inverse", help="Words of the document language, by Bayes' rule with a uniform prior.")
    ] = False,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """What a table says of words: translations, p, and the sum of p so far."""
    from clir_cli.errors import UsageError

    asked = [pair, *(words or [])] if table is not None else words
    if not asked:
        raise UsageError("Missing argument 'WORD...'.", "See `clir table show --help`.")
    options = opt.common(config, experiment, sets, None, quiet)
    show(options, None if table is not None else pair, asked, table=table, top=top, inverse=inverse)


def show(
    options: opt.Common, pair: str | None, words: list[str], *, table: Path | None, top: int, inverse: bool
) -> None:
    from clir_cli.cli import console
    from clir_cli.cli.names import near_among
    from clir_cli.cli.table_source import pair_table, table_at
    from clir_cli.corpora.normalise import fold
    from clir_cli.errors import DataError

    known = table_at(table) if table is not None else pair_table(options, pair or "")
    if inverse:
        known = known.inverse()
    rows = []
    for word in words:
        mass = 0.0
        for target, p in known.top(fold(word), top):
            mass += p
            rows.append([word, fold(word), target, f"{p:.4f}", f"{mass:.4f}"])
    if rows:
        console.show_table(["word", "key", "translation", "p", "sum"], rows, right=["p", "sum"])
    unknown = [word for word in words if fold(word) not in known]
    if unknown:
        name = f"The table of {pair}" if table is None else f"{table}"
        near = near_among(fold(unknown[0]), known.source_words) if len(unknown) == 1 else "."
        hint = "" if table is not None else "It has no stop words, and only words of what it was made from."
        raise DataError(f"{name} does not have {', '.join(unknown)}{near}", hint)


@commands.command("diff")
def diff_command(
    first: Annotated[str, typer.Argument(help="Pair such as deu-eng, or a table in a folder or file.")],
    second: Annotated[str, typer.Argument(help="Another one.")],
    top: Annotated[int, typer.Option(min=0, help="Most words to list.")] = 20,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """How two tables differ: words that one has alone, and the words whose translations differ most."""
    diff(opt.common(config, experiment, sets, None, quiet), first, second, top)


def diff(options: opt.Common, first: str, second: str, top: int) -> None:
    from clir_cli.cli import console
    from clir_cli.cli.table_source import table_named
    from clir_cli.translation.difference import compare_tables

    one, other = table_named(options, first), table_named(options, second)
    found = compare_tables(one, other)
    rows = [
        ["words", str(len(one)), str(len(other))],
        ["entries", str(one.probabilities.nnz), str(other.probabilities.nnz)],
        ["words the other lacks", str(len(found.only_first)), str(len(found.only_second))],
    ]
    console.show_table(["", first, second], rows, right=[first, second])
    for name, words in ((first, found.only_first), (second, found.only_second)):
        if words and top:
            console.say(f"Only in {name}: {', '.join(words[:top])}{', ...' if len(words) > top else ''}")
    if not found.shared:
        console.say("No word is in both.")
        return
    same = int(found.same_best.sum())
    console.say(
        f"{len(found.shared)} words are in both: mean distance {found.distances.mean():.4f} (0 equal, 1 nothing in "
        f"common), the same best translation for {same} ({100 * same / len(found.shared):.1f} %)."
    )
    different = [
        [word, f"{distance:.4f}", *(", ".join(f"{t} {p:.2f}" for t, p in table.top(word, 3)) for table in (one, other))]
        for word, distance in found.most_different(top)
    ]
    if different:
        console.show_table(["word", "distance", first, second], different, right=["distance"])


@commands.command("import")
def import_command(
    file: Annotated[Path, typer.Argument(help="Table of another program.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where to write the table.")],
    format: Annotated[Format, typer.Option("--format", help="auto: by name, else by look.")] = Format.auto,
    vocabularies: Annotated[
        tuple[Path, Path] | None,
        typer.Option("--vocabularies", metavar="SOURCE TARGET", help="The two .vcb files of GIZA++."),
    ] = None,
    swap: Annotated[
        bool, typer.Option("--swap", help="The numbers are conditional on the other word than the format has it.")
    ] = False,
    invert: Annotated[
        bool | None,
        typer.Option(
            "--invert/--no-invert",
            help="They are P(query word | document word): turn them round by Bayes' rule; default: as the format is.",
        ),
    ] = None,
    encoding: Annotated[str, typer.Option(help="Encoding of the file.")] = "utf-8",
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Read a table of GIZA++, Moses, fast_align, eflomal or others, check its direction, and write it as a folder."""
    import_table(file, out, format, vocabularies, swap=swap, invert=invert, encoding=encoding)


def import_table(
    file: Path,
    out: Path,
    format: Format,
    vocabularies: tuple[Path, Path] | None,
    *,
    swap: bool,
    invert: bool | None,
    encoding: str,
) -> None:
    import json

    from clir_cli.cli import console
    from clir_cli.lines import write_whole
    from clir_cli.translation.formats.reading import read_table_file

    table, report = read_table_file(
        file, format.value, vocabularies=vocabularies, swap=swap, invert=invert, encoding=encoding
    )
    table.save(out)
    with write_whole(out / "report.json") as written:
        written.write(json.dumps(report.plain(), indent=1) + "\n")
    console.say(f"{report.translations} entries of {report.words} words: {out}")
    console.say(described(report))


def described(report: "TableReport") -> str:
    """What became of the entries of a file, in a sentence or two."""
    left = {
        "of several words": report.several_words,
        "of the empty word": report.null,
        "of probability 0": report.zero,
    }
    parts = [f"{count} {what}" for what, count in left.items() if count]
    text = f"Read as {report.format}: {report.entries} entries"
    text += f"; left out: {', '.join(parts)}." if parts else "."
    if report.merged_words:
        text += f" {report.merged_words} spellings are equal to another after folding."
    if report.pruned_rows:
        text += f" {report.pruned_rows} words have less than 0.95 of their probability."
    return text + (" Turned round by Bayes' rule." if report.is_inverted else "")


@commands.command("export")
def export_command(
    source: Annotated[str, typer.Argument(help="Pair such as deu-eng, or a table in a folder or file.")],
    file: Annotated[Path, typer.Argument(help="File to write; .gz is packed.")],
    format: Annotated[Export, typer.Option("--format", help="fast-psq always is the inverse.")] = Export.matclir,
    inverse: Annotated[
        bool, typer.Option("--inverse", help="P(query word | document word), by Bayes' rule with a uniform prior.")
    ] = False,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Write a table as text: `source target p` lines, a lex file of Moses, or JSON of fast_psq."""
    export(opt.common(config, experiment, sets, None, quiet), source, file, format, inverse)


def export(options: opt.Common, source: str, file: Path, format: Export, inverse: bool) -> None:
    from clir_cli.cli import console
    from clir_cli.cli.table_source import table_named
    from clir_cli.translation.formats.matclir_text import write_table
    from clir_cli.translation.formats.moses_lex import write_moses_lex
    from clir_cli.translation.formats.psq_json import write_fast_psq

    table = table_named(options, source)
    if inverse or format is Export.fast_psq:
        table = table.inverse()
    write = {Export.matclir: write_table, Export.moses_lex: write_moses_lex, Export.fast_psq: write_fast_psq}
    write[format](file, table)
    console.say(f"{table.probabilities.nnz} entries of {len(table)} words: {file}")
