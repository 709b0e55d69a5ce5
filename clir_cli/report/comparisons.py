"""The sheet of the tests behind the marks."""

from math import isnan

from clir_cli.evaluation.question import PairedTest, TableFamily
from clir_cli.report.results_table import Answer, ResultsTable
from clir_cli.report.sheet import (
    CORRECTIONS,
    TESTS,
    Cell,
    Sheet,
    difference_texts,
    effect_text,
    listed,
    measure_title,
    p_value,
    percent,
)

FAMILIES = {
    TableFamily.column: "one column",
    TableFamily.pair: "one pair, all its measures",
    TableFamily.table: "the whole table",
}


def comparisons_sheet(table: ResultsTable) -> Sheet:
    """One row a comparison and column of results: means, difference, effect, test, correction, wins, margins."""
    margins = [test.margin for test in table.answers[0].comparison.margins]
    question = table.question
    test, has_t = TESTS[question.test], question.test is PairedTest.t
    heads: list[tuple[str, ...]] = [
        ("Mean over topics", "system"),
        ("Mean over topics", "baseline"),
        ("Difference", "absolute"),
        ("Difference", "relative"),
        ("Interval", percent(1 - table.alpha)),
        ("Effect", "d_z"),
        *([(test, "t")] if has_t else []),
        (test, "p"),
        (test, f"{CORRECTIONS[question.correction]} p"),
        ("Topics", "n"),
        ("Topics", "W/T/L"),
    ]
    for margin in margins:
        heads += [(f"Margin {percent(margin)}", "not worse p"), (f"Margin {percent(margin)}", "TOST p")]
    rows = [
        (
            [row.pair, measure_title(row.measure), _versus(table, row)],
            [Cell(text) for text in _texts(row, has_t=has_t)],
        )
        for row in table.answers
    ]
    stub = ["Pair", "Measure", "Comparison"]
    return Sheet("comparisons", "Tests behind the marks", stub, heads, rows, _notes(table))


def family_words(table: ResultsTable) -> str:
    """``the comparisons of one column: MART against a to f and 5 others against f``: baselines by their letters."""
    baselines: dict[str, set[str]] = {}
    for row in table.answers:
        if row.contrast.in_family:
            baselines.setdefault(row.contrast.system, set()).add(table.letters[row.contrast.baseline])
    groups: dict[str, list[str]] = {}
    for system, letters in baselines.items():
        groups.setdefault(_letter_words(sorted(letters)), []).append(table.labels[system])
    said = [
        f"{f'{len(labels)} others' if number and len(labels) > 1 else listed(labels)} against {letters}"
        for number, (letters, labels) in enumerate(groups.items())
    ]
    return f"the comparisons of {FAMILIES[table.question.family]}: {listed(said)}"


def _letter_words(letters: list[str]) -> str:
    """``a, b and c``; of more that follow one another, ``a to f``."""
    if len(letters) > 3 and ord(letters[-1]) - ord(letters[0]) == len(letters) - 1:
        return f"{letters[0]} to {letters[-1]}"
    return listed(letters)


def _texts(row: Answer, *, has_t: bool) -> list[str]:
    found = row.comparison
    texts = [*difference_texts(found), effect_text(row.effect)]
    if has_t:
        texts.append("n/a" if isnan(found.t) else f"{found.t:.2f}")
    texts += [p_value(row.p), p_value(row.corrected), str(found.n), f"{found.wins}/{found.ties}/{found.losses}"]
    for test in found.margins:
        texts += [p_value(test.non_inferiority), p_value(test.equivalence)]
    return texts


def _versus(table: ResultsTable, row: Answer) -> str:
    return f"{table.labels[row.contrast.system]} vs {table.labels[row.contrast.baseline]}"


def _notes(table: ResultsTable) -> list[str]:
    question = table.question
    notes = [
        "Tests are made on the values of all topics put together, never on means of folds.",
        "Interval: of the mean difference, by Student's t. d_z: mean difference / standard deviation of the "
        "differences (Cohen). W/T/L: topics on which the system is above, equal, below.",
    ]
    if question.test is PairedTest.randomisation:
        notes.append(
            "Randomisation test: signs of the differences flipped, all of them where at most 20 topics differ, else "
            f"{question.draws} draws with seed {question.seed}."
        )
    if table.letters:
        where = FAMILIES[question.family]
        where += " of results (pair x measure)" if question.family is TableFamily.column else ""
        notes.append(f"{CORRECTIONS[question.correction]} p: corrected over the comparisons of {where}.")
    outside = list(dict.fromkeys(row.contrast for row in table.answers if not row.contrast.in_family))
    if outside:
        named = listed(f"{table.labels[asked.system]} vs {table.labels[asked.baseline]}" for asked in outside)
        notes.append(f"Outside the family, raw p only: {named}.")
    if table.answers[0].comparison.margins:
        notes.append(
            "Margins are relative to the baseline's mean, their tests one-sided t-tests. Not worse: a small p says "
            "that the system is not worse by more than the margin. TOST: a small p says that the two differ by less "
            "than the margin; a difference that is not significant does not. These p are not corrected."
        )
    return notes
