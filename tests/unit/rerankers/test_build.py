"""Re-rankers: built, saved, loaded, and continued from."""

import dataclasses
import json
import shutil

import pytest
import torch

from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.encoders.layout import read_layout
from clir_cli.encoders.pieces import TextEncoder
from clir_cli.errors import DataError
from clir_cli.rerankers.batch import collate
from clir_cli.rerankers.build import (
    average_passages,
    build_reranker,
    load_reranker,
    resolve_layers,
    save_reranker,
)
from tests.cutting import passages

LINKS = {"katze": {"cat": 0.75, "the": 0.125}, "haus": {"house": 0.5}}
DOCUMENTS = ["the cat", "house cat, house. the end of the very long story of a dog", "a", "katze haus", "the the the"]


@pytest.fixture(scope="module")
def encode(word_pieces):
    return TextEncoder(word_pieces)


@pytest.fixture(scope="module")
def layout(word_pieces):
    return read_layout(word_pieces)


def all_passages(encode, layout, arm="translation", repeat=1):
    query = encode.encode("die Katze der Haus")
    return [
        passage
        for text in DOCUMENTS * repeat
        for passage in passages(query, encode.encode(text), LINKS, layout, max_pieces=40, arm=arm)
    ]


def scores(model, found, layout, size):
    with torch.no_grad():
        parts = [model(collate(found[start : start + size], layout)) for start in range(0, len(found), size)]
    return torch.cat(parts)


@pytest.mark.parametrize("arm", [None, "translation", "identity", "blocks"])
def test_scores_do_not_depend_on_the_neighbours(encoder_folder, encode, layout, arm):
    model = build_reranker(encoder_folder, **({"kind": "mart", "arm": arm} if arm else {"kind": "bert"}), seed=2).eval()
    with torch.no_grad():  # a tiny random model says almost the same of everything: make differences visible
        model.head.weight.mul_(50)
    found = all_passages(encode, layout, arm, repeat=8)
    alone = scores(model, found, layout, 1)
    assert float(alone.std()) > 1e-3
    for size in (7, 32):
        torch.testing.assert_close(scores(model, found, layout, size), alone, rtol=1e-5, atol=1e-6)
    order = torch.randperm(len(found), generator=torch.Generator().manual_seed(0))
    shuffled = scores(model, [found[index] for index in order], layout, 7)
    torch.testing.assert_close(shuffled, alone[order], rtol=1e-5, atol=1e-6)


def test_the_three_models_start_from_one_head(encoder_folder):
    models = [
        build_reranker(encoder_folder, kind=kind, arm=arm, seed=5)
        for kind, arm in (("bert", "translation"), ("mart", "translation"), ("mart", "identity"))
    ]
    heads = [model.head.weight for model in models]
    assert torch.equal(heads[0], heads[1])
    assert torch.equal(heads[0], heads[2])
    first, second = (model.own_weights() for model in models[1:])
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert not torch.equal(heads[0], build_reranker(encoder_folder, seed=6).head.weight)


def test_a_layer_gets_the_same_weights_whatever_the_others(encoder_folder):
    one = build_reranker(encoder_folder, kind="mart", mat_layers=[3])
    two = build_reranker(encoder_folder, kind="mart", mat_layers=[1, -2])
    torch.testing.assert_close(one.mixed()[3].head.value.weight, two.mixed()[3].head.value.weight, rtol=0, atol=0)
    assert not torch.equal(two.mixed()[1].head.value.weight, two.mixed()[3].head.value.weight)


def test_identity_start_equals_the_plain_encoder(encoder_folder, encode, layout):
    plain = build_reranker(encoder_folder, kind="bert").eval()
    mart = build_reranker(encoder_folder, kind="mart", init="identity").eval()
    paper = build_reranker(encoder_folder, kind="mart", init="paper").eval()
    found = all_passages(encode, layout)
    expected = scores(plain, all_passages(encode, layout, None), layout, 32)
    assert torch.equal(scores(mart, found, layout, 32), expected)
    assert not torch.equal(scores(paper, found, layout, 32), expected)


