"""``kill -9`` at any instant, then the same command: the same bytes as a run that was left alone."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[2] / "data" / "sample"
EXPERIMENT = f"""
artifacts: ARTIFACTS
experiments:
  small:
    collections: {{eng: {{path: {SAMPLE}/documents.eng.sgml.gz, format: trec, encoding: iso-8859-1}}}}
    topics:
      deu: {{path: {SAMPLE}/topics.deu.sgml, format: clef, encoding: iso-8859-1}}
      eng: {{path: {SAMPLE}/topics.eng.sgml, format: clef, encoding: iso-8859-1}}
    qrels: {{eng: {SAMPLE}/qrels.eng.txt}}
    bitext: {{deu-eng: [{SAMPLE}/bitext.deu-eng.deu.gz, {SAMPLE}/bitext.deu-eng.eng.gz]}}
    pairs: [deu-eng]
    knowledge: {{align: {{model1: 0, hmm: 40}}}}
    retrieval: {{depth: 100, heap: 256m}}
    encoder: {{max_pieces: 96, document_pieces: 64}}
    pretrain:
      architecture: {{layers: 3, width: 32, heads: 2, inner: 64, positions: 96, vocabulary: 1200, dropout: 0.0}}
      ranking: {{titles_of: eng, steps: 20, batch: 8, learning_rate: 0.001, max_pieces: 64}}
      checkpoint_every: 5
    models: [mart]
    training:
      epochs: 4
      learning_rate: 0.001
      batch: {{forward: 8, effective: 8}}
      validation: {{topics: 6, depth: 20}}
      folds: {{run: [1]}}
    reranking: {{depth: 40}}
"""


def start(folder: Path, artifacts: Path) -> subprocess.Popen:
    file = folder / f"{artifacts.name}.yaml"
    file.write_text(EXPERIMENT.replace("ARTIFACTS", str(artifacts)), encoding="utf-8")
    command = [str(Path(sys.executable).with_name("clir")), "run-all", "--config", str(file), "--jobs", "1"]
    with (folder / f"{artifacts.name}.log").open("ab") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)


def partial(artifacts: Path, kind: str) -> Path | None:
    return next((artifacts / kind).glob("*.partial"), None)


def lines(artifacts: Path, kind: str, name: str) -> list[str]:
    """Lines of a file of the only result (or half-done result) of a kind of stage."""
    found = next((artifacts / kind).glob(f"*/{name}"), None)
    return found.read_text(encoding="utf-8").splitlines() if found else []


def kill_inside(folder: Path, artifacts: Path, kind: str, mark: str | None, instant: float, whole_group: bool) -> None:
    """Run until the stage has begun (and left ``mark`` in its folder), wait a moment, and kill -9."""
    process = start(folder, artifacts)
    deadline = time.monotonic() + 240
    while (found := partial(artifacts, kind)) is None or (mark is not None and not any(found.glob(mark))):
        assert process.poll() is None, f"it ended before {kind} could be killed"
        assert time.monotonic() < deadline, f"{kind} was never reached"
        time.sleep(0.005)
    time.sleep(instant)
    assert process.poll() is None, f"it ended before {kind} could be killed"
    if whole_group:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()  # the workers and the Java machine have to notice by themselves
    process.wait()


@pytest.fixture(scope="module")
def left_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("left_alone")
    assert start(folder, folder / "artifacts").wait(400) == 0, (folder / "artifacts.log").read_text()
    return folder / "artifacts"


@pytest.mark.parametrize("seed", [1])
def test_killed_run_ends_with_the_same_bytes(tmp_path: Path, left_alone: Path, seed: int) -> None:
    artifacts = tmp_path / "artifacts"
    instants = random.Random(seed)
    kill_inside(tmp_path, artifacts, "index", None, instants.uniform(0.3, 1.5), whole_group=False)
    kill_inside(tmp_path, artifacts, "align", "state/*", instants.uniform(0.0, 0.1), whole_group=True)
    kill_inside(tmp_path, artifacts, "pretrain", "ranking/checkpoint-*", instants.uniform(0.0, 0.5), whole_group=False)
    kill_inside(tmp_path, artifacts, "train", "checkpoint-*", instants.uniform(0.0, 0.8), whole_group=False)
    epochs = lines(artifacts, "train", "log.jsonl")
    kill_inside(tmp_path, artifacts, "rerank", "shards/scores.jsonl", instants.uniform(0.0, 0.3), whole_group=True)
    topics = lines(artifacts, "rerank", "shards/scores.jsonl")
    assert start(tmp_path, artifacts).wait(400) == 0, (tmp_path / "artifacts.log").read_text()

    # What was finished when the kill came was not done again: its very seconds are still in the log.
    assert 1 <= len(epochs) < 5
    assert lines(artifacts, "train", "log.jsonl")[: len(epochs)] == epochs
    whole = topics[:-1]  # the last line may have been cut by the kill
    assert lines(artifacts, "rerank", "shards/scores.jsonl")[: len(whole)] == whole

    results, expected = artifacts / "results" / "small", left_alone / "results" / "small"
    compared = sorted(path.relative_to(expected) for path in expected.rglob("*") if path.is_file())
    assert {path.name for path in compared} >= {"report.txt", "table.csv", "deu-eng.mart.trec", "deu-eng.smt.trec"}
    for path in compared:
        if path.name == "report.html":  # it tells when each stage was made, and how long that took
            continue
        assert (results / path).read_bytes() == (expected / path).read_bytes(), path
