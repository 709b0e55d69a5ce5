"""Progress without a terminal."""

from clir_cli.cli.console import duration, size
from clir_cli.cli.progress import PlainLines
from clir_cli.pipeline.events import Event, EventKind


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_lines_for_start_end_and_now_and_then() -> None:
    lines: list[str] = []
    clock = Clock()
    listen = PlainLines(2, lines.append, clock)
    listen(Event(EventKind.skipped, "align deu-eng"))
    listen(Event(EventKind.started, "train x"))
    for second in range(1, 26):
        clock.now = second
        listen(Event(EventKind.progress, "train x", done=second, total=50, text=f"loss 0.{second}"))
    listen(Event(EventKind.finished, "train x", seconds=75))
    listen(Event(EventKind.waiting, "train y"))
    assert lines == [
        "> train x",
        ". train x: 10 of 50, loss 0.10, 40 s left",
        ". train x: 20 of 50, loss 0.20, 30 s left",
        "+ train x: 1 min 15 s (1 of 2)",
        "~ train y: another process is making it",
    ]


def test_time_left_counts_from_the_first_sign_of_progress() -> None:
    lines: list[str] = []
    clock = Clock()
    listen = PlainLines(1, lines.append, clock)
    listen(Event(EventKind.started, "search"))
    clock.now = 100  # the Java machine starts
    listen(Event(EventKind.progress, "search", done=1, total=12))
    clock.now = 110
    listen(Event(EventKind.progress, "search", done=11, total=12))
    assert lines[1:] == [". search: 1 of 12", ". search: 11 of 12, 1.0 s left"]


def test_time_left_counts_anew_where_another_count_begins() -> None:
    lines: list[str] = []
    clock = Clock()
    listen = PlainLines(1, lines.append, clock)
    listen(Event(EventKind.started, "pretrain"))
    for now, done, total in ((0, 1, 400), (400, 399, 400), (500, 401, 600), (600, 501, 600)):
        clock.now = now
        listen(Event(EventKind.progress, "pretrain", done=done, total=total))
    assert lines[-1] == ". pretrain: 501 of 600, 1 min 39 s left"


def test_amounts_as_people_say_them() -> None:
    assert [duration(x) for x in (0.04, 9.96, 59, 60, 3599, 7260)] == [
        "0.0 s", "10.0 s", "59 s", "1 min 0 s", "59 min 59 s", "2 h 1 min",
    ]  # fmt: skip
    assert [size(x) for x in (0, 999, 1500, 2.5e6, 3.2e9)] == ["0 B", "999 B", "2 kB", "2 MB", "3.2 GB"]
