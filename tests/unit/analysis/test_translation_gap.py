"""The gap of hand-made vectors, of a model whose embeddings know the translations, and of models that were built."""

from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import torch

from clir_cli.analysis.translation_gap import Gap, choose_pairs, lines, measure_gap, read_gap, word_vectors
from clir_cli.encoders.adapters.adapter import Adapter, AdapterShape
from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.errors import UsageError
from clir_cli.rerankers.adapters import AdapterPlan, add_languages, give_adapters
from clir_cli.rerankers.batch import Batch
from clir_cli.rerankers.cross_encoder import CrossEncoder
from clir_cli.rerankers.inputs import Passage
from tests.tiny_collection import TinyCollection, make_collection


def passage(links: list[tuple[int, int, float]]) -> Passage:
    """[CLS] q0 q0 q1 [SEP] d0 d1 d1 [SEP]"""
    words = np.array([4, 0, 0, 1, 5, 2, 3, 3, 6], np.int32)
    asked, answers, p = (np.array(part) for part in zip(*links, strict=True)) if links else ([], [], [])
    found = np.array(asked, np.int32), np.array(answers, np.int32), np.array(p, np.float32)
    return Passage(words, np.zeros_like(words), words, 2, 2, found, "translation", len(words))


def test_a_word_is_the_mean_of_its_pieces() -> None:
    states = torch.arange(9.0)[None, :, None].repeat(2, 1, 3)
    states = torch.cat([states, torch.full((2, 4, 3), 99.0)], 1)  # padding
    found = word_vectors(states, passage([]))
    assert found[0, :, 0].tolist() == [1.5, 3, 5, 6.5, 0, 4, 8]
    assert found.shape == (2, 7, 3)


def test_pairs_are_those_above_the_threshold_and_others_without_any_link() -> None:
    dice = np.random.default_rng(1)
    found = choose_pairs(passage([(0, 1, 0.5), (1, 0, 0.1)]), 0.1, 10, dice)
    assert found is not None
    translated, others = found
    assert translated.tolist() == [[0, 3]]  # p = .1 is not above .1
    assert others.tolist() == [[0, 2], [1, 3]]  # and a weak link is none to draw
    assert choose_pairs(passage([(0, 1, 0.1)]), 0.1, 10, dice) is None
    every = [(q, d, 0.9) for q in range(2) for d in range(2)]
    assert choose_pairs(passage(every), 0.1, 10, dice) is None


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyCollection:
    return make_collection(tmp_path_factory.mktemp("gap") / "encoder")


def measured(tiny: TinyCollection, model: Any, **options: Any) -> Gap:
    documents = [(topic, [entry.document for entry in entries]) for topic, entries in tiny.candidates.items()]
    return measure_gap(model, tiny.reader(model, with_links=True), documents, **options)


@pytest.mark.parametrize("build", [{"kind": "bert"}, {"kind": "mart"}, {"kind": "mart", "arm": "identity"}], ids=str)
def test_batches_move_nothing_and_layers_are_those_of_the_encoder(tiny: TinyCollection, build: dict[str, Any]) -> None:
    model, reader = tiny.reranker(**build)
    assert isinstance(model, CrossEncoder)
    alone, together = measured(tiny, model, tokens=1), measured(tiny, model, tokens=4000)
    assert alone.topics == together.topics
    assert alone.translated == pytest.approx(together.translated, abs=1e-5)
    assert alone.random == pytest.approx(together.random, abs=1e-5)
    assert alone.translated.shape == (len(alone.topics), len(model.encoder.layers) + 1)
    assert set(alone.documents) <= {name for name in tiny.documents if max(tiny.qrels[name[:2]].values())}
    batch = reader.batch(reader.read("t1", "t1-d7"))
    with torch.inference_mode():
        states = model.encoder.states(batch.pieces, batch.types, batch.mask, batch.knowledge)
        last = model.encoder(batch.pieces, batch.types, batch.mask, batch.knowledge)
    assert torch.equal(states[-1], last)


