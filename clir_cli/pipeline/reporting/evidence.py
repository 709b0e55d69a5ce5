"""What is finished of an experiment, for the claims of the paper: nothing is trained to find out."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from clir_cli.config.load import Experiment
from clir_cli.errors import DataError
from clir_cli.pipeline.plan import Plan, plan_stages
from clir_cli.pipeline.reporting.ablations import ABOUT
from clir_cli.pipeline.reporting.gaps import FILE
from clir_cli.pipeline.reporting.tables import read_tables
from clir_cli.pipeline.reporting.whose import other_encoder, whose_data
from clir_cli.report.paper.evidence import AblationResults, Evidence, LayerMeans


def finished_rows(plan: Plan) -> dict[str, dict[str, bool]]:
    """Judged pair -> system -> whether its runs are all there: to measure them and to make a table takes seconds."""
    rows: dict[str, dict[str, bool]] = {}
    for report in plan.targets:
        if report.kind != "report":
            continue
        for stage in report.needs.values():
            if stage.kind == "evaluate":
                pair, system = str(stage.pair), str(stage.settings["system"])
                weights = report.needs.get(f"weights {pair} {system}")
                there = plan.store.has(stage) or all(map(plan.store.has, stage.needs.values()))
                there = there and (weights is None or plan.store.has(weights))
                systems = rows.setdefault(pair, {})
                systems[system] = systems.get(system, True) and there  # a stage a training seed
    return rows


def plan_finished(plan: Plan, rows: Mapping[str, Mapping[str, bool]]) -> Plan | None:
    """The plan of a table of the finished rows alone; None where there are none."""
    there = {pair: [name for name, is_there in systems.items() if is_there] for pair, systems in rows.items()}
    there = {pair: systems for pair, systems in there.items() if systems}
    return plan_stages(plan.graph, plan.store, [plan.graph.report(there)]) if there else None


def tell_unfinished(rows: Mapping[str, Mapping[str, bool]]) -> list[str]:
    """A sentence on what is not finished of an experiment, pair by pair; none where all is."""
    missing = {pair: [name for name, is_there in systems.items() if not is_there] for pair, systems in rows.items()}
    parts = [
        pair if len(names) == len(rows[pair]) else f"{', '.join(names)} of {pair}"
        for pair, names in missing.items()
        if names
    ]
    return [f"Not finished, so not looked at: {'; '.join(parts)}. `clir run-all` makes them."] if parts else []


def gather_evidence(
    experiment: Experiment, plan: Plan, report: Plan | None, unfinished: Sequence[str] = ()
) -> Evidence:
    """Tables of a finished ``report`` plan, and whatever else of the experiment (``plan``) is finished.

    ``unfinished``: sentences on what is not.

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
        encoder=other_encoder(experiment),
        gaps=_gaps(plan),
        mat_layers=(-3, -2) if mart is None else mart.mat_layers,
        ablations=ablations,
        faults=[*unfinished, *faults],
        experiment=experiment.name,
    )


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
