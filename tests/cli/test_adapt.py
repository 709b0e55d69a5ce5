"""`clir adapt`, `--adapters` and `--task-from`."""

import json
from pathlib import Path

import pytest

from clir_cli.encoders.adapters.files import read_adapter_for
from clir_cli.encoders.load import load_encoder
from tests.cli.conftest import Call
from tests.tiny_collection import make_collection


@pytest.fixture
def encoder(folder: Path) -> Path:
    tiny = make_collection(folder / "encoder", topics=6)
    (folder / "som.txt").write_text("\n".join([*tiny.queries.values(), *tiny.documents.values()]) + "\n")
    (folder / "more.txt").write_text("\n".join(reversed(tiny.documents.values())) + "\n")
    return tiny.folder


FEW = ("--steps", "2", "--head-steps", "2", "--batch", "4", "--max-pieces", "16")


def test_an_adapter_for_any_encoder(call: Call, encoder: Path, folder: Path) -> None:
    arguments = ("adapt", "--language", "som", "--checkpoint", "encoder", "--layers", "2", "--out", "made/som", *FEW)
    said = call(*arguments, "--text", "som.txt", "more.txt")
    assert said.code == 0, said.err
    assert said.out == f"{Path('made/som/adapter')}\n"
    assert "Perplexity of held-out text: " in said.err
    adapter = read_adapter_for(load_encoder(encoder, layers=2), folder / "made" / "som" / "adapter")
    assert (adapter.name, adapter.adapter.shape.layers) == ("som", 2)
    pieces = json.loads((folder / "made" / "som" / "report.json").read_text())["pieces"]
    fewer = call(*arguments[:-9], "made/one", *FEW, "--text", "som.txt")
    assert fewer.code == 0, fewer.err
    assert json.loads((folder / "made" / "one" / "report.json").read_text())["pieces"] < pieces


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--text", "som.txt"), "--text goes with one --language."),
        (("--checkpoint", "encoder", "--language", "som"), "--checkpoint goes with --language, --text and --out."),
        (("--out", "x"), "--layers and --out go with --checkpoint."),
        (("--checkpoint", "encoder", "--language", "Somali", "--text", "som.txt", "--out", "x"), "'Somali' is no"),
        (("--checkpoint", "encoder", "--language", "som", "--text", "nowhere.txt", "--out", "x"), "nowhere.txt"),
        (("--checkpoint", "./none", "--language", "som", "--text", "som.txt", "--out", "x"), "./none is no folder"),
        (("--checkpoint", "encoder", "--experiment", "tiny"), "--checkpoint needs no experiment."),
        (("--language", "som"), "There is no text or adapter of language 'som'"),
        ((), "Experiment tiny has no language to learn."),
    ],
)
def test_what_is_missing_is_told(call: Call, encoder: Path, arguments: tuple[str, ...], problem: str) -> None:
    said = call("adapt", *arguments)
    assert said.code in (1, 2)
    assert problem in said.err


def test_languages_of_an_experiment(call: Call, encoder: Path, folder: Path) -> None:
    """Text on the command line is a setting of the experiment: the stage is made once."""
    with_encoder = ("--set", "encoder.checkpoint=encoder")
    arguments = ("adapt", "--language", "som", "--text", "som.txt", "more.txt", *FEW, *with_encoder)
    first = call(*arguments)
    assert first.code == 0, first.err
    assert "som" in first.out
    (made,) = (folder / "made" / "adapt").iterdir()
    assert (made / "adapter" / "adapter_config.json").is_file()
    again = call(*arguments)
    assert again.out == first.out
    assert "to make" not in again.err


def test_training_with_adapters_and_ranking_for_another_pair_are_settings(call: Call, encoder: Path) -> None:
    """What the options mean can be read in the plan's errors: languages that have no text, a pair that is not there."""
    common = ("--set", "encoder.checkpoint=encoder", "--set", "models=[m2bert]", "--pair", "deu-eng")
    said = call("train", "--model", "m2bert", "--adapters", *common)
    assert "m2bert needs deu for deu-eng: add `adapters.languages.deu`" in said.err
    said = call("rerank", "--model", "m2bert", "--task-from", "som-eng", *common)
    assert "no pair `som-eng`" in said.err
    assert "Say which model has them" in call("train", "--adapters").err
    assert "Say which pair is ranked" in call("rerank", "--task-from", "deu-eng").err
    assert "Leave out --model" in call("rerank", "--checkpoint", "x", "--adapters").err