@pytest.mark.parametrize("kind", ["bert", "mart"])
def test_vectors_are_those_that_a_score_is_made_of(tiny: TinyCollection, kind: Literal["bert", "mart"]) -> None:
    """Through the adapters of the languages in force, each piece through its own text's."""
    model, reader = tiny.reranker(kind=kind)
    assert isinstance(model, CrossEncoder)
    plain = measured(tiny, model)
    give_adapters(model, AdapterPlan())
    shape = AdapterShape(model.encoder.width, len(model.encoder.layers))
    made = {code: Adapter(shape) for code in ("deu", "eng", "som")}
    with torch.no_grad():
        for seed, adapter in enumerate(made.values()):
            for number, parameter in enumerate(adapter.parameters()):
                parameter.normal_(0, 0.1, generator=torch.Generator().manual_seed(100 * seed + number))
    add_languages(model, made)
    assert model.adapters is not None
    batch = reader.batch(reader.read("t1", "t1-d7") + reader.read("t1", "t1-d1"))
    assert isinstance(batch, Batch)
    gaps = {}
    for query in ("deu", "som", None):
        model.adapters.speak(query, None if query is None else "eng")
        gaps[query] = measured(tiny, model)
        with torch.inference_mode():
            assert torch.allclose(model.head(model.states(batch)[-1][:, 0]).squeeze(-1), model(batch), atol=1e-5)
    assert np.allclose(gaps[None].translated, plain.translated, atol=1e-6)
    assert not np.allclose(gaps["deu"].translated, plain.translated, atol=1e-3)
    assert not np.allclose(gaps["deu"].translated, gaps["som"].translated, atol=1e-3)


def test_models_are_compared_on_the_same_pairs(tiny: TinyCollection) -> None:
    plain, mart = (measured(tiny, tiny.reranker(kind=kind)[0]) for kind in ("bert", "mart"))
    assert (plain.topics, plain.documents, plain.pairs.tolist()) == (mart.topics, mart.documents, mart.pairs.tolist())
    assert plain.random[:, 0] == pytest.approx(mart.random[:, 0], abs=1e-6)  # the same embeddings
    assert not np.allclose(plain.translated[:, -1], mart.translated[:, -1], atol=1e-3)


def test_embeddings_that_know_the_translations_have_a_gap_that_is_found(tiny: TinyCollection) -> None:
    model, _ = tiny.reranker(kind="bert")
    tokenizer = load_tokenizer(tiny.folder)
    embeddings: Any = model.encoder.embeddings
    before = lines(measured(tiny, model))["gap"].mean[0]
    with torch.no_grad():
        embeddings.position_embeddings.weight.zero_()
        embeddings.token_type_embeddings.weight.zero_()
        topic = tiny.links["t1"]
        for word, row in topic.items():
            ids, others = (tokenizer(text, add_special_tokens=False)["input_ids"] for text in (word, *row))
            embeddings.word_embeddings.weight[others] = embeddings.word_embeddings.weight[ids]
    found = measured(tiny, model)
    of_topic = np.array(found.topics) == "t1"
    gap = found.translated[of_topic, 0] - found.random[of_topic, 0]
    assert gap.mean() > before + 0.3


def test_nothing_to_measure_is_said(tiny: TinyCollection) -> None:
    with pytest.raises(UsageError, match=r"above 0\.95"):
        measured(tiny, tiny.reranker(kind="bert")[0], threshold=0.95)


def test_what_is_saved_is_read_fold_by_fold(tmp_path: Path) -> None:
    gaps = [
        Gap([topic], ["d"], np.array([2]), np.full((1, 3), value), np.zeros((1, 3)))
        for topic, value in (("1", 0.5), ("zwölf", 0.7))
    ]
    for number, gap in enumerate(gaps):
        gap.save(tmp_path / f"{number}.npz")
    found = read_gap([tmp_path / "0.npz", tmp_path / "1.npz"])
    assert found.topics == ["1", "zwölf"]
    assert found.translated[:, 0].tolist() == [0.5, 0.7]


def test_bands_are_of_topics_drawn_whole() -> None:
    topics = ["a"] * 8 + ["b"] * 2
    translated = np.array([[1.0]] * 8 + [[0.0]] * 2)
    found = lines(Gap(topics, ["d"] * 10, np.ones(10, int), translated, np.zeros((10, 1))))
    assert found["gap"].mean.tolist() == [0.8]
    assert (found["gap"].low[0], found["gap"].high[0]) == (0, 1)  # each of the two topics alone is a quarter
    one = lines(Gap(["a"] * 8, ["d"] * 8, np.ones(8, int), np.linspace(0, 1, 8)[:, None], np.zeros((8, 1))))
    assert one["gap"].low == pytest.approx(one["gap"].mean)
    assert one["gap"].high == pytest.approx(one["gap"].mean)
