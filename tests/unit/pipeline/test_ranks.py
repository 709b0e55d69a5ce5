"""One stage as several processes."""

import json
import os
import socket
import traceback
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from clir_cli.errors import ClirError, DataError, StageError
from clir_cli.pipeline.execute import run_plan
from clir_cli.pipeline.ranks import run_ranks
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.workers import Message, Task
from tests.unit.pipeline.conftest import Toys

STAGES = "tests.unit.pipeline.rank_stages"


@pytest.fixture(autouse=True)
def _stages_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[3])


def run(out: Path, function: str, inputs: Inputs, ranks: int = 2) -> tuple[Message, list[Message]]:
    """What came of a stage, and what it told on the way."""
    told: list[Message] = []
    out.mkdir(exist_ok=True)
    return run_ranks(Task(f"{STAGES}:{function}", out, inputs, ranks), told.append), told


def fork_ranks(function: Callable[[], None]) -> None:
    """Call a function in two processes that know of each other: forked, for what is imported comes with them."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    children = []
    for rank in range(2):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                places = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": 2, "MASTER_PORT": port}
                os.environ |= {name: str(value) for name, value in places.items()} | {"MASTER_ADDR": "127.0.0.1"}
                function()
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0]


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    ("function", "kind", "problem"),
    [
        ("one_fails", DataError, "topics.tsv:3: no tab."),
        ("one_is_killed", StageError, "process 2 of 2 was killed by signal 9."),
    ],
)
def test_an_end_of_one_ends_all(tmp_path: Path, function: str, kind: type[ClirError], problem: str) -> None:
    message, told = run(tmp_path, function, Inputs({}, {}, {}, {}))
    assert isinstance(message.error, kind)
    assert message.error.problem == problem
    assert {one.text for one in told} <= {"0 of 2"}  # the first speaks for all
    started = [int(path.read_text()) for path in tmp_path.glob("process-*")]
    assert 0 < len(started) <= 2
    assert not any(is_running(process) for process in started)


def test_a_job_of_two_takes_two_places(toys: Toys) -> None:
    """A plan whose stage asks for two processes gets them, and its error comes back under its name."""
    stage = toys.stage("bad", "bad_input", hints={"cards": 2})
    with pytest.raises(DataError, match=r"toy bad: topics\.tsv:3: no tab"):
        run_plan(toys.plan(stage, toys.stage("other")), jobs=2)


@pytest.mark.skipif(find_spec("accelerate") is None, reason="accelerate is not installed")
def test_two_processes_train_as_one(tmp_path: Path) -> None:
    import accelerate.utils  # noqa: F401 - once, before the forks
    import torch

    from clir_cli.rerankers.build import load_reranker
    from clir_cli.training.fold import Recipe
    from clir_cli.training.pairs import draw_pairs
    from tests.tiny_collection import make_collection
    from tests.unit.pipeline import rank_stages

    tiny = make_collection(tmp_path / "tiny", topics=7)
    tiny.pieces()
    drawn = draw_pairs(tiny.queries, tiny.qrels, tiny.candidates, exists=tiny.documents, epochs=2)
    recipe = Recipe(epochs=2, learning_rate=1e-3, forward=1, effective=3, tokens=100, clip=1.0)
    settings = {"tiny": tiny, "pairs": list(drawn.pairs), "recipe": recipe}
    inputs = Inputs(settings, {"pieces": tmp_path / "pieces-0"}, {}, {})
    rank_stages.train(tmp_path / "alone", inputs, lambda done, total, text: None)

    together = replace(inputs, settings={**settings, "recipe": replace(recipe, cards=2)})
    (tmp_path / "told").mkdir()

    def told(done: int, total: int | None, text: str) -> None:
        (tmp_path / "told" / os.environ["RANK"]).write_text(text)

    fork_ranks(lambda: rank_stages.train(tmp_path / "together", together, told))
    assert [path.name for path in (tmp_path / "told").iterdir()] == ["0"]  # the first speaks for all

    one, _ = load_reranker(tmp_path / "alone" / "model")
    two, _ = load_reranker(tmp_path / "together" / "model")
    for (name, weight), other in zip(one.state_dict().items(), two.state_dict().values(), strict=True):
        # These change no loss: their gradients are rounding, of which Adam makes full steps.
        if name != "head.bias" and not name.endswith("attend.key.bias"):
            # Where a gradient all but cancels, rounding moves a part of a step; a wrong sum moves whole ones.
            torch.testing.assert_close(weight, other, rtol=1e-5, atol=0.1 * recipe.learning_rate)
    lines = [
        [json.loads(line) for line in (tmp_path / name / "log.jsonl").read_text().splitlines()]
        for name in ("alone", "together")
    ]
    for line, other_line in zip(*lines, strict=True):
        for value in ("steps", "loss", "validation"):
            assert line[value] == pytest.approx(other_line[value], rel=1e-5, abs=1e-5)
