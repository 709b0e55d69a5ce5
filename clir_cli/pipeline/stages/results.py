"""Stages that turn runs into numbers, and numbers into tables."""

import json
from collections.abc import Iterable
from itertools import starmap
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from clir_cli.corpora.folds import read_folds
from clir_cli.evaluation.measures import cutoff_of, judged_beside
from clir_cli.evaluation.measures import evaluate as measure
from clir_cli.evaluation.oracle import rerank_by_judgements
from clir_cli.evaluation.question import TableQuestion
from clir_cli.pipeline.contrasts import choose_contrasts, usual_contrasts
from clir_cli.pipeline.joined_topics import JoinedTopic, read_joined
from clir_cli.pipeline.left_out import left_out
from clir_cli.pipeline.rows import FIRST_STAGE, ORACLE
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.interpolation import WEIGHTS
from clir_cli.pipeline.stages.measured import JUDGED, VALUES, Measured, read_measured
from clir_cli.records import ProgressCallback, Run
from clir_cli.report.formats import FILES
from clir_cli.report.tables import Contrast, ResultsTable, build_table
from clir_cli.trec import read_qrels, read_run, write_run


def evaluate(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Runs of a system (one, or one a fold) -> one run, and its measures for every declared topic."""
    settings = inputs.settings
    qrels = read_qrels(inputs.needs["topics"] / "qrels.txt")
    topics = [topic for topic in read_joined(inputs.needs["topics"] / "topics.tsv") if topic.id in qrels]
    if "folds" in settings:
        folds = read_folds(inputs.needs["folds"] / "folds.tsv")
        topics = [topic for topic in topics if folds[topic.key] in settings["folds"]]
    run: Run = {}
    for name, folder in sorted(inputs.needs.items()):
        if name.startswith("run"):
            run |= read_run(folder / "run.trec")
    if "oracle" in settings:
        run = rerank_by_judgements(run, qrels, settings["oracle"])
    declared = [topic.id for topic in topics]
    run = {topic: run[topic] for topic in declared if topic in run}
    write_run(out / "run.trec", run, settings["system"])
    values = measure(run, qrels, declared, settings["measures"])
    (out / VALUES).write_text(json.dumps(values, indent=1, ensure_ascii=False), encoding="utf-8")
    beside = list(dict.fromkeys(judged_beside(settings["measures"]).values()))
    judged = measure(run, qrels, declared, beside) if beside else {}
    (out / JUDGED).write_text(json.dumps(judged, indent=1, ensure_ascii=False), encoding="utf-8")


def report(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Values of all systems -> the tables, in every format.

    Where the models were run on some folds only there are two tables: the first stage over all topics, and everything
    over the topics of those folds. No table mixes the two.
    """
    settings = inputs.settings
    systems: dict[str, list[str]] = settings["systems"]
    fold_of = read_folds(inputs.needs["folds"] / "folds.tsv") if "folds" in inputs.needs else {}
    measured = read_measured(inputs)
    values = {pair: measured.values.get(pair, {}) for pair in systems}
    untrained = settings["untrained"]
    partial = [pair for pair, run in settings["folds"].items() if len(set(run)) < settings["fold_count"]]
    whole = {
        pair: {system: value for system, value in by_system.items() if pair not in partial or system in untrained}
        for pair, by_system in values.items()
    }
    tables = {"": _table(whole, inputs, measured, fold_of, _title(settings, "all topics" if partial else ""))}
    if partial:
        tested = {pair: _tested(inputs, pair, fold_of) for pair in partial}
        title = _title(settings, "topics of the tested folds")
        ran = {pair: values[pair] for pair in partial}
        tables["tested-folds."] = _table(ran, inputs, measured, fold_of, title, tested)
    for prefix, table in tables.items():
        for name, render in FILES.items():
            (out / f"{prefix}{name}").write_text(render(table), encoding="utf-8")
    text = "\n".join(FILES["table.txt"](table) for table in tables.values())
    (out / "report.txt").write_text(text, encoding="utf-8")


def _table(
    values: dict[str, dict[str, Any]],
    inputs: Inputs,
    measured: Measured,
    fold_of: dict[str, int],
    title: str,
    restricted: dict[str, list[str]] | None = None,
) -> ResultsTable:
    settings = inputs.settings
    rows = {name: settings["labels"][name] for name in _in_order(values, settings["systems"])}
    lacking = {pair: settings["not_available"][pair] for pair in values}
    neural = [name for name in rows if name not in (*FIRST_STAGE, *settings["mixed"], ORACLE)]
    asked = [*starmap(Contrast, settings["contrasts"]), *usual_contrasts(settings["compare"], has_models=bool(neural))]
    return build_table(
        values,
        rows,
        settings["measures"],
        contrasts=choose_contrasts(asked, rows),
        neural=neural,
        gain=("mart", "m2bert") if {"mart", "m2bert"} <= rows.keys() else None,
        folds=fold_of or None,
        mean=settings["mean"],
        question=_QUESTION.validate_python(settings["question"]),
        judged=measured.judged,
        repetitions=measured.repetitions,
        topics=restricted,
        margins=settings["margins"],
        alpha=settings["alpha"],
        title=title,
        notes=[
            *_notes(settings, set(rows) - set(settings["untrained"])),
            *(settings["explanations"][name] for name in rows if name in settings["explanations"]),
            *_weights(inputs, values),
            *_depths(settings, values),
            *settings["availability"],
            *_left_out(inputs, values),
        ],
        not_available=lacking,
    )


_QUESTION = TypeAdapter(TableQuestion)


def _in_order(values: dict[str, dict[str, Any]], systems: dict[str, list[str]]) -> list[str]:
    """Rows in the order of the experiment: all systems that any pair of the table has."""
    present = {system for by_system in values.values() for system in by_system}
    return [name for name in dict.fromkeys(name for chosen in systems.values() for name in chosen) if name in present]


def _title(settings: dict[str, Any], part: str) -> str:
    title = f"Experiment {settings['experiment']}"
    return f"{title}, {part}" if part else title


def _notes(settings: dict[str, Any], trained: set[str]) -> list[str]:
    if not trained or not settings["notes"]:
        return []
    return ["Reduced or changed against the paper: " + "; ".join(settings["notes"]) + "."]


def _weights(inputs: Inputs, values: dict[str, dict[str, Any]]) -> list[str]:
    """How each mixture of the table is made, and its weights by pair and fold: one sentence a mixture."""
    labels, found = inputs.settings["labels"], []
    for name in inputs.settings["mixed"]:
        folders = {pair: inputs.needs[f"weights {pair} {name}"] for pair in values if name in values[pair]}
        if not folders:
            continue
        chosen = {pair: json.loads((folder / WEIGHTS).read_text(encoding="utf-8")) for pair, folder in folders.items()}
        about = next(iter(chosen.values()))
        seeds = {pair: named[:1] for pair, named in inputs.settings["seeds"].items()}
        weights = [
            " ".join([pair, *(f"(seed {seed})" for seed in seeds.get(pair, [])), _weights_of(made["folds"])])
            for pair, made in chosen.items()
        ]
        first, second = labels[about["first"]], labels[about["second"]]
        found.append(
            f"{labels[name]}: w {first} + (1 - w) {second}, scores {_NORMALISED[about['normalise']]}; w of each fold "
            f"chosen for {about['measure']} on its validation topics: {'; '.join(weights)}."
        )
    return found


def _weights_of(folds: list[dict[str, Any]]) -> str:
    return ", ".join(format(fold["weight"], "g") for fold in folds)


_NORMALISED = {"minmax": "min-max normalised by topic", "zscore": "z-normalised by topic", "none": "as they are"}


def _depths(settings: dict[str, Any], values: dict[str, dict[str, Any]]) -> list[str]:
    """Measures that look further down than a re-ranked list goes: the first stage has documents there, it has none."""
    with_more = [pair for pair, systems in values.items() if set(systems) - set(FIRST_STAGE)]
    depths = sorted({settings["depths"][pair] for pair in with_more if pair in settings["depths"]})
    if not depths:
        return []
    cutoffs = {measure: cutoff_of(measure) for measure in settings["measures"]}
    beyond = [measure for measure, cutoff in cutoffs.items() if cutoff is None or cutoff > depths[0]]
    if not beyond:
        return []
    deep = " or ".join(map(str, depths))
    return [f"Re-ranked lists hold {deep} documents: to {', '.join(beyond)} what lies deeper is not found."]


def _left_out(inputs: Inputs, pairs: Iterable[str]) -> list[str]:
    """What the topics and judgements of a pair lost: one sentence a pair that lost anything."""
    reports = {pair: inputs.needs[f"topics {pair}"] / "report.json" for pair in pairs}
    found = [left_out(pair, json.loads(report.read_text(encoding="utf-8"))) for pair, report in reports.items()]
    return [sentence for sentence in found if sentence is not None]


def _tested(inputs: Inputs, pair: str, fold_of: dict[str, int]) -> list[str]:
    folder = inputs.needs[f"topics {pair}"]
    judged = read_qrels(folder / "qrels.txt")
    run = set(inputs.settings["folds"][pair])
    topics: list[JoinedTopic] = read_joined(folder / "topics.tsv")
    return [topic.id for topic in topics if topic.id in judged and fold_of[topic.key] in run]
