"""What `clir doctor` finds: one thing looked at, how it is, what to do."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Health(Enum):
    """Symbol and style of a finding. Only what is bad keeps everything from running."""

    good = ("ok", "")
    odd = ("--", "odd")
    bad = ("!!", "bad")

    @property
    def symbol(self) -> str:
        return self.value[0]

    @property
    def style(self) -> str:
        return self.value[1]


@dataclass(frozen=True)
class Finding:
    """One thing looked at; ``text`` says what to do where it is not good. ``details``: lines below it."""

    health: Health
    what: str
    text: str
    details: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    """The same for a program to read."""

    def as_data(self) -> dict[str, Any]:
        return {
            "what": self.what, "health": self.health.name, "text": self.text, "details": list(self.details),
            **self.facts,
        }  # fmt: skip
