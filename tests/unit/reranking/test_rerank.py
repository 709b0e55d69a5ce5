"""Candidates in, a run in canonical order out; killed and resumed, the same to the last bit."""

from pathlib import Path

import pytest
import torch

from clir_cli.errors import DataError
from clir_cli.records import Run
from clir_cli.reranking.rerank import rerank
from clir_cli.trec import rank
from tests.tiny_collection import TinyCollection, make_collection


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyCollection:
    return make_collection(tmp_path_factory.mktemp("encoder") / "tiny", topics=5)


def test_every_candidate_once_in_canonical_order(tiny: TinyCollection) -> None:
    run = rerank(*tiny.reranker(kind="mart"), tiny.candidates)
    assert list(run) == list(tiny.candidates)
    for topic, entries in run.items():
        assert {entry.document for entry in entries} == {entry.document for entry in tiny.candidates[topic]}
        assert entries == rank(entries)
        assert [entry.document for entry in entries] != [entry.document for entry in tiny.candidates[topic]]


def test_a_topic_without_candidates_keeps_its_empty_list(tiny: TinyCollection) -> None:
    model, reader = tiny.reranker(kind="bert")
    run = rerank(model, reader, {"t1": tiny.candidates["t1"], "t2": []})
    assert len(run["t1"]) == 8
    assert run["t2"] == []


def test_equal_scores_are_ordered_by_document_descending(tiny: TinyCollection) -> None:
    model, reader = tiny.reranker(kind="bert")
    torch.nn.init.zeros_(model.head.weight)
    run = rerank(model, reader, tiny.candidates)
    assert {entry.score for entries in run.values() for entry in entries} == {0.0}
    assert [entry.document for entry in run["t1"]] == [f"t1-d{number}" for number in range(7, -1, -1)]


class Stop(BaseException):
    """The job is killed."""


def test_a_killed_run_goes_on_with_the_next_topic(tiny: TinyCollection, tmp_path: Path) -> None:
    model, reader = tiny.reranker(kind="mart")
    whole = rerank(model, reader, tiny.candidates)
    for topics_done in (1, 3):

        def progress(done: int, total: int | None, text: str, at: int = topics_done) -> None:
            if done == at:
                raise Stop

        with pytest.raises(Stop):
            rerank(model, reader, tiny.candidates, shards=tmp_path, progress=progress)
    said: list[str] = []
    resumed = rerank(
        model, reader, tiny.candidates, shards=tmp_path, progress=lambda done, total, text: said.append(text)
    )
    assert resumed == whole  # scores are floats: equal means every bit
    assert [("pairs/s" in text) for text in said] == [False, False, False, True, True]
    assert len((tmp_path / "scores.jsonl").read_text().splitlines()) == 5


def test_a_topic_is_scored_alike_alone_and_among_others(tiny: TinyCollection) -> None:
    model, reader = tiny.reranker(kind="mart")
    alone: Run = {topic: rerank(model, reader, {topic: tiny.candidates[topic]})[topic] for topic in tiny.candidates}
    assert alone == rerank(model, reader, tiny.candidates)


def test_dropout_is_off_whatever_the_model_was_doing(tiny: TinyCollection) -> None:
    model, reader = tiny.reranker(kind="mart")
    before = rerank(model, reader, tiny.candidates)
    assert rerank(model.train(), reader, tiny.candidates) == before


def test_a_topic_without_query_is_named(tiny: TinyCollection) -> None:
    with pytest.raises(DataError, match="Topic t99 has no query"):
        rerank(*tiny.reranker(kind="bert"), {"t99": tiny.candidates["t1"]})
