"""`clir verify`: the scores that an experiment expects, against those that come out."""

import json
from pathlib import Path
from typing import Annotated

import typer

from clir_cli.cli import options as opt

PANEL = "Results"


def register(app: typer.Typer) -> None:
    app.command("verify", rich_help_panel=PANEL)(verify_command)


def verify_command(
    pair: opt.Pairs = None,
    model: opt.Models = None,
    first_stage: Annotated[
        bool, typer.Option("--first-stage", help="Only the systems of the first stage: no model is trained.")
    ] = False,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Check the scores that the experiment expects (its `expected`); exit code 1 where one is not met."""
    verify(opt.common(config, experiment, sets, jobs, quiet), pair, model, first_stage)


def verify(options: opt.Common, pairs: list[str] | None, models: list[str] | None, first_stage: bool) -> None:
    from clir_cli.cli import console, making
    from clir_cli.errors import ClirError, UsageError
    from clir_cli.evaluation.expected import compare_mean
    from clir_cli.evaluation.run_comparison import join_repetitions
    from clir_cli.pipeline.plan import Selection
    from clir_cli.pipeline.rows import FIRST_STAGE

    if first_stage and models:
        raise UsageError("--first-stage leaves out every model, and --model names some.", "Give one of the two.")
    settings = making.open_experiment(options).settings
    expected = {
        (pair, system): measures
        for pair, systems in settings.expected.items()
        for system, measures in systems.items()
        if (not pairs or pair in pairs) and (not first_stage or system in FIRST_STAGE)
    }
    chosen = tuple(dict.fromkeys(pair for pair, _ in expected))
    if not chosen:
        raise UsageError(
            "The experiment expects no score of what was chosen.",
            "Write some under its key `expected`: `expected: {deu-eng: {smt: {AP@100: 0.5}}}`.",
        )
    plan = making.make(options, "evaluate", Selection(chosen, () if first_stage else tuple(models or ()) or None))
    rows, wrong = [], 0
    made: dict[tuple[str, str], list[Path]] = {}  # several where there are training seeds
    for stage in plan.targets:
        pair, system = stage.name.split()[:2]
        made.setdefault((pair, system), []).append(plan.artifact(stage) / "values.json")
    for (pair, system), measures in expected.items():
        if (pair, system) not in made:  # left out by --model
            continue
        values = join_repetitions([json.loads(file.read_text(encoding="utf-8")) for file in made[pair, system]]).values
        for measure, score in measures.items():
            verdict = compare_mean(values.get(measure), score.value, score.within)
            wrong += not verdict.holds
            found = "-" if verdict.found is None else f"{verdict.found:.4f}"
            rows.append([pair, system, measure, f"{score.value:.4f}", f"{score.within:g}", found])
            rows[-1].append("ok" if verdict.holds else "off")
    columns = ["pair", "system", "measure", "expected", "within", "found", ""]
    console.show_table(columns, rows, right=["expected", "within", "found"])
    if wrong:
        raise ClirError(
            f"{wrong} of {len(rows)} scores are not what the experiment expects.",
            "If the change is meant, write the new ones under `expected`.",
        )
