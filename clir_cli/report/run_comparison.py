"""Runs side by side, for whoever brings their own: means with marks, and every test behind them, in five formats."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from clir_cli.evaluation.measures import mean_over_folds, mean_over_topics
from clir_cli.evaluation.question import Family, Question
from clir_cli.evaluation.run_comparison import Finding, Values
from clir_cli.report import latex, markdown, text
from clir_cli.report.csv_files import csv_text
from clir_cli.report.plain_json import json_text
from clir_cli.report.sheet import (
    CORRECTIONS,
    TESTS,
    Cell,
    Sheet,
    difference_texts,
    effect_text,
    p_value,
    percent,
    words_of_test,
)

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class RunTable:
    """Everything a rendering needs."""

    values: Values
    """run -> measure -> topic -> value, runs and measures in the order of the rows and columns."""
    baselines: Sequence[str]
    findings: Sequence[Finding]
    question: Question
    folds: Mapping[str, int] | None = None
    """topic (or its key) -> fold; given, the means over folds stand beside those over topics."""
    deviations: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """run -> measure -> standard deviation of the means of its repetitions, of runs that have some."""
    remarks: Sequence[str] = ()
    """What else has to be known: topics that a run lacks, settings that differ."""

    @property
    def measures(self) -> list[str]:
        """In the order asked for."""
        return list(next(iter(self.values.values())))

    def means(self, run: str, measure: str) -> dict[str, float]:
        """``topics``, and ``folds`` where there are folds -> mean of a run."""
        by_topic = self.values[run][measure]
        found = {"topics": mean_over_topics(by_topic)}
        return found if self.folds is None else found | {"folds": mean_over_folds(by_topic, self.folds)}

    def beaten(self, run: str, measure: str) -> list[str]:
        """The baselines that a run is significantly above."""
        return [one.baseline for one in self.findings if one.beats and (one.system, one.measure) == (run, measure)]


def runs_sheet(table: RunTable) -> Sheet:
    """Rows are runs, columns measures."""
    letters = dict(zip(table.baselines, LETTERS, strict=False))
    over = ["topics"] if table.folds is None else ["topics", "folds"]
    heads: list[tuple[str, ...]] = [
        (measure,) if table.folds is None else (measure, f"over {what}") for measure in table.measures for what in over
    ]
    rows = []
    for run in table.values:
        cells = []
        for measure in table.measures:
            marks = "".join(letters[baseline] for baseline in table.beaten(run, measure))
            cells += [
                Cell(f"{mean:.4f}", marks if what == "topics" else "")
                for what, mean in table.means(run, measure).items()
            ]
        rows.append(([run], cells))
    return Sheet("runs", f"{len(table.values)} runs", ["Run"], heads, rows, _notes(table, letters))


def tests_sheet(table: RunTable) -> Sheet:
    """One row a run, baseline and measure."""
    test, corrected = TESTS[table.question.test], CORRECTIONS[table.question.correction]
    heads: list[tuple[str, ...]] = [
        ("Mean", "run"),
        ("Mean", "baseline"),
        ("Difference", "absolute"),
        ("Difference", "relative"),
        ("Interval", percent(1 - table.question.alpha)),
        ("Effect", "d_z"),
        (test, "p"),
        (test, f"{corrected} p"),
        ("Topics", "n"),
        ("Topics", "W/T/L"),
    ]
    rows = []
    for one in table.findings:
        found = one.comparison
        texts = [
            *difference_texts(found),
            effect_text(one.effect),
            p_value(one.p),
            p_value(one.corrected),
            str(found.n),
            f"{found.wins}/{found.ties}/{found.losses}",
        ]
        rows.append(([one.measure, f"{one.system} vs {one.baseline}"], [Cell(text) for text in texts]))
    notes = [
        "Interval: of the mean difference, by Student's t. d_z: mean difference / standard deviation of the "
        "differences (Cohen). W/T/L: topics on which the run is above, equal, below."
    ]
    return Sheet("tests", "Tests", ["Measure", "Comparison"], heads, rows, notes)


def _notes(table: RunTable, letters: Mapping[str, str]) -> list[str]:
    question, topics = table.question, next(iter(next(iter(table.values.values())).values()))
    beaten = ", ".join(f"{letter}: above {name}" for name, letter in letters.items())
    family = "one measure" if question.family is Family.measure else "all measures"
    size = len([one for one in table.findings if question.family is Family.all or one.measure == table.measures[0]])
    how = words_of_test(question.test, question.draws, question.seed)
    notes = [
        f"{len(topics)} topic{'' if len(topics) == 1 else 's'}.",
        f"{beaten} (two-sided {how}, {CORRECTIONS[question.correction]}-corrected p < {question.alpha:g}; a family is "
        f"the {size} comparison{'' if size == 1 else 's'} of {family}).",
    ]
    for run, by_measure in table.deviations.items():
        spread = ", ".join(f"{measure} {deviation:.4f}" for measure, deviation in by_measure.items())
        notes.append(f"{run}: mean of its repetitions by topic; standard deviation of their means: {spread}.")
    return [*notes, *table.remarks]


def to_text(table: RunTable) -> str:
    """Aligned plain text."""
    return "\n".join(text.render(sheet) for sheet in (runs_sheet(table), tests_sheet(table)))


def to_markdown(table: RunTable) -> str:
    """Two pipe tables."""
    return "\n".join(markdown.render(sheet) for sheet in (runs_sheet(table), tests_sheet(table)))


def to_latex(table: RunTable) -> str:
    """Two floats for the booktabs package."""
    head = "% needs \\usepackage{booktabs}; and \\usepackage[utf8]{inputenc} before 2018\n"
    return head + "\n".join(latex.render(sheet) for sheet in (runs_sheet(table), tests_sheet(table)))


def to_csv(table: RunTable) -> str:
    """One line a run, baseline and measure, in full precision."""
    rows = [list(_plain(one, table.question).values()) for one in table.findings]
    return csv_text(list(_plain(table.findings[0], table.question)), rows)


def to_json(table: RunTable) -> str:
    """All of it, values per topic too. What is no number is null, what is infinite ``"inf"`` or ``"-inf"``."""
    found = {
        "question": {
            name: getattr(table.question, name) for name in ("test", "correction", "family", "alpha", "draws", "seed")
        },
        "baselines": list(table.baselines),
        "means": {run: {measure: table.means(run, measure) for measure in table.measures} for run in table.values},
        "deviations": table.deviations,
        "comparisons": [_plain(one, table.question) for one in table.findings],
        "remarks": list(table.remarks),
        "values": table.values,
    }
    return json_text(found)


def _plain(one: Finding, question: Question) -> dict[str, object]:
    found = one.comparison
    return {
        "measure": one.measure,
        "run": one.system,
        "baseline": one.baseline,
        "topics": found.n,
        "mean": found.mean,
        "baseline_mean": found.baseline_mean,
        "difference": found.difference,
        "relative_gain": found.relative_gain,
        "interval_low": found.low,
        "interval_high": found.high,
        "effect_size": one.effect,
        "test": str(question.test),
        "p": one.p,
        "correction": str(question.correction),
        "p_corrected": one.corrected,
        "beats": int(one.beats),
        "wins": found.wins,
        "ties": found.ties,
        "losses": found.losses,
    }


FORMATS: dict[str, Callable[[RunTable], str]] = {
    "console": to_text,
    "markdown": to_markdown,
    "latex": to_latex,
    "csv": to_csv,
    "json": to_json,
}
