"""Folders of re-rankers whose config.json says what cannot be, and weights that do not fit it."""

import json
from pathlib import Path
from typing import Any

import pytest

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.encoder import create_encoder
from clir_cli.errors import DataError
from clir_cli.rerankers.build import build_reranker, load_reranker, save_reranker
from clir_cli.rerankers.folder import read_use
from tests.tiny_collection import make_collection


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("folder")
    make_collection(folder / "made", topics=2)
    tokenizer = load_tokenizer(folder / "made")
    create_encoder(folder / "encoder", tokenizer, layers=2, width=16, heads=2, inner=32, positions=32)
    model = build_reranker(folder / "encoder", kind="mart", mat_layers=[1])
    save_reranker(model, tokenizer, folder / "model")
    return folder / "model"


@pytest.fixture
def folder(saved: Path, tmp_path: Path) -> Path:
    for file in saved.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def change(folder: Path, part: str, value: Any) -> None:
    file = folder / "config.json"
    config = json.loads(file.read_text())
    config[part] = {**config[part], **value} if part in config and isinstance(value, dict) else value
    file.write_text(json.dumps(config))


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        ("encoder", None, "The config.json of {folder} describes no encoder."),
        ("encoder", "bert", "The config.json of {folder} describes no encoder."),
        ("encoder", {"hidden_size": "many"}, "The config.json of {folder} describes no encoder."),
        (
            "encoder",
            {"intermediate_size": 48},
            "layer.0.intermediate.dense.bias has shape (32,) in the weights and (48,) by config.json.",
        ),
        ("reranker", {"kind": "tree"}, "kind 'tree' with arm 'translation'."),
        ("reranker", {"arm": "wing"}, "kind 'mart' with arm 'wing'."),
        ("reranker", {"mat_layers": [77]}, "index 77 is out of range."),
    ],
)
def test_what_cannot_be_is_refused(folder: Path, part: str, value: Any, said: str) -> None:
    change(folder, part, value)
    with pytest.raises(DataError) as caught:
        load_reranker(folder)
    assert caught.value.problem.endswith(said.format(folder=folder))


def test_a_library_does_not_get_to_list_everything(folder: Path) -> None:
    change(folder, "encoder", {"model_type": "nothing"})
    with pytest.raises(DataError, match="Unrecognized model identifier: nothing") as caught:
        load_reranker(folder)
    assert len(caught.value.problem) < 400


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"max_pieces": "a"}, "max_pieces is 'a', and no number from 16."),
        ({"document_pieces": -3}, "document_pieces is -3, and no number from 1."),
        ({"text": "klingon"}, "text is 'klingon', neither raw nor folded."),
        ({"fields": 7}, "fields is 7, and no list of parts of a topic."),
        ({"fields": ["abc"]}, "fields is ['abc'], and no list of parts of a topic."),
    ],
)
def test_what_nothing_can_be_read_by(folder: Path, value: Any, said: str) -> None:
    change(folder, "reading", value)
    with pytest.raises(DataError) as caught:
        read_use(folder, "reading")
    assert caught.value.problem == f"The part `reading` of {folder / 'config.json'} cannot be read: {said}"
