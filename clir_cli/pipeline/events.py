"""What a running plan tells its listener: plain records that cross process borders."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum


class EventKind(Enum):
    """Symbol and sentence of an outcome, for whoever shows it."""

    skipped = ("=", "already there")
    started = (">", "started")
    progress = (".", "working")
    waiting = ("~", "another process is making it")
    finished = ("+", "done")
    failed = ("!", "failed")

    @property
    def symbol(self) -> str:
        return self.value[0]

    @property
    def sentence(self) -> str:
        return self.value[1]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to one stage; ``done`` of ``total`` and ``text`` only with progress."""

    kind: EventKind
    stage: str
    done: int = 0
    total: int | None = None
    text: str = ""
    seconds: float = 0.0


Listener = Callable[[Event], None]


def ignore(event: Event) -> None:
    """The listener of a caller who does not want to know."""
