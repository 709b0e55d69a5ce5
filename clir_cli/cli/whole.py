"""Commands about an experiment as a whole: run it, see what is there, clean up."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from clir_cli.cli import options as opt

PANEL = "The whole experiment"


def register(app: typer.Typer) -> None:
    app.command("run-all", rich_help_panel=PANEL)(run_all_command)
    app.command("status", rich_help_panel=PANEL)(status_command)
    app.command("clean", rich_help_panel=PANEL)(clean_command)


def run_all_command(
    pair: opt.Pairs = None,
    model: opt.Models = None,
    fold: opt.Folds = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be made, and how long it takes.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say of every stage to make why.")] = False,
    force: Annotated[
        list[str] | None, typer.Option("--force", metavar="STAGE", help="Kind of stage to make again; repeatable.")
    ] = None,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    jobs: opt.Jobs = None,
    quiet: opt.Quiet = False,
    debug: opt.Debug = False,
) -> None:
    """Run everything, from raw files to the tables; what is there already is kept."""
    options = opt.common(config, experiment, sets, jobs, quiet)
    if fold:
        options = only_folds(options, fold)
    run_all(options, pair, model, force or [], dry_run=dry_run, explain=explain)


def only_folds(options: opt.Common, folds: Iterable[int]) -> opt.Common:
    """The same with these folds only, also for the pairs that choose folds of their own.

    A table over some folds is another table: the folds are part of the experiment, not of the selection.
    """
    from clir_cli.cli import making

    pairs = making.open_experiment(options).written.pairs
    choosing = [pair for pair, override in pairs.items() if "run" in (override.training.get("folds") or {})]
    keys = ["training.folds.run", *(f"pairs.{pair}.training.folds.run" for pair in choosing)]
    return replace(options, sets=(*options.sets, *(f"{key}={sorted(set(folds))}" for key in keys)))


def run_all(
    options: opt.Common,
    pairs: list[str] | None,
    models: list[str] | None,
    force: Iterable[str],
    *,
    dry_run: bool = False,
    explain: bool = False,
) -> None:
    from clir_cli.cli import console, making
    from clir_cli.pipeline.export import export
    from clir_cli.pipeline.reporting.page import PAGE

    plan = making.plan_for(options, "report", making.select(pairs, models), force)
    if dry_run or explain:
        show_plan(plan, reasons=explain, jobs=options.jobs)
    if dry_run:
        return
    making.run(plan, options)
    making.tell_availability(plan, pairs)
    folder = export(plan)
    for stage in plan.targets:
        if stage.kind == "report":
            console.show_text((plan.artifact(stage) / "report.txt").read_text(encoding="utf-8"))
    unjudged = sorted({str(stage.pair) for stage in plan.targets if stage.kind != "report"})
    if unjudged:
        console.say(f"Without judgements there are runs, but no tables: {', '.join(unjudged)}.")
        for note in making.left_out_of(plan, unjudged):  # no caption says it
            console.say(note)
    what = "Tables, runs" if any(stage.kind == "report" for stage in plan.targets) else "Runs"
    console.tell(f"{what} and settings: {folder}")
    if (folder / PAGE).is_file():
        console.tell(f"Report: {folder / PAGE}")


def show_plan(plan: object, *, reasons: bool, jobs: int | None) -> None:
    """What a plan would do: each stage to make, with the reason if asked for, and the cost of all."""
    from clir_cli.cli import console
    from clir_cli.pipeline.estimate import estimate
    from clir_cli.pipeline.execute import default_jobs
    from clir_cli.pipeline.plan import Plan

    assert isinstance(plan, Plan)
    if not plan.to_run:
        console.say("Everything is there: nothing would be made.")
        return
    rows = [[stage.kind, stage.name, *([plan.reason(stage)] if reasons else [])] for stage in plan.to_run]
    console.show_table(["stage", "of", *(["because"] if reasons else [])], rows)
    cost = estimate(plan)
    workers = min(jobs or default_jobs(), len(plan.to_run))
    at_a_time = f", about {console.duration(cost.seconds / workers)} with {workers} jobs" if workers > 1 else ""
    kept = len(plan.stages) - len(plan.to_run)
    console.say(
        f"{len(plan.to_run)} stages to make, {kept} not: {console.duration(cost.seconds)} of work{at_a_time}, "
        f"{console.size(cost.bytes)} on disk."
    )
    if len(cost.nominal) < len({stage.kind for stage in plan.to_run}):
        console.say("That goes by stages of the same kind made here before; larger data or more epochs take longer.")
    if cost.nominal:
        console.say(
            f"Not measured on this machine yet, so only a guess from the sample: {', '.join(cost.nominal)}. "
            "Real collections take longer."
        )


def status_command(
    pair: opt.Pairs = None,
    all: Annotated[bool, typer.Option("--all", help="Every stage, not only counts.")] = False,
    config: opt.Config = None,
    experiment: opt.ExperimentName = None,
    sets: opt.Sets = None,
    debug: opt.Debug = False,
) -> None:
    """What of an experiment is there, what is missing, and what was made with other library versions."""
    status(opt.common(config, experiment, sets), pair, every=all)


def status(options: opt.Common, pairs: list[str] | None, *, every: bool = False) -> None:
    from clir_cli.cli import console, making
    from clir_cli.pipeline.housekeeping import outdated
    from clir_cli.pipeline.plan import KINDS, Plan
    from clir_cli.pipeline.stage import Stage

    plan = making.plan_for(options, "report", making.select(pairs))

    def state(plan: Plan, stage: Stage) -> str:
        if plan.store.has(stage):
            return "there"
        if plan.store.lock(stage).is_held:
            return "being made"
        return "half done" if plan.store.partial(stage).exists() else plan.state(stage).sentence

    states = {stage.key: state(plan, stage) for stage in plan.stages}
    made = {stage.key: plan.store.marker(stage)["made"] for stage in plan.stages if states[stage.key] == "there"}
    console.say(f"Experiment {plan.experiment.name} in {plan.store.folder}")
    rows = []
    for kind in KINDS:
        stages = [stage for stage in plan.stages if stage.kind == kind]
        if every:
            rows += [
                [kind, stage.name, states[stage.key], *_cost([made[stage.key]] if stage.key in made else [])]
                for stage in stages
            ]
        elif stages:
            counts = Counter(states[stage.key] for stage in stages)
            found = ", ".join(f"{count} {state}" for state, count in counts.items())
            rows.append([kind, str(len(stages)), found, *_cost([made[s.key] for s in stages if s.key in made])])
    head = ["stage", "of" if every else "count", "state", "took", "on disk"]
    console.show_table(head, rows, right=["count", "took", "on disk"])
    for versions, labels in outdated(plan).items():
        console.say(f"{versions}: {len(labels)} stages, such as {labels[0]} (--force {labels[0].split()[0]} remakes).")


def _cost(made: list[dict[str, float]]) -> list[str]:
    from clir_cli.cli import console

    if not made:
        return ["", ""]
    return [console.duration(sum(m["seconds"] for m in made)), console.size(sum(m["bytes"] for m in made))]


def clean_command(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="EXPERIMENT", help="Give up the results of this experiment; repeatable."),
    ] = None,
    config: opt.Config = None,
    debug: opt.Debug = False,
) -> None:
    """Remove results that no experiment of the file uses any more."""
    clean(config, without or [], dry_run=dry_run, yes=yes)


def clean(config: Path | None, without: list[str], *, dry_run: bool = False, yes: bool = False) -> None:
    from clir_cli.cli import console
    from clir_cli.config.load import find_file, list_experiments, load_experiment
    from clir_cli.config.problems import near_miss
    from clir_cli.errors import ClirError, ConfigError, UsageError
    from clir_cli.pipeline.ablation.make import plan_ablation, possible_ablations
    from clir_cli.pipeline.housekeeping import leftovers, remove
    from clir_cli.pipeline.plan import make_plan

    file = config or find_file(Path.cwd())
    names = list(list_experiments(file))
    if not names:
        raise ConfigError(
            f"{file.name} has no experiments: what is left over cannot be told.", "Write one with `clir init`."
        )
    for name in without:
        if name not in names:
            raise UsageError(f"{file.name} has no experiment `{name}`{near_miss(name, names)}")
    plans, unknown = [], []
    for name in names:
        try:
            experiment = load_experiment(file, name)
            if name in without:
                continue
            plans.append(make_plan(experiment))
        except ClirError:
            unknown += [name] if name not in without else []
            continue
        for ablation in possible_ablations(experiment):
            try:
                plans.append(plan_ablation(ablation))
            except ClirError as error:
                what = f"The {ablation.what.value} ablation of {ablation.model} in {name} cannot be told"
                console.say(f"{what}: its results would go. {error.problem}", "odd")
    if unknown:
        # Results have keys made from the experiment's files: without these they cannot be told from what is left over.
        problem = f"{' and '.join(unknown)} cannot be read here (see `clir doctor`): their results would go too."
        giving_up = " ".join(f"--without {name}" for name in unknown)
        if not dry_run:
            raise UsageError(problem, f"Give them up with {giving_up}.")
        console.say(f"{problem} To clean all the same: clir clean {giving_up}", "odd")
    artifacts = load_experiment(file, names[0], check_files=False).artifacts
    found = leftovers(artifacts, plans)
    if not found:
        console.say("Nothing is left over.")
        return
    rows = [[str(left.path), "half done" if left.is_partial else "result", console.size(left.bytes)] for left in found]
    console.show_table(["folder", "is", "size"], rows, right=["size"])
    total = console.size(sum(left.bytes for left in found))
    number = "1 folder" if len(found) == 1 else f"{len(found)} folders"
    if dry_run:
        console.say(f"{number}, {total}, would go.")
        return
    if not yes and not typer.confirm(f"Remove {number} ({total})?"):
        return
    for left in found:
        remove(left)
    console.say(f"{number}, {total}, removed.")
