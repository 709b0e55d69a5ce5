"""What is read of a folder of results for the paper's claims."""

import json
from pathlib import Path

import pytest

from clir_cli.pipeline.reporting.evidence import _ablation, tell_unfinished
from clir_cli.pipeline.reporting.whose import other_encoder, whose_data
from clir_cli.report.paper.evidence import Data
from clir_cli.report.stored import to_json
from clir_cli.report.tables import build_table

from .test_plan_of_parts import JUDGED, experiment


def row(layers: list[int] | None, source: str | None = None, arm: str | None = "translation") -> dict[str, object]:
    return {"label": "x", "kind": "mart" if layers else "bert", "arm": arm, "layers": layers, "source": source}


def test_an_ablation_as_it_is_exported(tmp_path: Path) -> None:
    assert _ablation(tmp_path) is None
    small = build_table({"deu-eng": {"mart": {"AP@100": {"1": 0.5}}}}, {"mart": "MART"}, ["AP@100"])
    whole = build_table({"deu-eng": {"smt": {"AP@100": {"1": 0.5}}}}, {"smt": "SMT"}, ["AP@100"])
    (tmp_path / "table.json").write_text(to_json(whole), encoding="utf-8")
    (tmp_path / "tested-folds.table.json").write_text(to_json(small), encoding="utf-8")
    assert _ablation(tmp_path) is None, "without ablation.json nobody knows what its rows are"
    rows = {
        "m2bert": row(None, arm=None),
        "mart": row([10, 11]),
        "mart-layers-9": row([9]),
        "mart-identity": row([10, 11], arm="identity"),
        "mart-panlex": row([10, 11], "panlex"),
    }
    about = {"depth": 12, "model": "mart", "rows": rows}
    (tmp_path / "ablation.json").write_text(json.dumps(about), encoding="utf-8")
    found = _ablation(tmp_path)
    assert found is not None
    assert [table.labels for table in found.tables] == [{"mart": "MART"}, {"smt": "SMT"}]
    assert found.model == "mart"
    assert found.layers[(-4,)] == "mart-layers-9"
    assert found.sources == {"panlex": "mart-panlex"}


def test_whose_data_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLIR_SAMPLE", raising=False)
    text = JUDGED + "models: []\nbitext: {deu-eng: [a.deu, a.eng]}\n"
    assert whose_data(experiment(tmp_path, text)) is Data.other
    clef = text.replace("{eng: documents.tsv}", "{eng: {path: documents.tsv, format: clef}}")
    assert whose_data(experiment(tmp_path, clef)) is Data.clef
    monkeypatch.setenv("CLIR_SAMPLE", str(tmp_path))
    assert whose_data(experiment(tmp_path, clef)) is Data.sample


MODELS = JUDGED + "models: [m2bert]\nbitext: {deu-eng: [a.deu, a.eng]}\n"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("encoder: amberoad/bert-multilingual-passage-reranking-msmarco", ""),
        ("encoder: google-bert/bert-base-multilingual-cased", ""),
        (
            "encoder: {checkpoint: bert-base-multilingual-cased, layers: 6}",
            "the first 6 layers of bert-base-multilingual-cased",
        ),
        ("encoder: {checkpoint: bert-base-multilingual-cased, layers: 12}", ""),
        ("encoder: FacebookAI/xlm-roberta-base", "FacebookAI/xlm-roberta-base"),
        ("encoder: distilbert-base-multilingual-cased", "distilbert-base-multilingual-cased"),
        ("encoder: own", ""),
        ("encoder: small", "small"),
        (
            "pretrain: {architecture: {layers: 3, width: 64}, masked_language: {collections: [eng]}}",
            "3 layers of width 64 made from the experiment's own text",
        ),
    ],
)
def test_whose_encoder_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: str, said: str) -> None:
    monkeypatch.chdir(tmp_path)
    for name, vocabulary in (("own", 105_879), ("small", 4_000)):
        (tmp_path / name).mkdir()
        config = {"model_type": "bert", "num_hidden_layers": 12, "vocab_size": vocabulary}
        (tmp_path / name / "config.json").write_text(json.dumps(config))
        for file in ("model.safetensors", "tokenizer.json"):  # that the settings ask for; nobody reads them here
            (tmp_path / name / file).touch()
    assert other_encoder(experiment(tmp_path, MODELS + settings)) == said


def test_what_is_not_finished_is_told_pair_by_pair() -> None:
    rows = {
        "deu-eng": {"smt": True, "m2bert": False, "mart": False},
        "fra-eng": {"smt": False, "mart": False},
        "ita-eng": {"smt": True},
    }
    assert tell_unfinished(rows) == [
        "Not finished, so not looked at: m2bert, mart of deu-eng; fra-eng. `clir run-all` makes them."
    ]
    assert tell_unfinished({"ita-eng": {"smt": True}}) == []
