"""The encoder equals the model it was taken from, and refuses what it cannot be."""

import json
import os
import shutil
from pathlib import Path

import pytest
import torch
from transformers import AutoModel

from clir_cli.encoders.checkpoint import is_local, load_tokenizer
from clir_cli.encoders.encoder import checkpoint_name, create_encoder, new_encoder, save_encoder
from clir_cli.encoders.load import load_encoder
from clir_cli.errors import DataError


def peer(folder, **options):
    return AutoModel.from_pretrained(folder, dtype=torch.float32, **options).eval()


def padded_batch(vocabulary: int, pad: int, types: int):
    generator = torch.Generator().manual_seed(5)
    pieces = torch.randint(4, vocabulary, (3, 17), generator=generator)
    mask = torch.arange(17) < torch.tensor([17, 5, 11])[:, None]
    pieces[~mask] = pad
    kinds = (torch.arange(17) > 6).long().expand(3, -1) % types
    return pieces, kinds, mask


@torch.no_grad()
def largest_difference(folder) -> float:
    model = peer(folder, add_pooling_layer=False)
    pieces, types, mask = padded_batch(model.config.vocab_size, model.config.pad_token_id, model.config.type_vocab_size)
    theirs = model(pieces, attention_mask=mask.long(), token_type_ids=types).last_hidden_state
    ours = load_encoder(folder).eval()(pieces, types, mask)
    return float((theirs - ours)[mask].abs().max())


def test_equals_bert(encoder_folder):
    assert largest_difference(encoder_folder) < 1e-6


def test_equals_xlm_roberta(xlm_roberta_folder):
    assert largest_difference(xlm_roberta_folder) < 1e-6


@pytest.mark.real
def test_equals_a_real_encoder():
    data = os.environ.get("CLIR_REAL_DATA")
    if not data:
        pytest.skip("CLIR_REAL_DATA does not name the folder of public data, beside which `models` lies")
    folder = Path(data).parent / "models" / "e5-small-deu-eng-6l"
    if not folder.is_dir():
        pytest.skip(f"there is no {folder}")
    assert largest_difference(folder) < 1e-5


@torch.no_grad()
def test_padding_moves_nothing(encoder_folder, xlm_roberta_folder):
    for folder in (encoder_folder, xlm_roberta_folder):
        encoder = load_encoder(folder).eval()
        pieces, types, mask = padded_batch(encoder.config.vocab_size, encoder.config.pad_token_id, 2)
        alone = encoder(pieces[1:2, :5], types[1:2, :5])
        torch.testing.assert_close(encoder(pieces, types, mask)[1:2, :5], alone, rtol=1e-5, atol=1e-6)


@torch.no_grad()
def test_xlm_roberta_has_one_token_type_and_shifted_positions(xlm_roberta_folder):
    encoder = load_encoder(xlm_roberta_folder).eval()
    pieces = torch.randint(4, 20, (1, 7))
    assert torch.equal(encoder(pieces, torch.ones_like(pieces)), encoder(pieces, torch.zeros_like(pieces)))
    assert encoder.first_position == 2
    assert encoder.max_pieces == 40


def test_the_first_layers_only(encoder_folder):
    encoder = load_encoder(encoder_folder, layers=2)
    assert len(encoder.layers) == 2
    whole = load_encoder(encoder_folder)
    assert torch.equal(encoder.layers[1].feed.inner.weight, whole.layers[1].feed.inner.weight)
    with pytest.raises(DataError, match="has 5 layers, 6 were asked for"):
        load_encoder(encoder_folder, layers=6)


@torch.no_grad()
def test_pooler_is_the_checkpoints(xlm_roberta_folder):
    encoder = load_encoder(xlm_roberta_folder, pooler=True).eval()
    pieces = torch.randint(4, 20, (2, 7))
    theirs = peer(xlm_roberta_folder)(pieces).pooler_output
    torch.testing.assert_close(encoder.pool(encoder(pieces, torch.zeros_like(pieces))), theirs, rtol=0, atol=1e-6)
    assert load_encoder(xlm_roberta_folder).pooler is None


def test_no_pooler_is_made_up(encoder_folder):
    with pytest.raises(DataError, match="has no pooler"):
        load_encoder(encoder_folder, pooler=True)


def test_loading_draws_no_random_numbers(encoder_folder):
    torch.manual_seed(0)
    before = torch.get_rng_state()
    load_encoder(encoder_folder)
    assert torch.equal(before, torch.get_rng_state())


def test_half_precision_checkpoints_are_read_as_float32(encoder_folder, tmp_path, word_pieces):
    model = peer(encoder_folder, add_pooling_layer=False).half()
    model.save_pretrained(tmp_path / "half")
    assert {parameter.dtype for parameter in load_encoder(tmp_path / "half").parameters()} == {torch.float32}


def test_a_saved_encoder_is_a_hugging_face_checkpoint(encoder_folder, xlm_roberta_folder, tmp_path):
    for number, source in enumerate((encoder_folder, xlm_roberta_folder)):
        encoder, tokenizer = load_encoder(source), load_tokenizer(source)
        save_encoder(encoder, tokenizer, tmp_path / f"saved{number}")
        again = peer(tmp_path / f"saved{number}", add_pooling_layer=False)
        original = peer(source, add_pooling_layer=False)
        for name, weight in original.state_dict().items():
            assert torch.equal(again.state_dict()[name], weight), name
        assert load_tokenizer(tmp_path / f"saved{number}").get_vocab() == tokenizer.get_vocab()


