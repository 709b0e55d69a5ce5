"""Adapters in AdapterHub's folder format."""

import json
import os
import zlib
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from clir_cli.encoders.adapters.adapter import Adapter, AdapterShape
from clir_cli.encoders.adapters.files import read_adapter, read_adapter_for, write_adapter
from clir_cli.encoders.encoder import new_encoder
from clir_cli.encoders.folder import checksum_of
from clir_cli.errors import DataError

SHAPE = AdapterShape(12, 3, 2, 2, "gelu")


def drawn(shape=SHAPE):
    adapter = Adapter(shape)
    with torch.no_grad():
        for number, parameter in enumerate(adapter.parameters()):
            parameter.normal_(generator=torch.Generator().manual_seed(number))
    return adapter


def same(first, second):
    one, two = first.state_dict(), second.state_dict()
    return one.keys() == two.keys() and all(torch.equal(value, two[name]) for name, value in one.items())


@pytest.fixture
def folder(tmp_path):
    write_adapter(tmp_path / "sw", drawn(), "sw", "bert", "bert-base-multilingual-cased")
    return tmp_path / "sw"


def change_config(folder, **changes):
    file = folder / "adapter_config.json"
    config = json.loads(file.read_text())
    for key, value in changes.items():
        (config["config"] if key in config["config"] or key == "invertible_adapter" else config)[key] = value
    file.write_text(json.dumps(config))


@pytest.mark.parametrize(
    "shape",
    [SHAPE, AdapterShape(12, 3, 16, None), AdapterShape(12, 3, left_out=(2,)), AdapterShape(12, 3, left_out=(0,))],
)
def test_written_and_read_is_the_same(tmp_path, shape):
    adapter = drawn(shape)
    write_adapter(tmp_path / "a", adapter, "som", "xlm-roberta")
    found = read_adapter(tmp_path / "a", layers=3)
    assert found.adapter.shape == shape
    assert (found.name, found.model_type) == ("som", "xlm-roberta")
    assert same(found.adapter, adapter)


def test_names_are_those_of_adapterhub(folder):
    names = set(load_file(folder / "adapter.safetensors"))
    assert "bert.encoder.layer.2.output.adapters.sw.adapter_down.0.weight" in names
    assert "bert.encoder.layer.0.output.adapters.sw.adapter_up.bias" in names
    assert {f"bert.invertible_adapters.sw.{letter}.{n}.weight" for letter in "FG" for n in (0, 2)} <= names
    assert len(names) == 3 * 4 + 8
    config = json.loads((folder / "adapter_config.json").read_text())
    assert config["hidden_size"] == 12
    assert config["config"]["reduction_factor"] == 2
    assert config["config"]["inv_adapter"] == "nice"
    assert config["config"]["residual_before_ln"] is True


def test_the_older_pickled_form_with_older_names_and_a_head(folder):
    """As the public adapters of 2020 are: a pickle, `layer_text_lang_adapters`, `invertible_adapter`, a head beside."""
    weights = load_file(folder / "adapter.safetensors")
    older = {
        name.removeprefix("bert.")
        .replace(".output.adapters.", ".output.layer_text_lang_adapters.")
        .replace("invertible_adapters", "invertible_lang_adapters"): value
        for name, value in weights.items()
    }
    older["cls.predictions.bias"] = torch.zeros(7)
    torch.save(older, folder / "pytorch_adapter.bin")
    (folder / "adapter.safetensors").unlink()
    change_config(folder, inv_adapter=None, invertible_adapter={"block_type": "nice", "reduction_factor": 2})
    assert same(read_adapter(folder, layers=3).adapter, drawn())


class RunsCode:
    def __reduce__(self):
        return os.mkdir, (os.environ["CLIR_TEST_PICKLE"],)


def test_a_pickle_that_runs_code_is_refused_and_does_not_run(folder, tmp_path, monkeypatch):
    made = tmp_path / "made-by-the-pickle"
    monkeypatch.setenv("CLIR_TEST_PICKLE", str(made))
    (folder / "adapter.safetensors").unlink()
    torch.save({"bert.x": RunsCode()}, folder / "pytorch_adapter.bin")
    with pytest.raises(DataError) as caught:
        read_adapter(folder, layers=3)
    assert caught.value.problem.startswith(f"{folder / 'pytorch_adapter.bin'} holds more than tensors")
    assert not made.exists()


