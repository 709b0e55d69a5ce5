"""What is planned for an experiment: which stages, shared how, why, and what changes a key."""

from pathlib import Path

import pytest

from clir_cli.config.load import Experiment, load_experiment
from clir_cli.errors import ConfigError, UsageError
from clir_cli.pipeline.estimate import NOMINAL, estimate
from clir_cli.pipeline.housekeeping import leftovers, outdated, remove
from clir_cli.pipeline.plan import KINDS, Plan, Selection, State, make_plan
from clir_cli.pipeline.stage import Stage

EXPERIMENT = """
default: mine
artifacts: made
experiments:
  mine:
    collections: {eng: documents.tsv}
    topics: {deu: topics.deu.tsv, som: topics.som.tsv, eng: topics.eng.tsv}
    qrels: {eng: qrels.txt}
    bitext: {deu-eng: [a.deu, a.eng], som-eng: [a.som, a.eng]}
    pairs: {deu-eng: {}, som-eng: {retrieval: {translations: 3}}}
    encoder: some-hub/checkpoint
    training: {epochs: 4, precision: float32}
  next:
    extends: mine
    encoder: {checkpoint: {experiment: mine, model: m2bert}}
"""
FILES = ("documents.tsv", "topics.deu.tsv", "topics.som.tsv", "topics.eng.tsv", "qrels.txt", "a.deu", "a.som", "a.eng")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "experiments.yaml").write_text(EXPERIMENT)
    for name in FILES:
        (tmp_path / name).write_text(f"contents of {name}\n")
    return tmp_path


def experiment(folder: Path, *sets: str, name: str = "mine") -> Experiment:
    return load_experiment(folder / "experiments.yaml", name, sets, {})


def by_label(plan: Plan) -> dict[str, Stage]:
    return {stage.label: stage for stage in plan.stages}


def pretend(plan: Plan, *kinds: str) -> None:
    """Finish stages without running them; no kinds: all of them."""
    for stage in plan.stages:
        if not kinds or stage.kind in kinds:
            plan.store.partial(stage).mkdir(parents=True)
            plan.store.finish(stage, seconds=2.0, threads="1")


def test_every_stage_comes_after_what_it_needs(folder: Path) -> None:
    plan = make_plan(experiment(folder))
    seen: set[str] = set()
    for stage in plan.stages:
        assert {needed.key for needed in stage.needs.values()} <= seen
        seen.add(stage.key)
    assert plan.stages[-1].kind == "report"
    assert sum(stage.kind == "train" for stage in plan.stages) == 2 * 3 * 5


def test_models_of_a_pair_share_every_earlier_stage(folder: Path) -> None:
    stages = by_label(make_plan(experiment(folder)))
    mart, placebo = (stages[f"train deu-eng {model} fold 2"] for model in ("mart", "mart-plb"))
    shared = {"pieces", "topics", "candidates", "folds", "pairs"}
    assert {name: mart.needs[name].key for name in shared} == {name: placebo.needs[name].key for name in shared}
    assert "matrices" in mart.needs
    assert "matrices" not in placebo.needs  # the placebo must not even see the table
    assert mart.key != placebo.key


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ("training.learning_rate=0.1", {"train", "rerank", "evaluate", "report"}),
        ("retrieval.b=0.5", {"retrieve", "pairs", "train", "rerank", "evaluate", "report"}),
        ("matrix.copy=oov", {"matrices", "train", "rerank", "evaluate", "report"}),
        ("reranking.depth=50", {"rerank", "evaluate", "report"}),
        ("evaluation.alpha=0.01", {"report"}),
        ("reranking.tokens=700", set()),
        ("retrieval.heap=2g", set()),
        ("retrieval.psq.cut=0.5", set()),
        ("retrieval.engine=sparse", {"index", "retrieve", "pairs", "train", "rerank", "evaluate", "report"}),
        ("retrieval.methods=[smt, psq]", {"index", "retrieve", "evaluate", "report"}),
        ("retrieval.methods=[psq]", {"index", "retrieve", "pairs", "train", "rerank", "evaluate", "report"}),
        ("training.keep=scores", set()),
    ],
)
def test_a_setting_remakes_what_depends_on_it_and_no_more(folder: Path, change: str, kinds: set[str]) -> None:
    before, after = (make_plan(experiment(folder, *sets)) for sets in ((), (change,)))
    old = {stage.key for stage in before.stages}
    changed = {stage.kind for stage in after.stages if stage.key not in old}
    # Reports carry the reduced settings in their caption, so "report" may change with any of them.
    assert changed - {"report"} == kinds - {"report"}
    assert kinds <= changed


