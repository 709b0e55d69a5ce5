"""Finished topics survive a kill; half-written ones do not."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.errors import DataError
from clir_cli.reranking.shards import Shards


@given(scores=st.dictionaries(st.text(), st.floats(allow_nan=False), max_size=5), topic=st.text())
def test_gives_back_every_digit(tmp_path_factory: pytest.TempPathFactory, topic: str, scores: dict[str, float]) -> None:
    folder = tmp_path_factory.mktemp("shards")
    Shards(folder).add(topic, list(scores), list(scores.values()))
    again = Shards(folder)
    assert again.get(topic, list(scores)) == list(scores.values())
    assert again.get(topic + "x", list(scores)) is None


def test_documents_may_come_in_another_order_but_not_be_others(tmp_path: Path) -> None:
    Shards(tmp_path).add("1", ["a", "b"], [0.1, 0.2])
    assert Shards(tmp_path).get("1", ["b", "a"]) == [0.2, 0.1]
    with pytest.raises(DataError, match="topic 1 for other documents"):
        Shards(tmp_path).get("1", ["a", "c"])


def test_a_torn_line_is_cut_off_at_every_length(tmp_path: Path) -> None:
    whole = Shards(tmp_path / "whole")
    whole.add("1", ["a"], [0.1])
    size = (tmp_path / "whole" / "scores.jsonl").stat().st_size
    whole.add("2", ["ä"], [0.2])
    data = (tmp_path / "whole" / "scores.jsonl").read_bytes()
    for length in range(size, len(data)):
        folder = tmp_path / str(length)
        folder.mkdir()
        (folder / "scores.jsonl").write_bytes(data[:length])
        shards = Shards(folder)
        assert shards.get("1", ["a"]) == [0.1]
        assert shards.get("2", ["ä"]) is None
        shards.add("2", ["ä"], [0.2])
        assert (folder / "scores.jsonl").read_bytes() == data


@pytest.mark.parametrize("line", ["{}\n", "[1\n", '["1", 5]\n', '["1", [["a", "x"]]]\n', '["1"]\n'])
def test_foreign_lines_are_refused_by_number(tmp_path: Path, line: str) -> None:
    Shards(tmp_path).add("0", ["a"], [0.1])
    with (tmp_path / "scores.jsonl").open("a") as file:
        file.write(line)
    with pytest.raises(DataError, match=r"scores\.jsonl:2: this is not a topic"):
        Shards(tmp_path)
