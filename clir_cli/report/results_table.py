"""A results table: what it is made of, ready for any rendering."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from clir_cli.evaluation.question import TableQuestion
from clir_cli.evaluation.significance import Comparison
from clir_cli.report.completeness import Values

Direction = Literal["forward", "backward", "other"]

DIRECTIONS: tuple[Direction, ...] = ("forward", "backward", "other")
"""The order of columns."""


class Contrast(NamedTuple):
    """A question put to the tests: is ``system`` better than ``baseline``?"""

    system: str
    baseline: str
    in_family: bool = True
    """Whether the answer is corrected and marked in the table, or reported beside it with its raw p."""


class Column(NamedTuple):
    """One column of results; ``topics`` is how many its values are over, 0 where it has none."""

    pair: str
    measure: str
    direction: Direction
    topics: int


class Result(NamedTuple):
    """One printed value. ``beats``: the baselines it is significantly above; ``best``: of the neural systems."""

    value: float
    beats: tuple[str, ...] = ()
    best: bool = False


class Means(NamedTuple):
    """Both means of a value; ``folds`` is the mean of fold means, None where no folds are known."""

    topics: float
    folds: float | None


class Answer(NamedTuple):
    """The answer to a contrast in one column. Its means and differences are over topics, always."""

    pair: str
    measure: str
    contrast: Contrast
    comparison: Comparison
    """Means, differences, wins and margins; its interval, t and p are the t-test's, whichever test is asked for."""
    effect: float
    """Cohen's d_z: ``effect_size``."""
    p: float
    """Of the test that is asked for; nan where it cannot be made."""
    corrected: float | None
    """p, corrected within its family; None outside of it."""


@dataclass(frozen=True)
class Repetitions:
    """A system that was trained several times: its values are means over the repetitions, topic by topic."""

    seeds: tuple[int, ...]
    means: dict[str, list[float]]
    """measure -> mean over topics of each repetition, in the order of the seeds."""
    deviations: dict[str, float]
    """measure -> standard deviation of these means (n - 1)."""


class Gain(NamedTuple):
    """Relative gain of one system over another: by pair, and the plain mean over the pairs of a direction."""

    system: str
    baseline: str
    measure: str
    pairs: dict[str, float]
    directions: dict[Direction, float]


@dataclass(frozen=True)
class ResultsTable:
    """Everything a rendering needs. Columns: forward pairs first, then backward, each in the order given."""

    title: str
    labels: dict[str, str]
    """System -> row title, in row order."""
    columns: list[Column]
    results: dict[str, list[Result | None]]
    """System -> one entry a column; None where the system was not run for the pair."""
    letters: dict[str, str]
    """Baseline of the family -> the letter that marks a system that beats it."""
    answers: list[Answer]
    gains: list[Gain]
    alpha: float
    folds: int | None
    """How many folds the mean is over; None where it is over topics."""
    notes: list[str] = field(default_factory=list)
    """Sentences of the caller, and of what was left out: reduced settings, excluded topics, warnings."""
    values: Values = field(default_factory=dict)
    """The per-topic values behind the means, as restricted to the declared topics."""
    not_available: frozenset[tuple[str, str]] = frozenset()
    """(pair, system) that could not be run, for lack of a resource."""
    question: TableQuestion = field(default_factory=TableQuestion)
    """How ``answers`` were tested and corrected."""
    means: dict[str, list[Means | None]] = field(default_factory=dict)
    """System -> both means, one entry a column as in ``results``."""
    fold_count: int | None = None
    """How many folds the topics lie in; None where no folds are known."""
    judged: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    """Pair -> system -> measure (``judged@10``) -> share of judged documents, mean over the table's topics."""
    repetitions: dict[str, dict[str, Repetitions]] = field(default_factory=dict)
    """Pair -> system -> how its training seeds part, of systems that were trained with several."""


def direction(pair: str, pivot: str = "eng") -> Direction:
    """``deu-eng`` is forward, ``eng-deu`` backward; a pair without ``pivot`` is neither."""
    source, _, target = pair.partition("-")
    if target == pivot:
        return "forward"
    return "backward" if source == pivot else "other"
