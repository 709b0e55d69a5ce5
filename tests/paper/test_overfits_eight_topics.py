"""A re-ranker that cannot learn eight topics by heart is broken.

Each model trains on eight topics until it puts their relevant documents above all others: MAP 1.0.
"""

from pathlib import Path

import pytest

from clir_cli.evaluation.average_precision import average_precision
from clir_cli.rerankers.build import Reranker
from clir_cli.rerankers.reading import PassageReader
from clir_cli.reranking.rerank import rerank
from clir_cli.training.fold import Recipe, train_fold
from clir_cli.training.pairs import draw_pairs
from tests.tiny_collection import TinyCollection, make_collection

MODELS = {
    "m2BERT": {"kind": "bert"},
    "MART-PLB": {"kind": "mart", "arm": "identity"},
    "MART": {"kind": "mart", "arm": "translation"},
}
RECIPE = Recipe(epochs=60, every=5, patience=12, learning_rate=5e-3, forward=8, effective=8, clip=1.0)


@pytest.fixture(scope="module")
def eight(tmp_path_factory: pytest.TempPathFactory) -> TinyCollection:
    """Eight topics, each with two relevant documents and six others; an encoder with random weights."""
    return make_collection(tmp_path_factory.mktemp("encoder") / "tiny", topics=8, relevant=2, others=6)


def mean_average_precision(model: Reranker, reader: PassageReader, tiny: TinyCollection) -> float:
    run = rerank(model, reader, tiny.candidates)
    return sum(average_precision(entries, tiny.qrels[topic]) for topic, entries in run.items()) / len(run)


@pytest.mark.parametrize("name", MODELS)
def test_learns_eight_topics_by_heart(name: str, eight: TinyCollection, tmp_path: Path) -> None:
    untrained = mean_average_precision(*eight.reranker(**MODELS[name]), eight)
    assert untrained < 0.6

    class LearnedByHeartError(Exception):
        """MAP 1.0 is reached: no need to go on."""

    def validate(model: Reranker, reader: PassageReader) -> float:
        value = mean_average_precision(model, reader, eight)
        if value == 1.0:
            raise LearnedByHeartError
        return value

    drawn = draw_pairs(
        eight.queries, eight.qrels, eight.candidates, exists=eight.documents, mode="per_positive", epochs=RECIPE.epochs
    )
    with pytest.raises(LearnedByHeartError):
        train_fold(
            eight.folder,
            tmp_path,
            build=MODELS[name],
            topics=eight.queries,
            pairs=drawn.pairs,
            queries=eight.queries,
            documents=eight.pieces(),
            links=eight.links,
            validate=validate,
            recipe=RECIPE,
        )