def test_names_in_a_checkpoint(encoder_folder):
    encoder = load_encoder(encoder_folder)
    names = {checkpoint_name(name) for name in encoder.state_dict()}
    assert names == set(peer(encoder_folder, add_pooling_layer=False).state_dict())


def test_too_long_an_input(encoder_folder):
    with pytest.raises(DataError, match=r"49 pieces.*48 positions"):
        load_encoder(encoder_folder)(torch.ones(1, 49, dtype=torch.long), torch.zeros(1, 49, dtype=torch.long))


def test_new_encoders_depend_on_the_seed_alone():
    def weights(seed: int, noise: int) -> torch.Tensor:
        torch.manual_seed(noise)
        encoder = new_encoder(30, layers=2, width=6, heads=2, inner=8, positions=10, seed=seed)
        return torch.cat([parameter.flatten() for parameter in encoder.parameters()])

    assert torch.equal(weights(1, noise=1), weights(1, noise=2))
    assert not torch.equal(weights(1, noise=1), weights(2, noise=1))


def edited(folder: Path, copy: Path, **changes) -> Path:
    shutil.copytree(folder, copy)
    config = json.loads((copy / "config.json").read_text()) | changes
    (copy / "config.json").write_text(json.dumps(config))
    return copy


class TestRefused:
    def test_nothing_there(self, tmp_path):
        (tmp_path / "empty").mkdir()
        for load in (load_encoder, load_tokenizer):
            with pytest.raises(DataError, match="There is no encoder at"):
                load(tmp_path / "empty")

    def test_another_architecture(self, encoder_folder, tmp_path):
        with pytest.raises(DataError, match=r"is a gpt2 model.*bert, roberta, xlm-roberta"):
            load_encoder(edited(encoder_folder, tmp_path / "m", model_type="gpt2"))

    def test_an_unknown_architecture_with_code_of_its_own(self, encoder_folder, tmp_path):
        folder = edited(encoder_folder, tmp_path / "m", model_type="mine", auto_map={"AutoConfig": "evil.Config"})
        (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
        with pytest.raises(DataError):
            load_encoder(folder)
        assert not (tmp_path / "ran").exists()

    def test_pickled_weights(self, encoder_folder, tmp_path):
        folder = edited(encoder_folder, tmp_path / "m")
        weights = peer(encoder_folder, add_pooling_layer=False).state_dict()
        (folder / "model.safetensors").unlink()
        torch.save(weights, folder / "pytorch_model.bin")
        with pytest.raises(DataError, match=r"needs a model\.safetensors"):
            load_encoder(folder)

    def test_cut_weights(self, encoder_folder, tmp_path):
        folder = edited(encoder_folder, tmp_path / "m")
        data = (folder / "model.safetensors").read_bytes()
        (folder / "model.safetensors").write_bytes(data[: len(data) // 2])
        with pytest.raises(DataError, match="cannot be read"):
            load_encoder(folder)

    def test_missing_weights(self, encoder_folder, tmp_path):
        with pytest.raises(DataError, match="lacks 16 weights"):
            load_encoder(edited(encoder_folder, tmp_path / "m", num_hidden_layers=6))

    def test_weights_of_another_size(self, encoder_folder, tmp_path):
        with pytest.raises(DataError):
            load_encoder(edited(encoder_folder, tmp_path / "m", intermediate_size=24))

    def test_a_vocabulary_of_another_model(self, encoder_folder, tmp_path, word_pieces):
        rows = len(word_pieces)
        for size in (rows - 1, rows + 5000):
            folder = edited(encoder_folder, tmp_path / str(size), vocab_size=size)
            with pytest.raises(DataError, match=f"has {rows} pieces, its encoder {size} embeddings"):
                load_tokenizer(folder)
        assert len(load_tokenizer(edited(encoder_folder, tmp_path / "spare", vocab_size=rows + 35))) == rows

    def test_no_tokenizer(self, encoder_folder, tmp_path):
        folder = edited(encoder_folder, tmp_path / "m")
        for file in folder.glob("tokenizer*"):
            file.unlink()
        with pytest.raises(DataError, match="holds no tokenizer"):
            load_tokenizer(folder)


def test_local_or_hub(tmp_path):
    assert is_local(tmp_path)
    assert not is_local("bert-base-multilingual-uncased")


def test_a_half_written_folder_never_has_the_final_name(encoder_folder, tmp_path, word_pieces, monkeypatch):
    target = tmp_path / "model"
    create_encoder(target, word_pieces, layers=1, width=6, heads=1, inner=6, positions=16, seed=1)
    before = (target / "model.safetensors").read_bytes()

    def fail(*_):
        raise OSError("disk full")

    broken = load_tokenizer(encoder_folder)
    monkeypatch.setattr(broken, "save_pretrained", fail, raising=False)
    with pytest.raises(OSError, match="disk full"):
        save_encoder(load_encoder(encoder_folder), broken, target)
    assert (target / "model.safetensors").read_bytes() == before
