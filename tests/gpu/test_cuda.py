"""The same code on a CUDA card: ``make test`` runs these where there is one, and says so where there is none."""

from pathlib import Path

import pytest
import torch

from clir_cli.evaluation.average_precision import mean_average_precision
from clir_cli.learning.devices import choose_device, resolve_precision
from clir_cli.rerankers.build import Reranker, load_reranker
from clir_cli.rerankers.reading import PassageReader
from clir_cli.reranking.rerank import rerank
from clir_cli.reranking.scoring import Scorer
from clir_cli.training.fold import Recipe, train_fold
from clir_cli.training.pairs import draw_pairs
from tests.tiny_collection import TinyCollection, make_collection

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA card on this machine"),
]
MODELS = {
    "m2bert": {"kind": "bert"},
    "mart-plb": {"kind": "mart", "arm": "identity"},
    "mart": {"kind": "mart"},
    "mores": {"kind": "mores"},
    "mores-mat": {"kind": "mores", "arm": "translation"},
}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyCollection:
    return make_collection(tmp_path_factory.mktemp("encoder") / "tiny")


@pytest.mark.parametrize("name", MODELS)
def test_scores_of_cpu_and_card_agree(tiny: TinyCollection, name: str) -> None:
    model, reader = tiny.reranker(**MODELS[name])
    documents = list(tiny.documents)
    on_cpu = Scorer(model, reader).score("t1", documents)
    on_card = Scorer(model.to(choose_device()), reader).score("t1", documents)
    assert on_card == pytest.approx(on_cpu, rel=1e-3, abs=1e-4)  # TF32 and other orders of sums


@pytest.mark.parametrize("precision", ["float32", "bf16"])
def test_mart_learns_its_topics_on_the_card(tiny: TinyCollection, tmp_path: Path, precision: str) -> None:
    if precision == "bf16" and resolve_precision("auto", choose_device()) != "bf16":
        pytest.skip("this card has no bf16")
    topics = list(tiny.queries)
    drawn = draw_pairs(topics, tiny.qrels, tiny.candidates, exists=tiny.documents, mode="per_positive", epochs=60)

    def validate(model: Reranker, reader: PassageReader) -> float:
        run = rerank(model, reader, tiny.candidates, precision=precision)
        return mean_average_precision(run, tiny.qrels, topics)

    report = train_fold(
        tiny.folder,
        tmp_path,
        build={"kind": "mart", "dropout": 0.0},
        topics=topics,
        pairs=drawn.pairs,
        queries=tiny.queries,
        documents=tiny.pieces(),
        links=tiny.links,
        validate=validate,
        recipe=Recipe(epochs=60, learning_rate=5e-3, forward=8, effective=8, precision=precision),
    )
    assert report.best_value == 1.0
    model, _ = load_reranker(tmp_path / "model")  # written from the card, read on the CPU
    scores = Scorer(model, tiny.reader(model)).score("t1", list(tiny.qrels["t1"]))
    relevant = [score for score, grade in zip(scores, tiny.qrels["t1"].values(), strict=True) if grade]
    assert min(relevant) > max(score for score, g in zip(scores, tiny.qrels["t1"].values(), strict=True) if not g)
