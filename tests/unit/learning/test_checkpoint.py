"""A training state is on disk whole or not at all, and is never taken for what it is not."""

import json
from pathlib import Path

import pytest
import torch

from clir_cli.errors import ClirError
from clir_cli.learning.checkpoint import load_checkpoint, load_state, save_checkpoint, save_state


def test_comes_back_as_it_was(tmp_path: Path) -> None:
    state = {"weights": torch.randn(3, 5), "counters": {"epoch": 7}, "list": [1, 2.5, "x", None]}
    save_state(tmp_path / "state", state)
    loaded = load_state(tmp_path / "state")
    assert torch.equal(loaded.pop("weights"), state.pop("weights"))
    assert loaded == state


def test_newest_checkpoint_counts_and_older_ones_go(tmp_path: Path) -> None:
    assert load_checkpoint(tmp_path) is None
    assert load_checkpoint(tmp_path / "missing") is None
    for number in (9, 10, 100):
        save_checkpoint(tmp_path, number, {"number": number})
        assert load_checkpoint(tmp_path) == {"number": number}
        assert len(list(tmp_path.iterdir())) == 1


def test_a_half_written_checkpoint_is_not_seen(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, 1, {"number": 1})
    partial = tmp_path / "checkpoint-00000002.partial"
    partial.mkdir()
    (partial / "state.pt").write_bytes(b"half")
    assert load_checkpoint(tmp_path) == {"number": 1}
    save_checkpoint(tmp_path, 2, {"number": 2})
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint-00000002"]


@pytest.mark.parametrize("damage", ["flip", "truncate", "no description", "other format", "not json"])
def test_damage_is_reported_with_a_way_out(tmp_path: Path, damage: str) -> None:
    save_checkpoint(tmp_path, 1, {"weights": torch.zeros(1000)})
    folder = tmp_path / "checkpoint-00000001"
    data = bytearray((folder / "state.pt").read_bytes())
    if damage == "flip":
        data[len(data) // 2] ^= 1  # a single bit of a weight: torch itself would not notice
        (folder / "state.pt").write_bytes(data)
    elif damage == "truncate":
        (folder / "state.pt").write_bytes(data[:-100])
    elif damage == "no description":
        (folder / "state.json").unlink()
    elif damage == "other format":
        (folder / "state.json").write_text(json.dumps({"format": "other"}))
    else:
        (folder / "state.json").write_text("{")
    with pytest.raises(ClirError) as caught:
        load_checkpoint(tmp_path)
    assert str(folder) in caught.value.problem
    assert "delete" in caught.value.hint
    assert folder.exists()


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Path.touch, (Path("evil"),)


def test_code_is_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_state(tmp_path / "state", {"x": Evil()})
    with pytest.raises(ClirError):
        load_state(tmp_path / "state")
    assert not (tmp_path / "evil").exists()
