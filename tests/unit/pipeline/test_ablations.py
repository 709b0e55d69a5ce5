"""Experiments made from an experiment: what they share, what they train, what is compared."""

import json
from pathlib import Path

import pytest

from clir_cli.config.load import Experiment, load_experiment
from clir_cli.errors import ConfigError, UsageError
from clir_cli.pipeline.ablation.layers import depth_of
from clir_cli.pipeline.ablation.make import make_ablation, plan_ablation, possible_ablations
from clir_cli.pipeline.housekeeping import leftovers
from clir_cli.pipeline.plan import Plan, Selection, State, make_plan
from clir_cli.pipeline.rows import Rows
from clir_cli.pipeline.stage import Stage

EXPERIMENT = """
artifacts: made
experiments:
  mine:
    collections: {eng: documents.tsv, deu: german.tsv}
    topics: {deu: deu.tsv, som: som.tsv, eng: eng.tsv}
    qrels: {eng: qrels.txt, deu: qrels.txt}
    bitext: {deu-eng: [a.deu, a.eng], som-eng: [c.som, c.eng]}
    vectors: {deu: deu.vec, eng: eng.vec}
    pairs: {deu-eng: {}, som-eng: {}, eng-deu: {models: [], knowledge: {source: bitext}}}
    models: [m2bert, mart-plb, mart]
    encoder: {checkpoint: hub/encoder, layers: 12}
    training: {precision: float32, folds: {count: 3, run: [1]}}
    knowledge:
      source: bitext
      named: {panlex: {dictionary: words.tsv}}
    interpolation: [smt+mart]
    evaluation: {oracle: true}
    expected: {deu-eng: {smt: {AP@100: 0.5}}}
"""
FILES = "documents.tsv german.tsv deu.tsv som.tsv eng.tsv qrels.txt a.deu a.eng c.som c.eng deu.vec eng.vec words.tsv"


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


def trained(plan: Plan, pair: str) -> list[str]:
    stages = [stage for stage in plan.stages if stage.kind == "train" and stage.pair == pair]
    return list(dict.fromkeys(str(stage.model) for stage in stages))


def labels(chosen: Experiment) -> dict[str, str]:
    return {name: Rows(chosen).label(name) for name in chosen.settings.models}


def test_what_is_not_varied_is_shared_with_the_experiment_itself(folder: Path) -> None:
    whole = make_plan(experiment(folder))
    for what in ("layers", "knowledge", "matrix"):
        plan = plan_ablation(make_ablation(experiment(folder), what))
        keys = {stage.key for stage in whole.stages}
        new = [stage for stage in plan.stages if stage.key not in keys]
        assert {stage.model for stage in new if stage.kind == "train"}.isdisjoint({"m2bert", "mart"})
        assert {stage.kind for stage in new} <= {"align", "matrices", "train", "rerank", "evaluate", "report"}
        assert {"m2bert", "mart"} < set(trained(plan, "deu-eng"))


def test_a_variant_that_the_experiment_trained_is_taken_from_there(folder: Path) -> None:
    whole = make_plan(experiment(folder))
    for stage in whole.stages:
        if stage.kind == "rerank" and stage.pair == "deu-eng":
            whole.store.partial(stage).mkdir(parents=True)
            whole.store.finish(stage, seconds=1.0, threads="1")
    plan = plan_ablation(make_ablation(experiment(folder), "matrix", pairs=["deu-eng"]))
    to_train = {stage.model for stage in plan.to_run if stage.kind == "train"}
    assert to_train == {"mart-blocks", "mart-shuffled", "mart-transposed", "mart-copies"}  # the identity is mart-plb
    identity = by_label(plan)["rerank deu-eng mart-identity fold 1"]
    assert plan.state(identity) is State.done
    assert plan.artifact(identity).name.startswith("deu-eng-mart-plb-fold-1-")


