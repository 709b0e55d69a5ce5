"""The results of an experiment as plain data: what is printed, whatever it is printed as.

``build_table`` checks that nothing is missing, averages, tests, marks; ``sheets`` turns the outcome into rows of text
and ``formats`` into console text, Markdown, LaTeX or CSV.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from clir_cli.errors import UsageError
from clir_cli.evaluation.measures import fold_of, mean_over_folds, mean_over_topics
from clir_cli.evaluation.significance import Comparison, compare, correct_family
from clir_cli.report.completeness import PerTopic, Values, complete_values

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


class Answer(NamedTuple):
    """The answer to a contrast in one column. Its means and differences are over topics, always."""

    pair: str
    measure: str
    contrast: Contrast
    comparison: Comparison


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


def direction(pair: str, pivot: str = "eng") -> Direction:
    """``deu-eng`` is forward, ``eng-deu`` backward; a pair without ``pivot`` is neither."""
    source, _, target = pair.partition("-")
    if target == pivot:
        return "forward"
    return "backward" if source == pivot else "other"


def build_table(
    values: Values,
    systems: Mapping[str, str],
    measures: Sequence[str],
    *,
    contrasts: Sequence[Contrast] = (),
    neural: Collection[str] = (),
    gain: tuple[str, str] | None = None,
    folds: Mapping[str, int] | None = None,
    topics: Mapping[str, Collection[str]] | None = None,
    margins: Sequence[float] = (0.02, 0.05),
    alpha: float = 0.05,
    title: str = "Results",
    notes: Sequence[str] = (),
    not_available: Mapping[str, Collection[str]] | None = None,
) -> ResultsTable:
    """The results table, its tests and its gains.

    Args:
        values: per-topic values; a system may be missing from a pair as a whole (its cells print a dash), not in part.
            A pair without any values has columns only where systems are not available for it.
        systems: rows, in order, with their titles. An encoder without ranking pre-training is not m2BERT: its title
            has to say so, which only the caller knows.
        measures: columns of each pair, in order.
        contrasts: what is tested. Those of the family are corrected together, by Holm, within one column
            (pair x measure); others are reported with their raw p.
        neural: systems among which the best of a column is set off, where there are at least two.
        gain: (system, baseline) whose relative gain is reported per pair and direction.
        folds: topic (or its key) -> fold; given, printed values are means of fold means. Tests stay on topics.
        topics: pair -> the topics that the table is restricted to, where systems were run on parts of them only.
        margins: relative margins of the non-inferiority and equivalence tests.
        alpha: level of the marks, and of the intervals (1 - alpha).
        title: heads every rendering.
        notes: sentences for the caption: every reduced setting belongs here.
        not_available: pair -> systems that could not be run for it: their cells say so.

    Raises:
        DataError: a system lacks topics or measures that others of the pair have (or that ``topics`` declares).
        UsageError: a contrast, ``neural`` or ``gain`` names a system that is no row.
    """
    _check_names(systems, contrasts, neural, gain)
    complete, restrictions = complete_values(values, systems, measures, topics or {})
    lacking = {(pair, system) for pair, names in (not_available or {}).items() for system in names}
    shown = [pair for pair in values if pair in complete or any((pair, system) in lacking for system in systems)]
    complete = {pair: complete.get(pair, {}) for pair in shown}
    pairs = sorted(complete, key=lambda pair: DIRECTIONS.index(direction(pair)))
    columns = [
        Column(
            pair, measure, direction(pair), len(next(iter(complete[pair].values()))[measure]) if complete[pair] else 0
        )
        for pair in pairs
        for measure in measures
    ]
    means: dict[tuple[str, str, str], float] = {
        (pair, measure, system): mean_over_topics(per_topic) if folds is None else mean_over_folds(per_topic, folds)
        for pair in pairs
        for system, by_measure in complete[pair].items()
        for measure, per_topic in by_measure.items()
    }
    answers = [
        row
        for column in columns
        for row in _answer_column(column.pair, column.measure, complete[column.pair], contrasts, margins, alpha)
    ]
    beaten = {
        (row.pair, row.measure, row.contrast.system, row.contrast.baseline)
        for row in answers
        if row.comparison.p_holm is not None and row.comparison.p_holm < alpha and row.comparison.difference > 0
    }
    letters = {
        baseline: "abcdefghijklmnopqrstuvwxyz"[index]
        for index, baseline in enumerate(dict.fromkeys(c.baseline for c in contrasts if c.in_family))
    }

    def result(column: Column, system: str) -> Result | None:
        pair, measure = column.pair, column.measure
        if (pair, measure, system) not in means:
            return None
        value = means[pair, measure, system]
        rivals = [means[pair, measure, other] for other in neural if (pair, measure, other) in means]
        return Result(
            value,
            beats=tuple(baseline for baseline in letters if (pair, measure, system, baseline) in beaten),
            # As printed: of two equal numbers it would be odd to set off one.
            best=system in neural and len(rivals) > 1 and f"{value:.4f}" == f"{max(rivals):.4f}",
        )

    return ResultsTable(
        title=title,
        labels=dict(systems),
        columns=columns,
        results={system: [result(column, system) for column in columns] for system in systems},
        letters=letters,
        answers=answers,
        gains=[] if gain is None else _gains(gain, measures, pairs, means),
        alpha=alpha,
        folds=None if folds is None else len({fold_of(topic, folds) for topic in _topics(complete)}),
        notes=[*restrictions, *notes],
        values=complete,
        not_available=frozenset(lacking),
    )


def _check_names(
    systems: Mapping[str, str],
    contrasts: Sequence[Contrast],
    neural: Collection[str],
    gain: tuple[str, str] | None,
) -> None:
    named = [name for contrast in contrasts for name in contrast[:2]] + list(neural) + list(gain or ())
    unknown = [name for name in dict.fromkeys(named) if name not in systems]
    if unknown:
        raise UsageError(f"The table has no system {', '.join(unknown)}.", f"Its systems are {', '.join(systems)}.")


def _topics(values: Values) -> set[str]:
    return {
        topic
        for systems in values.values()
        for measures in systems.values()
        for per_topic in measures.values()
        for topic in per_topic
    }


def _answer_column(
    pair: str,
    measure: str,
    systems: Mapping[str, Mapping[str, PerTopic]],
    contrasts: Sequence[Contrast],
    margins: Sequence[float],
    alpha: float,
) -> list[Answer]:
    """The contrasts of one column whose systems were both run; its family corrected."""
    found = {
        contrast: compare(
            systems[contrast.system][measure], systems[contrast.baseline][measure], margins=margins, alpha=alpha
        )
        for contrast in contrasts
        if contrast.system in systems and contrast.baseline in systems
    }
    family = [contrast for contrast in found if contrast.in_family]
    found |= zip(family, correct_family([found[contrast] for contrast in family]), strict=True)
    return [Answer(pair, measure, contrast, comparison) for contrast, comparison in found.items()]


def _gains(
    gain: tuple[str, str], measures: Sequence[str], pairs: Sequence[str], means: Mapping[tuple[str, str, str], float]
) -> list[Gain]:
    """Gains computed from the means that the table prints; a baseline of 0 has no gain."""
    system, baseline = gain
    gains = []
    for measure in measures:
        by_pair = {
            pair: means[pair, measure, system] / means[pair, measure, baseline] - 1
            for pair in pairs
            if (pair, measure, system) in means and means.get((pair, measure, baseline))
        }
        by_direction = {
            side: mean_over_topics({pair: value for pair, value in by_pair.items() if direction(pair) == side})
            for side in DIRECTIONS
            if any(direction(pair) == side for pair in by_pair)
        }
        if by_pair:
            gains.append(Gain(system, baseline, measure, by_pair, by_direction))
    return gains
