"""`clir ablate` from trained variants to the table and the folder of results."""

import json
from pathlib import Path

import pytest

from clir_cli.cli.app import run as call
from clir_cli.config.load import load_experiment
from clir_cli.pipeline.ablation.make import make_ablation, plan_ablation
from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stage import call as run_stage
from clir_cli.records import TopicLinks, no_progress
from clir_cli.translation.links_file import read_links

from .test_mores import folder

__all__ = ["folder"]
SETS = ("models=[m2bert, mart]", "matrix.stop_words=keep")


def make_here(plan: Plan) -> None:
    """Make stages in this process: another one would spend its time on importing torch."""
    for stage in plan.to_run:
        needs = {name: plan.store.path(needed) for name, needed in stage.needs.items()}
        out = plan.store.partial(stage)
        out.mkdir(parents=True, exist_ok=True)
        run_stage(stage.function, out, Inputs(stage.settings, needs, stage.files, stage.hints), no_progress)
        plan.store.finish(stage, 0.0, threads="1")


def links_of(plan: Plan, model: str) -> dict[str, TopicLinks]:
    (train,) = [stage for stage in plan.stages if stage.kind == "train" and stage.model == model]
    return read_links(plan.artifact(train.needs["matrices"]) / "links.npz")


@pytest.fixture(scope="module")
def plan(folder: Path) -> Plan:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("CLIR_ARTIFACTS", raising=False)
        chosen = load_experiment(folder / "experiments.yaml", None, SETS)
        made = plan_ablation(make_ablation(chosen, "matrix"))
        make_here(made)
    return made


def test_the_links_that_each_arm_is_given(plan: Plan) -> None:
    true = links_of(plan, "mart")
    shuffled, turned, copies = (links_of(plan, f"mart-{arm}") for arm in ("shuffled", "transposed", "copies"))
    assert sum(len(row) for rows in true.values() for row in rows.values()) == 27
    for topic, rows in true.items():
        for word, row in rows.items():
            assert sorted(shuffled[topic][word].values()) == sorted(row.values())
            assert shuffled[topic][word].keys().isdisjoint(row)
            # a document word of the tiny collection translates one query word, so that word's P given it is 1
            assert turned[topic][word] == dict.fromkeys(row, 1.0)
    assert all(rows == {} for rows in copies.values())  # its two languages have no word in common


def test_the_variants_beside_the_model(folder: Path, plan: Plan, capsys: pytest.CaptureFixture[str]) -> None:
    sets = [part for text in SETS for part in ("--set", text)]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("CLIR_ARTIFACTS", raising=False)
        assert call(["ablate", "matrix", "--dry-run", *sets]) == 0
        assert "nothing would be made" in capsys.readouterr().out
        assert call(["ablate", "matrix", "--quiet", *sets]) == 0
        said = capsys.readouterr().out
        assert call(["ablate", "layers", "--layers", "1", "--layers", "4", "--dry-run", *sets]) == 0
        planned = capsys.readouterr().out
    for label in ("MART, identity", "MART, word blocks only", "MART, shuffled table", "MART, transposed table"):
        assert f"\n{label} " in said
    assert "train\tdeu-eng mart-layers-1 fold 1" in planned
    assert "train\tdeu-eng mart-layers-4 fold 1" in planned
    assert "train\tdeu-eng mart fold 1" not in planned
    results = folder / "made" / "results" / "tiny" / "ablations" / "matrix"
    about = json.loads((results / "ablation.json").read_text(encoding="utf-8"))
    assert (about["ablation"], about["experiment"], about["model"], about["depth"]) == ("matrix", "tiny", "mart", 4)
    arms = {name: row["arm"] for name, row in about["rows"].items()}
    assert arms == {"m2bert": None, "mart": "translation"} | {
        f"mart-{arm}": arm for arm in ("identity", "blocks", "shuffled", "transposed", "copies")
    }
    assert about["rows"]["mart"]["layers"] == [2, 3]
    runs = {file.name for file in (results / "runs").iterdir()}
    assert {f"deu-eng.{name}.trec" for name in about["rows"]} < runs
    assert "MART, shuffled table" in (results / "tested-folds.table.tex").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["layers", "--arm", "copies"], "--arm says nothing of layers."),
        (["matrix", "--layers", "1"], "--layers says nothing of matrix."),
        (["layers", "--layers", "x"], "--layers x names no layers."),
        (["layers", "--layers", "5"], "there is no layer 5, the encoder has 4."),
        (["knowledge", "--source", "tabel"], "no source `tabel`: did you mean `table`?"),
        (["knowledge"], "There is nothing to put in the place of mart's knowledge."),
        (["matrix", "--model", "mrt"], "no model `mrt`: did you mean `mart`?"),
    ],
)
def test_what_does_not_fit(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("CLIR_ARTIFACTS", raising=False)
        assert call(["ablate", *arguments, "--set", SETS[0]]) == 2
    assert problem in capsys.readouterr().err