def test_default_layers_are_the_two_before_the_last(encoder_folder):
    model = build_reranker(encoder_folder, kind="mart")
    assert model.description.mat_layers == (2, 3)
    assert [layer.mix is not None for layer in model.encoder.layers] == [False, False, True, True, False]


def test_layer_numbers():
    assert resolve_layers([-3, -2], 12) == (9, 10)
    assert resolve_layers([10, 0, -2], 12) == (0, 10)
    assert resolve_layers([], 12) == ()
    for wrong in (12, -13):
        with pytest.raises(DataError, match=f"layer {wrong}, the encoder has 12 layers"):
            resolve_layers([0, wrong], 12)


def test_counted_after_cutting_layers(encoder_folder):
    assert build_reranker(encoder_folder, kind="mart", layers=3).description.mat_layers == (0, 1)
    with pytest.raises(DataError, match="3 layers"):
        build_reranker(encoder_folder, kind="mart", layers=3, mat_layers=[3])


def test_a_batch_for_another_arm_is_refused(encoder_folder, encode, layout):
    model = build_reranker(encoder_folder, kind="mart", arm="translation")
    with pytest.raises(ValueError, match="is given translation, the batch was made for identity"):
        model(collate(all_passages(encode, layout, "identity"), layout))


def test_dropout(encoder_folder, encode, layout):
    batch = collate(all_passages(encode, layout), layout)
    still = build_reranker(encoder_folder, kind="mart", dropout=0.0).train()
    assert torch.equal(still(batch), still(batch))
    shaky = build_reranker(encoder_folder, kind="mart").train()
    assert {part.p for part in shaky.modules() if isinstance(part, torch.nn.Dropout)} == {0.1}
    assert not torch.equal(shaky(batch), shaky(batch))


@pytest.mark.parametrize("arm", ["translation", "blocks"])
def test_in_bfloat16_scores_keep_their_digits(encoder_folder, encode, layout, arm):
    model = build_reranker(encoder_folder, kind="mart", arm=arm).eval()
    batch = collate(all_passages(encode, layout, arm), layout)
    with torch.inference_mode():
        exact = model(batch)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            rough = model(batch)
    assert rough.dtype == torch.float32
    torch.testing.assert_close(rough, exact, rtol=0, atol=2e-3)


def test_parameter_groups_share_nothing_and_lack_nothing(encoder_folder):
    model = build_reranker(encoder_folder, kind="mart")
    old, new = model.parameter_groups()
    assert len({id(parameter) for parameter in old + new}) == len(list(model.parameters())) == len(old) + len(new)
    assert sum(parameter.numel() for parameter in new) == 2 * (2 * 12**2 + 4 * 12) + 13


@pytest.mark.parametrize("kind", ["bert", "mart"])
def test_saved_and_loaded(encoder_folder, word_pieces, encode, layout, tmp_path, kind):
    options = {"arm": "blocks", "mat_layers": [0, -1], "init": "identity", "dropout": 0.25}
    model = build_reranker(encoder_folder, kind=kind, seed=9, **options)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.01)
    save_reranker(model, word_pieces, tmp_path / "model")
    again, tokenizer = load_reranker(tmp_path / "model")
    assert not again.training
    assert again.description == model.description
    assert tokenizer.get_vocab() == word_pieces.get_vocab()
    found = all_passages(encode, layout, model.arm)
    assert torch.equal(scores(again, found, layout, 32), scores(model.eval(), found, layout, 32))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model"]
    first = (tmp_path / "model" / "model.safetensors").read_bytes()
    save_reranker(again, tokenizer, tmp_path / "model")
    assert (tmp_path / "model" / "model.safetensors").read_bytes() == first


def test_pooler_goes_with_the_model(xlm_roberta_folder, tmp_path):
    model = build_reranker(xlm_roberta_folder, pooler=True)
    save_reranker(model, load_tokenizer(xlm_roberta_folder), tmp_path / "model")
    again, _ = load_reranker(tmp_path / "model")
    assert torch.equal(again.encoder.pooler.weight, model.encoder.pooler.weight)


