"""One table as rows of text: cells, headings, and the words that all tables share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import NamedTuple

from clir_cli.evaluation.question import Correction, PairedTest
from clir_cli.evaluation.significance import Comparison

MISSING = "–"
"""Printed where there is nothing: a system that was not run, a p outside the family."""

TESTS = {
    PairedTest.t: "Paired t-test",
    PairedTest.randomisation: "Randomisation test",
    PairedTest.wilcoxon: "Wilcoxon's test",
}
CORRECTIONS = {Correction.holm: "Holm", Correction.bh: "BH"}


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


def effect_text(effect: float) -> str:
    """Two decimals with a sign; ``n/a`` of one topic."""
    return "n/a" if isnan(effect) else f"{effect:+.2f}"


def words_of_test(test: PairedTest, draws: int, seed: int) -> str:
    """The test as it is called within a sentence, with what the randomisation test has to tell."""
    named = TESTS[test].replace("Paired", "paired").replace("Random", "random") + " over topics"
    return f"{named} (exact, or {draws} draws, seed {seed})" if test is PairedTest.randomisation else named


def listed(words: Iterable[str]) -> str:
    """``a, b and c``; where there are commas in them already, ``a; b; c``."""
    named: Sequence[str] = list(words)
    if any(", " in word for word in named):
        return joined(named)
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}" if named else ""


def joined(words: Sequence[str]) -> str:
    """By commas, or by semicolons where there are commas in them already."""
    return ("; " if any(", " in word for word in words) else ", ").join(words)
