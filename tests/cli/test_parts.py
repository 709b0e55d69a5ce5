"""Models with adapters outside of what trained them: ranked with, looked into, uploaded."""

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import yaml
from huggingface_hub.utils import filter_repo_objects

from clir_cli.cli.app import run as call
from clir_cli.encoders.checkpoint import FETCHED
from clir_cli.errors import DataError
from clir_cli.pipeline.explanation import needs, score
from clir_cli.pipeline.joined_topics import read_joined
from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.stage import Stage
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.rerankers.about_parts import Source, read_about
from clir_cli.rerankers.parts import load_parts, speak_pair
from clir_cli.reranking.from_files import Texts, rerank_files
from clir_cli.translation.links_file import read_links
from clir_cli.trec import read_run
from tests.cli.test_push import Hub, hub
from tests.unit.pipeline.test_transfer import folder, make, needed, plan_of

__all__ = ["folder", "hub"]
MODELS = ("madx", "lad", "mores")


class Made(NamedTuple):
    """Three models trained on deu-eng that ranked som-eng."""

    folder: Path
    plan: Plan

    def stage(self, model: str) -> Stage:
        return needed(self.plan, model)

    def parts(self, model: str) -> Path:
        return self.plan.artifact(self.stage(model).needs["train"]) / "parts"

    def adapter(self, model: str, language: str) -> Path:
        return self.plan.artifact(self.stage(model).needs[f"adapter {language}"]) / "adapter"

    def run(self, model: str) -> Path:
        return self.plan.artifact(self.stage(model)) / "run.trec"

    def candidates(self) -> Path:
        """The first stage's lists of the topics that were ranked."""
        file = self.folder / "candidates.trec"
        first = self.plan.artifact(self.stage("madx").needs["candidates"]) / "run.trec"
        ours = read_run(self.run("madx"))
        file.write_text("".join(line for line in first.open() if line.split()[0] in ours))
        return file

    def links(self) -> Path:
        return self.plan.artifact(self.stage("madx").needs["matrices"]) / "links.npz"

    def table(self) -> Path:
        return next(self.plan.artifact(s) / "table" for s in self.plan.stages if s.label.startswith("align som-eng"))

    def rerank(self, parts: Path, out: Path, *more: str | Path) -> int:
        files = ["--topics", self.folder / "topics.som.tsv", "--documents", self.folder / "documents.tsv"]
        arguments = ["rerank", "--checkpoint", parts, "--run", self.candidates(), *files, "--depth", "5", "--quiet"]
        return call([str(each) for each in [*arguments, "--out", out, *more]])


@pytest.fixture(scope="module")
def made(folder: Path) -> Made:
    return Made(folder, make(plan_of(folder, "rerank", pairs=("som-eng",), models=MODELS)))


@pytest.mark.parametrize(("model", "given"), [("madx", "links"), ("madx", "table"), ("lad", None), ("mores", None)])
def test_the_run_is_the_pipelines_to_the_last_digit(made: Made, tmp_path: Path, model: str, given: str | None) -> None:
    """Encoder and the adapter of English are found where they lay in training, Somali is named."""
    more: list[str | Path] = [] if model == "lad" else ["--pair", "som-eng"]
    more += [] if model == "lad" else ["--adapter", f"som={made.adapter(model, 'som')}"]
    more += [] if given is None else [f"--{given}", made.links() if given == "links" else made.table()]
    assert made.rerank(made.parts(model), tmp_path / "out.trec", *more) == 0
    assert (tmp_path / "out.trec").read_bytes() == made.run(model).read_bytes()
    about = json.loads((tmp_path / "out.trec.json").read_text())["settings"]["rerank"]
    assert about["reading"] == {"text": "raw", "max_pieces": 32, "document_pieces": 40}
    if model != "lad":
        assert about["pair"] == "som-eng"
        assert about["adapters"] == {"som": "adapter", "eng": "adapter"}
        assert {"adapter som", "adapter eng", "weights"} <= about["files"].keys()
    if given == "table":  # the stop words are of the pair that is ranked, not of the one it was trained on
        assert ",ayaa," in about["links"]
        assert ",nicht," not in about["links"]
        (tmp_path / "stop.txt").write_text("zzz\n")
        assert (
            made.rerank(made.parts(model), tmp_path / "b.trec", *more, "--query-stop-words", tmp_path / "stop.txt") == 0
        )
        assert "['zzz', " in json.loads((tmp_path / "b.trec.json").read_text())["settings"]["rerank"]["links"]


