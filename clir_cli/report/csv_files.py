"""The numbers of a table in long form and full precision, for spreadsheets and scripts."""

import csv
import io
from collections.abc import Iterable, Sequence

from clir_cli.evaluation.measures import judged_beside
from clir_cli.report.results_table import ResultsTable


def results_csv(table: ResultsTable) -> str:
    """One line a value, both means; systems that were not run have empty values.

    ``judged``: share of judged documents, beside precision. ``deviation``: of the means of ``seeds`` trainings.
    """
    mean = "topics" if table.folds is None else "folds"
    beside = judged_beside(dict.fromkeys(column.measure for column in table.columns))
    rows: list[list[object]] = []
    for system, label in table.labels.items():
        means = table.means.get(system) or [None] * len(table.columns)
        for column, result, both in zip(table.columns, table.results[system], means, strict=True):
            share = table.judged.get(column.pair, {}).get(system, {}).get(beside.get(column.measure, ""))
            repeated = table.repetitions.get(column.pair, {}).get(system)
            spread = [1, None] if repeated is None else [len(repeated.seeds), repeated.deviations[column.measure]]
            rows.append(
                [column.pair, column.direction, column.measure, system, label, mean, column.topics]
                + ([None, None, None] if result is None else [result.value, int(result.best), " ".join(result.beats)])
                + ([None, None] if both is None else [both.topics, both.folds])
                + ([None, None, None] if result is None else [share, *spread])
            )
    head = ["pair", "direction", "measure", "system", "label", "mean_over", "topics", "value", "best_neural", "beats"]
    return csv_text([*head, "mean_over_topics", "mean_over_folds", "judged", "seeds", "deviation"], rows)


def comparisons_csv(table: ResultsTable) -> str:
    """One line a comparison and column of results, with all its tests; t is the t-test's, p of the test that is named.

    ``p_corrected`` is empty outside of a family.
    """
    margins = [test.margin for test in table.answers[0].comparison.margins] if table.answers else []
    question = table.question
    head = ["pair", "measure", "system", "baseline", "in_family", "topics", "mean", "baseline_mean", "difference"]
    head += ["relative_gain", "interval_low", "interval_high", "effect_size", "t", "test", "p", "correction", "family"]
    head += ["p_corrected", "wins", "ties", "losses"]
    head += [f"{test}_p_{margin:g}" for margin in margins for test in ("non_inferiority", "tost")]
    rows = [
        [row.pair, row.measure, row.contrast.system, row.contrast.baseline, int(row.contrast.in_family), found.n]
        + [found.mean, found.baseline_mean, found.difference, found.relative_gain, found.low, found.high, row.effect]
        + [found.t, str(question.test), row.p, str(question.correction), str(question.family), row.corrected]
        + [found.wins, found.ties, found.losses]
        + [p for test in found.margins for p in (test.non_inferiority, test.equivalence)]
        for row in table.answers
        for found in [row.comparison]
    ]
    return csv_text(head, rows)


def topics_csv(table: ResultsTable) -> str:
    """One line a topic: what every mean and test is made of."""
    rows = [
        [pair, measure, system, topic, value]
        for pair, systems in table.values.items()
        for system, measures in systems.items()
        for measure, per_topic in measures.items()
        for topic, value in per_topic.items()
    ]
    return csv_text(["pair", "measure", "system", "topic", "value"], rows)


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Floats are written by ``repr``, so reading them back gives the same bits; None is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()
