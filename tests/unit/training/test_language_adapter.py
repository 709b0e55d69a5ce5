"""An encoder learns a language: by an adapter, or as a whole."""

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from clir_cli.encoders.adapters.adapter import Adapter, AdapterShape
from clir_cli.encoders.adapters.files import read_adapter_for
from clir_cli.encoders.encoder import Encoder, save_encoder
from clir_cli.encoders.language_head import load_language_head, read_language_head
from clir_cli.encoders.load import load_encoder
from clir_cli.errors import ClirError, DataError
from clir_cli.learning import checkpoint
from clir_cli.rerankers.build import build_reranker, load_reranker, save_reranker
from clir_cli.training import language_learner, steps
from clir_cli.training.language_adapter import LanguageShape, Learner, adapt_encoder, adapt_language, learn_head
from clir_cli.training.language_learner import LanguageRecipe
from clir_cli.training.masked_language import MaskedLanguageModel
from clir_cli.training.masking import MaskedBatch, Masker
from clir_cli.training.packing import pack_texts
from tests.unit.training.conftest import WORDS

RECIPE = LanguageRecipe(steps=60, batch=16, learning_rate=3e-2, max_pieces=16, checkpoint_every=25)
OF_HEAD = replace(RECIPE, learning_rate=5e-2)


def lines(count: int = 300) -> list[str]:
    """Each line is one word, again and again: what is hidden stands beside."""
    chosen = np.random.default_rng(3).integers(0, len(WORDS), count).tolist()
    return [" ".join([WORDS[number]] * 14) for number in chosen]


