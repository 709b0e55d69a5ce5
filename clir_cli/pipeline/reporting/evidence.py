"""What is finished of an experiment, for the claims of the paper: nothing is trained to find out."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from clir_cli.config.load import Experiment
from clir_cli.errors import DataError
from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.reporting.ablations import ABOUT
from clir_cli.pipeline.reporting.gaps import FILE
from clir_cli.pipeline.reporting.tables import read_tables
from clir_cli.report.paper.evidence import AblationResults, Data, Evidence, LayerMeans


def finished_pairs(plan: Plan) -> list[str]:
    """The judged pairs whose runs are all there: to measure them and to make a table takes seconds."""
    pairs: dict[str, bool] = {}
    for report in plan.targets:
        if report.kind != "report":
            continue
        for stage in report.needs.values():
            if stage.kind == "evaluate":
                there = plan.store.has(stage) or all(map(plan.store.has, stage.needs.values()))
                pairs[str(stage.pair)] = pairs.get(str(stage.pair), True) and there
    return [pair for pair, is_there in pairs.items() if is_there]


def gather_evidence(experiment: Experiment, plan: Plan, report: Plan | None) -> Evidence:
    """Tables of a finished ``report`` plan, and whatever else of the experiment (``plan``) is finished.

    Raises ``DataError`` where a stored table cannot be read; an ablation that cannot be is a fault of the evidence.
    """
    mart = experiment.settings.models.get("mart")
    # That of the tested folds first: only it has all the systems of its pairs.
    tables = [] if report is None else read_tables(report.artifact(report.targets[0]))[::-1]
    folder = plan.store.folder / "results" / experiment.name / "ablations"
    ablations: dict[str, AblationResults] = {}
    faults: list[str] = []
    for what in ("layers", "knowledge"):
        try:
            found = _ablation(folder / what)
        except (DataError, OSError, ValueError) as error:
            problem = error.problem if isinstance(error, DataError) else f"{error}."
            faults.append(f"The ablation {what} cannot be read: {problem} Make it again: `clir ablate {what}`.")
        else:
            ablations |= {} if found is None else {what: found}
    return Evidence(
        tables=tables,
        data=whose_data(experiment),
        gaps=_gaps(plan),
        mat_layers=(-3, -2) if mart is None else mart.mat_layers,
        ablations=ablations,
        faults=faults,
        experiment=experiment.name,
    )


def whose_data(experiment: Experiment) -> Data:
    """The sample's (by where it lies), CLEF's (by its format), or others."""
    places = [Path(path) for found in experiment.settings.collections.values() for path in found.path]
    sample = Path(os.environ.get("CLIR_SAMPLE", "data/sample"))
    sample = (experiment.file.parent / sample).resolve()
    if places and all(place.resolve().is_relative_to(sample) for place in places):
        return Data.sample
    formats = {found.format for found in experiment.settings.collections.values()}
    return Data.clef if formats == {"clef"} else Data.other


def _gaps(plan: Plan) -> dict[tuple[str, str], LayerMeans]:
    """Of every pair and model, the folds that were measured taken together."""
    graph, found = plan.graph, {}
    for pair in graph.settings.pairs:
        for model in graph.rows.models(pair):
            if model not in graph.rows.trained() or not graph.has_gap(pair, model):
                continue
            stages = [graph.gap(pair, model, fold) for fold in graph.rows.folds(pair)]
            files = [plan.artifact(stage) / FILE for stage in stages if plan.store.has(stage)]
            if files:
                found[pair, model] = _means(files)
    return found


def _means(files: Iterable[Path]) -> LayerMeans:
    from clir_cli.analysis.translation_gap import read_gap

    gap = read_gap(list(files))
    return LayerMeans(gap.translated.mean(0).tolist(), gap.random.mean(0).tolist())


def _ablation(folder: Path) -> AblationResults | None:
    """A finished ablation of MART as it was exported; ``ablation.json`` beside its tables says what each row is."""
    about = folder / ABOUT
    if not about.is_file():  # without it nobody knows what the rows are
        return None
    tables = read_tables(folder)[::-1]
    told = json.loads(about.read_text(encoding="utf-8"))
    rows, depth, model = told["rows"], told["depth"], told["model"]
    layers, sources = {}, {}
    for name, row in rows.items():
        if row["kind"] == "mart" and row["arm"] == "translation":
            numbers = [layer if layer < 0 or depth is None else layer - depth - 1 for layer in row["layers"]]
            layers[tuple(sorted(numbers))] = name
        if row["source"] is not None and name != model:
            sources[row["source"]] = name
    return AblationResults(tables, model, layers, sources)
