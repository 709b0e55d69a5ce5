"""Copy what a person wants to keep of an experiment into one folder with readable names."""

import json
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clir_cli.config.load import resolved
from clir_cli.lines import write_whole
from clir_cli.pipeline.lock import Lock
from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.reporting.page import PAGE, collect_page
from clir_cli.pipeline.run_cards import card_place, describe_run, write_card
from clir_cli.pipeline.store import library_versions
from clir_cli.report.page.render import render_page

TABLES = (
    "report.txt", "table.txt", "table.md", "table.tex", "table.csv", "comparisons.csv", "topics.csv", "table.json",
    "tested-folds.table.txt", "tested-folds.table.md", "tested-folds.table.tex", "tested-folds.table.csv",
    "tested-folds.comparisons.csv", "tested-folds.topics.csv", "tested-folds.table.json",
)  # fmt: skip
"""What the stage of the report writes. Nothing else is removed: a folder of results may hold a person's notes."""

RUNS = ("*.trec", "*.trec.json", "*.queries.txt", "*.weights.json")
POLL = 0.1
"""Seconds between two looks at the lock of another process."""


def export(plan: Plan, place: str | None = None, more: Mapping[str, Any] | None = None) -> Path:
    """Tables, runs, settings and versions of a finished report plan -> ``<artifacts>/results/<experiment>/``.

    A plan for a part of the experiment (some pairs or models) goes to ``<experiment>-part`` and leaves the whole alone.
    ``place`` is another folder under ``results/``; ``more``: file name -> what it is to hold, as JSON.
    Runs are ``runs/<pair>.<system>.trec``, each with its card (``.trec.json``: settings, versions, stage keys), weights
    of interpolations lie beside them; ``experiment.json`` is the experiment with every default filled in.
    ``report.html`` is the report as a page. Returns the folder. Files are replaced one by one, each whole; then what an
    earlier set of systems left goes. Two processes write one after the other.
    """
    folder = plan.store.folder / "results" / place if place else results_folder(plan)
    lock = Lock(folder.with_name(f".{folder.name}.lock"))
    while not lock.acquire():
        time.sleep(POLL)
    with lock:
        _export(plan, folder, more or {})
    return folder


def results_folder(plan: Plan) -> Path:
    """Where the results of a plan go: ``<artifacts>/results/<experiment>``, of a part of it ``<experiment>-part``."""
    name = plan.experiment.name if plan.is_whole else f"{plan.experiment.name}-part"
    return plan.store.folder / "results" / name


def write_page(plan: Plan, file: Path) -> None:
    """The report of a finished plan as one HTML file. Raises ``UsageError`` where it has no tables, ``DataError``."""
    text = render_page(collect_page(plan))
    with write_whole(file) as stream:
        stream.write(text)


def _export(plan: Plan, folder: Path, more: Mapping[str, Any]) -> None:
    runs = folder / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    written: set[Path] = set()
    for stage in plan.targets:
        if stage.kind == "report":
            for path in sorted(plan.artifact(stage).iterdir()):
                if path.name in TABLES:
                    written.add(_copy(path, folder / path.name))
    for stage in plan.stages:
        if stage.kind == "evaluate" or (stage.kind != "report" and stage in plan.targets):
            run = runs / f"{stage.name.replace(' ', '.')}.trec"
            card_place(run).unlink(missing_ok=True)  # no card is better than that of another run
            written.add(_copy(plan.artifact(stage) / "run.trec", run))
            written.add(write_card(run, describe_run(plan, stage)))
        if stage.kind == "interpolate":
            weights = runs / f"{stage.name.replace(' ', '.')}.weights.json"
            written.add(_copy(plan.artifact(stage) / "weights.json", weights))
        if stage.kind == "retrieve" and plan.experiment.shows_text:  # the words of a query are text of its topic
            queries = runs / f"{stage.name.replace(' ', '.')}.queries.txt"
            written.add(_copy(plan.artifact(stage) / "queries.txt", queries))
    about = {
        "experiment.json": resolved(plan.experiment),
        "versions.json": library_versions(),
        "stages.json": {s.label: plan.artifact(s).relative_to(plan.store.folder).as_posix() for s in plan.stages},
        **more,
    }
    for file_name, content in about.items():
        partial = folder / f".{file_name}.partial"
        partial.write_text(json.dumps(content, indent=1, ensure_ascii=False, default=str) + "\n", encoding="utf-8")
        partial.replace(folder / file_name)
    if any(stage.kind == "report" for stage in plan.targets):
        write_page(plan, folder / PAGE)
        written.add(folder / PAGE)
    earlier = [
        folder / PAGE,
        *(folder / table for table in TABLES),
        *(run for pattern in RUNS for run in runs.glob(pattern)),
    ]
    for old in earlier:
        if old not in written:
            old.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> Path:
    partial = target.with_name(f".{target.name}.partial")
    shutil.copyfile(source, partial)
    partial.replace(target)
    return target
