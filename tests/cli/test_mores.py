"""MORES in an experiment and from its folder: read with every query, or stored once."""

from pathlib import Path

import pytest

from clir_cli.cli.app import run as call
from clir_cli.pipeline.plan import Plan
from clir_cli.records import Run
from clir_cli.trec import read_run
from tests.tiny_experiment import make, write_experiment


def run_of(plan: Plan, model: str) -> Run:
    (stage,) = [stage for stage in plan.targets if stage.model == model]
    return read_run(plan.artifact(stage) / "run.trec")


def scores(run: Run) -> list[float]:
    return [entry.score for topic in sorted(run) for entry in sorted(run[topic])]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("experiment")
    write_experiment(folder)
    return folder


@pytest.fixture(scope="module")
def online(folder: Path) -> Plan:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("CLIR_ARTIFACTS", raising=False)
        return make(folder, "rerank")


def test_models_that_differ_in_translations_alone_share_their_ranking_step(online: Plan) -> None:
    trained = [stage for stage in online.stages if stage.function.endswith(":pretrain_model")]
    assert len(trained) == 1
    starts = {stage.model: stage.needs["start"].key for stage in online.stages if stage.kind == "train"}
    assert starts == {"mores": trained[0].key, "mores-mat": trained[0].key}
    assert "start" not in trained[0].needs  # the checkpoint itself, not what the ranking step made of it
    settings = {stage.model: stage.settings["training"] for stage in online.stages if stage.kind == "train"}
    assert (settings["mores"]["loss"], settings["mores-mat"]["loss"]) == ("cross_entropy", "pointwise")
    assert (settings["mores"]["learning_rate"], settings["mores-mat"]["learning_rate"]) == (0.01, 0.02)
    assert scores(run_of(online, "mores")) != scores(run_of(online, "mores-mat"))


@pytest.mark.parametrize("reuse", ["s1", "s2", "absorbed"])
def test_stored_documents_give_the_same_run(folder: Path, online: Plan, reuse: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("CLIR_ARTIFACTS", raising=False)
        stored = make(folder, "rerank", f"reranking.reuse={reuse}")
    assert {stage.kind for stage in stored.targets} == {"rerank"}
    kinds = {stage.kind for stage in stored.to_run}
    assert kinds <= {"represent", "rerank"}  # what is trained does not depend on how it is scored
    for model in ("mores", "mores-mat"):
        assert scores(run_of(stored, model)) == pytest.approx(scores(run_of(online, model)), abs=1e-5)


def test_represented_and_reranked_from_the_folder(
    folder: Path, online: Plan, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (train,) = [stage for stage in online.stages if stage.kind == "train" and stage.model == "mores-mat"]
    (links,) = [stage for stage in online.stages if stage.kind == "matrices"]
    (candidates,) = [stage for stage in online.stages if stage.kind == "retrieve"]
    model, kept, out = online.artifact(train) / "model", tmp_path / "kept", tmp_path / "run.trec"
    represent = ["represent", "--checkpoint", str(model), "--documents", "documents.tsv", "--out", str(kept), "--quiet"]
    assert call([*represent, "--strategy", "s2", "--dtype", "float32"]) == 0
    assert "72 documents" in capsys.readouterr().out
    assert not (kept / "pieces").exists()
    files = ["--run", str(online.artifact(candidates) / "run.trec"), "--topics", "topics.deu.tsv", "--depth", "6"]
    files += ["--links", str(online.artifact(links) / "links.npz"), "--representations", str(kept), "--out", str(out)]
    assert call(["rerank", "--checkpoint", str(model), *files, "--quiet"]) == 0
    found, expected = read_run(out), run_of(online, "mores-mat")
    own = {topic: found[topic] for topic in expected}
    assert scores(own) == pytest.approx(scores(expected), abs=1e-5)
    assert call([*represent, "--strategy", "s1"]) == 1
    assert "holds representations made with another strategy, dtype" in capsys.readouterr().err
    assert call([*represent, "--strategy", "s3"]) == 2
    assert "There is no --strategy 's3'" in capsys.readouterr().err
