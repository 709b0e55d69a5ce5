"""An experiment on the tiny collection: trained re-rankers within seconds."""

from pathlib import Path
from typing import Any

import yaml

from clir_cli.config.load import load_experiment
from clir_cli.pipeline.plan import Plan, make_plan
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stage import call as run_stage
from clir_cli.records import no_progress
from tests.tiny_collection import TinyCollection, make_collection

BLOCKS = {"blocks": 2, "ranking": {"steps": 4, "batch": 3, "learning_rate": 0.01, "warmup": 1, "max_pieces": 32}}


def make(folder: Path, target: str, *sets: str) -> Plan:
    """Make stages in this process: another one would spend its time on importing torch."""
    plan = make_plan(load_experiment(folder / "experiments.yaml", None, sets), target)
    for stage in plan.to_run:
        needs = {name: plan.store.path(needed) for name, needed in stage.needs.items()}
        out = plan.store.partial(stage)
        out.mkdir(parents=True, exist_ok=True)
        run_stage(stage.function, out, Inputs(stage.settings, needs, stage.files, stage.hints), no_progress)
        plan.store.finish(stage, 0.0, threads="1")
    return plan


def write_experiment(folder: Path) -> None:
    """Files and experiments.yaml of the experiment `tiny`: deu-eng, two MORES models, one of three folds."""
    tiny: TinyCollection = make_collection(folder / "encoder", topics=9)
    (folder / "documents.tsv").write_text(
        "".join(f"{id}\t{' '.join(text.split()[:2])}\t{text}\n" for id, text in tiny.documents.items())
    )
    (folder / "topics.deu.tsv").write_text("".join(f"{id}\t{text}\n" for id, text in tiny.queries.items()))
    (folder / "qrels.txt").write_text(
        "".join(f"{topic} 0 {id} {grade}\n" for topic, grades in tiny.qrels.items() for id, grade in grades.items())
    )
    entries = {
        (word, other): p for rows in tiny.links.values() for word, row in rows.items() for other, p in row.items()
    }
    (folder / "table.tsv").write_text("".join(f"{word}\t{other}\t{p:.3f}\n" for (word, other), p in entries.items()))
    experiment: dict[str, Any] = {
        "collections": {"eng": "documents.tsv"}, "topics": {"deu": "topics.deu.tsv"}, "qrels": {"eng": "qrels.txt"},
        "pairs": {"deu-eng": {"knowledge": {"table": "table.tsv"}}}, "retrieval": {"engine": "sparse"},
        "encoder": {"checkpoint": "encoder", "max_pieces": 32, "document_pieces": 40},
        "pretrain": {
            "ranking": {"titles_of": "eng", "steps": 2, "batch": 2, "held_out": 3, "max_pieces": 32},
            "checkpoint_every": 2,
        },
        "models": {"mores": BLOCKS, "mores-mat": BLOCKS | {"training": {"loss": "pointwise", "learning_rate": 0.02}}},
        "reranking": {"depth": 6, "stored": "float32"},
        "training": {"epochs": 1, "folds": {"count": 3, "run": [1]}, "learning_rate": 0.01, "precision": "float32"},
    }  # fmt: skip
    (folder / "experiments.yaml").write_text(yaml.safe_dump({"artifacts": "made", "experiments": {"tiny": experiment}}))
