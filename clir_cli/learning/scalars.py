"""Numbers of a training run for TensorBoard, each step once, however often the run is killed.

The numbers between two checkpoints are one file, named by the later checkpoint and written just before it. A run that
goes on from an earlier one makes the same file again in the place of what a kill left behind.
"""

import re
import time
from pathlib import Path

from clir_cli.errors import ClirError

_FILE = re.compile(r"events\.out\.tfevents\.(\d{10})\.clir")


def check_tensorboard() -> None:
    """Raises ``ClirError`` where the package is missing."""
    try:
        import tensorboard.summary.writer.record_writer  # noqa: F401
    except ImportError as error:
        raise ClirError(
            "training.tensorboard needs the package tensorboard.",
            "Install it (pip install 'clir[tensorboard]'), or set training.tensorboard: false.",
        ) from error


class ScalarFiles:
    """The event files of one run in ``folder``; raises ``ClirError`` where TensorBoard is not installed."""

    def __init__(self, folder: Path) -> None:
        check_tensorboard()
        self._folder = folder
        self._waiting: list[tuple[int, str, float, float]] = []

    def add(self, step: int, **values: float) -> None:
        """Note numbers of ``step`` by their tags."""
        now = time.time()
        self._waiting += [(step, tag, value, now) for tag, value in values.items()]

    def go_on_from(self, step: int) -> None:
        """Drop what belongs to steps after the checkpoint of ``step``: they come again."""
        for path in self._folder.glob("*"):
            match = _FILE.fullmatch(path.name)
            if match and int(match.group(1)) > step:
                path.unlink()

    def write(self, step: int) -> None:
        """Write what was noted since the checkpoint before that of ``step``; whole or not at all."""
        if not self._waiting:
            return
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.summary.writer.record_writer import RecordWriter

        self._folder.mkdir(parents=True, exist_ok=True)
        partial = self._folder / "partial"
        with partial.open("wb") as file:
            writer = RecordWriter(file)
            writer.write(Event(wall_time=self._waiting[0][3], file_version="brain.Event:2").SerializeToString())
            for number, tag, value, moment in self._waiting:
                summary = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
                writer.write(Event(wall_time=moment, step=number, summary=summary).SerializeToString())
        partial.replace(self._folder / f"events.out.tfevents.{step:010d}.clir")
        self._waiting.clear()
