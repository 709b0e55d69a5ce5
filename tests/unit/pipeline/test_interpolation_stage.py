"""The stage that mixes two runs: whose judgements choose the weight of a fold, and what is written."""

import json
from pathlib import Path
from typing import Any

import pytest

from clir_cli.corpora.folds import assign_folds, split, write_folds
from clir_cli.errors import DataError
from clir_cli.pipeline.joined_topics import JoinedTopic, write_joined
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.interpolation import interpolate
from clir_cli.records import Qrels, Run, ScoredDoc, no_progress
from clir_cli.trec import read_run, write_qrels, write_run

KEYS = [str(number) for number in range(1, 21)]
FOLDS = assign_folds(KEYS, count=5, seed=42)
SETTINGS = {
    "name": "smt+mart", "systems": ["smt", "mart"], "normalise": "minmax", "step": 0.1, "measure": "AP@100",
    "folds": [1, 2, 3, 4, 5], "reranked": [False, True],
}  # fmt: skip


def first_run() -> Run:
    """`good` at the top, and one document that no re-ranker sees."""
    return {key: [ScoredDoc("good", 9.0), ScoredDoc("bad", 5.0), ScoredDoc("unseen", 1.0)] for key in KEYS}


def second_run(topics: frozenset[str] | list[str]) -> Run:
    return {key: [ScoredDoc("bad", 0.5), ScoredDoc("good", 0.25)] for key in topics}


def judgements() -> Qrels:
    """In odd folds the first system is right, in even ones the second."""
    return {key: {"good" if FOLDS[key] % 2 else "bad": 1} for key in KEYS}


def made(folder: Path, qrels: Qrels, *, by_fold: bool = False, **changed: Any) -> dict[str, Any]:
    """Run the stage; returns what weights.json says. ``by_fold``: the second system is trained, a run for each part."""
    (folder / "topics").mkdir(parents=True)
    write_joined(folder / "topics" / "topics.tsv", [JoinedTopic(key, key, "haus") for key in KEYS])
    write_qrels(folder / "topics" / "qrels.txt", qrels)
    (folder / "folds").mkdir()
    write_folds(folder / "folds" / "folds.tsv", FOLDS)
    runs = {"first": first_run()}
    if by_fold:
        for fold in range(1, 6):
            parts = split(FOLDS, fold)
            runs |= {f"second test {fold}": second_run(parts.test)}
            runs |= {f"second validation {fold}": second_run(parts.validation)}
    else:
        runs["second"] = second_run(KEYS)
    needs = {"topics": folder / "topics", "folds": folder / "folds"}
    for name, run in runs.items():
        needs[name] = folder / name
        needs[name].mkdir()
        write_run(needs[name] / "run.trec", run, "x")
    (folder / "out").mkdir()
    interpolate(folder / "out", Inputs(SETTINGS | changed, needs, {}, {}), no_progress)
    found: dict[str, Any] = json.loads((folder / "out" / "weights.json").read_text(encoding="utf-8"))
    return found


def by_fold(weights: dict[str, Any]) -> dict[int, float]:
    return {fold["fold"]: fold["weight"] for fold in weights["folds"]}


@pytest.mark.parametrize("trained", [False, True])
def test_the_fold_after_the_test_fold_chooses(tmp_path: Path, trained: bool) -> None:
    weights = made(tmp_path, judgements(), by_fold=trained)
    # The first system is right in folds 1, 3 and 5: where one of those validates it has to outweigh the second, as it
    # does from 0.5 on (ties go by document id).
    assert by_fold(weights) == {1: 0.0, 2: 0.5, 3: 0.0, 4: 0.5, 5: 0.5}
    assert (weights["first"], weights["second"], weights["measure"]) == ("smt", "mart", "AP@100")
    assert weights["folds"][1] == {
        "fold": 2, "weight": 0.5, "validation_topics": 4, "value": 1.0, "first_alone": 1.0, "second_alone": 0.5,
    }  # fmt: skip
    run = read_run(tmp_path / "out" / "run.trec")
    assert set(run) == set(KEYS)
    for topic, ranking in run.items():
        best = "good" if by_fold(weights)[FOLDS[topic]] else "bad"
        assert [entry.document for entry in ranking] == [best, "bad" if best == "good" else "good"]


def test_judgements_of_test_topics_never_change_their_weight(tmp_path: Path) -> None:
    before = by_fold(made(tmp_path / "before", judgements()))
    for fold in range(1, 6):
        tested = split(FOLDS, fold).test
        turned = judgements() | {key: {"bad" if "good" in judgements()[key] else "good": 1} for key in tested}
        after = by_fold(made(tmp_path / f"turned-{fold}", turned))
        assert after[fold] == before[fold]
        assert after[(fold - 2) % 5 + 1] != before[(fold - 2) % 5 + 1], "and those of validation topics do"


def test_only_the_folds_that_are_run(tmp_path: Path) -> None:
    weights = made(tmp_path, judgements(), folds=[2])
    assert by_fold(weights) == {2: 0.5}
    assert set(read_run(tmp_path / "out" / "run.trec")) == split(FOLDS, 2).test


def test_without_validation_topics_there_is_no_weight(tmp_path: Path) -> None:
    qrels = {key: grades for key, grades in judgements().items() if FOLDS[key] != 3}
    with pytest.raises(DataError) as caught:
        made(tmp_path, qrels)
    assert str(caught.value) == (
        "The weight of fold 2 cannot be chosen: none of its validation topics is judged here. "
        "Bring more topics or ask for fewer folds."
    )
