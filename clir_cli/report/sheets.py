"""The tables of a report as rows of text: headings, cells, and the sentences underneath.

A sheet says what is printed; ``formats`` says how it looks in a terminal, in Markdown or in LaTeX.
"""

from clir_cli.evaluation.measures import cutoff_of
from clir_cli.report.comparisons import comparisons_sheet, family_words
from clir_cli.report.results_table import DIRECTIONS, Direction, Means, ResultsTable
from clir_cli.report.sheet import (
    CORRECTIONS,
    MISSING,
    Cell,
    Sheet,
    difference_texts,
    joined,
    listed,
    measure_title,
    p_value,
    percent,
    words_of_test,
)

__all__ = [
    "MISSING", "NOT_AVAILABLE", "Cell", "Sheet", "comparisons_sheet", "difference_texts", "gains_sheet",
    "judged_sheet", "means_sheet", "measure_title", "p_value", "percent", "results_sheet", "sheets",
]  # fmt: skip

NOT_AVAILABLE = "not available"
"""Printed where a system could not be run for a pair, for lack of a resource."""

DIRECTION_TITLES: dict[Direction, str] = {
    "forward": "Forward (into English)",
    "backward": "Backward (from English)",
    "other": "Other pairs",
}


def sheets(table: ResultsTable) -> list[Sheet]:
    """All sheets of a table: the results; then, where there are any, the other mean, judged documents, gains, tests."""
    made = [results_sheet(table)]
    if has_other_means(table):
        made.append(means_sheet(table))
    if table.judged:
        made.append(judged_sheet(table))
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
    set_off = any(cell.best for _, cells in rows for cell in cells)
    best = "best neural system of the column" if set_off else ""
    return Sheet("results", table.title, ["System"], _heads(table), rows, _results_notes(table), best)


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


def _heads(table: ResultsTable) -> list[tuple[str, ...]]:
    return [
        (DIRECTION_TITLES[column.direction], column.pair, measure_title(column.measure)) for column in table.columns
    ]


def has_other_means(table: ResultsTable) -> bool:
    """Whether means over topics and over folds differ anywhere, as they are printed."""
    found = [means for row in table.means.values() for means in row if means is not None and means.folds is not None]
    return any(f"{means.topics:.4f}" != f"{means.folds:.4f}" for means in found)


def means_sheet(table: ResultsTable) -> Sheet:
    """The results as the other mean: over folds where the results are over topics, and the other way round."""

    def cell(pair: str, system: str, means: Means | None) -> Cell:
        if means is None:
            return Cell(NOT_AVAILABLE if (pair, system) in table.not_available else MISSING)
        other = means.folds if table.folds is None else means.topics
        return Cell(MISSING if other is None else f"{other:.4f}")

    rows = [
        (
            [label],
            [cell(column.pair, system, one) for column, one in zip(table.columns, table.means[system], strict=True)],
        )
        for system, label in table.labels.items()
    ]
    what = f"means of the means of {table.fold_count} folds" if table.folds is None else "means over topics"
    note = f"The values of the table of results as {what}, nothing else changed."
    title = "Means over folds" if table.folds is None else "Means over topics"
    return Sheet("means", title, ["System"], _heads(table), rows, [note])


def judged_sheet(table: ResultsTable) -> Sheet:
    """The share of judged documents at the top of each system's lists, beside which its precision has to be read."""
    pairs = dict.fromkeys((column.direction, column.pair) for column in table.columns if column.pair in table.judged)
    measures = list(dict.fromkeys(m for systems in table.judged.values() for found in systems.values() for m in found))
    columns = [(side, pair, measure) for side, pair in pairs for measure in measures]
    rows = []
    for system, label in table.labels.items():
        shares = [table.judged[pair].get(system, {}).get(measure) for _, pair, measure in columns]
        if any(share is not None for share in shares):
            rows.append(([label], [Cell(MISSING if share is None else f"{100 * share:.1f} %") for share in shares]))
    heads: list[tuple[str, ...]] = [(DIRECTION_TITLES[side], pair, measure) for side, pair, measure in columns]
    depths = listed(str(cutoff_of(measure)) for measure in measures)
    note = (
        f"Share of judged documents, relevant or not, among the first {depths} (of shorter lists: of what is there), "
        "mean over topics. Precision counts what nobody judged as not relevant."
    )
    return Sheet("judged", "Judged documents", ["System"], heads, rows, [note])


def _results_notes(table: ResultsTable) -> list[str]:
    measures = dict.fromkeys(column.measure for column in table.columns)
    mean = "over topics" if table.folds is None else f"of the means of {table.folds} folds"
    what = ", ".join("MAP (AP@100)" if measure == "AP@100" else measure for measure in measures)
    notes = [f"{what}: mean {mean}.", _topics_note(table)]
    if table.letters:
        question = table.question
        how = words_of_test(question.test, question.draws, question.seed)
        beaten = joined([f"{letter}: above {table.labels[name]}" for name, letter in table.letters.items()])
        notes.append(
            f"{beaten} (two-sided {how}, {CORRECTIONS[question.correction]}-corrected p < {table.alpha:g}; one family "
            f"is {family_words(table)})."
        )
    lacking = {
        (pair, system) for pair in dict.fromkeys(column.pair for column in table.columns) for system in table.labels
    }
    lacking -= {(pair, system) for pair, systems in table.values.items() for system in systems}
    if lacking - table.not_available:
        notes.append(f"{MISSING}: not run.")
    return [*notes, *_seeds_notes(table), *table.notes]


def _seeds_notes(table: ResultsTable) -> list[str]:
    """Which rows are means over training seeds, and how far these part."""
    said: dict[tuple[int, ...], list[str]] = {}
    for pair, systems in table.repetitions.items():
        for system, found in systems.items():
            spread = ", ".join(f"{measure_title(measure)} {value:.4f}" for measure, value in found.deviations.items())
            said.setdefault(found.seeds, []).append(f"{pair} {table.labels[system]} {spread}")
    return [
        f"Trained with seeds {listed(map(str, seeds))}; values are means over them, topic by topic, and so are those "
        f"that are tested. Standard deviation of the means over topics: {'; '.join(spreads)}."
        for seeds, spreads in said.items()
    ]


def _topics_note(table: ResultsTable) -> str:
    counts = {column.pair: column.topics for column in table.columns if column.topics}
    if len(set(counts.values())) == 1:
        return f"{next(iter(counts.values()))} topics{' for each pair' if len(counts) > 1 else ''}."
    return f"Topics: {', '.join(f'{pair} {count}' for pair, count in counts.items())}."