@pytest.fixture(scope="module")
def folder(word_tokenizer: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from clir_cli.encoders.encoder import new_encoder

    made = new_encoder(len(word_tokenizer), layers=2, width=16, heads=2, inner=32, positions=40, dropout=0.0, seed=1)
    save_encoder(made, word_tokenizer, tmp_path_factory.mktemp("start") / "tiny")
    return next(tmp_path_factory.getbasetemp().glob("start*/tiny"))


@pytest.fixture(scope="module")
def head(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("head") / "som"
    learn_head(out, Learner(folder, lines, OF_HEAD))
    return out


@pytest.fixture(scope="module")
def finished(folder: Path, head: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("adapted") / "som"
    adapt_language(out, Learner(folder, lines, RECIPE), language="som", head=head)
    return out


def test_perplexity_falls_and_only_the_adapter_moves(finished: Path, folder: Path, head: Path) -> None:
    report = json.loads((finished / "report.json").read_text())
    assert report["perplexity_after"] < 0.9 * report["perplexity_before"]
    of_head = json.loads((head / "report.json").read_text())
    assert of_head["perplexity_after"] < 0.9 * len(WORDS)  # the head alone has learned something, too
    assert report["perplexity_before"] == of_head["perplexity_after"]  # and a fresh adapter changes nothing
    assert report["head"] == "trained, 60 steps"
    adapter = read_adapter_for(load_encoder(folder), finished / "adapter").adapter
    assert report["moved"] == sum(p.numel() for p in adapter.parameters())
    assert adapter.invertible is not None
    assert float(adapter.invertible.f.up.weight.abs().sum()) > 0
    assert sorted(path.name for path in finished.iterdir()) == ["adapter", "language", "report.json"]
    assert not list(finished.rglob("checkpoint-*"))


def test_finished_work_is_only_read(finished: Path, folder: Path, head: Path) -> None:
    report = json.loads((finished / "report.json").read_text())
    assert report["held_out_inputs"] == math.floor((report["inputs"] + report["held_out_inputs"]) * 0.05)
    before = {path: path.stat().st_mtime_ns for path in finished.rglob("*")}
    again = adapt_language(finished, Learner(folder, lines, RECIPE), language="som", head=head)
    assert again == report
    assert {path: path.stat().st_mtime_ns for path in finished.rglob("*")} == before


def test_frozen_weights_stay_byte_for_byte(word_tokenizer: Any, folder: Path, head: Path, tmp_path: Path) -> None:
    encoder = load_encoder(folder)
    inputs = pack_texts(lines(), word_tokenizer, 16)
    learner = language_learner.LanguageLearner(
        encoder, word_tokenizer, inputs, tmp_path, replace(RECIPE, steps=3), identity="", progress=lambda *_: None
    )
    learner.take_head(read_language_head(head))
    before = {name: value.clone() for name, value in learner.model.state_dict().items()}
    learner.train_adapter(Adapter(AdapterShape(16, 2)).start(1, "som"), "som")
    after = learner.model.state_dict()
    assert all(torch.equal(after[name], value) for name, value in before.items())
    moved = {name for name in after if name.startswith("adapter.") and float(after[name].abs().sum()) > 0}
    assert {name for name in after if ".up.weight" in name} <= moved


def test_the_head_names_pieces_after_the_inverse(word_tokenizer: Any, tiny_encoder: Encoder) -> None:
    """Equal to undoing the invertible adapter by hand; without it the logits are others."""
    model = MaskedLanguageModel(tiny_encoder, seed=1).eval()
    batch = Masker(word_tokenizer, 0.3).hide(pack_texts(lines(5), word_tokenizer, 16)[:3], np.random.default_rng(1))
    with torch.no_grad():
        plain = model(batch)
        h = tiny_encoder(batch.pieces, batch.types, batch.real)[batch.hidden]
        h = model.norm(torch.nn.functional.gelu(model.transform(h)))
        model.adapter = Adapter(AdapterShape(16, 2))
        inverse = model.adapter.invertible
        assert inverse is not None
        back = inverse.inverse(h)
        torch.testing.assert_close(inverse(back), h)
        torch.testing.assert_close(model(batch), back @ tiny_encoder.embeddings.word_embeddings.weight.T + model.bias)  # type: ignore[union-attr, operator]
        assert not torch.allclose(model(batch), plain, atol=1e-3)


class BrokenOffError(Exception):
    """As a kill would be, at a step of our choice."""


@pytest.mark.parametrize("at", [20, 40, 62])
@pytest.mark.parametrize("part", ["head", "adapter"])
def test_work_that_breaks_off_anywhere_ends_the_same(
    finished: Path, head: Path, folder: Path, tmp_path: Path, at: int, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before and after a checkpoint, and in the last step of 60 (one batch or two are hidden to be measured first)."""
    seen = []
    real = Masker.hide

    def hide(self: Masker, inputs: Any, dice: Any) -> MaskedBatch:
        seen.append(1)
        if len(seen) == at:
            raise BrokenOffError
        return real(self, inputs, dice)

    def work() -> None:
        if part == "head":
            learn_head(tmp_path / "x", Learner(folder, lines, OF_HEAD))
        else:
            adapt_language(tmp_path / "x", Learner(folder, lines, RECIPE), language="som", head=head)

    with monkeypatch.context() as patch:
        patch.setattr(Masker, "hide", hide)
        with pytest.raises(BrokenOffError):
            work()
    work()
    expected, files = (head, ["head.safetensors"]) if part == "head" else (finished, ["adapter/adapter.safetensors"])
    for file in [*files, "report.json"]:
        assert (tmp_path / "x" / file).read_bytes() == (expected / file).read_bytes()


def test_what_a_killed_run_goes_on_from_is_small(
    folder: Path, head: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is frozen is not written again and again: only the adapter, and Adam's two numbers for each of its."""
    sizes = []
    real = checkpoint.save_state

    def save(place: Path, state: dict[str, Any]) -> None:
        real(place, state)
        sizes.append(sum(value.numel() for value in state["model"].values()))

    monkeypatch.setattr(checkpoint, "save_state", save)
    report = adapt_language(tmp_path / "x", Learner(folder, lines, replace(RECIPE, steps=5)), language="som", head=head)
    assert sizes
    assert set(sizes) == {report["moved"]}


def test_unfinished_work_of_other_settings_is_refused(folder: Path, head: Path, tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "settings.json").write_text("other")
    with pytest.raises(ClirError, match="holds unfinished training with other settings"):
        adapt_language(tmp_path / "x", Learner(folder, lines, RECIPE), language="som", head=head)


def test_a_checkpoints_own_head_is_used_and_stays(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "mlm")
    weights = load_file(folder / "model.safetensors")
    torch.manual_seed(2)
    rows, width = weights["embeddings.word_embeddings.weight"].shape
    parts = {
        "transform.dense.weight": torch.randn(width, width) / 4, "transform.dense.bias": torch.zeros(width),
        "transform.LayerNorm.weight": torch.ones(width), "transform.LayerNorm.bias": torch.zeros(width),
        "bias": torch.randn(rows),
    }  # fmt: skip
    save_file(
        {f"bert.{name}": value for name, value in weights.items()}
        | {f"cls.predictions.{name}": value for name, value in parts.items()},
        tmp_path / "mlm" / "model.safetensors",
        metadata={"format": "pt"},
    )
    assert load_language_head(folder) is None
    found = load_language_head(tmp_path / "mlm")
    assert found is not None
    assert torch.equal(found.bias, parts["bias"])
    learner = Learner(tmp_path / "mlm", lines, replace(RECIPE, steps=2))
    assert learn_head(tmp_path / "head", learner) == {"head": "the checkpoint's"}
    again = read_language_head(tmp_path / "head")
    assert all(
        torch.equal(*both) for both in zip((*again.dense, *again.norm), (*found.dense, *found.norm), strict=True)
    )
    report = adapt_language(tmp_path / "out", learner, language="som", head=tmp_path / "head")
    assert report["head"] == "the checkpoint's"


def test_epochs_in_place_of_steps_and_an_adapter_without_its_invertible_part(
    folder: Path, head: Path, tmp_path: Path
) -> None:
    learner = Learner(folder, lines, replace(RECIPE, epochs=0.5), layers=1)
    shape = LanguageShape(invertible=None, reduction=4)
    report = adapt_language(tmp_path / "x", learner, language="som", head=head, shape=shape)
    assert report["steps"] == math.ceil(0.5 * report["inputs"] / 16)
    assert report["moved"] == 2 * 16 * 4 + 16 + 4
    assert read_adapter_for(load_encoder(folder, layers=1), tmp_path / "x" / "adapter").adapter.invertible is None


def test_the_whole_encoder_moves_and_a_ranking_head_stays(
    folder: Path, head: Path, word_tokenizer: Any, tmp_path: Path
) -> None:
    start = build_reranker(folder, seed=5)
    save_reranker(start, word_tokenizer, tmp_path / "ranker")
    report = adapt_encoder(tmp_path / "x", Learner(tmp_path / "ranker", lines, replace(RECIPE, steps=20)), head=head)
    assert report["perplexity_after"] < report["perplexity_before"]
    model, _ = load_reranker(tmp_path / "x" / "model")
    assert all(torch.equal(value, start.own_weights()[name]) for name, value in model.own_weights().items())
    assert not torch.equal(model.encoder.layers[0].feed.inner.weight, start.encoder.layers[0].feed.inner.weight)  # type: ignore[union-attr]


def test_text_in_a_script_that_the_tokenizer_does_not_know(folder: Path, tmp_path: Path) -> None:
    def learn(recipe: LanguageRecipe, *texts: str) -> None:
        learn_head(tmp_path / "x", Learner(folder, lambda: texts, recipe))

    with pytest.raises(DataError) as caught:
        learn(RECIPE, "ሰላም ለዓለም ውሻ", "the cat")
    assert caught.value.problem == "60% of the text's word pieces are unknown to the tokenizer."
    with pytest.raises(DataError, match="The text holds no words"):
        learn(RECIPE, "", "  ")
    shutil.rmtree(tmp_path / "x")
    with pytest.raises(DataError, match="max_pieces 64 does not fit an encoder with 40 positions"):
        learn(replace(RECIPE, max_pieces=64), "the cat")


def test_nothing_is_lost_or_padded_when_text_is_packed(word_tokenizer: Any) -> None:
    texts = ["the cat", "", "red dog sees the good bird", "blue"]
    packed = pack_texts(texts, word_tokenizer, 5)
    ids = [piece for text in packed for piece in text.pieces[1:-1].tolist()]
    assert word_tokenizer.decode(ids) == "the cat red dog sees the good bird blue"
    assert packed.lengths.tolist() == [5, 5, 5]
    assert [text.may_hide.tolist() for text in packed] == [[False, True, True, True, False]] * 3
    first = packed[0]
    assert first.words is not None
    assert first.words.tolist() == [-1, 1, 2, 3, -1]


def test_whole_words_are_hidden_together() -> None:
    from clir_cli.training.masking import MaskedInput

    words = np.array([-1, 1, 1, 1, 2, 3, 3, -1], dtype=np.int32)
    text = MaskedInput(np.arange(8, dtype=np.int32) + 10, np.zeros(8, np.int32), words > 0, words)

    class Tokenizer:
        mask_token_id, pad_token_id, all_special_ids = 4, 0, (0, 1, 2, 3, 4)

        def __len__(self) -> int:
            return 30

    masker = Masker(Tokenizer(), 0.4, whole_words=True)
    patterns = set()
    for seed in range(60):
        hidden = masker.hide([text, text], np.random.default_rng(seed)).hidden
        for row in hidden.tolist():
            assert row[1] == row[2] == row[3]
            assert row[5] == row[6]
            assert not row[0]
            assert not row[7]
            patterns.add(tuple(row))
    assert len(patterns) == 8  # each of three words or not (none at all only where the other row has one)
    with pytest.raises(ValueError, match="whole words"):
        masker.hide([text._replace(words=None)], np.random.default_rng(1))


def test_steps_are_cut_as_for_pretraining() -> None:
    assert steps.epoch_bounds(250_000, 1000)[-1] == 250_000
    assert LanguageRecipe().steps == 250_000
    assert LanguageRecipe().batch == 64
    assert (language_learner.ADAPTER_RATE, language_learner.ENCODER_RATE) == (1e-4, 5e-5)
