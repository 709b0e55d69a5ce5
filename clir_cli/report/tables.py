"""The results of an experiment as plain data: what is printed, whatever it is printed as.

``build_table`` checks that nothing is missing, averages, tests, marks; ``sheets`` turns the outcome into rows of text
and ``formats`` into console text, Markdown, LaTeX or CSV.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal

from clir_cli.errors import UsageError
from clir_cli.evaluation.measures import fold_of, mean_over_folds, mean_over_topics
from clir_cli.evaluation.question import TableFamily, TableQuestion
from clir_cli.evaluation.run_comparison import correct_families, find_p
from clir_cli.evaluation.significance import compare, effect_size
from clir_cli.report.completeness import Values, complete_values
from clir_cli.report.results_table import (
    DIRECTIONS,
    Answer,
    Column,
    Contrast,
    Direction,
    Gain,
    Means,
    Repetitions,
    Result,
    ResultsTable,
    direction,
)

__all__ = [
    "DIRECTIONS", "Answer", "Column", "Contrast", "Direction", "Gain", "Means", "Repetitions", "Result",
    "ResultsTable", "build_table", "direction",
]  # fmt: skip


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
    mean: Literal["topics", "folds"] | None = None,
    question: TableQuestion | None = None,
    judged: Values | None = None,
    repetitions: Mapping[str, Mapping[str, Repetitions]] | None = None,
) -> ResultsTable:
    """The results table, its tests and its gains.

    Args:
        values: per-topic values; a system may be missing from a pair as a whole (its cells print a dash), not in part.
            A pair without any values has columns only where systems are not available for it.
        systems: rows, in order, with their titles. An encoder without ranking pre-training is not m2BERT: its title
            has to say so, which only the caller knows.
        measures: columns of each pair, in order.
        contrasts: what is tested. Those of the family are corrected together, as ``question`` says; others are
            reported with their raw p.
        neural: systems among which the best of a column is set off, where there are at least two.
        gain: (system, baseline) whose relative gain is reported per pair and direction.
        folds: topic (or its key) -> fold; given, there are means of fold means. Tests stay on topics.
        topics: pair -> the topics that the table is restricted to, where systems were run on parts of them only.
        margins: relative margins of the non-inferiority and equivalence tests.
        alpha: level of the marks, and of the intervals (1 - alpha).
        title: heads every rendering.
        notes: sentences for the caption: every reduced setting belongs here.
        not_available: pair -> systems that could not be run for it: their cells say so.
        mean: which mean is printed; default: over folds where they are given, else over topics.
        question: test, correction and what is corrected together; default: t, Holm, one column.
        judged: as ``values``, of measures such as ``judged@10``: over at least the topics of ``values``.
        repetitions: pair -> system -> its training seeds, where there are several; ``values`` are means over them.

    Raises:
        DataError: a system lacks topics or measures that others of the pair have (or that ``topics`` declares); a
            topic lies in no fold.
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
    both = {
        (pair, measure, system): Means(
            mean_over_topics(per_topic), None if folds is None else mean_over_folds(per_topic, folds)
        )
        for pair in pairs
        for system, by_measure in complete[pair].items()
        for measure, per_topic in by_measure.items()
    }
    over_folds = mean == "folds" or (mean is None and folds is not None)
    means = {
        key: found.folds if over_folds and found.folds is not None else found.topics for key, found in both.items()
    }
    question = question or TableQuestion()
    answers = _answer(columns, complete, contrasts, margins, alpha, question)
    beaten = {
        (row.pair, row.measure, row.contrast.system, row.contrast.baseline)
        for row in answers
        if row.corrected is not None and row.corrected < alpha and row.comparison.difference > 0
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

    fold_count = None if folds is None else len({fold_of(topic, folds) for topic in _topics(complete)})
    return ResultsTable(
        title=title,
        labels=dict(systems),
        columns=columns,
        results={system: [result(column, system) for column in columns] for system in systems},
        letters=letters,
        answers=answers,
        gains=[] if gain is None else _gains(gain, measures, pairs, means),
        alpha=alpha,
        folds=fold_count if over_folds else None,
        notes=[*restrictions, *notes],
        values=complete,
        not_available=frozenset(lacking),
        question=question,
        means={system: [both.get((pair, measure, system)) for pair, measure, *_ in columns] for system in systems},
        fold_count=fold_count,
        judged=_shares(judged or {}, complete),
        repetitions={
            pair: {system: one for system, one in found.items() if system in complete[pair]}
            for pair, found in (repetitions or {}).items()
            if pair in complete
        },
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


def _answer(
    columns: Sequence[Column],
    values: Values,
    contrasts: Sequence[Contrast],
    margins: Sequence[float],
    alpha: float,
    question: TableQuestion,
) -> list[Answer]:
    """The contrasts of every column whose systems were both run, column by column; families corrected."""
    raw = []
    for pair, measure, *_ in columns:
        systems = values[pair]
        for contrast in dict.fromkeys(contrasts):
            if contrast.system in systems and contrast.baseline in systems:
                new, old = systems[contrast.system][measure], systems[contrast.baseline][measure]
                found = compare(new, old, margins=margins, alpha=alpha)
                raw.append(
                    Answer(pair, measure, contrast, found, effect_size(new, old), find_p(new, old, question), None)
                )
    family = [row for row in raw if row.contrast.in_family]
    names = [_FAMILY[question.family](row) for row in family]
    corrected = iter(correct_families(names, [row.p for row in family], question.correction))
    return [row._replace(corrected=next(corrected)) if row.contrast.in_family else row for row in raw]


_FAMILY: dict[TableFamily, Callable[[Answer], tuple[str, ...]]] = {
    TableFamily.column: lambda row: (row.pair, row.measure),
    TableFamily.pair: lambda row: (row.pair,),
    TableFamily.table: lambda row: (),
}


def _shares(judged: Values, values: Values) -> dict[str, dict[str, dict[str, float]]]:
    """Means of ``judged`` over the topics of the table."""
    shares: dict[str, dict[str, dict[str, float]]] = {}
    for pair, systems in values.items():
        for system, by_measure in systems.items():
            topics = next(iter(by_measure.values()), {})
            for measure, per_topic in judged.get(pair, {}).get(system, {}).items():
                mean = mean_over_topics({topic: per_topic[topic] for topic in topics})
                shares.setdefault(pair, {}).setdefault(system, {})[measure] = mean
    return shares


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
