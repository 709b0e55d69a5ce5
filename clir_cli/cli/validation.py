"""`clir validate`: is the data of an experiment what it should be?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clir_cli.cli import options as opt

if TYPE_CHECKING:
    from clir_cli.inspection.findings import Finding, Findings

PANEL = "Data"
ONE_LINE = 90
"""Letters of ids or words that are shown side by side."""


def register(app: typer.Typer) -> None:
    app.command("validate", rich_help_panel=PANEL)(validate_command)


def validate_command(
    pair: opt.Pairs = None,
    run: Annotated[
        list[Path] | None,
        typer.Option(
            "--run", metavar="FILE", help="Look at this run file instead, with --pair against its data; repeatable."
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every example, not only the first.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object: levels, counts, findings.")] = False,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Read every file that an experiment names and say what is wrong, odd or worth knowing; nothing is made.

    Exit code 1 where there is an error.
    """
    validate(opt.common(config, experiment, sets, None, quiet), pair, run or [], every=every, as_json=json)


def validate(
    options: opt.Common,
    pairs: list[str] | None,
    runs: list[Path],
    *,
    every: bool = False,
    as_json: bool = False,
) -> None:
    from clir_cli.inspection.findings import FEW

    keep = None if every else FEW
    if runs and not pairs:
        from clir_cli.pipeline.validate.runs import inspect_runs

        name, findings = None, inspect_runs(runs, keep=keep)
    else:
        name, findings = _look(options, pairs, runs, keep)
    if as_json:
        import json

        from clir_cli.cli import console

        console.show_text(json.dumps({"experiment": name} | findings.plain(), ensure_ascii=False, indent=1))
    else:
        show(findings)
    if findings.has_errors():
        raise typer.Exit(1)


def _look(
    options: opt.Common, pairs: list[str] | None, runs: list[Path], keep: int | None
) -> tuple[str | None, "Findings"]:
    """The experiment's name and what is found; where its settings are wrong, that alone."""
    from clir_cli.cli.making import open_experiment
    from clir_cli.cli.progress import watching
    from clir_cli.errors import ConfigError
    from clir_cli.inspection.findings import Findings
    from clir_cli.inspection.settings import inspect_settings
    from clir_cli.pipeline.validate.walk import Inspection

    try:
        experiment = open_experiment(options, check_files=False)
    except ConfigError as fault:
        findings = Findings(keep)
        inspect_settings(fault.problem, fault.hint, findings.about("settings"))
        return options.experiment, findings
    if runs:
        from clir_cli.pipeline.validate.runs import inspect_runs_of_pair

        pair = _only_pair(pairs or [])
        with watching(2, options.quiet) as listener:
            return experiment.name, inspect_runs_of_pair(experiment, pair, runs, keep=keep, listener=listener)
    inspection = Inspection(experiment, pairs, keep)
    with watching(len(inspection.steps), options.quiet) as listener:
        return experiment.name, inspection.run(listener)


def _only_pair(pairs: list[str]) -> str:
    from clir_cli.errors import UsageError

    if len(pairs) > 1:
        raise UsageError("A run is of one pair.", "Give one --pair.")
    return pairs[0]


def show(findings: "Findings") -> None:
    """Errors first, each level under the parts that it is about; the last line counts."""
    from clir_cli.cli import console

    heading = ""
    for finding in findings:
        here = f"{finding.level.value}s: {finding.part}"
        if here != heading:
            console.say(f"{'' if not heading else chr(10)}{here}", "head")
            heading = here
        _show_one(finding)
    counts = findings.counts()
    if not any(counts.values()):
        console.say("Nothing was found: no errors, no warnings, no notes.")
        return
    console.say()
    console.say(", ".join(f"{count} {level}{'' if count == 1 else 's'}" for level, count in counts.items()))


def _show_one(finding: "Finding") -> None:
    from clir_cli.cli import console

    style = {"error": "bad", "warning": "odd"}.get(finding.level.value, "")
    place = f"{finding.place}: " if finding.place else ""
    console.say(f"  {place}{finding.message} [{finding.code}]", style)
    examples = finding.examples
    if not any(" " in example for example in examples) and sum(map(len, examples)) < ONE_LINE:
        examples = [", ".join(examples)] if examples else []
    for example in examples:
        console.say(f"      {example}")
    if finding.left_out > 0:
        console.say(f"      and {finding.left_out:,} more (--all)", "quiet")
    if finding.hint:
        console.say(f"    {finding.hint}", "quiet")
