"""`clir power`: which difference so many topics can show."""

from collections.abc import Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clir_cli.cli.comparing import Measured

GAINS = (0.05, 0.1)
"""Relative gains for which the number of topics is told."""


def tell_power(
    baseline: str,
    run: str | None,
    qrels: Path,
    measures: Sequence[str],
    correlations: Sequence[float],
    power: float,
    alpha: float,
    *,
    as_json: bool,
) -> None:
    """Print a row a measure, and of each one a correlation where there is no second run."""
    import json

    from clir_cli.cli import console
    from clir_cli.cli.comparing import Judged, name_runs
    from clir_cli.errors import UsageError
    from clir_cli.evaluation.measures import parse_measures

    named = name_runs([baseline] if run is None else [baseline, run])
    if any(len(files) > 1 for files in named.values()):
        raise UsageError("A power analysis takes single runs.", "Name one file.")
    parse_measures(measures)
    judged = Judged.read(qrels)
    values = [judged.measure(name, files[0], measures) for name, files in named.items()]
    rows = list(_rows(values, list(named), measures, correlations, power, alpha))
    if as_json:
        plain = {"power": power, "alpha": alpha, "rows": rows, "remarks": judged.remarks}
        console.show_text(json.dumps(plain, indent=1, ensure_ascii=False))
        return
    head = ["measure", "topics", "mean", "deviation of differences", "difference found", "relative"]
    head += [f"topics for {100 * gain:g} %" for gain in GAINS]
    console.show_table(head, [_cells(row) for row in rows], right=[*head[1:3], *head[4:]])
    console.tell(
        f"A difference found: the true one that a paired t-test (two-sided, alpha {alpha:g}) shows with a chance of "
        f"{power:g}, one comparison alone. A correction for several makes it larger."
    )
    for remark in judged.remarks:
        console.tell(remark, "odd")


def _rows(
    values: Sequence["Measured"],
    names: Sequence[str],
    measures: Sequence[str],
    correlations: Sequence[float],
    power: float,
    alpha: float,
) -> Iterator[dict[str, object]]:
    from clir_cli.evaluation.measures import mean_over_topics
    from clir_cli.evaluation.power import (
        assumed_deviation,
        detectable_difference,
        measured_deviation,
        topics_needed,
    )

    for measure in measures:
        baseline = values[0][measure]
        if len(values) > 1:
            deviations = {f"measured on {names[1]}": measured_deviation(values[1][measure], baseline)}
        else:
            deviations = {
                f"assumed, correlation {correlation:g}": assumed_deviation(baseline, correlation)
                for correlation in correlations
            }
        mean = mean_over_topics(baseline)
        for source, deviation in deviations.items():
            found = detectable_difference(len(baseline), deviation, power=power, alpha=alpha)
            needed = {f"{gain:g}": topics_needed(gain * mean, deviation, power=power, alpha=alpha) for gain in GAINS}
            yield {
                "measure": measure,
                "topics": len(baseline),
                "mean": mean,
                "deviation": _known(deviation),
                "source": source,
                "difference": _known(found),
                "relative": _known(found / mean) if mean else None,
                "topics_for_gain": {gain: _known(topics) for gain, topics in needed.items()},
            }


def _known(value: float) -> float | None:
    return value if isfinite(value) else None


def _cells(row: dict[str, object]) -> list[str]:
    def number(value: object, form: str) -> str:
        return "n/a" if value is None else format(value, form)

    needed = row["topics_for_gain"]
    assert isinstance(needed, dict)
    return [
        str(row["measure"]),
        str(row["topics"]),
        number(row["mean"], ".4f"),
        f"{number(row['deviation'], '.4f')} ({row['source']})",
        number(row["difference"], ".4f"),
        number(row["relative"], ".1%"),
        *(number(topics, "d") for topics in needed.values()),
    ]
