"""Errors that are written for the person at the keyboard.

Every error says what is wrong and where (``problem``) and what to do about it (``hint``).
The command line prints the two and exits with ``exit_code``; only ``--debug`` shows a traceback.
"""

from collections.abc import Callable
from dataclasses import dataclass, field


class ClirError(Exception):
    """Something went wrong that the user can understand and mend.

    ``problem`` is one sentence that names the place (file:line, topic, document);
    ``hint`` is one sentence that says what to do, or empty.
    """

    exit_code = 1

    def __init__(self, problem: str, hint: str = "") -> None:
        super().__init__(problem if not hint else f"{problem} {hint}")
        self.problem = problem
        self.hint = hint

    def __reduce__(self) -> tuple[type["ClirError"], tuple[str, str]]:
        # Errors cross process borders: rebuild from the two sentences, not from the joined message.
        return type(self), (self.problem, self.hint)


class DataError(ClirError):
    """A file of the user's does not hold what it should."""


FaultHandler = Callable[[DataError], None]
"""What becomes of a record that cannot be read. Raise the error to stop there; return, and the reader goes on after the
record, which it leaves out (an undecodable byte alone becomes U+FFFD, and its record stays)."""


def stop_at_fault(fault: DataError) -> None:
    """The strict handler, and every reader's default."""
    raise fault


@dataclass
class Faults:
    """A handler that goes on: ``count`` faults so far, and the messages of the first ``keep`` of them."""

    keep: int = 20
    count: int = 0
    examples: list[str] = field(default_factory=list)

    def __call__(self, fault: DataError) -> None:
        """Count ``fault``, and keep its message while there are few."""
        self.count += 1
        if len(self.examples) < self.keep:
            self.examples.append(str(fault))


class StageError(ClirError):
    """A stage of the pipeline could not finish."""


class UsageError(ClirError):
    """The command cannot be understood or does not fit the experiment."""

    exit_code = 2


class ConfigError(UsageError):
    """``experiments.yaml`` (or a ``--set``) is not valid; ``problem`` lists every fault found."""


class Interrupted(ClirError):  # noqa: N818 - nothing went wrong
    """The user pressed Ctrl-C; the hint says how to go on."""

    exit_code = 130
