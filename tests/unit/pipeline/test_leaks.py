"""No topic is tested by a model that was trained or validated on it, whatever the model started from."""

import json
from pathlib import Path

import pytest

from clir_cli.corpora.folds import assign_folds, split
from clir_cli.errors import DataError
from clir_cli.pipeline.joined_topics import JoinedTopic, write_joined
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.material import refuse_leak
from clir_cli.pipeline.stages.reranking import rerank_untrained


def started_from(folder: Path, seen: frozenset[str]) -> Inputs:
    """A stage whose model starts from one that saw some topics."""
    (folder / "seen_topics.json").write_text(json.dumps(sorted(seen)), encoding="utf-8")
    return Inputs(settings={}, needs={"start": folder}, files={}, hints={})


def test_the_same_fold_of_another_experiment_is_clean(tmp_path: Path) -> None:
    folds = assign_folds([str(number) for number in range(50)])
    for fold in range(1, 6):
        parts = split(folds, fold)
        refuse_leak(started_from(tmp_path, parts.training | parts.validation), parts.test, "this fold tests")


def test_another_fold_is_refused_by_name(tmp_path: Path) -> None:
    folds = assign_folds([str(number) for number in range(50)])
    first, second = split(folds, 1), split(folds, 2)
    with pytest.raises(DataError, match=r"trained on 10 topics that this fold tests \(\d+, "):
        refuse_leak(started_from(tmp_path, first.training | first.validation), second.test, "this fold tests")


def test_what_nobody_trains_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / "topics").mkdir()
    write_joined(
        tmp_path / "topics" / "topics.tsv", [JoinedTopic("C001", "1", "haus"), JoinedTopic("C009", "9", "hut")]
    )
    (tmp_path / "seen_topics.json").write_text('["1", "2"]', encoding="utf-8")
    inputs = Inputs({"threads": 1}, {"start": tmp_path, "topics": tmp_path / "topics"}, {}, {})
    with pytest.raises(DataError, match=r"trained on 1 topics that it is to rank here \(1\)"):
        rerank_untrained(tmp_path / "out", inputs, lambda done, total, text: None)


def test_other_topics_are_clean(tmp_path: Path) -> None:
    refuse_leak(started_from(tmp_path, frozenset({"deb0001", "deb0002"})), frozenset({"n09-000"}), "this fold tests")


def test_an_encoder_that_saw_no_topics_is_clean(tmp_path: Path) -> None:
    refuse_leak(Inputs(settings={}, needs={"start": tmp_path}, files={}, hints={}), frozenset({"1"}), "this fold tests")
    refuse_leak(Inputs(settings={}, needs={}, files={}, hints={}), frozenset({"1"}), "this fold tests")
