"""Copy what a person wants to keep of an experiment into one folder with readable names."""

import json
import shutil
from pathlib import Path

from clir_cli.config.load import resolved
from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.store import library_versions

TABLES = (".txt", ".md", ".tex", ".csv")


def export(plan: Plan) -> Path:
    """Tables, runs, settings and versions of a finished report plan -> ``<artifacts>/results/<experiment>/``.

    A plan for a part of the experiment (some pairs or models) goes to ``<experiment>-part`` and leaves the whole alone.
    Runs are ``runs/<pair>.<system>.trec``; ``experiment.json`` is the experiment with every default filled in.
    Returns the folder. Files are replaced one by one, each whole.
    """
    name = plan.experiment.name if plan.is_whole else f"{plan.experiment.name}-part"
    folder = plan.store.folder / "results" / name
    runs = folder / "runs"
    shutil.rmtree(runs, ignore_errors=True)  # no run of an earlier set of systems stays behind
    runs.mkdir(parents=True)
    for old in folder.iterdir():  # nor its tables
        if old.suffix in TABLES:
            old.unlink()
    for stage in plan.targets:
        if stage.kind == "report":
            for path in sorted(plan.artifact(stage).iterdir()):
                if path.suffix in TABLES:
                    _copy(path, folder / path.name)
    for stage in plan.stages:
        if stage.kind == "evaluate" or (stage.kind != "report" and stage in plan.targets):
            _copy(plan.artifact(stage) / "run.trec", runs / f"{stage.name.replace(' ', '.')}.trec")
        if stage.kind == "retrieve" and plan.experiment.shows_text:  # the words of a query are text of its topic
            _copy(plan.artifact(stage) / "queries.txt", runs / f"{stage.name.replace(' ', '.')}.queries.txt")
    written = {
        "experiment.json": resolved(plan.experiment),
        "versions.json": library_versions(),
        "stages.json": {s.label: plan.artifact(s).relative_to(plan.store.folder).as_posix() for s in plan.stages},
    }
    for file_name, content in written.items():
        partial = folder / f".{file_name}.partial"
        partial.write_text(json.dumps(content, indent=1, ensure_ascii=False, default=str) + "\n", encoding="utf-8")
        partial.replace(folder / file_name)
    return folder


def _copy(source: Path, target: Path) -> None:
    partial = target.with_name(f".{target.name}.partial")
    shutil.copyfile(source, partial)
    partial.replace(target)
