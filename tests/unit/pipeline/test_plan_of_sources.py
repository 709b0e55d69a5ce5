"""Plans by source of translations: which stages, what their keys hold, and what a pair that lacks a source is left."""

from pathlib import Path

import pytest

from clir_cli.config.load import Experiment, load_experiment
from clir_cli.errors import UsageError
from clir_cli.pipeline.plan import Plan, Selection, make_plan
from clir_cli.pipeline.rows import Rows
from clir_cli.pipeline.stage import Stage

EXPERIMENT = """
experiments:
  mine:
    collections: {eng: documents.tsv}
    topics: {deu: deu.tsv, som: som.tsv, eng: eng.tsv}
    qrels: {eng: qrels.txt}
    bitext: {eng-deu: [a.eng, a.deu], som-deu: [b.som, b.deu], som-eng: [c.som, c.eng]}
    vectors: {deu: deu.vec, eng: eng.vec}
    pairs: [deu-eng, som-eng]
    models: [m2bert, mart]
    encoder: some-hub/checkpoint
    training: {precision: float32}
    knowledge:
      source: bitext
      named:
        panlex: {dictionary: words.tsv}
        giza: {table: {path: t.final, format: giza, vocabularies: [s.vcb, t.vcb]}}
        via: {pivot: deu}
"""
FILES = (
    "documents.tsv deu.tsv som.tsv eng.tsv qrels.txt a.eng a.deu b.som b.deu c.som c.eng deu.vec eng.vec words.tsv "
    "t.final s.vcb t.vcb"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "experiments.yaml").write_text(EXPERIMENT)
    for name in FILES.split():
        (tmp_path / name).write_text(f"contents of {name}\n")
    return tmp_path


def experiment(folder: Path, *sets: str) -> Experiment:
    return load_experiment(folder / "experiments.yaml", "mine", sets, {})


def by_label(plan: Plan) -> dict[str, Stage]:
    return {stage.label: stage for stage in plan.stages}


def table(folder: Path, pair: str, *sets: str) -> Stage:
    return make_plan(experiment(folder, *sets), "align", Selection((pair,))).targets[0]


def test_each_source_is_a_stage_of_its_own_making(folder: Path) -> None:
    made = {
        source: table(folder, "som-eng" if source == "via" else "deu-eng", f"knowledge.source={source}")
        for source in ("bitext", "panlex", "giza", "via", "embeddings")
    }
    assert {source: stage.function.rpartition(":")[2] for source, stage in made.items()} == {
        "bitext": "align", "panlex": "look_up", "giza": "take", "via": "pivot", "embeddings": "embed",
    }  # fmt: skip
    assert {stage.kind for stage in made.values()} == {"align"}
    assert [path.name for path in made["giza"].files["vocabularies"]] == ["s.vcb", "t.vcb"]
    assert set(made["embeddings"].needs) == {"topics", "collection"}
    assert set(table(folder, "deu-eng", "knowledge={source: embeddings, embeddings: {csls: true}}").needs) == {
        "collection"
    }


def test_the_parallel_text_of_the_other_direction_is_turned_round(folder: Path) -> None:
    stage = table(folder, "deu-eng")
    assert [stage.files[side][0].name for side in ("source", "target")] == ["a.deu", "a.eng"]
    assert table(folder, "deu-eng", "bitext.deu-eng=[a.deu, a.eng]").key == stage.key
    with pytest.raises(UsageError):
        make_plan(experiment(folder), "align", Selection(("eng-deu",)))


def test_a_pivot_shares_the_tables_of_its_legs(folder: Path) -> None:
    sets = ("pairs=[deu-eng, som-eng]", "pairs.som-eng.knowledge.source=via")
    plan = make_plan(experiment(folder, *sets), "align")
    deu, via = plan.targets
    assert via.needs["second"].key == deu.key
    assert [via.needs["first"].files[side][0].name for side in ("source", "target")] == ["b.som", "b.deu"]
    assert len([stage for stage in plan.stages if stage.kind == "align"]) == 3
    assert via.settings == {"min_probability": 0.0001, "max_translations": 100}


def test_a_mixture_is_made_of_the_tables_that_a_pair_has(folder: Path) -> None:
    sets = ("knowledge.source=mix", "knowledge.mix={bitext: 3, embeddings: 1, panlex: 1}")
    deu, som = make_plan(experiment(folder, *sets), "align").targets
    assert (deu.label, set(deu.needs)) == ("align deu-eng", {"bitext", "embeddings", "panlex"})
    assert deu.needs["panlex"].label == "align deu-eng panlex"
    assert som.settings == {"weights": {"bitext": 3.0, "panlex": 1.0}}
    rows = Rows(experiment(folder, *sets))
    assert rows.availability(["deu-eng", "som-eng"]) == [
        "som-eng: the mixture is without embeddings (no word vectors of som)."
    ]
    assert rows.not_available("som-eng") == []


