"""Dense retrieval as rows, as stages of a plan, and as what those stages do."""

from pathlib import Path
from typing import Any

import pytest

from clir_cli.config.load import Experiment, load_experiment
from clir_cli.corpora.document_store import write_store
from clir_cli.encoders.encoder import create_encoder
from clir_cli.errors import DataError
from clir_cli.pipeline.joined_topics import JoinedTopic, write_joined
from clir_cli.pipeline.plan import Plan, make_plan
from clir_cli.pipeline.rows import Rows
from clir_cli.pipeline.stage import Inputs, Stage, call
from clir_cli.records import Document, no_progress
from clir_cli.retrieval.dense.embed import load_embedder
from clir_cli.retrieval.dense.search import search
from clir_cli.retrieval.dense.vectors import VectorStore
from clir_cli.trec import read_run

EXPERIMENT = """
experiments:
  mine:
    collections: {eng: documents.tsv}
    topics: {deu: deu.tsv, som: som.tsv, eng: eng.tsv}
    qrels: {eng: qrels.txt}
    bitext: {deu-eng: [a.deu, a.eng]}
    pairs: {deu-eng: {}, som-eng: {knowledge: {source: none}}}
    models: [m2bert]
    encoder: {checkpoint: some-hub/checkpoint, layers: 4, revision: abc}
    training: {precision: float32}
    retrieval: {methods: [smt, dense]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "experiments.yaml").write_text(EXPERIMENT)
    for name in ["documents.tsv", "deu.tsv", "som.tsv", "eng.tsv", "qrels.txt", "a.deu", "a.eng"]:
        (tmp_path / name).write_text(f"contents of {name}\n")
    return tmp_path


def experiment(folder: Path, *sets: str) -> Experiment:
    return load_experiment(folder / "experiments.yaml", "mine", sets, {})


def by_label(plan: Plan) -> dict[str, Stage]:
    return {stage.label: stage for stage in plan.stages}


def test_dense_is_a_row_with_and_without_translations(folder: Path) -> None:
    rows = Rows(experiment(folder))
    assert rows.first_stage("deu-eng") == ["smt", "dense", "human"]
    assert rows.first_stage("som-eng") == ["dense", "human"]
    assert [rows.candidates(pair) for pair in ("deu-eng", "som-eng")] == ["smt", "dense"]
    assert rows.label("dense") == "Dense"
    lacking = Rows(experiment(folder, "pairs.som-eng.knowledge.source=via", "knowledge.named.via.pivot=fra",
                              "bitext.deu-fra=[a.deu, a.eng]", "bitext.fra-eng=[a.deu, a.eng]",
                              "pairs.deu-eng.knowledge.source=via"))  # fmt: skip
    assert lacking.first_stage("som-eng") == ["dense", "human"]
    assert lacking.not_available("som-eng") == ["smt", "m2bert"]


def test_a_collection_is_embedded_once_for_all_pairs(folder: Path) -> None:
    plan = make_plan(experiment(folder), "retrieve")
    stages = by_label(plan)
    embedded = [stage for stage in plan.stages if stage.kind == "embed"]
    assert [stage.label for stage in embedded] == ["embed eng"]
    for pair in ("deu-eng", "som-eng"):
        assert stages[f"retrieve {pair} dense"].needs["vectors"].key == embedded[0].key
        assert "align" not in stages[f"retrieve {pair} dense"].needs
    assert [stage.label for stage in make_plan(experiment(folder), "embed").targets] == ["embed eng", "embed eng"]
    (folder / "experiments.yaml").write_text(EXPERIMENT.replace(", eng: eng.tsv", ""))
    alone = make_plan(experiment(folder, "retrieval.methods=[dense]"), "retrieve")
    assert {stage.kind for stage in alone.stages} == {"collection", "topics", "embed", "retrieve"}


def test_what_changes_vectors_changes_their_key_and_nothing_else_does(folder: Path) -> None:
    def keys(*sets: str) -> tuple[str, str, str]:
        stages = by_label(make_plan(experiment(folder, *sets), "retrieve"))
        return stages["embed eng"].key, stages["retrieve deu-eng dense"].key, stages["retrieve deu-eng smt"].key

    plain = keys()
    for same in ("tokens=99", "block=7"):
        assert keys(f"retrieval.dense.{same}") == plain
    for query_only in ("retrieval.dense.similarity=dot", "retrieval.dense.query_prefix='query: '", "retrieval.depth=9"):
        embed, run, smt = keys(query_only)
        assert embed == plain[0]
        assert run != plain[1]
        assert (smt == plain[2]) == ("dense" in query_only)
    seen = {plain[0]}
    for change in ("document_prefix='passage: '", "checkpoint=hub/e5", "layers=2", "pooling=cls", "max_pieces=99",
                   "stored=float16", "revision=def"):  # fmt: skip
        embed, run, smt = keys(f"retrieval.dense.{change}")
        assert embed not in seen
        assert run != plain[1]
        assert smt == plain[2]
        seen.add(embed)


def test_the_encoder_is_its_own_or_that_of_the_re_rankers(folder: Path) -> None:
    def encoder(*sets: str) -> tuple[dict[str, Any], list[str]]:
        stage = by_label(make_plan(experiment(folder, *sets), "retrieve"))["embed eng"]
        return stage.settings["encoder"], sorted(stage.needs)

    shared, needs = encoder("encoder.text=folded")
    assert (shared["checkpoint"], shared["revision"], shared["layers"], shared["text"]) == (
        "some-hub/checkpoint", "abc", 4, "folded",
    )  # fmt: skip
    assert needs == ["collection"]
    assert encoder("retrieval.dense.layers=2")[0]["layers"] == 2
    own, _ = encoder("retrieval.dense.checkpoint=hub/e5", "encoder.text=folded")
    assert (own["checkpoint"], own["revision"], own["layers"], own["text"]) == ("hub/e5", None, None, "raw")
    made, needs = encoder("pretrain.ranking.titles_of=eng", "pretrain.ranking.steps=3")
    assert needs == ["collection", "start"]
    assert "checkpoint" not in made
    (folder / "here").mkdir()
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        (folder / "here" / name).write_text("{}")
    before = by_label(make_plan(experiment(folder, "retrieval.dense.checkpoint=here"), "retrieve"))
    assert before["retrieve deu-eng dense"].files == before["embed eng"].files == {"checkpoint": [folder / "here"]}
    (folder / "here" / "model.safetensors").write_text("{ }")
    after = by_label(make_plan(experiment(folder, "retrieval.dense.checkpoint=here"), "retrieve"))
    assert before["embed eng"].key != after["embed eng"].key


POOLS = [{"topics": [[1, 10]], "documents": ["A"]}, {"topics": [[11, 20]], "documents": ["A", "B"]}]
TEXTS = {"A1": "cat house", "A2": "katze haus the", "B1": "cat", "B2": "cat cat house " * 20, "C1": "cat", "A3": " "}
TOPICS = [JoinedTopic("C5", "5", "cat"), JoinedTopic("C12", "12", "cat"), JoinedTopic("C6", "6", "")]


class Stages:
    """Both stages over a few documents, called as a worker calls them."""

    def __init__(self, folder: Path, encoder: Path) -> None:
        self.folder = folder
        documents = (Document(id, text) for id, text in TEXTS.items())
        write_store(documents, folder / "collection" / "store", frozenset())
        (folder / "topics").mkdir()
        write_joined(folder / "topics" / "topics.tsv", TOPICS)
        chosen = {"checkpoint": None, "layers": None, "pooling": "mean", "max_pieces": 512, "text": "raw"}
        self.settings: dict[str, Any] = {"encoder": chosen, "threads": 1, "precision": "float32"}
        self.encoder = encoder

    def embed(self) -> None:
        self.run("embed", {"collection": "collection"}, {"prefix": "the : ", "stored": "float32"}, self.encoder)

    def retrieve(self, pools: list[dict[str, Any]], encoder: Path | None = None) -> Path:
        more = {"prefix": "der : ", "pools": pools, "depth": 100, "similarity": "cosine", "system": "dense"}
        return self.run("retrieve", {"vectors": "embed", "topics": "topics"}, more, encoder or self.encoder)

    def run(self, name: str, needs: dict[str, str], more: dict[str, Any], encoder: Path) -> Path:
        out = self.folder / name
        out.mkdir(exist_ok=True)
        inputs = Inputs(
            settings=self.settings | more,
            needs={need: self.folder / place for need, place in needs.items()},
            files={"checkpoint": [encoder]},
            hints={"tokens": None, "block": 3},
        )
        call(f"clir_cli.pipeline.stages.dense:{name}", out, inputs, no_progress)
        return out


@pytest.fixture
def stages(tmp_path: Path, encoder_folder: Path) -> Stages:
    made = Stages(tmp_path, encoder_folder)
    made.embed()
    return made


def test_topics_search_their_pool_and_an_empty_query_finds_nothing(stages: Stages) -> None:
    out = stages.retrieve(POOLS)
    run = read_run(out / "run.trec")
    assert sorted(id for id, _ in run["C5"]) == ["A1", "A2"]  # A3 has no text
    assert sorted(id for id, _ in run["C12"]) == ["A1", "A2", "B1", "B2"]
    assert "C6" not in run
    assert (out / "queries.txt").read_text().splitlines()[0] == "C5\tder : cat"
    warning = (out / "warning.txt").read_text()
    assert warning == "1 of 6 documents are longer than 48 word pieces; dense retrieval reads no further."


def test_without_pools_everything_is_searched_as_by_hand(stages: Stages) -> None:
    run = read_run(stages.retrieve([]) / "run.trec")
    embedder = load_embedder(stages.encoder)
    queries = embedder.embed(["cat"], "der : ").vectors
    assert search(VectorStore(stages.folder / "embed" / "vectors"), ["C5"], queries)["C5"] == run["C5"]
    assert [id for id, _ in run["C5"]] != sorted(TEXTS)
    places = {id: place for place, (id, _) in enumerate(run["C5"])}
    assert places["C1"] + 1 == places["B1"]  # the same text: ids descending


def test_queries_of_another_model_are_refused(stages: Stages, word_pieces: Any, tmp_path: Path) -> None:
    other = tmp_path / "other"
    create_encoder(other, word_pieces, layers=5, width=12, heads=3, inner=20, positions=48, seed=9)
    with pytest.raises(DataError, match="were made by another model"):
        stages.retrieve([], other)
