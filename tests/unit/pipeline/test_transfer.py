"""Models of one pair that rank for another: which topics they saw, which adapters they go through, what is kept."""

import json
import shutil
from pathlib import Path

import pytest
import yaml
from safetensors.torch import load_file

from clir_cli.config.load import load_experiment
from clir_cli.corpora.folds import read_folds, split
from clir_cli.errors import DataError, UsageError
from clir_cli.pipeline.ablation.make import Ablation, make_ablation, plan_ablation
from clir_cli.pipeline.joined_topics import read_joined
from clir_cli.pipeline.plan import Plan, Selection, make_plan
from clir_cli.pipeline.stage import Inputs, Stage
from clir_cli.pipeline.stage import call as run_stage
from clir_cli.records import no_progress
from clir_cli.trec import read_run
from tests.tiny_collection import make_collection

MODELS = {
    "full": {"kind": "bert"},
    "trg": {"kind": "bert", "masked_language": "target"},
    "madx": {"kind": "mart", "mat_layers": [-1], "adapters": {"reduction": 4, "learning_rate": 0.01}},
    "lad": {"kind": "bert", "adapters": {"language": False, "invertible": False}},
    "mores": {"kind": "mores", "adapters": True},
}
PLANNED = {"inv": {"kind": "bert", "adapters": {"invertible": False, "segments": "query"}}}
"""Looked at in plans only."""


def plan_of(folder: Path, target: str = "rerank", *sets: str, **selection: tuple[str, ...] | None) -> Plan:
    return make_plan(load_experiment(folder / "experiments.yaml", None, sets), target, Selection(**selection))  # type: ignore[arg-type]


def make(plan: Plan) -> Plan:
    for stage in plan.to_run:
        run(plan, stage)
    return plan


