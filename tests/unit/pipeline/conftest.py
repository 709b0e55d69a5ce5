"""Stages made of a few lines, so that the machinery is tested without the science."""

from pathlib import Path
from typing import Any

import pytest

from clir_cli.pipeline.checksums import Checksums
from clir_cli.pipeline.plan import Plan, State
from clir_cli.pipeline.stage import Stage
from clir_cli.pipeline.store import Store

TOY = """
import os, signal, time
from pathlib import Path
from clir_cli.errors import DataError

def note(out, inputs):
    with (Path(inputs.hints["journal"])).open("a") as file:
        file.write(inputs.settings["name"] + "\\n")

def add(out, inputs, progress):
    '''The sum of what it needs, of its files and of its own number.'''
    note(out, inputs)
    total = inputs.settings["number"]
    total += sum(int((folder / "sum.txt").read_text()) for folder in inputs.needs.values())
    total += sum(int(path.read_text()) for paths in inputs.files.values() for path in paths)
    progress(1, 1, "added")
    (out / "sum.txt").write_text(str(total))

def slow(out, inputs, progress):
    '''Counts to ten in its folder, a step each time it is called again after a kill.'''
    note(out, inputs)
    counter = out / "counter.txt"
    count = int(counter.read_text()) if counter.exists() else 0
    while count < 10:
        time.sleep(0.05)
        count += 1
        counter.write_text(str(count))
        progress(count, 10, "counting")
    (out / "sum.txt").write_text(str(count))

def bad_input(out, inputs, progress):
    (out / "half.txt").write_text("half")
    raise DataError("topics.tsv:3: no tab.", "Add one.")

def bug(out, inputs, progress):
    raise ZeroDivisionError("oh")

def full(out, inputs, progress):
    raise OSError(28, "No space left on device", "sum.txt")

def killed(out, inputs, progress):
    os.kill(os.getpid(), signal.SIGKILL)
"""


class Toys:
    """Builds stages whose functions are in TOY, and plans of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / "journal.txt"
        self.journal.touch()
        self.store = Store(folder / "artifacts")
        self.checksums = Checksums(folder / "artifacts" / "checksums.json")

    def stage(self, name: str, function: str = "add", number: int = 1, **rest: Any) -> Stage:
        settings = {"name": name, "number": number}
        hints = {"journal": str(self.journal)} | rest.pop("hints", {})
        return Stage("toy", name, f"toy_stages:{function}", settings, self.checksums, hints=hints, **rest)

    def plan(self, *stages: Stage, redo: frozenset[str] = frozenset()) -> Plan:
        states = {s.key: State.run if s.key in redo or not self.store.has(s) else State.done for s in stages}
        return Plan(
            experiment=None, graph=None, store=self.store, checksums=self.checksums,  # type: ignore[arg-type]
            targets=[stages[-1]], stages=list(stages), states=states, redo=redo,
        )  # fmt: skip

    def result(self, stage: Stage) -> int:
        return int((self.store.path(stage) / "sum.txt").read_text())

    def ran(self) -> list[str]:
        return self.journal.read_text().split()


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toys:
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "toy_stages.py").write_text(TOY)
    monkeypatch.syspath_prepend(tmp_path / "modules")
    return Toys(tmp_path)
