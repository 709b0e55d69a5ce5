"""What is told of the settings behind two runs."""

import json
from pathlib import Path

import pytest

from clir_cli.errors import DataError
from clir_cli.inspection.run_cards import read_card, tell_differences


def test_cards_lie_beside_their_runs(tmp_path: Path) -> None:
    run = tmp_path / "a.trec"
    assert read_card(run) is None
    (tmp_path / "a.json").write_text('{"old": 1}')
    assert read_card(run) == {"old": "1"}
    (tmp_path / "a.trec.json").write_text('{"retrieval": {"k1": 1.2, "methods": ["smt"]}, "empty": {}}')
    assert read_card(run) == {"retrieval.k1": "1.2", "retrieval.methods": '["smt"]', "empty": "{}"}


@pytest.mark.parametrize(("text", "problem"), [("{", "it is no JSON"), ("[1]", "it is no JSON object")])
def test_a_card_that_cannot_be_read(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "a.trec.json").write_text(text)
    with pytest.raises(DataError, match=rf"a\.trec\.json: {problem}"):
        read_card(tmp_path / "a.trec")


def test_what_differs_is_told() -> None:
    cards = {"a": {"k1": "1.2", "b": "0.75"}, "b": {"k1": "0.9", "b": "0.75", "seed": "3"}}
    assert tell_differences(cards) == ["k1 differs: a 1.2, b 0.9.", "seed differs: a not there, b 3."]
    assert tell_differences({"a": cards["a"], "b": dict(cards["a"])}) == []
    assert tell_differences({"a": cards["a"]}) == []
    many = {run: {f"s{n}": json.dumps([run, n]) for n in range(25)} for run in "ab"}
    told = tell_differences(many)
    assert (len(told), told[-1]) == (21, "5 more settings differ.")
