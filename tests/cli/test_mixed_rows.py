"""Rows that are made from others, from the settings to the tables: mixtures, the oracle, what nobody trains."""

import csv
import json
from pathlib import Path

import pytest

from clir_cli.corpora.folds import read_folds
from clir_cli.trec import read_run

from ..tiny_collection import make_collection
from .conftest import Call

MIXED = """\
    retrieval: {engine: sparse}
    models: [m2bert, zero-shot]
    encoder: {checkpoint: ./ranker, max_pieces: 48}
    training:
      epochs: 1
      folds: {count: 3}
      batch: {forward: 2, effective: 2}
      keep: scores
    reranking: {depth: 3}
    interpolation: [smt+human, smt+m2bert, smt+zero-shot]
    evaluation:
      oracle: true
      measures: [AP@1000, MRR@10, NDCG@2]
      compare: m2bert
      baselines: [smt]
      contrasts: [[zero-shot, m2bert]]
"""


@pytest.fixture
def mixed(folder: Path) -> Path:
    """The tiny experiment with everything that can be mixed; its encoder is one that never learned to rank."""
    from clir_cli.encoders.checkpoint import load_tokenizer
    from clir_cli.rerankers.build import build_reranker, save_reranker

    tiny = make_collection(folder / "encoder")
    save_reranker(build_reranker(tiny.folder, seed=3), load_tokenizer(tiny.folder), folder / "ranker")
    file = folder / "experiments.yaml"
    text = file.read_text(encoding="utf-8")
    text = text.replace("    models: []\n    training: {folds: {count: 3}}\n", MIXED)
    file.write_text(text, encoding="utf-8")
    return folder


def test_mixtures_and_the_oracle_from_settings_to_tables(call: Call, mixed: Path) -> None:
    done = call("run-all", "--jobs", "1")
    assert done.code == 0, done.err
    results = mixed / "made" / "results" / "tiny"
    said = (results / "table.md").read_text(encoding="utf-8")
    for sentence in (
        "SMT + Zero-shot: w SMT + (1 - w) Zero-shot, scores min-max normalised by topic; w of each fold chosen for "
        "AP@100 on its validation topics: deu-eng ",
        "Zero-shot: the ranking head that the encoder came with, nothing fine-tuned.",
        "Oracle re-ranking: the 3 documents that are re-ranked, relevant ones first; a ceiling that no re-ranker "
        "passes, in no test.",
        "Re-ranked lists hold 3 documents: to AP@1000, MRR@10 what lies deeper is not found.",
    ):
        assert sentence in said
    runs = results / "runs"
    reranked = read_run(runs / "deu-eng.m2bert.trec")
    for name in ("smt+m2bert", "smt+zero-shot", "smt+human"):
        run = read_run(runs / f"deu-eng.{name}.trec")
        weights = json.loads((runs / f"deu-eng.{name}.weights.json").read_text(encoding="utf-8"))
        assert [fold["fold"] for fold in weights["folds"]] == [1, 2, 3]
        assert all(fold["value"] >= max(fold["first_alone"], fold["second_alone"]) for fold in weights["folds"])
        assert run.keys() == reranked.keys()
        if name != "smt+human":
            documents = {topic: {entry.document for entry in ranking} for topic, ranking in run.items()}
            assert documents == {topic: {entry.document for entry in found} for topic, found in reranked.items()}

    assert_mixed_by_the_weight_of_its_fold(mixed / "made")

    with (results / "comparisons.csv").open() as file:
        asked = {(row["system"], row["baseline"]): row for row in csv.DictReader(file)}
    assert {("smt+m2bert", "smt"), ("smt+m2bert", "m2bert"), ("zero-shot", "m2bert")} <= asked.keys()
    assert asked["zero-shot", "m2bert"]["in_family"] == "0"
    assert asked["m2bert", "smt"]["in_family"] == "1"
    assert float(asked["zero-shot", "m2bert"]["non_inferiority_p_0.02"]) >= 0
    assert not any("oracle" in names for names in asked)
    with (results / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["measure"] for row in rows} == {"AP@1000", "MRR@10", "NDCG@2"}
    best = {row["system"] for row in rows if row["best_neural"] == "1"}
    assert best
    assert best <= {"m2bert", "zero-shot"}
    oracle = {row["measure"]: float(row["value"]) for row in rows if row["system"] == "oracle"}
    assert oracle["MRR@10"] == 1.0
    assert all(
        float(row["value"]) <= oracle[row["measure"]] for row in rows if row["system"] in ("m2bert", "zero-shot")
    )
    assert not list((mixed / "made" / "train").glob("*/model")), "keep: scores, once both runs of a fold are there"

    again = call("run-all", "--jobs", "1", "--set", "training.keep=best", "--dry-run")
    assert "interpolate" not in again.out


def assert_mixed_by_the_weight_of_its_fold(made: Path) -> None:
    """The run of smt+zero-shot, computed again from the runs that it is made of."""
    (folds_file,) = (made / "folds").glob("*/folds.tsv")
    folds = read_folds(folds_file)
    runs = made / "results" / "tiny" / "runs"
    mixture = read_run(runs / "deu-eng.smt+zero-shot.trec")
    weights = json.loads((runs / "deu-eng.smt+zero-shot.weights.json").read_text(encoding="utf-8"))
    weight_of = {fold["fold"]: fold["weight"] for fold in weights["folds"]}
    first, second = (read_run(runs / f"deu-eng.{name}.trec") for name in ("smt", "zero-shot"))
    for topic, ranking in mixture.items():
        documents = [entry.document for entry in second[topic]]
        halves = []
        for run in (first, second):
            scores = {entry.document: entry.score for entry in run[topic]}
            cut = {document: scores[document] for document in documents}
            low, high = min(cut.values()), max(cut.values())
            halves.append({document: (score - low) / (high - low or 1) for document, score in cut.items()})
        w = weight_of[folds[topic]]
        expected = {document: w * halves[0][document] + (1 - w) * halves[1][document] for document in documents}
        assert dict(ranking) == pytest.approx(expected)