def run(plan: Plan, stage: Stage) -> None:
    needs = {name: plan.store.path(needed) for name, needed in stage.needs.items()}
    out = plan.store.partial(stage)
    out.mkdir(parents=True, exist_ok=True)
    run_stage(stage.function, out, Inputs(stage.settings, needs, stage.files, stage.hints), no_progress)
    plan.store.finish(stage, 0.0, threads="1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """German and Somali topics of the same numbers, in made-up words; text of three languages."""
    folder = tmp_path_factory.mktemp("transfer")
    tiny = make_collection(folder / "encoder", topics=6)
    (folder / "documents.tsv").write_text("".join(f"{id}\t{text}\n" for id, text in tiny.documents.items()))
    for language in ("deu", "som"):
        lines = "".join(f"{id}\t{text}\n" for id, text in tiny.queries.items())
        (folder / f"topics.{language}.tsv").write_text(lines)
        (folder / f"{language}.txt").write_text("\n".join(tiny.queries.values()) + "\n")
    (folder / "som.txt").write_text("\n".join(reversed(tiny.documents.values())) + "\n")
    (folder / "qrels.txt").write_text(
        "".join(f"{topic} 0 {id} {grade}\n" for topic, grades in tiny.qrels.items() for id, grade in grades.items())
    )
    pairs = {(word, other) for rows in tiny.links.values() for word, row in rows.items() for other in row}
    (folder / "table.tsv").write_text("".join(f"{word}\t{other}\t0.5\n" for word, other in pairs))
    knowledge = {"knowledge": {"table": "table.tsv"}}
    experiment = {
        "collections": {"eng": "documents.tsv"}, "topics": {"deu": "topics.deu.tsv", "som": "topics.som.tsv"},
        "qrels": {"eng": "qrels.txt"}, "retrieval": {"engine": "sparse"},
        "pairs": {"deu-eng": knowledge, "som-eng": {**knowledge, "task_from": "deu-eng"}},
        "encoder": {"checkpoint": "encoder", "max_pieces": 32, "document_pieces": 40}, "models": MODELS | PLANNED,
        "adapters": {
            "languages": {"deu": "deu.txt", "som": ["som.txt"], "eng": {"collections": ["eng"]}},
            "steps": 2, "head_steps": 2, "batch": 4, "max_pieces": 16, "learning_rate": 0.05,
        },
        "reranking": {"depth": 5},
        "training": {"epochs": 1, "folds": {"count": 3, "run": [2]}, "precision": "float32"},
    }  # fmt: skip
    (folder / "experiments.yaml").write_text(yaml.safe_dump({"artifacts": "made", "experiments": {"a": experiment}}))
    return folder


@pytest.fixture(scope="module")
def ranked(folder: Path) -> Plan:
    """Every model on som-eng, trained on deu-eng."""
    return make(plan_of(folder, "rerank", pairs=("som-eng",), models=tuple(MODELS)))


def needed(plan: Plan, model: str) -> Stage:
    return next(stage for stage in plan.targets if stage.model == model)


def test_no_topic_is_ranked_that_the_model_was_trained_on(ranked: Plan) -> None:
    """Of every model: the keys of the ranked topics are the fold's test, and none was seen."""
    folds = next(stage for stage in ranked.stages if stage.kind == "folds")
    topics = next(stage for stage in ranked.stages if stage.label == "topics som-eng")
    keys = {topic.id: topic.key for topic in read_joined(ranked.artifact(topics) / "topics.tsv")}
    assert len(ranked.targets) == len(MODELS)
    for stage in ranked.targets:
        assert stage.fold is not None
        parts = split(read_folds(ranked.artifact(folds) / "folds.tsv"), stage.fold)
        train = stage.needs["train"]
        assert (train.pair, train.fold) == ("deu-eng", stage.fold)
        seen = set(json.loads((ranked.artifact(train) / "seen_topics.json").read_text()))
        tested = {keys[topic] for topic in read_run(ranked.artifact(stage) / "run.trec")}
        assert tested == parts.test
        assert seen == parts.training | parts.validation
        assert not tested & seen


def test_a_model_that_saw_a_test_topic_is_refused(ranked: Plan) -> None:
    """Whatever a plan says: the stage itself looks."""
    stage = needed(ranked, "full")
    seen = ranked.artifact(stage.needs["train"]) / "seen_topics.json"
    before = seen.read_text()
    shutil.rmtree(ranked.artifact(stage))
    seen.write_text(json.dumps(["t1", "t2", "t3", "t4", "t5", "t6"]))
    with pytest.raises(DataError, match=r"trained on 2 topics that this fold tests"):
        run(ranked, stage)
    seen.write_text(before)
    shutil.rmtree(ranked.store.partial(stage))
    run(ranked, stage)


def test_only_what_moved_is_kept(ranked: Plan) -> None:
    for model, settings in MODELS.items():
        folder = ranked.artifact(needed(ranked, model).needs["train"])
        names = {path.name for path in folder.iterdir()}
        if "adapters" not in settings:
            assert "model" in names
            continue
        assert "model" not in names
        weights = load_file(folder / "parts" / "parts.safetensors")
        assert {key.split(".")[0] for key in weights} <= {"task", "head", "mat"}


def test_languages_are_learned_once_and_a_pair_takes_its_own(ranked: Plan, folder: Path) -> None:
    made = {stage.name for stage in ranked.stages if stage.kind == "adapt"}
    assert made == {
        "a deu", "a eng", "a som",  # of MAD-X, and of MORES, which starts from the same checkpoint here
        "a som all weights",
    }  # fmt: skip
    madx = needed(ranked, "madx")
    assert {name for name in madx.needs if name.startswith("adapter")} == {"adapter som", "adapter eng"}
    assert {n for n in madx.needs["train"].needs if n.startswith("adapter")} == {"adapter deu", "adapter eng"}
    inv = needed(plan_of(folder, "rerank", pairs=("som-eng",), models=("inv",)), "inv")
    assert {name: stage.name for name, stage in inv.needs.items() if "adapter" in name} == {"adapter som": "a som -inv"}
    assert not {n for n in needed(ranked, "lad").needs if n.startswith("adapter")}
    report = json.loads((ranked.artifact(madx.needs["adapter som"]) / "report.json").read_text())
    assert report["language"] == "som"
    # The source pair's own ranking needs no other training, but for MLM on the target: that is another language then.
    plan = plan_of(folder, "rerank", pairs=("deu-eng",), models=tuple(MODELS))
    to_train = {stage.model for stage in plan.to_run if stage.kind == "train"}
    assert to_train == {"trg"}


def test_the_language_of_the_query_reaches_the_scores(ranked: Plan, folder: Path) -> None:
    """The two pairs have the same query texts and candidates here: what differs is the adapter alone."""
    plan = make(plan_of(folder, "rerank", pairs=("deu-eng",), models=("madx", "lad")))
    scores = {}
    for each in (ranked, plan):
        for model in ("madx", "lad"):
            stage = needed(each, model)
            scores[stage.pair, model] = read_run(each.artifact(stage) / "run.trec")
    assert scores["som-eng", "lad"] == scores["deu-eng", "lad"]
    assert scores["som-eng", "madx"] != scores["deu-eng", "madx"]


def test_a_finished_adapter_takes_the_place_of_text(ranked: Plan, folder: Path) -> None:
    """Our own, given as a folder: the same weights give the same run, and nothing is learned from text."""
    adapter = ranked.artifact(needed(ranked, "madx").needs["adapter som"]) / "adapter"
    (folder / "given").mkdir(exist_ok=True)
    shutil.copytree(adapter, folder / "given" / "som", dirs_exist_ok=True)
    changed = "adapters.languages.som={adapter: ./given/som}"
    changed = (changed, "models.trg.masked_language=null")
    plan = plan_of(folder, "rerank", *changed, pairs=("som-eng",), models=("madx",))
    assert [stage.label for stage in plan.to_run] == ["rerank som-eng madx fold 2"]
    make(plan)
    before = (ranked.artifact(needed(ranked, "madx")) / "run.trec").read_bytes()
    assert (plan.artifact(plan.targets[0]) / "run.trec").read_bytes() == before
    with pytest.raises(UsageError) as caught:
        plan_of(folder, "adapt", *changed, languages=("som",))
    assert caught.value.problem.startswith("The adapter of som is given: ")


def test_languages_that_are_asked_for(folder: Path) -> None:
    assert [stage.name for stage in plan_of(folder, "adapt").targets] == ["a deu", "a eng", "a som"]
    assert [stage.name for stage in plan_of(folder, "adapt", languages=("som",)).targets] == ["a som"]
    with pytest.raises(UsageError, match="There is no text or adapter of language 'swa'"):
        plan_of(folder, "adapt", languages=("swa",))


def test_a_table_says_where_its_models_learned(folder: Path) -> None:
    plan = plan_of(folder)
    notes = plan.graph.rows.notes({"som-eng": list(MODELS)})
    assert "som-eng: trained on topics of deu-eng (full, trg, madx, lad, MORES)" in notes
    assert "languages learned in 2 steps of 4 inputs (paper: 250000 of 64)" in notes


def ablation(folder: Path, what: str, *sets: str, pairs: tuple[str, ...] = ()) -> Ablation:
    return make_ablation(load_experiment(folder / "experiments.yaml", None, sets), what, "madx", pairs)


def test_a_language_learned_in_fewer_steps(ranked: Plan, folder: Path) -> None:
    """Only its adapter and what ranks through it are new: the model that was trained is the same."""
    sets = "analysis.ablation.shares=[0.5]"
    made = ablation(folder, "steps", sets, pairs=("som-eng",))
    plan = plan_ablation(made)
    new = {stage.label for stage in plan.to_run}
    assert {"adapt a-steps som, 0.5 of the steps", "rerank som-eng madx-steps-0.5 fold 2"} <= new
    assert not [label for label in new if label.startswith(("train", "head"))]
    make(plan)
    rows = made.about(plan)["rows"]
    assert {name: row["steps"] for name, row in rows.items()} == {
        "full": {}, "madx": {"som-eng": 2}, "madx-steps-0.5": {"som-eng": 1},
    }  # fmt: skip
    both = plan_ablation(ablation(folder, "steps", sets))
    ranked_by = {stage.model for stage in both.stages if stage.kind == "rerank" and stage.pair == "deu-eng"}
    assert ranked_by == {"full", "madx"}, "deu-eng exchanges no language"
    runs = [read_run(plan.artifact(needed_by(plan, name)) / "run.trec") for name in ("madx", "madx-steps-0.5")]
    assert runs[0] != runs[1]
    with pytest.raises(UsageError) as caught:
        ablation(folder, "steps", "pairs.som-eng.task_from=null", pairs=("som-eng",))
    assert caught.value.problem.startswith("madx ranks som-eng through the languages that it is trained with")
    with pytest.raises(UsageError, match="full has no language adapters: nothing of it can be ablated"):
        make_ablation(load_experiment(folder / "experiments.yaml", None, ()), "steps", "full")


def needed_by(plan: Plan, model: str) -> Stage:
    return next(stage for stage in plan.stages if stage.kind == "rerank" and stage.model == model)


def test_every_source_with_every_target(ranked: Plan, folder: Path) -> None:
    """What som-eng is ranked with from deu-eng is what the experiment itself ranks with."""
    made = ablation(folder, "task")
    assert made.against == {"madx-from-deu-eng": "full-from-deu-eng", "madx-from-som-eng": "full-from-som-eng"}
    plan = plan_ablation(made)
    keys = {stage.key for stage in ranked.targets}
    done = {(stage.pair, stage.model) for stage in plan.stages if stage.kind == "rerank" and stage.key in keys}
    assert done == {("som-eng", "madx-from-deu-eng"), ("som-eng", "full-from-deu-eng")}
    trained = {(stage.pair, stage.model) for stage in plan.to_run if stage.kind == "train"}
    assert trained == {("som-eng", "madx-from-som-eng"), ("som-eng", "full-from-som-eng")}
    rows = made.about(plan)["rows"]
    assert rows["madx-from-som-eng"]["task_from"] == {"deu-eng": "som-eng", "som-eng": "som-eng"}
    contrasts = {(one.system, one.baseline) for one in made.experiment.settings.evaluation.contrasts}
    assert contrasts == {("madx-from-som-eng", "full-from-som-eng")}
    assert made.experiment.settings.evaluation.compare == "madx-from-deu-eng"
    asked = ablation(folder, "task", "analysis.ablation.task_from=[som-eng]", "analysis.ablation.against=lad")
    assert asked.against == {"madx-from-som-eng": "lad-from-som-eng"}


@pytest.mark.parametrize(
    ("sets", "problem"),
    [
        (("analysis.ablation.task_from=[swa-eng]",), "swa-eng is no pair with judgements to learn from"),
        (("analysis.ablation.against=ful",), "no model `ful`: did you mean `full`?"),
        (
            ("analysis.ablation.task_from=[fra-eng]", "topics.fra=topics.deu.tsv",
             "pairs.fra-eng={models: [], knowledge: {table: table.tsv}}"),
            "madx from fra-eng needs the language fra.",
        ),
    ],
)  # fmt: skip
def test_sources_that_cannot_be(folder: Path, sets: tuple[str, ...], problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        ablation(folder, "task", *sets)
    assert problem in caught.value.problem


def test_settings_without_adapters_leave_keys_as_they_are(folder: Path) -> None:
    """What is said of languages changes no stage of a model that has none; how often states are kept changes none."""
    plain = {s.label: s.key for s in plan_of(folder, "rerank", models=("full",)).stages}
    changed = plan_of(folder, "rerank", "adapters.steps=7", "adapters.languages.som=deu.txt", models=("full",))
    assert {s.label: s.key for s in changed.stages} == plain
    madx = {s.label: s.key for s in plan_of(folder, "rerank", models=("madx",)).stages}
    slower = plan_of(folder, "rerank", "adapters.checkpoint_every=7", models=("madx",))
    assert {s.label: s.key for s in slower.stages} == madx