def test_settings_of_one_method_leave_the_runs_of_others_alone(folder: Path) -> None:
    def changed(change: str) -> set[str]:
        sets = ("retrieval.methods=[smt, psq]", "retrieval.engine=sparse")
        before, after = (by_label(make_plan(experiment(folder, *sets, *more))) for more in ((), (change,)))
        return {label.split()[-1] for label in after if "retrieve" in label and after[label].key != before[label].key}

    assert changed("retrieval.psq.cut=0.5") == {"psq"}
    assert changed("retrieval.structure=flat") == {"smt"}
    assert changed("retrieval.out_of_table=drop") == {"smt", "psq"}
    assert changed("retrieval.exact_lengths=true") == {"smt", "psq", "human"}
    assert changed("languages.eng.stop_words=none") == {"smt", "psq", "human"}


def test_an_engine_has_an_index_of_its_own_and_no_other_is_built(folder: Path) -> None:
    def indexes(*sets: str) -> list[str]:
        return [stage.label for stage in make_plan(experiment(folder, *sets), "index", Selection(("deu-eng",))).targets]

    assert indexes() == ["index eng"]
    assert indexes("retrieval.engine=sparse") == ["index eng sparse"]
    assert indexes("retrieval.methods=[smt, psq]") == ["index eng", "index eng sparse"]
    assert indexes("retrieval.methods=[smt, psq]", "retrieval.engine=sparse") == ["index eng sparse"]
    stages = by_label(make_plan(experiment(folder, "retrieval.methods=[smt, psq]")))
    assert stages["retrieve deu-eng psq"].needs["index"].label == "index eng sparse"
    assert stages["train deu-eng mart fold 1"].needs["candidates"].label == "retrieve deu-eng smt"


def test_contents_of_a_file_decide_not_its_name_or_time(folder: Path) -> None:
    before = by_label(make_plan(experiment(folder)))
    (folder / "a.deu").write_text("other contents of the same length"[: len("contents of a.deu\n")])
    after = by_label(make_plan(experiment(folder)))
    assert before["align deu-eng"].key != after["align deu-eng"].key
    assert before["align som-eng"].key == after["align som-eng"].key
    (folder / "a.deu").write_text("contents of a.deu\n")
    again = by_label(make_plan(experiment(folder)))
    assert before["align deu-eng"].key == again["align deu-eng"].key


def test_override_of_one_pair_leaves_the_other_alone(folder: Path) -> None:
    stages = by_label(make_plan(experiment(folder)))
    assert stages["retrieve deu-eng smt"].settings["translations"] == 10
    assert stages["retrieve som-eng smt"].settings["translations"] == 3


def test_selection_narrows_the_plan_and_folds_stay(folder: Path) -> None:
    whole = by_label(make_plan(experiment(folder)))
    part = make_plan(experiment(folder), "train", Selection(pairs=("som-eng",), models=("mart",), folds=(3,)))
    assert [stage.label for stage in part.targets] == ["train som-eng mart fold 3"]
    # Folds are made over the topics of all pairs, selected or not.
    assert by_label(part)["folds mine"].key == whole["folds mine"].key


def test_folds_are_dealt_only_where_something_reads_them(folder: Path) -> None:
    assert "folds mine" in by_label(make_plan(experiment(folder)))
    assert "folds mine" not in by_label(make_plan(experiment(folder, "models=[]")))  # one topic is enough there
    assert "folds mine" in by_label(make_plan(experiment(folder, "models=[]", "evaluation.mean=folds")))


