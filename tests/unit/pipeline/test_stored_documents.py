"""Re-ranking by a MORES from what is stored of the documents: the stage reads the store, not the documents."""

from pathlib import Path

import pytest
import yaml

from clir_cli.config.load import load_experiment
from clir_cli.errors import DataError
from clir_cli.pipeline.plan import Plan, make_plan
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stage import call as run_stage
from clir_cli.records import no_progress
from clir_cli.trec import read_run
from tests.tiny_collection import make_collection


def make(folder: Path, *sets: str, until: str = "rerank") -> Plan:
    plan = make_plan(load_experiment(folder / "experiments.yaml", None, sets), "rerank")
    for stage in plan.to_run:
        needs = {name: plan.store.path(needed) for name, needed in stage.needs.items()}
        out = plan.store.partial(stage)
        out.mkdir(parents=True, exist_ok=True)
        run_stage(stage.function, out, Inputs(stage.settings, needs, stage.files, stage.hints), no_progress)
        plan.store.finish(stage, 0.0, threads="1")
        if stage.kind == until:
            break
    return plan


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tiny = make_collection(tmp_path / "encoder", topics=6)
    (tmp_path / "documents.tsv").write_text("".join(f"{id}\t{text}\n" for id, text in tiny.documents.items()))
    (tmp_path / "topics.tsv").write_text("".join(f"{id}\t{text}\n" for id, text in tiny.queries.items()))
    (tmp_path / "qrels.txt").write_text(
        "".join(f"{topic} 0 {id} {grade}\n" for topic, grades in tiny.qrels.items() for id, grade in grades.items())
    )
    pairs = {(word, other) for rows in tiny.links.values() for word, row in rows.items() for other in row}
    (tmp_path / "table.tsv").write_text("".join(f"{word}\t{other}\t0.5\n" for word, other in pairs))
    experiment = {
        "collections": {"eng": "documents.tsv"}, "topics": {"deu": "topics.tsv"}, "qrels": {"eng": "qrels.txt"},
        "pairs": {"deu-eng": {"knowledge": {"table": "table.tsv"}}}, "retrieval": {"engine": "sparse"},
        "encoder": {"checkpoint": "encoder", "max_pieces": 32, "document_pieces": 40}, "models": {"mores": {}},
        "reranking": {"depth": 5, "stored": "float32"},
        "training": {"epochs": 1, "folds": {"count": 3, "run": [1]}, "precision": "float32"},
    }  # fmt: skip
    (tmp_path / "experiments.yaml").write_text(yaml.safe_dump({"artifacts": "made", "experiments": {"a": experiment}}))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CLIR_ARTIFACTS", raising=False)
    return tmp_path


def test_stored_documents_are_what_is_scored(folder: Path) -> None:
    online = make(folder)
    asked = read_run(online.artifact(online.targets[0]) / "run.trec")
    for reuse in ("s1", "s2", "absorbed"):
        plan = make(folder, f"reranking.reuse={reuse}")
        run = read_run(plan.artifact(plan.targets[0]) / "run.trec")
        for topic in asked:
            assert dict(run[topic]) == pytest.approx(dict(asked[topic]), rel=1e-4)
    # With numbers of a shard set to 0 the scores must be others, and without the shard there are none.
    plan = make(folder, "reranking.reuse=s1", "reranking.stored=float16", until="represent")
    (store,) = [stage for stage in plan.stages if stage.kind == "represent"]
    shard = plan.artifact(store) / "documents" / "00000.raw"
    shard.write_bytes(bytes(len(whole := shard.read_bytes())))
    plan = make(folder, "reranking.reuse=s1", "reranking.stored=float16")
    run = read_run(plan.artifact(plan.targets[0]) / "run.trec")
    assert all(dict(run[topic]) != pytest.approx(dict(asked[topic]), rel=1e-4) for topic in asked)
    plan = make(folder, "reranking.reuse=s1", "reranking.stored=bfloat16", until="represent")
    (store,) = [stage for stage in plan.stages if stage.kind == "represent"]
    (plan.artifact(store) / "documents" / "00000.raw").write_bytes(whole[:-2])
    with pytest.raises(
        DataError, match=r"00000\.raw has \d+ bytes, not \d+: the representations are not whole"
    ) as caught:
        make(folder, "reranking.reuse=s1", "reranking.stored=bfloat16")
    assert caught.value.hint == f"Delete {plan.artifact(store) / 'documents'} and make them again."
