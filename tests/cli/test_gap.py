"""`clir gap`: the trained models of a fold, side by side."""

import csv
from pathlib import Path

import pytest

from clir_cli.cli.app import run as call
from tests.tiny_experiment import make

from .test_mores import folder

__all__ = ["folder"]
MODELS = ("models=[m2bert, mart]", "matrix.stop_words=keep")


def test_the_layers_of_two_models(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("CLIR_ARTIFACTS", raising=False)
        plan = make(folder, "gap", *MODELS)
        assert [stage.name for stage in plan.targets] == ["deu-eng m2bert fold 1", "deu-eng mart fold 1"]
        sets = [part for text in MODELS for part in ("--set", text)]
        assert call(["gap", "--quiet", "--out", "gap.csv", "--figure", "gap.pdf", "--figure", "gap.svg", *sets]) == 0
        assert call(["gap", "--figure", "gap.doc", *sets]) == 2
        assert call(["gap", "--quiet", "--model", "mores"]) == 2
    said = capsys.readouterr()
    head, *rows = [line.split("\t") for line in said.out.splitlines() if "\t" in line]
    assert head == ["pair", "model", "layer", "translations", "others", "gap", "95 %"]
    assert [row[1:3] for row in rows] == [[model, str(layer)] for model in ("m2bert", "mart") for layer in range(5)]
    assert "No model is selected whose translation gap can be measured." in said.err
    assert "gap.doc: no format of a figure." in said.err
    assert (folder / "gap.pdf").read_bytes().startswith(b"%PDF")
    drawn = (folder / "gap.svg").read_text(encoding="utf-8")
    assert [f">{model}</text>" in drawn for model in ("BERT (no ranking step)", "MART")] == [False, True]
    with (folder / "gap.csv").open() as file:
        written = list(csv.DictReader(file))
    assert len(written) == 2 * 5 * 3
    for row in written:
        assert float(row["low"]) <= float(row["mean"]) <= float(row["high"])
        assert row["topics"] == "3"
    means = {(row["model"], row["layer"], row["kind"]): float(row["mean"]) for row in written}
    for row in rows:
        assert float(row[5]) == pytest.approx(means[row[1], row[2], "gap"], abs=6e-4)
        assert float(row[3]) - float(row[4]) == pytest.approx(float(row[5]), abs=2e-3)
