"""What a running plan looks like: bars in a terminal, plain lines elsewhere."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from clir_cli.cli import console
from clir_cli.pipeline.events import Event, EventKind, Listener, ignore

LINE_EVERY = 10.0
"""Seconds between two plain progress lines of one stage."""


@contextmanager
def watching(count: int, quiet: bool) -> Iterator[Listener]:
    """A listener for a plan that makes ``count`` stages."""
    if quiet:
        yield ignore
    elif console.err.is_terminal:
        with _bars() as progress:
            yield _Bars(progress, count)
    else:
        yield PlainLines(count, lambda line: console.tell(line, ""))


class PlainLines:
    """One line when a stage starts or ends, and now and then what it is doing."""

    def __init__(self, count: int, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._count = count
        self._write = write
        self._clock = clock
        self._finished = 0
        self._first: dict[str, tuple[float, int, int | None]] = {}
        self._last: dict[str, float] = {}

    def __call__(self, event: Event) -> None:
        now = self._clock()
        match event.kind:
            case EventKind.started:
                self._last[event.stage] = now
                self._write(f"{event.kind.symbol} {event.stage}")
            case EventKind.progress:
                since, done, total = self._first.setdefault(event.stage, (now, event.done, event.total))
                if event.done < done or event.total != total:  # another count begins: one training, then the next
                    since, done, _ = self._first[event.stage] = now, event.done, event.total
                if now - self._last.get(event.stage, now) >= LINE_EVERY:
                    self._last[event.stage] = now
                    self._write(f"{event.kind.symbol} {event.stage}: {describe(event, event.done - done, now - since)}")
            case EventKind.finished:
                self._finished += 1
                whole = f"{self._finished} of {self._count}"
                self._write(f"{event.kind.symbol} {event.stage}: {console.duration(event.seconds)} ({whole})")
            case EventKind.waiting:
                self._write(f"{event.kind.symbol} {event.stage}: {event.kind.sentence}")
            case EventKind.failed:
                self._write(f"{event.kind.symbol} {event.stage}: {event.kind.sentence}")


def describe(event: Event, done: int, seconds: float) -> str:
    """``3 of 10, loss 0.31, 2 min 10 s left``: how far a stage is, having ``done`` so much in so many seconds."""
    parts = [f"{event.done} of {event.total}"] if event.total else [f"{event.done}"] if event.done else []
    if event.text:
        parts.append(event.text)
    if event.total and done > 0 and event.done < event.total:
        parts.append(f"{console.duration(seconds * (event.total - event.done) / done)} left")
    return ", ".join(parts)


def _bars() -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[count]}", markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[text]}", markup=False, style="quiet"),
        console=console.err,
        transient=True,
    )


class _Bars:
    """A bar for the whole plan and one for every running stage; finished stages leave a line above them."""

    def __init__(self, progress: Progress, count: int) -> None:
        self._progress = progress
        self._running: dict[str, TaskID] = {}
        self._all = progress.add_task("stages", total=count, count=f"0/{count}", text="")
        self._count = count
        self._finished = 0
        progress.update(self._all, visible=count > 0)

    def __call__(self, event: Event) -> None:
        match event.kind:
            case EventKind.started:
                self._running[event.stage] = self._progress.add_task(event.stage, total=None, count="", text="")
            case EventKind.progress if event.stage in self._running:
                count = f"{event.done}/{event.total}" if event.total else str(event.done)
                task = self._running[event.stage]
                self._progress.update(task, completed=event.done, total=event.total, count=count, text=event.text)
            case EventKind.finished | EventKind.failed:
                if (done := self._running.pop(event.stage, None)) is not None:
                    self._progress.remove_task(done)
                if event.kind is EventKind.finished:
                    self._finished += 1
                    counted = f"{self._finished}/{self._count}"
                    self._progress.update(self._all, completed=self._finished, count=counted)
                    self._write(event, console.duration(event.seconds))
            case EventKind.waiting:
                self._write(event, event.kind.sentence)

    def _write(self, event: Event, text: str) -> None:
        console.err.print(f"{event.kind.symbol} {event.stage}: {text}", style="quiet")
