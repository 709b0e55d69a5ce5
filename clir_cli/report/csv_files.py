"""The numbers of a table in long form and full precision, for spreadsheets and scripts."""

import csv
import io
from collections.abc import Iterable, Sequence

from clir_cli.report.tables import ResultsTable


def results_csv(table: ResultsTable) -> str:
    """One line a printed value; systems that were not run have an empty value."""
    mean = "topics" if table.folds is None else "folds"
    rows = [
        [column.pair, column.direction, column.measure, system, label, mean, column.topics]
        + ([None, None, None] if result is None else [result.value, int(result.best), " ".join(result.beats)])
        for system, label in table.labels.items()
        for column, result in zip(table.columns, table.results[system], strict=True)
    ]
    head = ["pair", "direction", "measure", "system", "label", "mean_over", "topics", "value", "best_neural", "beats"]
    return csv_text(head, rows)


def comparisons_csv(table: ResultsTable) -> str:
    """One line a comparison and column of results, with all its tests."""
    margins = [test.margin for test in table.answers[0].comparison.margins] if table.answers else []
    head = ["pair", "measure", "system", "baseline", "in_family", "topics", "mean", "baseline_mean", "difference"]
    head += ["relative_gain", "interval_low", "interval_high", "t", "p", "p_holm", "wins", "ties", "losses"]
    head += [f"{test}_p_{margin:g}" for margin in margins for test in ("non_inferiority", "tost")]
    rows = [
        [row.pair, row.measure, row.contrast.system, row.contrast.baseline, int(row.contrast.in_family), found.n]
        + [found.mean, found.baseline_mean, found.difference, found.relative_gain, found.low, found.high]
        + [found.t, found.p, found.p_holm, found.wins, found.ties, found.losses]
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
