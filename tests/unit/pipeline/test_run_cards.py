"""Cards of runs: stages of one kind told of together, files by checksums, versions as they were."""

import json
from pathlib import Path

from clir_cli.config.load import Experiment
from clir_cli.inspection.run_cards import read_card, tell_differences
from clir_cli.pipeline.plan import make_plan
from clir_cli.pipeline.run_cards import card_place, describe_run, write_card

from .test_plan_of_parts import JUDGED, experiment

TEXT = JUDGED + "encoder: some-hub/model\nbitext: {deu-eng: [a.deu, a.eng]}\nmodels: [m2bert, mart, mart-plb]\n"


def cards(made: Experiment, *systems: str) -> dict[str, dict[str, str]]:
    plan = make_plan(made, "evaluate")
    found = {}
    for stage in plan.targets:
        name = stage.name.split()[1]
        if name in systems:
            run = plan.store.folder / f"{name}.trec"
            assert write_card(run, describe_run(plan, stage)) == card_place(run)
            card = read_card(run)
            assert card is not None
            found[name] = card
    return {name: found[name] for name in systems}


def test_models_differ_in_what_they_are_and_nothing_else(tmp_path: Path) -> None:
    made = experiment(tmp_path, TEXT)
    assert tell_differences(cards(made, "mart", "mart-plb")) == [
        "settings.matrices: only behind mart.",
        'system differs: mart "mart", mart-plb "mart-plb".',
        'settings.train.model.arm differs: mart "translation", mart-plb "identity".',
    ]
    assert tell_differences(cards(made, "m2bert", "mart-plb"))[1:] == [
        'settings.train.model.kind differs: m2bert "bert", mart-plb "mart".',
        'settings.train.model.arm differs: m2bert "translation", mart-plb "identity".',
    ]
    assert "settings.align: only behind smt." in tell_differences(cards(made, "smt", "human"))


def test_settings_of_two_experiments_and_their_files(tmp_path: Path) -> None:
    first = cards(experiment(tmp_path, TEXT), "smt")["smt"]
    changed = experiment(tmp_path, TEXT, "retrieval.k1=0.9")
    (tmp_path / "documents.tsv").write_text("1\tsomething else\n")
    told = tell_differences({"a": first, "b": cards(changed, "smt")["smt"]})
    assert "settings.retrieve.k1 differs: a 1.2, b 0.9." in told
    assert sum(line.startswith("settings.collection.files.documents differs: a [") for line in told) == 1
    assert not any("stages" in line for line in told), "keys follow from settings"
    assert "contents of" not in json.dumps(first)


def test_keys_are_told_of_where_nothing_else_differs() -> None:
    same = {"settings.train.seed": "1"}
    pair = {"a": same | {"stages.train": '"k"'}, "b": same | {"stages.train": '"l"'}}
    assert tell_differences(pair) == ['stages.train differs: a "k", b "l".']
