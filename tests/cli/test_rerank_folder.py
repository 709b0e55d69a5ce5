"""`clir rerank --checkpoint`: a run re-ranked by a model's folder, and what is said where that cannot be done."""

import json
import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from clir_cli.cli.app import run as call
from clir_cli.config.load import load_experiment
from clir_cli.pipeline.lock import Lock
from clir_cli.pipeline.plan import Plan, make_plan
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stage import call as run_stage
from clir_cli.records import ProgressCallback, Run, no_progress
from clir_cli.rerankers.build import load_reranker
from clir_cli.reranking.from_files import Texts, rerank_files
from clir_cli.translation.links_file import read_links
from clir_cli.trec import read_run
from tests.tiny_collection import TinyCollection, make_collection


class Made(NamedTuple):
    """An experiment with one trained MART, in a folder."""

    folder: Path
    tiny: TinyCollection
    model: Path
    reranked: Path
    table: Path
    links: Path
    candidates: Path

    def arguments(self, *more: str) -> list[str]:
        """Of the same re-ranking, from files alone; the run holds the test topics only."""
        files = ["--topics", "topics.deu.tsv", "--documents", "documents.tsv"]
        return ["rerank", "--checkpoint", str(self.model), "--run", "test.trec", *files, "--quiet", *more]


def make_here(folder: Path, *sets: str) -> Plan:
    """Make all runs of re-rankers in this process: another one would spend its time on importing torch."""
    plan = make_plan(load_experiment(folder / "experiments.yaml", None, sets), "rerank")
    for stage in plan.to_run:
        needs = {name: plan.store.path(needed) for name, needed in stage.needs.items()}
        out = plan.store.partial(stage)
        out.mkdir(parents=True)
        run_stage(stage.function, out, Inputs(stage.settings, needs, stage.files, stage.hints), no_progress)
        plan.store.finish(stage, 0.0, threads="1")
    return plan


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("experiment")
    tiny = make_collection(folder / "encoder", topics=9)
    (folder / "documents.tsv").write_text("".join(f"{id}\t{text}\n" for id, text in tiny.documents.items()))
    (folder / "topics.deu.tsv").write_text("".join(f"{id}\t{text}\n" for id, text in tiny.queries.items()))
    (folder / "qrels.txt").write_text(
        "".join(f"{topic} 0 {id} {grade}\n" for topic, grades in tiny.qrels.items() for id, grade in grades.items())
    )
    entries = {
        (word, other): p for rows in tiny.links.values() for word, row in rows.items() for other, p in row.items()
    }
    (folder / "table.tsv").write_text("".join(f"{word}\t{other}\t{p:.3f}\n" for (word, other), p in entries.items()))
    experiment = {
        "description": "One small MART", "collections": {"eng": "documents.tsv"}, "topics": {"deu": "topics.deu.tsv"},
        "qrels": {"eng": "qrels.txt"}, "pairs": {"deu-eng": {"knowledge": {"table": "table.tsv"}}},
        "encoder": {"checkpoint": "encoder", "max_pieces": 32, "document_pieces": 40},
        "retrieval": {"engine": "sparse"}, "models": {"mart": {"mat_layers": [1, 2]}}, "reranking": {"depth": 6},
        "training": {"epochs": 1, "folds": {"count": 3, "run": [1]}, "learning_rate": 0.01, "precision": "float32"},
    }  # fmt: skip
    text = yaml.safe_dump({"artifacts": "made", "experiments": {"tiny": experiment}})
    (folder / "experiments.yaml").write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("CLIR_ARTIFACTS", raising=False)
        make_here(folder)
    found = [next((folder / "made").glob(pattern)) for pattern in (
        "train/*/model", "rerank/*/run.trec", "align/*/table", "matrices/*/links.npz", "retrieve/*/run.trec",
    )]  # fmt: skip
    ours = read_run(found[1])
    lines = [line for line in found[4].read_text().splitlines() if line.split()[0] in ours]
    (folder / "test.trec").write_text("\n".join(lines) + "\n")
    return Made(folder, tiny, *found)