def test_parts_elsewhere_need_to_be_told_what_they_stand_on(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A copy without what says where things lay: each thing that is missing is asked for by its option."""
    parts, som, eng = tmp_path / "copy", made.adapter("madx", "som"), made.adapter("madx", "eng")
    shutil.copytree(made.parts("madx"), parts)
    (parts / "here.json").unlink()
    links = ("--links", made.links())
    base, pair = ("--base", made.folder / "encoder"), ("--pair", "som-eng")
    both = ("--adapter", f"som={som}", "--adapter", f"eng={eng}")
    other = _another_encoder(made.folder / "encoder", tmp_path / "other")
    out = tmp_path / "out.trec"

    def said(code: int, *more: str | Path, of: Path = parts) -> str:
        assert made.rerank(of, out, *more) == code
        assert not out.exists()
        return " ".join(capsys.readouterr().err.split())

    assert "those of the run are not said. Say the languages of queries and documents: --pair som-eng." in said(2)
    assert "'som' is no pair of languages." in said(2, "--pair", "som")
    assert "A run is of one pair." in said(2, *pair, "--pair", "deu-eng")
    assert "it is not where it was. Name its folder or hub name: --base ENCODER." in said(2, *pair, *both)
    missing = said(1, *base, *pair, *both[:2])
    assert "The model goes through an adapter of language eng, and none is known." in missing
    assert "--adapter eng=FOLDER" in missing
    assert "clir adapt --language eng --text FILE --checkpoint BASE --out FOLDER" in missing
    assert "--adapter som names no folder." in said(2, *base, *pair, "--adapter", "som")
    assert "--adapter som is given twice." in said(2, *base, *pair, *both[:2], *both[:2])
    over = said(2, *base, *pair, *both, "--adapter", f"deu={som}")
    assert "The model needs no adapter of deu: it goes through those of som, eng." in over
    assert "were trained over another encoder than" in said(1, "--base", other, *pair, *both)
    assert "holds no adapter" in said(1, *base, *pair, "--adapter", f"som={made.folder / 'encoder'}", *both[2:])
    assert "it goes through none of languages." in said(2, "--pair", "som-eng", *both[:2], of=made.parts("lad"))
    whole = ("--base", other, "--adapter", f"som={som}")
    assert "--base, --adapter are for parts of a model with adapters, and" in said(
        2, *whole, of=made.folder / "encoder"
    )
    assert "This model reads translations (M^tr)" in said(2, *base, *pair, *both)
    foreign = tmp_path / "foreign"
    shutil.copytree(som, foreign)
    config = json.loads((foreign / "adapter_config.json").read_text())
    (foreign / "adapter_config.json").write_text(json.dumps(config | {"encoder_checksum": 1}))
    assert "was trained in another encoder of this kind and size (encoder)." in said(
        1, *base, *pair, "--adapter", f"som={foreign}", *both[2:]
    )
    assert made.rerank(parts, out, *base, *pair, *both, *links) == 0
    assert out.read_bytes() == made.run("madx").read_bytes()


def test_stored_documents_are_of_the_language_they_went_through(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scores are those of reading; what went through another language's adapter is refused."""
    parts, som = made.parts("mores"), ("--adapter", f"som={made.adapter('mores', 'som')}")
    stored = ["represent", "--checkpoint", parts, "--documents", made.folder / "documents.tsv", "--dtype", "float32"]
    for pair, more in (("som-eng", som), ("eng-som", som)):
        assert call([str(each) for each in [*stored, "--pair", pair, *more, "--out", tmp_path / pair, "--quiet"]]) == 0
    out = tmp_path / "out.trec"
    arguments = ("--pair", "som-eng", *som, "--representations")
    assert made.rerank(parts, out, *arguments, tmp_path / "som-eng") == 0
    for topic, entries in read_run(made.run("mores")).items():
        assert dict(read_run(out)[topic]) == pytest.approx(dict(entries), abs=1e-4)
    assert made.rerank(parts, out, *arguments, tmp_path / "eng-som") == 1
    assert f"The representations in {tmp_path / 'eng-som'} were made by another model." in capsys.readouterr().err


def _another_encoder(encoder: Path, folder: Path) -> Path:
    from safetensors.torch import load_file, save_file

    shutil.copytree(encoder, folder)
    weights = load_file(folder / "model.safetensors")
    weights["embeddings.LayerNorm.bias"] += 1
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


@pytest.mark.parametrize("model", ["madx", "mores"])
def test_one_process_ranks_pair_after_pair_and_reads_adapters_alone(made: Made, tmp_path: Path, model: str) -> None:
    """Whatever was read is gone from the disk when the next pair comes: only its own adapter can be read."""
    shutil.copytree(made.folder / "encoder", tmp_path / "encoder")
    shutil.copytree(made.parts(model), tmp_path / "parts")
    german = made.plan.artifact(made.stage(model).needs["train"].needs["adapter deu"]) / "adapter"
    places = {"deu": german, "som": made.adapter(model, "som"), "eng": made.adapter(model, "eng")}
    for code, place in places.items():
        shutil.copytree(place, tmp_path / code)
    sources = {code: Source(tmp_path / code) for code in places}
    ranker, tokenizer = load_parts(tmp_path / "encoder", tmp_path / "parts")
    about = read_about(tmp_path / "parts")
    for gone in ("encoder", "parts"):
        shutil.rmtree(tmp_path / gone)

    def rank(query: str, document: str, progress: ProgressCallback = no_progress) -> bytes:
        speak_pair(ranker, about, query, document, sources)
        for code in (query, document):
            shutil.rmtree(tmp_path / code, ignore_errors=True)
        texts = Texts([made.folder / "topics.som.tsv"], [made.folder / "documents.tsv"])
        out, links = tmp_path / "out.trec", read_links(made.links())
        rerank_files(
            ranker, tokenizer, made.candidates(), texts, out, depth=5, links=links, reading=about.reading,
            progress=progress,
        )  # fmt: skip
        return out.read_bytes()

    def break_off(*_: object) -> None:
        raise KeyboardInterrupt

    assert rank("som", "eng") == made.run(model).read_bytes()
    assert (tmp_path / "deu").exists()
    other = rank("deu", "eng")
    assert other != made.run(model).read_bytes()
    with pytest.raises(KeyboardInterrupt):  # what is left of one direction is not taken up by the other
        rank("eng", "som", break_off)
    assert rank("som", "eng") == made.run(model).read_bytes()
    assert rank("deu", "eng") == other
    links = ("--links", made.links()) if model == "madx" else ()
    assert made.rerank(made.parts(model), tmp_path / "alone.trec", "--pair", "deu-eng", *links) == 0
    assert (tmp_path / "alone.trec").read_bytes() == other
    with pytest.raises(DataError, match="an adapter of language swa, and none is known"):
        speak_pair(ranker, about, "swa", "eng", sources)


def test_the_gap_is_measured_through_the_adapters_of_the_ranked_pair(made: Made) -> None:
    """The two pairs have the same texts and links here, so only the language of the query can make a difference."""
    gaps = {}
    for pair in ("deu-eng", "som-eng"):
        plan = make(plan_of(made.folder, "gap", pairs=(pair,), models=("madx", "lad")))
        for stage in plan.targets:
            with np.load(plan.artifact(stage) / "gap.npz") as found:
                gaps[pair, str(stage.model)] = found["translated"]
    assert np.array_equal(gaps["deu-eng", "lad"], gaps["som-eng", "lad"])
    assert gaps["deu-eng", "madx"].shape == gaps["som-eng", "madx"].shape
    assert not np.allclose(gaps["deu-eng", "madx"], gaps["som-eng", "madx"], atol=1e-6)
    assert {s.model for s in plan_of(made.folder, "gap", pairs=("som-eng",)).targets} == {
        "full",
        "trg",
        "madx",
        "lad",
        "inv",
    }


@pytest.mark.parametrize("model", MODELS)
def test_a_score_is_explained_by_the_model_that_gave_it(made: Made, model: str) -> None:
    run = read_run(made.run(model))
    id, entries = next(iter(run.items()))
    topics = {
        topic.id: topic for topic in read_joined(made.plan.artifact(made.stage(model).needs["topics"]) / "topics.tsv")
    }
    graph = made.plan.graph
    assert all(made.plan.store.has(s) for s in needs.stages_of_explanation(graph, "som-eng", model, 2))
    found = score.explain(made.plan, "som-eng", model, 2, topics[id], entries[0].document)
    assert found.reranked is not None
    assert found.reranked.reading.score == pytest.approx(entries[0].score, abs=1e-5)
    assert (found.reranked.rank, found.reranked.remark) == (1, "")


def test_parts_are_uploaded_with_the_adapters_that_were_learned_for_them(
    made: Made, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And rank again from what was uploaded, wherever it comes to lie."""
    monkeypatch.chdir(made.folder)
    names = ["--pair", "deu-eng", "--model", "madx", "--fold", "2", "--to", "me/parts"]
    assert call(["push", *names, "--dry-run"]) == 0
    files = [
        f"adapters/{code}/{name}" for code in ("deu", "eng") for name in ("adapter.safetensors", "adapter_config.json")
    ]
    files = sorted([*files, "README.md", "parts.json", "parts.safetensors"])
    assert [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()[1:]] == files
    assert not hub.repositories
    assert call(["push", *names]) == 0
    sent = hub.repositories["me/parts"]
    assert sorted(sent) == files
    assert sorted(filter_repo_objects(sent, allow_patterns=list(FETCHED))) == files  # what would be downloaded again
    card = sent["README.md"].decode()
    front = yaml.safe_load(card.split("---")[1])
    assert front["language"] == ["deu", "eng"]
    assert front["tags"] == ["cross-language-retrieval", "re-ranking", "mart", "adapters", "mad-x"]
    for line in (
        "- Encoder: encoder",
        "- Adapter of language deu: adapters/deu",
        "- Experiment: a, fold 2",
        "segments: own",
    ):
        assert line in card
    assert "--base ENCODER --pair deu-eng --run RUN --topics TOPICS --documents DOCUMENTS --table TABLE`" in card
    texts = (made.folder / "topics.deu.tsv").read_text().splitlines() + (
        made.folder / "deu.txt"
    ).read_text().splitlines()
    told = b"\n".join(value for name, value in sent.items() if not name.endswith("safetensors")).decode()
    assert not any(text.split("\t")[-1] in told for text in texts)
    assert str(made.folder) not in told
    assert "../" not in told
    for name, content in sent.items():
        (tmp_path / "fetched" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "fetched" / name).write_bytes(content)
    som = ("--pair", "som-eng", "--adapter", f"som={made.adapter('madx', 'som')}", "--links", made.links())
    out = tmp_path / "out.trec"
    assert made.rerank(tmp_path / "fetched", out, "--base", made.folder / "encoder", *som) == 0
    assert out.read_bytes() == made.run("madx").read_bytes()


def test_an_adapter_is_uploaded_alone(made: Made, hub: Hub, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    adapter = tmp_path / "som" / "adapter"
    shutil.copytree(made.adapter("madx", "som").parent, adapter.parent)
    assert call(["push", "--checkpoint", str(adapter), "--to", "me/som"]) == 0
    sent = hub.repositories["me/som"]
    assert sorted(sent) == ["README.md", "adapter.safetensors", "adapter_config.json"]
    card = sent["README.md"].decode()
    assert yaml.safe_load(card.split("---")[1])["language"] == ["som"]
    assert "- Steps: 2" in card
    assert "clir rerank --checkpoint PARTS --adapter som=FOLDER" in card
    (adapter / "README.md").write_text("my own card")
    assert call(["push", "--checkpoint", str(adapter), "--to", "me/other"]) == 0
    assert hub.repositories["me/other"]["README.md"] == b"my own card"
    weights = adapter / "adapter.safetensors"
    weights.write_bytes(weights.read_bytes()[:-50])
    capsys.readouterr()
    assert call(["push", "--checkpoint", str(adapter), "--to", "me/third"]) == 1
    assert "The weights in" in capsys.readouterr().err
    assert "me/third" not in hub.repositories