@pytest.mark.parametrize(
    ("change", "changes"),
    [
        ("knowledge.align.hmm=4", True),
        ("knowledge.align.words=content", True),
        ("knowledge.align.max_ratio=3", True),
        ("knowledge.mix={bitext: 1}", False),
        ("knowledge.named.more={table: t.final}", False),
        ("knowledge.embeddings.neighbours=9", False),
        ("vectors={}", False),
        ("matrix.source=panlex", False),
    ],
)
def test_keys_of_learned_tables_hold_what_decides_them(folder: Path, change: str, changes: bool) -> None:
    assert (table(folder, "deu-eng").key != table(folder, "deu-eng", change).key) == changes


def test_eflomal_does_not_know_our_settings(folder: Path) -> None:
    eflomal = table(folder, "deu-eng", "knowledge.align.tool=eflomal")
    assert eflomal.key == table(folder, "deu-eng", "knowledge.align={tool: eflomal, hmm: 9, null_probability: 0.5}").key
    assert eflomal.key != table(folder, "deu-eng", "knowledge.align={tool: eflomal, symmetrisation: union}").key


def test_m_tr_of_another_source_leaves_the_candidates_alone(folder: Path) -> None:
    before, after = (by_label(make_plan(experiment(folder, *sets))) for sets in ((), ("matrix.source=panlex",)))
    changed = {label.split()[0] for label in after if label not in before or after[label].key != before[label].key}
    assert changed == {"align", "matrices", "train", "rerank", "evaluate", "report"}
    assert after["retrieve deu-eng smt"].key == before["retrieve deu-eng smt"].key
    assert after["train deu-eng m2bert fold 1"].key == before["train deu-eng m2bert fold 1"].key
    assert after["matrices deu-eng"].needs["align"].label == "align deu-eng panlex"
    targets = make_plan(experiment(folder, "matrix.source=panlex"), "align", Selection(("deu-eng",))).targets
    assert [stage.label for stage in targets] == ["align deu-eng", "align deu-eng panlex"]


def test_a_pair_that_lacks_the_source_is_left_its_human_translations(folder: Path) -> None:
    chosen = experiment(folder, "knowledge.source=embeddings", "retrieval.methods=[smt, psq]")
    plan = make_plan(chosen)
    rows = plan.graph.rows
    assert rows.systems("som-eng") == ["human"]
    assert rows.not_available("som-eng") == ["smt", "psq", "m2bert", "mart"]
    assert rows.not_available("deu-eng") == []
    report = plan.targets[0]
    assert report.settings["systems"]["som-eng"] == ["human"]
    assert report.settings["not_available"]["som-eng"] == ["smt", "psq", "m2bert", "mart"]
    said = "som-eng: translations by embeddings are not available: no word vectors of som."
    assert report.settings["availability"] == [said]
    assert [stage.pair for stage in make_plan(chosen, "align").targets] == ["deu-eng"]
    assert [stage.pair for stage in make_plan(chosen, "matrices").targets] == ["deu-eng"]
    with pytest.raises(UsageError, match=f"Nothing to align is selected. {said}"):
        make_plan(chosen, "align", Selection(("som-eng",)))
    with pytest.raises(UsageError, match=f"^{said}"):
        plan.graph.align("som-eng")


def test_without_its_source_of_m_tr_a_pair_has_all_but_mart(folder: Path) -> None:
    rows = Rows(experiment(folder, "matrix.source=embeddings"))
    assert rows.systems("som-eng") == ["smt", "human", "m2bert"]
    assert rows.not_available("som-eng") == ["mart"]
    assert rows.availability(["som-eng"]) == [
        "som-eng: translations by embeddings for M^tr are not available: no word vectors of som."
    ]


def test_a_pair_without_any_row_has_no_runs(folder: Path) -> None:
    sets = ("knowledge.source=embeddings", "pairs.som-eng.topics=som", "models=[]")
    text = EXPERIMENT.replace(", eng: eng.tsv", "")
    (folder / "experiments.yaml").write_text(text)
    chosen = experiment(folder, *sets)
    report = make_plan(chosen).targets[0]
    assert report.settings["systems"] == {"deu-eng": ["smt"], "som-eng": []}
    with pytest.raises(UsageError, match="som-eng: translations by embeddings are not available"):
        make_plan(chosen, "report", Selection(("som-eng",)))