def test_an_encoder_cut_to_its_first_layers_takes_the_first_adapters(folder):
    found = read_adapter(folder, layers=2).adapter
    assert found.shape.layers == 2
    assert torch.equal(found.bottleneck(1).up.weight, drawn().bottleneck(1).up.weight)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"mh_adapter": True}, "{config}: mh_adapter is True; an adapter of MAD-X has False."),
        ({"non_linearity": "cubic"}, "{config} does not describe an adapter: there is no activation 'cubic'."),
        ({"inv_adapter": "glow"}, "{config} does not describe an adapter: its invertible adapter is glow, only nice"),
        ({"reduction_factor": {"default": 2}}, "{config} does not describe an adapter: float() argument"),
        ({"reduction_factor": 3}, "{folder}: bert.encoder.layer.0.output.adapters.sw.adapter_down.0.bias has shape (6"),
        ({"leave_out": [1]}, "{folder}: bert.encoder.layer.1.output.adapters.sw.adapter_down.0.bias is in the weights"),
        ({"inv_adapter": None}, "{folder}: bert.invertible_adapters.sw.F.0.bias is in the weights and not in adapter_"),
        ({"config": None}, "{config} has no `config`."),
    ],
)
def test_what_does_not_fit_is_refused_by_name(folder, changes, problem):
    change_config(folder, **changes)
    with pytest.raises(DataError) as caught:
        read_adapter(folder, layers=3)
    expected = problem.format(config=folder / "adapter_config.json", folder=folder)
    assert caught.value.problem.startswith(expected)
    assert caught.value.hint


def broken(folder: Path, how: str) -> None:
    file = folder / "adapter.safetensors"
    weights = load_file(file)
    if how == "lacks":
        del weights["bert.encoder.layer.1.output.adapters.sw.adapter_up.bias"]
    elif how == "houlsby":
        weights["bert.encoder.layer.1.attention.output.adapters.sw.adapter_up.bias"] = torch.zeros(12)
    elif how == "none":
        weights = {"bert.x": torch.zeros(2)}
    save_file(weights, file)
    if how == "cut":
        file.write_bytes(file.read_bytes()[:300])
    elif how == "no file":
        file.unlink()
    elif how == "embeddings":
        (folder / "embedding.pt").write_bytes(b"")
    elif how == "config":
        (folder / "adapter_config.json").write_text("{")


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        ("lacks", "lacks 1 weights, such as layers.1.up.bias."),
        ("houlsby", "attention.output.adapters.sw.adapter_up.bias is no weight of an adapter of MAD-X."),
        ("none", "holds no adapter after the feed-forward parts of layers."),
        ("cut", "cannot be read"),
        ("no file", "has neither adapter.safetensors nor pytorch_adapter.bin."),
        ("embeddings", "brings embeddings of its own (embedding.pt), which are not read."),
        ("config", "adapter_config.json cannot be read"),
    ],
)
def test_broken_folders(folder, how, problem):
    broken(folder, how)
    with pytest.raises(DataError) as caught:
        read_adapter(folder, layers=3)
    assert problem in caught.value.problem
    assert str(folder) in caught.value.problem


def test_wrong_places(folder, tmp_path):
    with pytest.raises(DataError) as caught:
        read_adapter(folder, layers=4)
    assert caught.value.problem == f"{folder} has adapters for 3 layers, the encoder has 4."
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="holds no adapter: it has no adapter_config"):
        read_adapter(tmp_path / "empty", layers=3)
    with pytest.raises(DataError, match="There is no folder"):
        read_adapter(tmp_path / "nowhere", layers=3)


def test_an_adapter_for_another_encoder(folder):
    encoder = new_encoder(20, layers=3, width=12, heads=3, inner=7, positions=12)
    assert same(read_adapter_for(encoder, folder).adapter, drawn())
    change_config(folder, model_type="xlm-roberta")
    with pytest.raises(DataError) as caught:
        read_adapter_for(encoder, folder)
    assert caught.value.problem == f"{folder} is an adapter for a xlm-roberta model, this encoder is of type bert."
    change_config(folder, model_type="bert")
    with pytest.raises(DataError) as caught:
        read_adapter_for(new_encoder(20, layers=3, width=18, heads=3, inner=7, positions=12), folder)
    assert caught.value.problem == f"{folder} is an adapter for vectors of 12, not of 18."


@pytest.mark.parametrize("shape", [AdapterShape(768, 12), AdapterShape(768, 12, 16, None)])
def test_the_size_on_disk_is_that_of_the_weights(tmp_path, shape):
    """A language's and a task's, for BERT base."""
    adapter = Adapter(shape)
    write_adapter(tmp_path / "a", adapter, "som", "bert")
    count = sum(value.numel() for value in adapter.parameters())
    size = sum(file.stat().st_size for file in (tmp_path / "a").iterdir())
    assert 4 * count < size < 1.02 * 4 * count


def test_an_adapter_of_ours_knows_its_encoder_however_many_layers_are_kept(tmp_path):
    def encoder(layers, seed=1):
        made = new_encoder(20, layers=layers, width=12, heads=3, inner=7, positions=12)
        with torch.no_grad():
            for name, value in sorted(made.state_dict().items()):
                value.normal_(generator=torch.Generator().manual_seed(seed + zlib.crc32(name.encode())))
        return made

    write_adapter(tmp_path / "a", drawn(), "sw", "bert", "ours", checksum=checksum_of(encoder(3)))
    assert same(read_adapter_for(encoder(3), tmp_path / "a").adapter, drawn())
    assert read_adapter_for(encoder(2), tmp_path / "a").adapter.shape.layers == 2
    with pytest.raises(DataError) as caught:
        read_adapter_for(encoder(3, seed=2), tmp_path / "a")
    assert caught.value.problem == f"{tmp_path / 'a'} was trained in another encoder of this kind and size (ours)."
