"""`clir align`: translation tables of an experiment, or links and tables from parallel text alone."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from clir_cli.cli import options as opt

PANEL = "Translation"


class Tool(StrEnum):
    """Aligners."""

    clir = "clir"
    eflomal = "eflomal"


class Method(StrEnum):
    """Symmetrisations."""

    agreement = "agreement"
    intersection = "intersection"
    union = "union"
    grow_diag = "grow-diag"
    grow_diag_final = "grow-diag-final"
    grow_diag_final_and = "grow-diag-final-and"
    forward = "forward"
    backward = "backward"


class Table(StrEnum):
    """What a table is made of."""

    expected = "expected"
    links = "links"


class Split(StrEnum):
    """What the words of a line are."""

    words = "words"
    spaces = "spaces"


class Words(StrEnum):
    """Which of them the aligner sees."""

    all = "all"
    content = "content"


def register(app: typer.Typer) -> None:
    app.command("align", rich_help_panel=PANEL)(align_command)


def align_command(
    context: typer.Context,
    pair: opt.Pairs = None,
    bitext: Annotated[
        tuple[Path, Path] | None,
        typer.Option("--bitext", metavar="SOURCE TARGET", help="Align these two files instead of an experiment's."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="With --bitext: for table, inverse-table, links, report."),
    ] = None,
    encoding: Annotated[str, typer.Option(help="Of both files.")] = "utf-8",
    split: Annotated[
        Split, typer.Option("--split", help="words: the project's, folded; spaces: the text is tokenised already.")
    ] = Split.words,
    lower: Annotated[bool, typer.Option("--lower", help="With --split spaces: in lower case.")] = False,
    words: Annotated[
        Words, typer.Option("--words", help="content: stop words, numbers and punctuation leave before, not after.")
    ] = Words.all,
    languages: Annotated[
        tuple[str, str] | None,
        typer.Option("--languages", metavar="SOURCE TARGET", help="ISO 639-3: their stop words leave the table."),
    ] = None,
    tool: Annotated[Tool, typer.Option("--tool", help="eflomal: pip install 'clir[eflomal]'.")] = Tool.clir,
    model1: Annotated[int, typer.Option(min=0, help="Iterations of IBM Model 1.")] = 3,
    model2: Annotated[int, typer.Option(min=0, help="Then of Model 2.")] = 0,
    hmm: Annotated[int, typer.Option(min=0, help="Then of the HMM.")] = 5,
    agreement: Annotated[
        bool, typer.Option("--agreement/--no-agreement", help="Both directions trained together, or each alone.")
    ] = True,
    null: Annotated[float, typer.Option(help="Probability that a word comes from nothing.")] = 0.1,
    family_weight: Annotated[
        float, typer.Option(min=0, help="Pseudo-counts by which words that begin alike back each other off; 0: off.")
    ] = 20.0,
    family_letters: Annotated[int, typer.Option(min=1, help="First letters that make a family.")] = 5,
    bayes: Annotated[float, typer.Option(min=0, help="Dirichlet prior, with --family-weight 0; 0: none.")] = 0.0,
    symmetrise: Annotated[
        Method, typer.Option("--symmetrise", help="How the links of both directions become one set.")
    ] = Method.agreement,
    table: Annotated[
        Table, typer.Option("--table", help="Of expected counts, or counted from links as Moses does.")
    ] = Table.expected,
    min_probability: Annotated[float, typer.Option(min=0, max=1, help="Smaller entries leave the table.")] = 1e-4,
    max_translations: Annotated[int, typer.Option(min=1, help="Most translations kept for a word.")] = 100,
    max_length: Annotated[int, typer.Option(min=1, help="Pairs with more words on a side are skipped.")] = 100,
    max_ratio: Annotated[float, typer.Option(min=1, help="Pairs of more unequal lengths are skipped.")] = 9.0,
    gold: Annotated[
        Path | None,
        typer.Option("--gold", metavar="FILE", help="Links made by people (NAACL or Pharaoh): AER, precision, recall."),
    ] = None,
    gold_text: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            "--gold-text", metavar="SOURCE TARGET",
            help="Its sentences, split at spaces, aligned with the rest; default: it numbers the lines of --bitext.",
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="With --gold: score every symmetrisation.")] = False,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:  # fmt: skip
    """Learn from parallel text which words translate each other: of an experiment's pairs, or of two files.

    With --bitext no experiment is needed; killed and called again it goes on after the last whole iteration.
    """
    from clir_cli.errors import UsageError

    if bitext is None:
        if given := _given_in_vain(context):
            raise UsageError(
                f"{', '.join(given)} {'goes' if len(given) == 1 else 'go'} with --bitext.",
                "An experiment has its settings under `knowledge.align`: --set knowledge.align.hmm=3.",
            )
        align(opt.common(config, experiment, sets, jobs, quiet), pair)
        return
    if pair or config or experiment or sets:
        raise UsageError("--bitext needs no experiment.", "Leave out --pair, --config, --experiment and --set.")
    if out is None and gold is None:
        raise UsageError("Say where the table is to go with --out FOLDER.", "Or what to score with --gold FILE.")
    if gold is None and (gold_text or every):
        raise UsageError("--gold-text and --all go with --gold.", "See `clir align --help`.")
    if lower and split is Split.words:
        raise UsageError("--lower goes with --split spaces.", "The project's words are in lower case anyway.")
    from clir_cli.cli.alignment import Gold, Text, align_files

    aligner: dict[str, Any] = {
        "model1": model1, "model2": model2, "hmm": hmm, "agreement": agreement, "null": null,
        "family_weight": family_weight, "family_letters": family_letters, "bayes": bayes,
    }  # fmt: skip
    recipe: dict[str, Any] = {
        "tool": tool.value, "symmetrisation": symmetrise.value, "table": table.value,
        "min_probability": min_probability, "max_translations": max_translations,
    }  # fmt: skip
    text = Text(
        bitext, encoding, splits_at_spaces=split is Split.spaces, is_lowered=lower,
        is_content=words is Words.content, languages=languages, max_length=max_length, max_ratio=max_ratio,
    )  # fmt: skip
    align_files(text, aligner, recipe, out, Gold(gold, gold_text, every) if gold else None, quiet)


_OF_EXPERIMENTS = {"pair", "config", "experiment", "sets", "jobs", "quiet", "debug", "bitext"}


def _given_in_vain(context: typer.Context) -> list[str]:
    """The options that were written and mean something only with --bitext."""
    return [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name is not None
        and parameter.name not in _OF_EXPERIMENTS
        and getattr(context.get_parameter_source(parameter.name), "name", "") == "COMMANDLINE"
    ]


def align(options: opt.Common, pairs: list[str] | None) -> None:
    import json

    from clir_cli.cli import console, making
    from clir_cli.translation.table import TranslationTable

    plan = making.make(options, "align", making.select(pairs))
    rows = []
    for stage in plan.targets:
        pair, folder = str(stage.pair), plan.artifact(stage)
        source = plan.graph.rows.source(pair)
        if not plan.graph.rows.translates(pair) or stage.key != plan.graph.align(pair).key:
            source = stage.name.removeprefix(f"{pair} ")
        table = TranslationTable.load(folder / "table")
        prepared = json.loads((folder / "report.json").read_text(encoding="utf-8")).get("prepared", {})
        dropped = [str(prepared.get(name, "")) for name in ("pairs", "blank", "too_long", "unequal")]
        rows.append([pair, source, *dropped, str(len(table)), str(table.probabilities.nnz), str(folder)])
    head = ["pair", "source", "lines", "blank", "too long", "unequal", "words", "entries", "table"]
    console.show_table(head, rows, right=head[2:-1])
    making.tell_availability(plan, pairs)
