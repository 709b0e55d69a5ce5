"""One job: a re-ranker trained on one fold's topics."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from clir_cli.errors import ClirError, DataError
from clir_cli.records import TopicLinks
from clir_cli.rerankers.build import Reranker, load_reranker
from clir_cli.rerankers.reading import PassageReader
from clir_cli.training.fold import FoldReport, Reading, Recipe, cut_steps, train_fold
from clir_cli.training.pairs import TrainingPair, draw_pairs
from tests.tiny_collection import TinyCollection, make_collection

RECIPE = Recipe(epochs=3, learning_rate=5e-3, forward=2, effective=4)
TRAINING = ["t1", "t2", "t3", "t4", "t5"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyCollection:
    return make_collection(tmp_path_factory.mktemp("encoder") / "tiny", topics=7)


Validate = Callable[[Reranker, PassageReader], float]


def difference(tiny: TinyCollection, topics: tuple[str, ...] = ("t6", "t7")) -> Validate:
    """A smooth stand-in for MAP: how far the relevant documents of other topics lie above the rest."""

    def validate(model: Reranker, reader: PassageReader) -> float:
        total = 0.0
        for topic in topics:
            for document, grade in tiny.qrels[topic].items():
                total += (1 if grade else -1) * float(model(reader.batch(reader.read(topic, document))).mean())
        return total

    return validate


def train(
    tiny: TinyCollection, folder: Path, recipe: Recipe = RECIPE, kind: str = "mart", **changes: Any
) -> FoldReport:
    drawn = draw_pairs(tiny.queries, tiny.qrels, tiny.candidates, exists=tiny.documents, epochs=recipe.epochs)
    arguments: dict[str, Any] = {
        "build": {"kind": kind},
        "topics": TRAINING,
        "pairs": drawn.pairs,
        "queries": tiny.queries,
        "documents": tiny.pieces(),
        "links": tiny.links,
        "validate": difference(tiny),
        "recipe": recipe,
    }
    return train_fold(tiny.folder, folder, **{**arguments, **changes})


def weights(folder: Path) -> bytes:
    return (folder / "model" / "model.safetensors").read_bytes()


def test_leaves_model_log_and_report(tiny: TinyCollection, tmp_path: Path) -> None:
    report = train(tiny, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.jsonl", "model", "report.json"]
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [(line["epoch"], line["steps"]) for line in lines] == [(1, 2), (2, 2), (3, 2)]  # 5 pairs: 4 and 1
    best = max(lines, key=lambda line: line["validation"])
    assert report == FoldReport(best["epoch"], best["validation"], 3, False, topics=5, pairs=5)
    model, tokenizer = load_reranker(tmp_path / "model")
    reader = PassageReader(model, tokenizer, queries=tiny.queries, documents=tiny.pieces(), links=tiny.links)
    with torch.no_grad():
        assert difference(tiny)(model, reader) == pytest.approx(report.best_value)


class Stop(BaseException):
    """The job is killed."""


@pytest.mark.parametrize("kind", ["bert", "mart"])
def test_a_killed_job_ends_with_the_same_weights(tiny: TinyCollection, tmp_path: Path, kind: str) -> None:
    report = train(tiny, tmp_path / "whole", kind=kind)
    calls = 0
    for kill_at in (1, 4, 4):  # in the first epoch; before and after the checkpoint of a later one

        def progress(done: int, total: int | None, text: str, at: int = kill_at) -> None:
            nonlocal calls
            calls += 1
            if calls == at:
                raise Stop

        calls = 0
        with pytest.raises(Stop):
            train(tiny, tmp_path / "killed", kind=kind, progress=progress)
    assert train(tiny, tmp_path / "killed", kind=kind) == report
    assert weights(tmp_path / "killed") == weights(tmp_path / "whole")


def test_a_finished_job_is_only_read(tiny: TinyCollection, tmp_path: Path) -> None:
    report = train(tiny, tmp_path)

    assert train(tiny, tmp_path, documents=None) == report


def test_other_pairs_do_not_go_on_from_a_state(tiny: TinyCollection, tmp_path: Path) -> None:
    def progress(done: int, total: int | None, text: str) -> None:
        if done == 4:
            raise Stop

    with pytest.raises(Stop):
        train(tiny, tmp_path, progress=progress)
    with pytest.raises(ClirError, match="other settings or data"):
        train(tiny, tmp_path, topics=["t1", "t2", "t3"])


def test_old_and_new_parts_have_their_own_rates(tiny: TinyCollection, tmp_path: Path) -> None:
    untrained, _ = tiny.reranker(kind="mart", seed=RECIPE.seed)
    train(tiny, tmp_path, replace(RECIPE, learning_rate=0.0, new_learning_rate=1e-2))
    trained, _ = load_reranker(tmp_path / "model")
    moved = {name for name, value in trained.named_parameters() if not value.equal(untrained.get_parameter(name))}
    # The head's bias cancels in a pair, but for rounding, and Adam makes full steps of that: it may be among them.
    new = {name for name, _ in trained.named_parameters() if ".mix." in name or name == "head.weight"}
    assert moved - {"head.bias"} == new


def test_validation_topics_are_not_trained_on(tiny: TinyCollection, tmp_path: Path) -> None:
    links: dict[str, TopicLinks] = {topic: tiny.links[topic] for topic in TRAINING}
    queries = {topic: tiny.queries[topic] for topic in TRAINING}  # a pair of t6 would have no query
    report = train(tiny, tmp_path, queries=queries, links=links, validate=None)
    assert report == FoldReport(best_epoch=3, best_value=None, epochs_run=3, stopped=False, topics=5, pairs=5)


def test_epochs_without_pairs_are_refused(tiny: TinyCollection, tmp_path: Path) -> None:
    pairs = [TrainingPair(epoch, "t1", "t1-d6", "t1-d1") for epoch in (1, 2, 3)]
    with pytest.raises(DataError, match="epoch 4"):
        train(tiny, tmp_path, replace(RECIPE, epochs=4), pairs=pairs)


def test_infinite_loss_names_topics_and_documents(tiny: TinyCollection, tmp_path: Path) -> None:
    pairs = [TrainingPair(1, "t1", "t1-d6", "t1-d1"), TrainingPair(1, "t2", "t2-d7", "t2-d1")]
    recipe = replace(RECIPE, epochs=1, learning_rate=1e30, forward=1, effective=1)
    with pytest.raises(ClirError, match=r"step 2 of 2: topic t\d with t\d-d\d and t\d-d1\."):
        train(tiny, tmp_path, recipe, pairs=pairs, validate=None)


def test_long_documents_are_read_as_passages(tiny: TinyCollection, tmp_path: Path) -> None:
    train(tiny, tmp_path / "short", reading=Reading(max_pieces=24, document_pieces=10))
    train(tiny, tmp_path / "long", reading=Reading(max_pieces=24, document_pieces=60))
    assert weights(tmp_path / "short") != weights(tmp_path / "long")


def sizes(recipe: Recipe, count: int = 11) -> list[list[int]]:
    pairs = [TrainingPair(1, f"t{number}", "p", "n") for number in range(count)]
    steps = cut_steps(pairs, 1, recipe)
    assert sorted(pair for step in steps for micro in step for pair in micro) == sorted(pairs)
    return [[len(micro) for micro in step] for step in steps]


def test_batches_count_pairs_or_documents() -> None:
    assert sizes(Recipe(forward=2, effective=8)) == [[2, 2, 2, 2], [2, 1]]
    assert sizes(Recipe(forward=2, effective=8, unit="documents")) == [[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1]]
    assert sizes(Recipe(forward=16, effective=16)) == [[11]]


def test_epochs_shuffle_alike_for_all_models() -> None:
    pairs = [TrainingPair(1, f"t{number}", "p", "n") for number in range(11)]
    assert cut_steps(pairs, 1, Recipe()) == cut_steps(pairs, 1, Recipe(loss="softmax_margin"))
    assert cut_steps(pairs, 1, Recipe()) != cut_steps(pairs, 2, Recipe())