SETS = {
    12: {"10-11": [-3, -2], "9": [-4], "10": [-3], "11": [-2], "9-10-11": [-4, -3, -2]},
    6: {"4-5": [-3, -2], "3": [-4], "4": [-3], "5": [-2], "3-4-5": [-4, -3, -2]},
    3: {"1-2": [-3, -2], "1": [-3], "2": [-2]},  # there is no fourth from the end: {-4, -3, -2} is the model itself
}


@pytest.mark.parametrize("depth", SETS)
def test_the_papers_layers_are_counted_from_the_end(folder: Path, depth: int) -> None:
    made = make_ablation(experiment(folder, f"encoder.layers={depth}"), "layers")
    models = made.experiment.settings.models
    own, *others = SETS[depth]
    assert {name: model.mat_layers for name, model in models.items() if name != "m2bert"} == {
        "mart": SETS[depth][own]
    } | {f"mart-layers-{name}": SETS[depth][name] for name in others}
    assert made.about(plan_ablation(made))["rows"]["mart"]["layers"] == [int(number) for number in own.split("-")]
    first, last = own.split("-")
    assert labels(made.experiment)["mart"] == f"MART, layers {first} and {last}"
    assert labels(made.experiment)[f"mart-layers-{last}"] == f"MART, layer {last}"


def test_layers_of_ones_own(folder: Path) -> None:
    sets = "analysis.ablation.layers=[[1], [11, 10], [-1, 12], [2, -3]]"
    made = make_ablation(experiment(folder, sets), "layers").experiment
    varied = {name: model.mat_layers for name, model in made.settings.models.items() if name.startswith("mart-")}
    assert varied == {"mart-layers-1": [-12], "mart-layers-12": [-1], "mart-layers-2-10": [-11, -3]}
    with pytest.raises(ConfigError, match="there is no layer 13, the encoder has 12"):
        make_ablation(experiment(folder, "analysis.ablation.layers=[[13]]"), "layers")
    with pytest.raises(UsageError, match="nothing to put in the place of mart's layers"):
        make_ablation(experiment(folder, "analysis.ablation.layers=[[10, 11]]"), "layers")
    with pytest.raises(ConfigError, match="there is no layer 0"):
        experiment(folder, "analysis.ablation.layers=[[0]]")


def test_the_depth_is_read_from_the_checkpoint_or_left_open(folder: Path) -> None:
    encoder = folder / "encoder"
    encoder.mkdir()
    (encoder / "config.json").write_text(json.dumps({"num_hidden_layers": 6}))
    for name in ("model.safetensors", "tokenizer.json"):
        (encoder / name).write_text("")
    assert depth_of(experiment(folder, "encoder={checkpoint: ./encoder, layers: null}")) == 6
    unknown = experiment(folder, "encoder={checkpoint: hub/never-fetched, layers: null}")
    assert depth_of(unknown) is None
    made = make_ablation(unknown, "layers").experiment
    assert labels(made)["mart-layers-last4-last3-last2"] == "MART, layers -4, -3 and -2"


def test_knowledge_changes_m_tr_alone(folder: Path) -> None:
    plan = plan_ablation(make_ablation(experiment(folder), "knowledge"))
    assert trained(plan, "deu-eng") == ["m2bert", "mart", "mart-embeddings", "mart-panlex"]
    assert trained(plan, "som-eng") == ["m2bert", "mart", "mart-panlex"]  # no vectors of Somali
    report = plan.targets[0]
    assert report.settings["not_available"] == {"deu-eng": [], "som-eng": ["mart-embeddings"]}
    assert report.settings["availability"] == [
        "som-eng: translations by embeddings for M^tr are not available: no word vectors of som."
    ]
    assert report.settings["labels"]["mart"] == "MART, bitext"
    assert report.settings["labels"]["mart-panlex"] == "MART, panlex"
    stages = by_label(plan)
    panlex, own = (stages[f"train deu-eng {model} fold 1"] for model in ("mart-panlex", "mart"))
    changed = {name for name in own.needs if own.needs[name].key != panlex.needs[name].key}
    assert changed == {"matrices"}
    assert own.settings == panlex.settings
    assert stages["matrices deu-eng panlex"].needs["align"].label == "align deu-eng panlex"


