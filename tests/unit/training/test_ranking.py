"""Ranking in one language."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.initial import draw_weights
from clir_cli.rerankers.build import CrossEncoder, Description, Reranker
from clir_cli.training.ranking import PassageMaker, held_out_quality, ranking_loss, train_ranking
from clir_cli.training.ranking_examples import RankingExamples


@pytest.fixture
def ranker(tiny_encoder: Encoder) -> Reranker:
    model = CrossEncoder(tiny_encoder, Description("bert", None, (), "paper", False, None))
    draw_weights(model.head, 1, "head")
    return model


def examples_of(count: int) -> RankingExamples:
    """Whatever is asked, the good document answers."""
    dice = np.random.default_rng(1)
    animals = dice.choice(["cat", "dog", "bird"], (count, 3)).tolist()
    documents = [f"the {a} sees the {kind} {b}" for kind in ("good", "bad") for a, b, _ in animals]
    return RankingExamples(
        [f"{c} {number}" for number, (_, _, c) in enumerate(animals)],
        documents,
        [[number] for number in range(count)],
        [list(range(count, 2 * count))] * count,
    )


def test_an_input_is_the_query_and_as_much_of_the_document_as_fits(word_tokenizer: Any) -> None:
    examples = RankingExamples(["cat dog"], ["red green blue the and of", ""], [[0]])
    maker = PassageMaker(examples, word_tokenizer, "raw", max_pieces=9)
    read = [word_tokenizer.convert_ids_to_tokens(maker.make(0, number).pieces.tolist()) for number in (0, 1)]
    assert " ".join(read[0]) == "[CLS] cat dog [SEP] red green blue the [SEP]"
    assert " ".join(read[1]) == "[CLS] cat dog [SEP] [SEP]"
    assert maker.make(0, 0).types.tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1]
    batch = maker.batch([(0, 0), (0, 1)])
    assert batch.pieces.shape == (2, 9)


def test_the_loss_is_log_of_one_plus_e_to_the_difference(word_tokenizer: Any, ranker: Reranker) -> None:
    maker = PassageMaker(examples_of(3), word_tokenizer, "raw", 16)
    batch = maker.batch([(0, 0), (1, 1), (2, 2), (0, 3), (1, 4), (2, 5)])
    with torch.no_grad():
        scores = ranker.eval()(batch).tolist()
        losses = ranking_loss()(ranker, batch).tolist()
    expected = [math.log1p(math.exp(scores[3 + pair] - scores[pair])) for pair in range(3)]
    assert losses == pytest.approx(expected, abs=1e-6)


def test_it_learns_to_rank_and_measures_it_on_queries_set_aside(
    word_tokenizer: Any, ranker: Reranker, tmp_path: Path
) -> None:
    torch.nn.init.zeros_(ranker.head.weight)
    report = train_ranking(
        ranker,
        word_tokenizer,
        examples_of(60),
        tmp_path,
        steps=60,
        batch=8,
        learning_rate=5e-3,
        max_pieces=24,
        seed=1,
        checkpoint_every=60,
    )
    assert (report["queries"], report["held_out_queries"]) == (54, 6)
    assert report["before"]["accuracy"] == 0.5
    assert report["after"]["accuracy"] > 0.95
    assert report["after"]["reciprocal_rank"] > 0.95


def test_a_model_that_does_not_tell_documents_apart_is_at_chance(word_tokenizer: Any, ranker: Reranker) -> None:
    torch.nn.init.zeros_(ranker.head.weight)
    examples = examples_of(6)
    quality = held_out_quality(ranker, PassageMaker(examples, word_tokenizer, "raw", 24), examples, [0, 3, 5], seed=1)
    # All 21 tie: half of the 20 others count as better.
    assert quality == {"accuracy": 0.5, "reciprocal_rank": pytest.approx(1 / 11)}


def test_quality_is_measured_on_the_same_documents_every_time(word_tokenizer: Any, ranker: Reranker) -> None:
    examples = examples_of(40)
    maker = PassageMaker(examples, word_tokenizer, "raw", 24)
    first = held_out_quality(ranker, maker, examples, [1, 2, 3], seed=1)
    assert held_out_quality(ranker.train(), maker, examples, [1, 2, 3], seed=1) == first
    assert held_out_quality(ranker, maker, examples, [], seed=1) == {}


def test_hard_contrasts_are_measured_apart(word_tokenizer: Any, ranker: Reranker) -> None:
    examples = RankingExamples(
        ["cat"], ["cat", "the cat", "dog", "bird"], [[0]], sharing=[[np.array([0, 1], dtype=np.int32)]]
    )
    quality = held_out_quality(ranker, PassageMaker(examples, word_tokenizer, "raw", 24), examples, [0], seed=1)
    assert set(quality) == {"accuracy", "reciprocal_rank", "hard_accuracy", "hard_reciprocal_rank"}
    assert quality["hard_accuracy"] in (0.0, 1.0)  # one document shares the word: it wins always or never
