"""How the rows of a table are called, and what its caption admits."""

from pathlib import Path

import pytest

from clir_cli.config.load import load_experiment
from clir_cli.pipeline.rows import Rows

PAPER = """
experiments:
  mine:
    collections: {eng: documents.tsv}
    topics: {deu: topics.deu.tsv, eng: topics.eng.tsv}
    qrels: {eng: qrels.txt}
    bitext: {deu-eng: [a.deu, a.eng]}
    pairs: [deu-eng]
    encoder: {checkpoint: some-hub/checkpoint}
"""


def rows(tmp_path: Path, *sets: str) -> Rows:
    (tmp_path / "experiments.yaml").write_text(PAPER)
    return Rows(load_experiment(tmp_path / "experiments.yaml", "mine", sets, {}, check_files=False))


def notes(found: Rows) -> list[str]:
    return found.notes({"deu-eng": found.systems("deu-eng")})


@pytest.mark.parametrize(
    "ranking",
    ["encoder.ranking_pretrained=true", "pretrain.ranking.titles_of=eng"],
)
def test_only_an_encoder_that_learned_to_rank_is_called_m2bert(tmp_path: Path, ranking: str) -> None:
    assert rows(tmp_path).label("m2bert") == "BERT (no ranking step)"
    assert rows(tmp_path, ranking).label("m2bert") == "m2BERT"


def test_the_papers_settings_have_nothing_to_admit(tmp_path: Path) -> None:
    assert notes(rows(tmp_path, "encoder.ranking_pretrained=true")) == []


def test_missing_ranking_step_is_admitted(tmp_path: Path) -> None:
    assert notes(rows(tmp_path)) == ["the encoder saw no ranking examples before fine-tuning"]


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ("training.epochs=3", "training epochs 3 (paper: 100)"),
        ("reranking.depth=50", "re-ranking depth 50 (paper: 100)"),
        ("training.folds.run=[2]", "only fold 2 of 5 (paper: all five)"),
        ("training.validation.topics=9", "validation on at most 9 topics (paper: all of the fold)"),
        ("training.learning_rate=0.001", "learning rate 0.001 (paper: 2e-05)"),
        ("encoder.layers=6", "only the first 6 layers of the encoder"),
        ("models.mart={init: identity}", "MART started as the plain encoder (init: identity)"),
    ],
)
def test_each_reduction_is_admitted(tmp_path: Path, change: str, note: str) -> None:
    models = [] if change.startswith("models") else ["models=[m2bert, mart]"]
    assert notes(rows(tmp_path, "encoder.ranking_pretrained=true", *models, change)) == [note]


def test_first_stage_alone_admits_nothing(tmp_path: Path) -> None:
    assert notes(rows(tmp_path, "models=[]", "training.epochs=3")) == []


@pytest.mark.parametrize(
    ("sets", "systems", "candidates"),
    [
        ([], ["smt", "human"], "smt"),
        (["retrieval.methods=[psq, smt]"], ["smt", "psq", "human"], "smt"),
        (["retrieval.methods=[psq]"], ["psq", "human"], "psq"),
        (["retrieval.methods=[smt, psq]", "knowledge.source=none", "models=[]"], ["human"], "human"),
    ],
)
def test_psq_is_a_row_and_smt_is_re_ranked_where_it_is_run(
    tmp_path: Path, sets: list[str], systems: list[str], candidates: str
) -> None:
    found = rows(tmp_path, *sets)
    assert found.first_stage("deu-eng") == systems
    assert found.candidates("deu-eng") == candidates
    assert found.label("psq") == "PSQ"