def test_a_source_that_a_pair_reads_already_is_no_variant_there(folder: Path) -> None:
    plan = plan_ablation(make_ablation(experiment(folder, "pairs.som-eng.matrix.source=panlex"), "knowledge"))
    assert trained(plan, "deu-eng") == ["m2bert", "mart", "mart-embeddings", "mart-panlex"]
    assert trained(plan, "som-eng") == ["m2bert", "mart", "mart-bitext"]
    assert plan.targets[0].settings["labels"]["mart"] == "MART, the pair's own table"


def test_the_links_of_each_arm(folder: Path) -> None:
    plan = plan_ablation(make_ablation(experiment(folder), "matrix", pairs=["deu-eng"]))
    stages = by_label(plan)
    by_arm = {
        arm: stages[f"train deu-eng mart-{arm} fold 1"].needs["matrices"]
        for arm in ("shuffled", "transposed", "copies")
    }
    own = stages["train deu-eng mart fold 1"].needs["matrices"]
    assert "arm" not in own.settings  # as it was before there were others
    assert by_arm["shuffled"].settings == own.settings | {"arm": "shuffled", "seed": 42}
    assert by_arm["shuffled"].needs["align"].key == own.needs["align"].key
    assert set(by_arm["copies"].needs) == {"topics", "collection"}  # it reads no table
    other_way = by_arm["transposed"].needs["align"]
    assert [other_way.files[side][0].name for side in ("source", "target")] == ["a.eng", "a.deu"]
    assert other_way.key == by_label(make_plan(experiment(folder), "align"))["align eng-deu"].key
    trains = {arm: stages[f"train deu-eng mart-{arm} fold 1"].settings for arm in by_arm}
    assert all(settings == stages["train deu-eng mart fold 1"].settings for settings in trains.values())
    assert "matrices" not in stages["train deu-eng mart-blocks fold 1"].needs


@pytest.mark.parametrize(("source", "given"), [("panlex", "other way"), ("embeddings", None), ("mix", None)])
def test_which_sources_are_read_the_other_way_round(folder: Path, source: str, given: str | None) -> None:
    sets = ["knowledge.mix={bitext: 1, panlex: 1}", f"matrix.source={source}", "pairs=[deu-eng]"]
    plan = plan_ablation(make_ablation(experiment(folder, *sets), "matrix"))
    matrices = by_label(plan)["matrices deu-eng transposed"]
    assert matrices.settings.get("given") == given
    if source == "panlex":
        table = matrices.needs["align"].settings
        assert (table["source"], table["target"]) == (2, 1)
        assert [stop["language"] for stop in table["stop"]] == ["eng", "deu"]


def test_comparisons_are_one_family(folder: Path) -> None:
    made = make_ablation(experiment(folder, "analysis.ablation.arms=[shuffled, copies]"), "matrix")
    report = plan_ablation(made).targets[0]
    family = [tuple(contrast[:2]) for contrast in report.settings["contrasts"] if contrast[2]]
    assert family == [
        ("mart", "mart-shuffled"), ("mart", "mart-copies"), ("mart", "m2bert"),
        ("mart-shuffled", "m2bert"), ("mart-copies", "m2bert"),
    ]  # fmt: skip
    rows = ["smt", "human", "m2bert", "mart", "mart-shuffled", "mart-copies"]
    assert report.settings["systems"] == {"deu-eng": rows, "som-eng": rows}
    assert report.settings["labels"]["mart-copies"] == "MART, exact copies only"