@pytest.mark.parametrize(
    ("selection", "target", "words"),
    [
        (Selection(pairs=("deu-enh",)), "report", "no pair 'deu-enh'.*Did you mean 'deu-eng'"),
        (Selection(models=("mrat",)), "report", "no model 'mrat'.*Did you mean 'mart'"),
        (Selection(folds=(6,)), "train", "no fold 6.*1 to 5"),
        (Selection(), "trian", "no stage 'trian'.*Did you mean 'train'"),
        (Selection(), "pretrain", "no `pretrain` section"),
    ],
)
def test_wrong_names_are_answered_with_near_ones(folder: Path, selection: Selection, target: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make_plan(experiment(folder), target, selection)


def test_finished_report_needs_nothing_else(folder: Path) -> None:
    pretend(make_plan(experiment(folder)), "report")
    plan = make_plan(experiment(folder))
    assert plan.to_run == []
    assert {plan.state(stage) for stage in plan.stages} == {State.done, State.spared}


def test_force_remakes_a_kind_and_what_is_made_from_it(folder: Path) -> None:
    pretend(make_plan(experiment(folder)))
    plan = make_plan(experiment(folder), force=["matrices"])
    kinds = {stage.kind for stage in plan.to_run}
    assert kinds == {"matrices", "train", "rerank", "evaluate", "report"}
    assert {stage.model for stage in plan.to_run if stage.kind == "train"} == {"mart"}
    assert plan.reason(by_label(plan)["matrices deu-eng"]) == "forced"


def test_reasons(folder: Path) -> None:
    plan = make_plan(experiment(folder))
    stage = by_label(plan)["align deu-eng"]
    assert plan.reason(stage) == "it was never made"
    plan.store.partial(stage).mkdir(parents=True)
    assert "interrupted run" in plan.reason(stage)
    pretend_one = make_plan(experiment(folder), "matrices")
    plan.store.partial(stage).rmdir()
    pretend(pretend_one, "align", "matrices", "topics", "collection")
    assert plan.reason(stage) == "its result is there"
    other = make_plan(experiment(folder, "knowledge.align.hmm=9"), "matrices")
    assert other.reason(by_label(other)["align deu-eng"]) == "hmm: 5 -> 9"
    assert other.reason(by_label(other)["matrices deu-eng"]) == "stage 'align' changed"


def test_model_of_another_experiment_comes_from_the_same_fold(folder: Path) -> None:
    stages = by_label(make_plan(experiment(folder, name="next")))
    start = stages["train deu-eng mart fold 4"].needs["start"]
    assert start.label == "train deu-eng m2bert fold 4"
    assert start.key == by_label(make_plan(experiment(folder)))["train deu-eng m2bert fold 4"].key


def test_a_result_that_is_there_under_another_name_is_used(folder: Path) -> None:
    pretend(make_plan(experiment(folder)))
    plan = make_plan(experiment(folder, name="next"))
    folds = by_label(plan)["folds next"]
    assert plan.state(folds) is not State.run
    assert plan.artifact(folds).name == f"mine-{folds.key}"
    assert plan.store.partial(folds).name == f"next-{folds.key}.partial"


def test_fold_that_the_other_experiment_does_not_train_is_refused(folder: Path) -> None:
    text = EXPERIMENT.replace("training: {epochs: 4", "training: {folds: {run: [1, 2]}, epochs: 4")
    text += "    training: {folds: {run: [3]}}\n"
    (folder / "experiments.yaml").write_text(text)
    with pytest.raises(ConfigError, match="trains folds"):
        make_plan(experiment(folder, name="next"))


def test_estimate_uses_what_earlier_stages_took(folder: Path) -> None:
    plan = make_plan(experiment(folder))
    assert set(estimate(plan).nominal) == {stage.kind for stage in plan.stages}
    pretend(make_plan(experiment(folder), "align"))
    other = estimate(make_plan(experiment(folder, "knowledge.align.hmm=9"), "align"))
    assert other.seconds == pytest.approx(2 * 2.0)
    assert other.nominal == ()


def test_every_kind_of_stage_has_an_estimate() -> None:
    assert set(NOMINAL) == set(KINDS)


def test_leftovers_are_what_no_plan_uses(folder: Path) -> None:
    old = make_plan(experiment(folder, "knowledge.align.hmm=9"), "align")
    pretend(old)
    plan = make_plan(experiment(folder), "align")
    pretend(plan)
    found = leftovers(plan.store.folder, [plan])
    assert {leftover.path for leftover in found} == {old.store.path(stage) for stage in old.stages}
    for leftover in found:
        remove(leftover)
    assert leftovers(plan.store.folder, [plan]) == []
    assert all(plan.store.has(stage) for stage in plan.stages)


def test_other_library_versions_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan(experiment(folder), "align")
    pretend(plan)
    assert outdated(plan) == {}
    monkeypatch.setattr("clir_cli.pipeline.housekeeping.library_versions", lambda: {"numpy": "0.1"})
    assert any(line.startswith("numpy: made with ") and line.endswith("now 0.1") for line in outdated(plan))
