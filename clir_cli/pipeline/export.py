"""Copy what a person wants to keep of an experiment into one folder with readable names."""

import json
import shutil
from pathlib import Path

from clir_cli.config.load import resolved
from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.store import library_versions


def export(plan: Plan) -> Path:
    """Tables, runs, settings and versions of a finished report plan -> ``<artifacts>/results/<experiment>/``.

    Runs are ``runs/<pair>.<system>.trec``; ``experiment.json`` is the experiment with every default filled in.
    Returns the folder. Files are replaced one by one, each whole.
    """
    folder = plan.store.folder / "results" / plan.experiment.name
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    (report,) = plan.targets
    for path in sorted(plan.artifact(report).iterdir()):
        if path.suffix in (".txt", ".md", ".tex", ".csv"):
            _copy(path, folder / path.name)
    for stage in plan.stages:
        if stage.kind == "evaluate":
            _copy(plan.artifact(stage) / "run.trec", folder / "runs" / f"{stage.name.replace(' ', '.')}.trec")
        elif stage.kind == "retrieve":
            _copy(plan.artifact(stage) / "queries.txt", folder / "runs" / f"{stage.name.replace(' ', '.')}.queries.txt")
    written = {
        "experiment.json": resolved(plan.experiment),
        "versions.json": library_versions(),
        "stages.json": {stage.label: str(stage.folder) for stage in plan.stages},
    }
    for name, content in written.items():
        partial = folder / f".{name}.partial"
        partial.write_text(json.dumps(content, indent=1, ensure_ascii=False, default=str) + "\n", encoding="utf-8")
        partial.replace(folder / name)
    return folder


def _copy(source: Path, target: Path) -> None:
    partial = target.with_name(f".{target.name}.partial")
    shutil.copyfile(source, partial)
    partial.replace(target)
