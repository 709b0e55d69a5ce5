"""The tables of a report as rows of text: headings, cells, and the sentences underneath.

A sheet says what is printed; ``formats`` says how it looks in a terminal, in Markdown or in LaTeX.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import NamedTuple

from clir_cli.evaluation.significance import Comparison
from clir_cli.report.tables import DIRECTIONS, Direction, ResultsTable

MISSING = "–"
"""Printed where there is nothing: a system that was not run, a p outside the family."""

NOT_AVAILABLE = "not available"
"""Printed where a system could not be run for a pair, for lack of a resource."""

DIRECTION_TITLES: dict[Direction, str] = {
    "forward": "Forward (into English)",
    "backward": "Backward (from English)",
    "other": "Other pairs",
}


class Cell(NamedTuple):
    """One printed value; ``mark`` stands behind it as letters, ``best`` sets it off."""

    text: str
    mark: str = ""
    best: bool = False


@dataclass(frozen=True)
class Sheet:
    """One table, ready to be set.

    ``stub`` heads the leading columns, which hold words. ``heads`` has one tuple for each further column: its headings
    from the top level down; equal neighbours share one heading. ``best`` says what a cell that is set off stands for.
    """

    name: str
    title: str
    stub: list[str]
    heads: list[tuple[str, ...]]
    rows: list[tuple[list[str], list[Cell]]]
    notes: list[str]
    best: str = ""


def sheets(table: ResultsTable) -> list[Sheet]:
    """All sheets of a table: the results; then, where there are any, relative gains and the tests behind the marks."""
    made = [results_sheet(table)]
    if table.gains:
        made.append(gains_sheet(table))
    if table.answers:
        made.append(comparisons_sheet(table))
    return made


def results_sheet(table: ResultsTable) -> Sheet:
    """Rows are systems, columns pair x measure, forward before backward."""
    rows = []
    for system, label in table.labels.items():
        cells = []
        for column, result in zip(table.columns, table.results[system], strict=True):
            if result is None:
                cells.append(Cell(NOT_AVAILABLE if (column.pair, system) in table.not_available else MISSING))
            else:
                marks = "".join(table.letters[baseline] for baseline in result.beats)
                cells.append(Cell(f"{result.value:.4f}", marks, result.best))
        rows.append(([label], cells))
    heads: list[tuple[str, ...]] = [
        (DIRECTION_TITLES[column.direction], column.pair, measure_title(column.measure)) for column in table.columns
    ]
    set_off = any(cell.best for _, cells in rows for cell in cells)
    best = "best neural system of the column" if set_off else ""
    return Sheet("results", table.title, ["System"], heads, rows, _results_notes(table), best)


def gains_sheet(table: ResultsTable) -> Sheet:
    """Rows are measures, columns pairs, each direction closed by its mean."""
    pairs = list(dict.fromkeys((column.direction, column.pair) for column in table.columns))
    heads: list[tuple[str, ...]] = []
    keys: list[tuple[Direction, str | None]] = []
    for side in DIRECTIONS:
        here = [pair for direction, pair in pairs if direction == side and any(pair in g.pairs for g in table.gains)]
        if here:
            heads += [(DIRECTION_TITLES[side], pair) for pair in [*here, "mean"]]
            keys += [(side, pair) for pair in here] + [(side, None)]
    rows = [
        (
            [measure_title(gain.measure)],
            [
                Cell(percent(gain.directions.get(side) if pair is None else gain.pairs.get(pair), sign=True))
                for side, pair in keys
            ],
        )
        for gain in table.gains
    ]
    new, old = (table.labels[name] for name in table.gains[0][:2])
    note = (
        f"(mean of {new} − mean of {old}) / mean of {old}, from the means in the table of results; the mean of a "
        "direction is the plain mean of its pairs."
    )
    return Sheet("gains", f"Relative gain of {new} over {old}", ["Measure"], heads, rows, [note])


def comparisons_sheet(table: ResultsTable) -> Sheet:
    """One row a comparison and column of results: means, difference, test, correction, wins, margins."""
    margins = [test.margin for test in table.answers[0].comparison.margins]
    heads: list[tuple[str, ...]] = [
        ("Mean over topics", "system"),
        ("Mean over topics", "baseline"),
        ("Difference", "absolute"),
        ("Difference", "relative"),
        ("Interval", percent(1 - table.alpha)),
        ("Paired t-test", "t"),
        ("Paired t-test", "p"),
        ("Paired t-test", "Holm p"),
        ("Topics", "n"),
        ("Topics", "W/T/L"),
    ]
    for margin in margins:
        heads += [(f"Margin {percent(margin)}", "not worse p"), (f"Margin {percent(margin)}", "TOST p")]
    rows = []
    for row in table.answers:
        found, contrast = row.comparison, row.contrast
        texts = [
            *difference_texts(found),
            "n/a" if isnan(found.t) else f"{found.t:.2f}",
            p_value(found.p),
            p_value(found.p_holm),
            str(found.n),
            f"{found.wins}/{found.ties}/{found.losses}",
        ]
        for test in found.margins:
            texts += [p_value(test.non_inferiority), p_value(test.equivalence)]
        versus = f"{table.labels[contrast.system]} vs {table.labels[contrast.baseline]}"
        rows.append(([row.pair, measure_title(row.measure), versus], [Cell(text) for text in texts]))
    stub = ["Pair", "Measure", "Comparison"]
    return Sheet("comparisons", "Tests behind the marks", stub, heads, rows, _comparisons_notes(table))


def difference_texts(found: Comparison) -> list[str]:
    """Both means, the absolute and the relative difference, its interval."""
    return [
        f"{found.mean:.4f}",
        f"{found.baseline_mean:.4f}",
        f"{found.difference:+.4f}",
        percent(found.relative_gain, sign=True),
        "n/a" if isnan(found.low) else f"[{found.low:+.4f}, {found.high:+.4f}]",
    ]


def measure_title(measure: str) -> str:
    """``AP@100`` is printed as MAP: the mean over the top 100 that the papers report."""
    return "MAP" if measure == "AP@100" else measure


def percent(share: float | None, *, sign: bool = False) -> str:
    """0.05 -> ``5 %``; with a sign, ``+5.0 %``. None and nan print a dash."""
    if share is None or isnan(share):
        return MISSING
    return f"{100 * share:+.1f} %" if sign else f"{100 * share:.4g} %"


def p_value(p: float | None) -> str:
    """Four decimals; ``n/a`` where the test could not be made, a dash where it was not asked for."""
    if p is None:
        return MISSING
    if isnan(p):
        return "n/a"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def _results_notes(table: ResultsTable) -> list[str]:
    measures = dict.fromkeys(column.measure for column in table.columns)
    mean = "over topics" if table.folds is None else f"of the means of {table.folds} folds"
    what = ", ".join("MAP (AP@100)" if measure == "AP@100" else measure for measure in measures)
    notes = [f"{what}: mean {mean}.", _topics_note(table)]
    if table.letters:
        systems = _family_systems(table)
        beaten = _joined([f"{letter}: above {table.labels[name]}" for name, letter in table.letters.items()])
        notes.append(
            f"{beaten} (two-sided paired t-test over topics, Holm-corrected p < {table.alpha:g}; one family is the "
            f"comparisons of one column, {systems} against {_listed(table.labels[name] for name in table.letters)})."
        )
    lacking = {
        (pair, system) for pair in dict.fromkeys(column.pair for column in table.columns) for system in table.labels
    }
    lacking -= {(pair, system) for pair, systems in table.values.items() for system in systems}
    if lacking - table.not_available:
        notes.append(f"{MISSING}: not run.")
    return [*notes, *table.notes]


def _topics_note(table: ResultsTable) -> str:
    counts = {column.pair: column.topics for column in table.columns if column.topics}
    if len(set(counts.values())) == 1:
        return f"{next(iter(counts.values()))} topics{' for each pair' if len(counts) > 1 else ''}."
    return f"Topics: {', '.join(f'{pair} {count}' for pair, count in counts.items())}."


def _comparisons_notes(table: ResultsTable) -> list[str]:
    notes = ["Tests are made on the values of all topics put together, never on means of folds."]
    if table.letters:
        notes.append("Holm p: corrected over the comparisons of one column of results (pair x measure).")
    outside = list(dict.fromkeys(row.contrast for row in table.answers if not row.contrast.in_family))
    if outside:
        named = _listed(f"{table.labels[asked.system]} vs {table.labels[asked.baseline]}" for asked in outside)
        notes.append(f"Outside the family, raw p only: {named}.")
    if table.answers[0].comparison.margins:
        notes.append(
            "Margins are relative to the baseline's mean. Not worse: one-sided test, a small p says that the system "
            "is not worse by more than the margin. TOST: a small p says that the two differ by less than the margin; "
            "a difference that is not significant does not. These p are not corrected."
        )
    return notes


def _family_systems(table: ResultsTable) -> str:
    asked = dict.fromkeys(row.contrast.system for row in table.answers if row.contrast.in_family)
    return _listed(table.labels[system] for system in asked)


def _listed(words: Iterable[str]) -> str:
    named: Sequence[str] = list(words)
    if any(", " in word for word in named):
        return _joined(named)
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}" if named else ""


def _joined(words: Sequence[str]) -> str:
    """By commas, or by semicolons where there are commas in them already."""
    return ("; " if any(", " in word for word in words) else ", ").join(words)
