"""From the options of a command to finished stages: load, plan, announce, run."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from clir_cli.cli import console
from clir_cli.cli.options import Common
from clir_cli.config.load import Experiment, find_file, load_experiment
from clir_cli.errors import UsageError
from clir_cli.pipeline.plan import Plan, Selection, make_plan, plan_stages
from clir_cli.pipeline.stage import Stage


def open_experiment(options: Common, *, check_files: bool = True) -> Experiment:
    """The experiment that the options name."""
    file = options.config or find_file(Path.cwd())
    return load_experiment(file, options.experiment, options.sets, check_files=check_files)


def select(
    pairs: Sequence[str] | None = None, models: Sequence[str] | None = None, folds: Sequence[int] | None = None
) -> Selection:
    """A selection from repeatable options: nothing said is everything."""
    return Selection(
        tuple(pairs) if pairs else None, tuple(models) if models else None, tuple(folds) if folds else None
    )


def plan_for(options: Common, target: str, selection: Selection | None = None, force: Iterable[str] = ()) -> Plan:
    """What has to be done for ``target``."""
    return make_plan(open_experiment(options), target, selection, force)


def run(plan: Plan, options: Common) -> None:
    """Make what the plan lacks, showing progress."""
    from clir_cli.cli.progress import watching
    from clir_cli.pipeline.execute import run_plan

    count = len(plan.to_run)
    if not options.quiet:
        there = sum(plan.store.has(stage) for stage in plan.stages) if count else 0
        if count:
            kept = f", {there} already there" if there else ""
            console.tell(f"Experiment {plan.experiment.name}: {count} of {len(plan.stages)} stages to make{kept}.")
    announce_downloads(plan.to_run, options.quiet)
    with watching(count, options.quiet) as listener:
        run_plan(plan, jobs=options.jobs, listener=listener)
    tell_warnings(plan)


def make(options: Common, target: str, selection: Selection | None = None, force: Iterable[str] = ()) -> Plan:
    """Plan and run."""
    plan = plan_for(options, target, selection, force)
    run(plan, options)
    return plan


def make_more(plan: Plan, options: Common, stages: list[Stage]) -> None:
    """Make these stages of a plan's graph too, and all they need."""
    run(plan_stages(plan.graph, plan.store, stages), options)


def left_out_of(plan: Plan, pairs: Iterable[str]) -> list[str]:
    """What the topics of pairs lost in a plan that was run: one sentence a pair that lost anything."""
    import json

    from clir_cli.pipeline.left_out import left_out

    found = []
    for pair in pairs:
        report = plan.artifact(plan.graph.topics(pair)) / "report.json"
        found.append(left_out(pair, json.loads(report.read_text(encoding="utf-8"))))
    return [sentence for sentence in found if sentence is not None]


def tell_availability(plan: Plan, pairs: Iterable[str] | None = None) -> None:
    """Say which pairs lack sources of translations that others have; nothing where all have them."""
    chosen = list(plan.experiment.settings.pairs) if pairs is None else pairs
    for sentence in plan.graph.rows.availability(chosen):
        console.tell(sentence, "odd")


def tell_warnings(plan: Plan) -> None:
    """What is doubtful about runs that are there."""
    for stage in plan.stages:
        file = plan.artifact(stage) / "warning.txt"
        if stage.kind == "retrieve" and plan.store.has(stage) and file.is_file():
            console.tell(f"{stage.name}: {file.read_text(encoding='utf-8')}", "odd")


def one_pair(experiment: Experiment, pair: str | None) -> str:
    """The pair meant: the one named, or the experiment's only one."""
    pairs = list(experiment.settings.pairs)
    if pair is None and len(pairs) > 1:
        raise UsageError(f"Experiment {experiment.name} has the pairs {', '.join(pairs)}.", "Choose one with --pair.")
    chosen = pair or pairs[0]
    experiment.for_pair(chosen)
    return chosen


def announce_downloads(stages: Iterable[Stage], quiet: bool) -> None:
    """Say which checkpoints come from the hub before anything is fetched; with all of them there, stay off the net."""
    wanted: dict[tuple[str, str | None], str] = {}
    for stage in stages:
        encoder = stage.settings.get("encoder", {})
        if stage.kind in _LOADING and isinstance(encoder.get("checkpoint"), str):
            wanted[encoder["checkpoint"], encoder.get("revision")] = "config.json"
        for adapter in stage.settings.get("adapters", {}).get("hub", {}).values():
            wanted[adapter["name"], adapter["revision"]] = "adapter_config.json"
    if not wanted:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")  # nothing that runs has a reason to ask the network
        return
    missing = [
        key for key, file in wanted.items() if not (is_cached(*key) if file == "config.json" else _has(*key, file))
    ]
    if not missing:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        return
    from huggingface_hub.constants import HF_HUB_CACHE

    from clir_cli.cli.checkup.hub import endpoint, is_offline, why_unreachable

    names = " and ".join(name for name, _ in missing)
    why = "a variable keeps this machine off the network" if is_offline() else why_unreachable(endpoint())
    if why:
        raise UsageError(
            f"{names} is not on this machine and cannot be fetched from {endpoint()}: {why}.",
            "Fetch it where there is a network and name its folder instead.",
        )
    for name, revision in missing:
        which = f"revision {revision}" if revision else "newest revision; pin it with encoder.revision"
        console.tell(f"Downloading {name} ({which}) from huggingface.co, this once, into {HF_HUB_CACHE}.", "odd")


_LOADING = ("pretrain", "head", "adapt", "train", "embed", "retrieve")
"""Kinds of stages that may read a checkpoint from the hub."""


def is_cached(name: str, revision: str | None) -> bool:
    """Whether configuration and weights of a hub checkpoint are on this machine."""
    weights = ("model.safetensors", "model.safetensors.index.json")
    return _has(name, revision, "config.json") and any(_has(name, revision, file) for file in weights)


def _has(name: str, revision: str | None, file: str) -> bool:
    from huggingface_hub import try_to_load_from_cache

    return isinstance(try_to_load_from_cache(name, file, revision=revision), str)
