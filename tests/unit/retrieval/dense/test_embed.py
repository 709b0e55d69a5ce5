"""Vectors of texts, against transformers' own model and a mean written out."""

import random

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from clir_cli.errors import DataError
from clir_cli.retrieval.dense.embed import load_embedder

WORDS = ["cat", "house", "der", "katze", "haus", "the", "'", "-", ".", "42", "xyz"]


def texts(count: int, seed: int = 3) -> list[str]:
    """Of 1 to 60 words: some are longer than the tiny encoders read."""
    numbers = random.Random(seed)
    return [" ".join(numbers.choices(WORDS, k=numbers.randint(1, 60))) for _ in range(count)]


def by_transformers(folder, texts, pooling, length):
    """One text after the other, as the cards of E5 and sentence-transformers do it."""
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    vectors = []
    with torch.inference_mode():
        for text in texts:
            given = tokenizer([text, "the"], padding=True, truncation=True, max_length=length, return_tensors="pt")
            hidden = model(**given).last_hidden_state
            mask = given["attention_mask"].unsqueeze(-1).float()
            mean = (hidden * mask).sum(1) / mask.sum(1)
            vectors.append((mean if pooling == "mean" else hidden[:, 0])[0])
    return torch.stack(vectors).numpy()


@pytest.mark.parametrize("pooling", ["mean", "cls"])
@pytest.mark.parametrize(("family", "length"), [("encoder_folder", 48), ("xlm_roberta_folder", 40)])
def test_vectors_are_those_of_transformers(request, family, length, pooling):
    folder = request.getfixturevalue(family)
    some = texts(25)
    found = load_embedder(folder, pooling=pooling, tokens=150).embed(some, "the : ")
    expected = by_transformers(folder, [f"the : {text}" for text in some], pooling, length)
    assert found.vectors.dtype == np.float32
    assert found.vectors == pytest.approx(expected, rel=1e-5, abs=1e-6)
    assert 0 < found.cut < len(some)


def test_batches_move_no_vector(encoder_folder):
    some = [*texts(60), "a", "cat " * 44]
    whole = load_embedder(encoder_folder, tokens=10**6).embed(some).vectors
    for tokens in (1, 7, 50, 300, None):
        found = load_embedder(encoder_folder, tokens=tokens).embed(some).vectors
        assert found == pytest.approx(whole, rel=1e-5, abs=1e-6)
    order = np.random.default_rng(1).permutation(len(some))
    shuffled = load_embedder(encoder_folder, tokens=200).embed([some[number] for number in order]).vectors
    assert shuffled == pytest.approx(whole[order], rel=1e-5, abs=1e-6)
    assert np.abs(whole[0] - whole[1]).max() > 0.01


@pytest.mark.parametrize("family", ["encoder_folder", "xlm_roberta_folder"])
@pytest.mark.parametrize("prefix", ["", "the : "])
def test_a_text_without_pieces_has_no_vector(request, family, prefix):
    embedder = load_embedder(request.getfixturevalue(family))
    found = embedder.embed(["", "cat", " \n\t", "\u3000"], prefix)
    assert found.vectors.any(axis=1).tolist() == [False, True, False, False]
    assert (found.empty, found.cut) == (3, 0)
    assert embedder.embed([], prefix).vectors.shape == (0, 12)


@pytest.mark.parametrize(("family", "end"), [("encoder_folder", "[SEP]"), ("xlm_roberta_folder", "</s>")])
def test_special_pieces_in_a_text_are_text(request, family, end):
    folder = request.getfixturevalue(family)
    found = load_embedder(folder).embed([f"cat {end} cat", "cat cat"])
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    special = tokenizer(f"cat {end} cat", return_tensors="pt")
    assert special["input_ids"].tolist()[0].count(tokenizer.sep_token_id) == 2  # what is not to happen
    with torch.inference_mode():
        taken_for_an_end = model(**special).last_hidden_state.mean(1)[0].numpy()
    assert np.abs(found.vectors[0] - taken_for_an_end).max() > 1e-3


def test_no_more_pieces_than_asked_for_and_than_there_are_positions(encoder_folder):
    long = "cat " * 60
    assert load_embedder(encoder_folder).max_pieces == 48
    short = load_embedder(encoder_folder, max_pieces=20)
    found = short.embed([long, "cat " * 18, "cat " * 19])
    assert found.cut == 2
    assert found.vectors[0] == pytest.approx(found.vectors[1], abs=1e-6)


def test_the_fingerprint_is_that_of_what_makes_vectors(encoder_folder):
    same = load_embedder(encoder_folder, tokens=5).fingerprint
    assert load_embedder(encoder_folder).fingerprint == same
    others = [
        load_embedder(encoder_folder, **choice).fingerprint
        for choice in ({"layers": 4}, {"pooling": "cls"}, {"text": "folded"}, {"max_pieces": 20})
    ]
    assert len({same, *others}) == 5


def test_folded_texts_are_read_without_case_and_diacritics(xlm_roberta_folder):
    raw = load_embedder(xlm_roberta_folder).embed(["Éa", "ea"]).vectors
    folded = load_embedder(xlm_roberta_folder, text="folded").embed(["Éa", "ea"]).vectors
    assert np.abs(raw[0] - raw[1]).max() > 1e-3
    assert folded[0].tolist() == folded[1].tolist() == pytest.approx(raw[1].tolist(), abs=1e-6)


def test_weights_that_are_not_sound_are_told(encoder_folder, tmp_path):
    embedder = load_embedder(encoder_folder)
    with torch.no_grad():
        embedder._encoder.layers[0].norm.weight[3] = torch.nan
    with pytest.raises(Exception, match=r"The vector of text 1 of 1 is not finite\. The model's weights are not sound"):
        embedder.embed(["cat"])
    with pytest.raises(DataError, match="There is no encoder at"):
        load_embedder(tmp_path)
