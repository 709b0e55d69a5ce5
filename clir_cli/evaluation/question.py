"""How runs are to be compared. Light, because the command line is made of it."""

from dataclasses import dataclass
from enum import StrEnum


class PairedTest(StrEnum):
    """Where p comes from."""

    t = "t"
    randomisation = "randomisation"
    wilcoxon = "wilcoxon"


class Correction(StrEnum):
    """How p is corrected within a family."""

    holm = "holm"
    bh = "bh"


class Family(StrEnum):
    """What is corrected together: the comparisons of one measure, or those of all measures."""

    measure = "measure"
    all = "all"


class TableFamily(StrEnum):
    """The same for a table of several pairs: one column (pair and measure), one pair, or the whole table."""

    column = "column"
    pair = "pair"
    table = "table"


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """How a table of results is tested; ``draws`` and ``seed`` are the randomisation test's."""

    test: PairedTest = PairedTest.t
    correction: Correction = Correction.holm
    family: TableFamily = TableFamily.column
    draws: int = 100_000
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """How comparisons are made; ``draws`` and ``seed`` are the randomisation test's."""

    test: PairedTest = PairedTest.t
    correction: Correction = Correction.holm
    family: Family = Family.measure
    alpha: float = 0.05
    draws: int = 100_000
    seed: int = 0