@pytest.fixture(autouse=True)
def here(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(made.folder)


@pytest.mark.parametrize("given", ["table", "links"])
def test_the_run_is_the_pipelines_to_the_last_digit(made: Made, given: str) -> None:
    out = made.folder / f"{given}.trec"
    path = str(made.table if given == "table" else made.links)
    assert call(made.arguments(f"--{given}", path, "--depth", "6", "--out", str(out))) == 0
    assert out.read_bytes() == made.reranked.read_bytes()
    assert len(read_run(out)) == 3
    assert not list(made.folder.glob(".*.partial"))
    card = json.loads((made.folder / f"{given}.trec.json").read_text(encoding="utf-8"))
    about = card["settings"]["rerank"]
    assert (about["depth"], about["run"], about["model"]["arm"]) == (6, "test.trec", "translation")
    assert (about["reading"]["max_pieces"], about["precision"], given in about["files"]) == (32, "float32", True)
    assert "clir" in card["versions"]
    assert not any(text in json.dumps(card) for text in (*made.tiny.queries.values(), str(made.folder)))


def test_the_folder_says_what_it_reads_and_a_card_what_it_is(made: Made) -> None:
    config = json.loads((made.model / "config.json").read_text())
    reading = {"text": "raw", "max_pieces": 32, "document_pieces": 40, "fields": ["title", "description"]}
    assert config["reading"] == reading
    assert config["links"]["stop"] == [{"language": "deu", "spec": "iso"}, {"language": "eng", "spec": "iso"}]
    card = (made.model / "README.md").read_text()
    front = yaml.safe_load(card.split("---")[1])
    assert front == {
        "language": ["deu", "eng"], "library_name": "clir", "pipeline_tag": "text-ranking",
        "tags": ["cross-language-retrieval", "re-ranking", "mart"],
    }  # fmt: skip
    report = json.loads((made.model.parent / "report.json").read_text())
    assert f"{report['best_value']:.4f}" in card
    assert "Collection: eng, 72 documents" in card
    assert not any(text in card for text in (*made.tiny.queries.values(), str(made.folder)))


def test_a_model_that_reads_translations_says_so(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(made.arguments()) == 2
    assert "This model reads translations (M^tr), and no table of them is given." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("topics", "1 topic of the run is not among the topics: t999."),
        ("documents", "2 documents of the run are not among the documents: x1, x2."),
    ],
)
def test_what_is_missing_is_named_before_anything_is_scored(
    made: Made, capsys: pytest.CaptureFixture[str], tmp_path: Path, change: str, said: str
) -> None:
    topic = "t999" if change == "topics" else next(iter(read_run(made.folder / "test.trec")))
    (tmp_path / "run").write_text(f"{topic} Q0 x1 1 2.0 a\n{topic} Q0 x2 2 1.0 a\n")
    arguments = made.arguments(
        "--table", str(made.table), "--out", str(tmp_path / "out"), "--run", str(tmp_path / "run")
    )
    assert call(arguments) == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_call_that_broke_off_goes_on_after_its_last_topic(made: Made, tmp_path: Path) -> None:
    model, tokenizer = load_reranker(made.model)
    out = tmp_path / "out.trec"
    texts = Texts([made.folder / "topics.deu.tsv"], [made.folder / "documents.tsv"])

    def rerank(progress: ProgressCallback = no_progress) -> Run:
        return rerank_files(
            model, tokenizer, made.folder / "test.trec", texts, out, depth=6, links=read_links(made.links),
            reading={"max_pieces": 32, "document_pieces": 40}, progress=progress,
        )  # fmt: skip

    def break_off(done: int, total: int | None, text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rerank(break_off)
    scores = tmp_path / ".out.trec.partial" / "shards" / "scores.jsonl"
    (line,) = scores.read_text().splitlines()
    # A score that only the file can have: it must be taken from there, not made again.
    topic, entries = json.loads(line)
    scores.write_text(json.dumps([topic, [[entries[0][0], 1234.5], *entries[1:]]]) + "\n")
    run, whole = rerank(), read_run(made.reranked)
    assert run[topic][0] == (entries[0][0], 1234.5)
    assert [run[other] for other in run if other != topic] == [whole[other] for other in run if other != topic]
    assert [file.name for file in tmp_path.iterdir()] == ["out.trec"]


def test_word_pieces_that_were_damaged_are_made_again(made: Made, tmp_path: Path) -> None:
    model, tokenizer = load_reranker(made.model)
    out = tmp_path / "out.trec"
    texts = Texts([made.folder / "topics.deu.tsv"], [made.folder / "documents.tsv"])

    def rerank(progress: ProgressCallback = no_progress) -> Run:
        return rerank_files(
            model, tokenizer, made.folder / "test.trec", texts, out, depth=6, links=read_links(made.links),
            reading={"max_pieces": 32, "document_pieces": 40}, progress=progress,
        )  # fmt: skip

    def break_off(done: int, total: int | None, text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rerank(break_off)
    pieces = tmp_path / ".out.trec.partial" / "pieces" / "pieces.raw"
    pieces.write_bytes(pieces.read_bytes()[:-4])
    assert rerank() == read_run(made.reranked)


def test_one_process_at_a_time_makes_a_run(made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = made.arguments("--links", str(made.links), "--depth", "6", "--out", str(tmp_path / "out.trec"))
    with Lock(tmp_path / ".out.trec.lock") as other:
        assert other.acquire()
        assert call(arguments) == 2
        assert f"{tmp_path / 'out.trec'} is being made by another process." in capsys.readouterr().err
    assert call(arguments) == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.trec", "out.trec.json"]


def test_what_is_no_file_is_not_replaced(made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for place, what in ((pipe, "a device or a pipe"), (tmp_path, "a folder")):
        assert call(made.arguments("--links", str(made.links), "--out", str(place))) == 1
        assert f"a file is expected here, and this is {what}." in capsys.readouterr().err
    assert pipe.is_fifo()
    assert [file.name for file in tmp_path.iterdir()] == ["pipe"]


def test_scores_of_another_call_are_not_taken_up(made: Made, tmp_path: Path) -> None:
    work = tmp_path / ".out.trec.partial"
    work.mkdir()
    (work / "identity.txt").write_text("another")
    (work / "shards").mkdir()
    topic, entries = next(iter(read_run(made.reranked).items()))
    (work / "shards" / "scores.jsonl").write_text(
        json.dumps([topic, [[entry.document, 9.0] for entry in entries]]) + "\n"
    )
    out = tmp_path / "out.trec"
    assert call(made.arguments("--links", str(made.links), "--depth", "6", "--out", str(out))) == 0
    assert out.read_bytes() == made.reranked.read_bytes()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("no weights", "The weights of {folder} cannot be read: "),
        ("cut weights", "The weights of {folder} cannot be read"),
        ("other weights", "{folder} lacks 69 weights of its architecture"),
        ("no tokenizer", "{folder} holds no tokenizer."),
        ("other vocabulary", "They are not from the same model"),
        ("no config", "There is no encoder at {folder}"),
        ("half a config", "is not the description of a re-ranker"),
    ],
)
def test_damaged_folders(
    made: Made, capsys: pytest.CaptureFixture[str], tmp_path: Path, damage: str, said: str
) -> None:
    from safetensors.torch import load_file, save_file

    folder = tmp_path / "model"
    shutil.copytree(made.model, folder)
    weights, config = folder / "model.safetensors", folder / "config.json"
    if damage == "no weights":
        weights.unlink()
    elif damage == "cut weights":
        weights.write_bytes(weights.read_bytes()[:-100])
    elif damage == "other weights":
        save_file({f"gpt.{name}": value for name, value in load_file(weights).items()}, weights)
    elif damage == "no tokenizer":
        for file in folder.glob("tokenizer*"):
            file.unlink()
    elif damage == "other vocabulary":
        tokenizer = json.loads((folder / "tokenizer.json").read_text())
        tokenizer["model"]["vocab"] |= {f"new{number}": 1000 + number for number in range(50)}
        (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    elif damage == "no config":
        config.unlink()
    else:
        config.write_text(config.read_text()[:200])
    out = tmp_path / "out.trec"
    arguments = made.arguments("--table", str(made.table), "--out", str(out))
    arguments[2] = str(folder)
    assert call(arguments) == 1
    assert said.format(folder=folder) in capsys.readouterr().err
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model"]


def test_options_that_do_not_go_together(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["rerank", "--depth", "5", "--int8"]) == 2
    assert "--depth, --int8 go with --checkpoint." in capsys.readouterr().err
    assert call([*made.arguments(), "--fold", "1"]) == 2
    assert "--checkpoint needs no experiment." in capsys.readouterr().err
    assert call([*made.arguments(), "--pair", "deu-eng"]) == 2
    assert "--pair is for parts of a model with adapters, and " in capsys.readouterr().err
    assert call(["rerank", "--checkpoint", str(made.model)]) == 2
    assert "--checkpoint goes with --run, --topics and --documents." in capsys.readouterr().err


def test_int8_is_another_run_of_the_same_model(made: Made) -> None:
    plan = make_here(made.folder, "reranking.int8=true")
    (stage,) = plan.targets
    assert plan.artifact(stage) / "run.trec" != made.reranked
    assert plan.artifact(stage.needs["train"]) / "model" == made.model
    exact, rounded = read_run(made.reranked), read_run(plan.artifact(stage) / "run.trec")
    for topic in exact:
        scores = dict(exact[topic])
        assert dict(rounded[topic]) != scores
        assert dict(rounded[topic]) == pytest.approx(scores, abs=0.2)
    out = made.folder / "int8.trec"
    assert call(made.arguments("--links", str(made.links), "--depth", "6", "--int8", "--out", str(out))) == 0
    assert read_run(out) == rounded


def test_a_trained_model_is_pushed_by_its_names(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["--pair", "deu-eng", "--model", "mart", "--fold", "1"]
    assert call(["push", *names, "--to", "me/mart", "--dry-run"]) == 0
    assert {"README.md", "config.json", "model.safetensors"} <= {
        line.split("\t")[0] for line in capsys.readouterr().out.splitlines()
    }
    assert call(["push", *names, "--to", "me/mart", "--set", "training.epochs=2"]) == 2
    assert "train deu-eng mart fold 1 is not trained." in capsys.readouterr().err


def test_a_name_that_the_hub_is_not_asked_for(
    made: Made, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    arguments = made.arguments()
    arguments[2] = "nobody/model"
    assert call(arguments) == 1
    assert "nobody/model is no folder here, and cannot be fetched from the hub: " in capsys.readouterr().err