@pytest.fixture
def trained(encoder_folder, word_pieces, tmp_path):
    """A saved MART whose every weight was moved."""
    model = build_reranker(encoder_folder, kind="mart", mat_layers=[1, 3], seed=9)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.01)
    save_reranker(model, word_pieces, tmp_path / "trained")
    return model, tmp_path / "trained"


def describe(folder, description):
    """Make a folder say something else of its re-ranker."""
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"reranker": description}))


def test_folders_of_the_form_before_are_read(trained, tmp_path):
    model, folder = trained
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config["encoder"]))
    (folder / "reranker.json").write_text(json.dumps({"format": 1, **config["reranker"]}))
    again, _ = load_reranker(folder)
    assert again.description == model.description
    assert torch.equal(again.mixed()[3].head.value.weight, model.mixed()[3].head.value.weight)


def test_going_on_from_a_reranker_takes_what_fits(trained):
    model, folder = trained
    plain = build_reranker(folder, kind="bert", seed=1)
    assert torch.equal(plain.head.weight, model.head.weight)
    assert torch.equal(plain.encoder.layers[4].norm.bias, model.encoder.layers[4].norm.bias)
    mart = build_reranker(folder, kind="mart", mat_layers=[2, 3], seed=1)
    assert torch.equal(mart.mixed()[3].head.value.weight, model.mixed()[3].head.value.weight)
    assert float(mart.mixed()[2].norm.weight.detach().mean()) == 1.0


def test_from_a_plain_reranker_to_mart(encoder_folder, word_pieces, tmp_path):
    plain = build_reranker(encoder_folder, kind="bert", seed=1)
    with torch.no_grad():
        plain.head.bias.fill_(3.0)
    save_reranker(plain, word_pieces, tmp_path / "plain")
    mart = build_reranker(tmp_path / "plain", kind="mart", seed=2)
    assert float(mart.head.bias.detach()) == 3.0
    fresh = build_reranker(encoder_folder, kind="mart", seed=2)
    assert torch.equal(mart.mixed()[2].head.value.weight, fresh.mixed()[2].head.value.weight)


class TestRefused:
    def test_a_plain_encoder_is_no_reranker(self, encoder_folder):
        with pytest.raises(DataError, match=r"holds no re-ranker.*config\.json names none"):
            load_reranker(encoder_folder)

    def test_a_broken_description(self, trained):
        _, folder = trained
        describe(folder, {"kind": "mart"})
        with pytest.raises(DataError, match="not the description of a re-ranker"):
            load_reranker(folder)
        describe(folder, {"kind": "mart", "arm": "translation"})
        with pytest.raises(DataError, match="this version does not know: 'mat_layers'"):
            load_reranker(folder)

    def test_weights_of_another_description(self, trained):
        model, folder = trained
        describe(folder, dataclasses.asdict(model.description) | {"mat_layers": [1, 2]})
        with pytest.raises(DataError, match="do not fit"):
            load_reranker(folder)

    def test_a_head_of_another_width(self, encoder_folder, trained, tmp_path):
        from safetensors.torch import load_file, save_file

        _, folder = trained
        shutil.copytree(folder, tmp_path / "wrong")
        weights = load_file(folder / "model.safetensors") | {"head.weight": torch.zeros(1, 7)}
        save_file(weights, tmp_path / "wrong" / "model.safetensors", metadata={"format": "pt"})
        with pytest.raises(DataError, match=r"head\.weight has shape"):
            load_reranker(tmp_path / "wrong")

    def test_a_tokenizer_of_another_model_is_not_saved(self, encoder_folder, sentence_pieces, tmp_path):
        with pytest.raises(DataError, match="not from the same model"):
            save_reranker(build_reranker(encoder_folder), sentence_pieces, tmp_path / "m")
        assert not (tmp_path / "m").exists()


def test_average_of_passages():
    logits = torch.tensor([1.0, 3.0, 5.0, 2.0, 4.0, 9.0])
    assert average_passages(logits, [2, 1, 3]).tolist() == [2.0, 5.0, 5.0]