def test_pairs_that_train_nothing_may_be_named_and_all_share_the_folds(folder: Path) -> None:
    whole = make_plan(experiment(folder))
    made = make_ablation(experiment(folder), "matrix", pairs=["eng-deu"])
    plan = plan_ablation(made)
    assert made.pairs == ("eng-deu",)
    assert {stage.pair for stage in plan.stages if stage.kind == "train"} == {"eng-deu"}
    assert by_label(plan)["folds mine-matrix"].key == by_label(whole)["folds mine"].key


def test_mores_is_varied_as_mart_is(folder: Path) -> None:
    text = EXPERIMENT.replace("[m2bert, mart-plb, mart]", "[m2bert, mores-mat]").replace("[smt+mart]", "[]")
    (folder / "experiments.yaml").write_text(text)
    chosen = experiment(folder)
    made = make_ablation(chosen, "matrix")
    assert made.model == "mores-mat"
    assert labels(made.experiment)["mores-mat-shuffled"] == "MORES with M^tr, shuffled table"
    with pytest.raises(UsageError, match="mores-mat has no MAT layers"):
        make_ablation(chosen, "layers")


WRONG = {
    "no such model": (("matrix", "mrt", ()), "no model `mrt`: did you mean `mart`?"),
    "a model without M^tr": (("matrix", "m2bert", ()), "m2bert is given no M.tr: nothing of it can be ablated"),
    "the placebo": (("matrix", "mart-plb", ()), "mart-plb is given no M.tr"),
    "no such pair": (("matrix", None, ["deu-enh"]), "no pair `deu-enh`: did you mean `deu-eng`?"),
}


@pytest.mark.parametrize(("asked", "problem"), WRONG.values(), ids=list(WRONG))
def test_what_cannot_be_ablated(folder: Path, asked: tuple[str, str | None, list[str]], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        make_ablation(experiment(folder), *asked)


def test_pairs_without_judgements_are_refused(folder: Path) -> None:
    text = EXPERIMENT.replace("    qrels: {eng: qrels.txt, deu: qrels.txt}\n", "").split("    interpolation")[0]
    (folder / "experiments.yaml").write_text(text.replace("{deu-eng: {}, som-eng: {},", "{deu-eng: {models: []},"))
    with pytest.raises(UsageError, match="deu-eng has no judgements to train with"):
        make_ablation(experiment(folder), "matrix", pairs=["deu-eng"])
    with pytest.raises(UsageError, match="trains mart for no pair"):
        make_ablation(experiment(folder), "matrix")


def test_what_ablations_made_is_no_leftover(folder: Path) -> None:
    chosen = experiment(folder)
    plans = [
        plan_ablation(make_ablation(chosen, what, pairs=["deu-eng"])) for what in ("layers", "knowledge", "matrix")
    ]
    for plan in plans:
        for stage in plan.stages:
            if stage.kind in ("train", "matrices", "align") and not plan.store.has(stage):
                plan.store.partial(stage).mkdir(parents=True)
                plan.store.finish(stage, seconds=1.0, threads="1")
    whole = make_plan(chosen)
    lost = {left.path.name.split("-fold")[0] for left in leftovers(whole.store.folder, [whole])}
    assert "deu-eng-mart-shuffled" in lost  # of the experiment alone they are not
    possible = [plan_ablation(ablation) for ablation in possible_ablations(chosen)]
    assert leftovers(whole.store.folder, [whole, *possible]) == []


def test_the_gap_is_measured_of_models_that_are_given_m_tr_itself(folder: Path) -> None:
    chosen = make_ablation(experiment(folder), "matrix", pairs=["deu-eng"]).experiment
    targets = make_plan(chosen, "gap", Selection(("deu-eng",))).targets
    assert {stage.model for stage in targets} == {"m2bert", "mart", "mart-identity", "mart-blocks"}
    links = [stage.label for stage in make_plan(chosen, "matrices", Selection(("deu-eng",))).targets]
    assert links == [
        "matrices deu-eng", "matrices deu-eng shuffled", "matrices deu-eng transposed", "matrices deu-eng copies",
    ]  # fmt: skip
