"""Models trained with several seeds, from the settings to table, run cards, JSON and the paper's claims."""

import csv
import json
import shutil
from math import fsum
from pathlib import Path
from statistics import stdev

import pytest

from clir_cli.report.stored import from_json

from .conftest import Call
from .test_mixed_rows import mixed

__all__ = ["mixed"]
SETS = {
    "training.seeds": "[1, 2]", "training.folds.run": "[1]",
    "models": "[m2bert]", "interpolation": "[]", "evaluation.oracle": "false",
    "evaluation.measures": "[AP@100, P@2]", "evaluation.contrasts": "[]", "evaluation.test": "randomisation",
    "evaluation.correction": "bh", "evaluation.family": "table", "evaluation.draws": "20000",
}  # fmt: skip
OPTIONS = [part for key, value in SETS.items() for part in ("--set", f"{key}={value}")]


def test_two_seeds_from_settings_to_results(call: Call, mixed: Path) -> None:
    done = call("run-all", "--jobs", "1", *OPTIONS)
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "Trained with seeds 1 and 2; values are means over them, topic by topic" in said
    assert "two-sided randomisation test over topics (exact, or 20000 draws, seed 0), BH-corrected p < 0.05" in said
    results = mixed / "made" / "results" / "tiny"
    runs = results / "runs"
    assert {path.name for path in runs.glob("*m2bert*")} == {
        f"deu-eng.m2bert.seed.{seed}.{suffix}" for seed in (1, 2) for suffix in ("trec", "trec.json")
    }
    assert_the_row_is_the_mean(call, results)
    assert_cards_tell_what_differs(call, runs)
    assert_the_json_is_the_table(call, results)

    # One seed again: what was made for it stays, cards of runs that are gone go.
    one = [*OPTIONS, "--set", "training.seeds=[2]"]
    planned = call("run-all", "--dry-run", *one)
    assert "train\t" not in planned.out
    again = call("run-all", "--jobs", "1", *one)
    assert again.code == 0, again.err
    assert {path.name for path in runs.glob("*m2bert*")} == {"deu-eng.m2bert.trec", "deu-eng.m2bert.trec.json"}

    broken = results / "ablations" / "layers"
    broken.mkdir(parents=True)
    for name in ("table.json", "ablation.json"):
        (broken / name).write_text("{}", encoding="utf-8")
    checked = call("paper", "--format", "json", *OPTIONS)
    found = json.loads(checked.out)
    assert found["data"] == "other"
    assert (
        sum(note.startswith("The ablation layers cannot be read: table.json: no results") for note in found["notes"])
        == 1
    )
    claims = {claim["id"]: claim for claim in found["claims"]}
    assert claims["placebo"]["verdict"] == "not testable here"
    assert claims["placebo"]["reason"] == "not run: mart-plb and m2bert; `clir run-all -e tiny`, where it trains them"
    (number,) = claims["m2bert-smt-forward"]["numbers"]
    assert "deu-eng MAP: m2bert " in number
    assert claims["m2bert-smt-forward"]["reason"].startswith("other data")

    # A row that is not there does not take those that are out of sight.
    for kind in ("retrieve", "evaluate"):
        for folder in results.parents[1].glob(f"{kind}/deu-eng-human-*"):
            shutil.rmtree(folder)
    less = json.loads(call("paper", "--format", "json", "--quiet", *OPTIONS).out)
    assert {claim["id"]: claim for claim in less["claims"]}["m2bert-smt-forward"]["numbers"] == [number]
    assert "Not finished, so not looked at: human of deu-eng. `clir run-all` makes them." in less["notes"]


def assert_the_row_is_the_mean(call: Call, results: Path) -> None:
    """Each topic's value is the mean of the two trainings', and the deviation that of their means."""
    measured = call("evaluate", "--topics", "--quiet", *OPTIONS)
    values: dict[str, dict[str, float]] = {}
    for line in measured.out.splitlines()[1:]:
        _, system, measure, topic, value = line.split("\t")
        if measure == "AP@100":
            values.setdefault(system, {})[topic] = float(value)
    first, second = values["m2bert seed 1"], values["m2bert seed 2"]
    with (results / "tested-folds.topics.csv").open() as file:
        mean = {
            row["topic"]: float(row["value"])
            for row in csv.DictReader(file)
            if (row["system"], row["measure"]) == ("m2bert", "AP@100")
        }
    assert mean == pytest.approx({topic: (first[topic] + second[topic]) / 2 for topic in first}, abs=1e-4)
    with (results / "tested-folds.table.csv").open() as file:
        rows = {(row["system"], row["measure"]): row for row in csv.DictReader(file)}
    means = [fsum(run.values()) / len(run) for run in (first, second)]
    assert float(rows["m2bert", "AP@100"]["deviation"]) == pytest.approx(stdev(means), abs=1e-4)
    assert rows["m2bert", "AP@100"]["seeds"] == "2"
    assert (rows["smt", "AP@100"]["seeds"], rows["smt", "AP@100"]["deviation"]) == ("1", "")
    assert float(rows["smt", "P@2"]["judged"]) > 0
    assert rows["smt", "AP@100"]["judged"] == ""


def assert_cards_tell_what_differs(call: Call, runs: Path) -> None:
    """Two seeds of one model differ in their seed, and in nothing else that is told of."""
    files = [str(runs / f"deu-eng.m2bert.seed.{seed}.trec") for seed in (1, 2)]
    told = call("compare", *files, "--qrels", "qrels.txt", "--format", "json")
    remarks = [text.split(" differs:")[0] for text in json.loads(told.out)["remarks"] if " differs:" in text]
    assert remarks == ["system", "settings.pairs.seed", "settings.train.training.seed"]
    card = json.loads((runs / "deu-eng.m2bert.seed.1.trec.json").read_text(encoding="utf-8"))
    assert (card["experiment"], card["pair"], card["system"]) == ("tiny", "deu-eng", "m2bert seed 1")
    assert card["settings"]["train"]["fold"] == 1
    assert {"clir", "torch", "numpy"} <= card["versions"].keys()
    assert {"retrieve deu-eng smt", "train deu-eng m2bert fold 1 seed 1"} <= card["stages"].keys()
    assert not any(word in json.dumps(card) for word in ("house", "katze"))


def assert_the_json_is_the_table(call: Call, results: Path) -> None:
    """What a script reads: objects with names, from which the table comes back."""
    printed = call("report", "--format", "json", "--quiet", *OPTIONS)
    whole, table = json.loads(printed.out)["tables"]
    assert list(whole["labels"]) == ["smt", "human"]
    stored = (results / "tested-folds.table.json").read_text(encoding="utf-8")
    assert table == json.loads(stored)
    assert table["question"] == {
        "test": "randomisation", "correction": "bh", "family": "table", "draws": 20000, "seed": 0,
    }  # fmt: skip
    assert from_json(stored).repetitions["deu-eng"]["m2bert"].seeds == (1, 2)
    with (results / "tested-folds.table.csv").open() as file:
        value = next(row["value"] for row in csv.DictReader(file) if row["system"] == "m2bert")
    entry = table["results"]["m2bert"][0]
    assert (entry["pair"], entry["measure"], repr(entry["value"])) == ("deu-eng", "AP@100", value)
