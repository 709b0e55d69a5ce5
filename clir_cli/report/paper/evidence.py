"""What an experiment brings to judge claims by, and what a verdict is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from clir_cli.evaluation.significance import Comparison, compare
from clir_cli.report.completeness import PerTopic
from clir_cli.report.results_table import Direction, ResultsTable, direction

MAP, PRECISION = "AP@100", "P@10"
ALPHA = 0.05
MARGIN = 0.05
"""Of equivalence, relative to the baseline's mean."""


class Data(StrEnum):
    """Whose texts the results are of."""

    clef = "clef"
    sample = "sample"
    other = "other"


class Verdict(StrEnum):
    """What comes of a claim."""

    held = "held"
    not_held = "not held"
    not_testable = "not testable here"


@dataclass(frozen=True)
class Judgement:
    """A verdict, the numbers it rests on (a sentence each), and what has to be known of it."""

    verdict: Verdict
    numbers: tuple[str, ...] = ()
    reason: str = ""
    """Why it is not testable, or which part of the claim was not looked at."""


@dataclass(frozen=True)
class LayerMeans:
    """Mean cosine similarity of each layer's output, the embeddings first: a model's translation gap."""

    translated: Sequence[float]
    random: Sequence[float]


@dataclass(frozen=True)
class AblationResults:
    """A finished ablation: its tables, and what its rows are."""

    tables: Sequence[ResultsTable]
    model: str
    """The row of the model that was varied, as it is."""
    layers: Mapping[tuple[int, ...], str] = field(default_factory=dict)
    """Layers with M^tr, counted from the end (-1 the last), sorted -> row."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Source of M^tr's translations -> row; without the model's own."""


@dataclass(frozen=True)
class Evidence:
    """Everything that is finished of an experiment; what is not there was not run."""

    tables: Sequence[ResultsTable] = ()
    data: Data = Data.other
    encoder: str = ""
    """What the encoder is, where it is not the paper's (multilingual BERT, 12 layers)."""
    gaps: Mapping[tuple[str, str], LayerMeans] = field(default_factory=dict)
    """(pair, model) -> similarities."""
    mat_layers: Sequence[int] = (-3, -2)
    """Layers of MART that carry M^tr, from the end."""
    ablations: Mapping[str, AblationResults] = field(default_factory=dict)
    """``layers`` and ``knowledge``, where they are finished."""
    experiment: str = ""
    faults: Sequence[str] = ()
    """Sentences on results that are not finished, or cannot be read."""

    def pairs(self, side: Direction | None = None) -> list[str]:
        """Those that have any results, of a direction or all."""
        found = dict.fromkeys(pair for table in self.tables for pair, systems in table.values.items() if systems)
        return [pair for pair in found if side is None or direction(pair) == side]

    def compare(self, pair: str, system: str, baseline: str, measure: str) -> Comparison | None:
        """Both over the same topics; None where one of them was not run or not measured."""
        return compare_rows(self.tables, pair, system, baseline, measure)


def compare_rows(
    tables: Sequence[ResultsTable], pair: str, system: str, baseline: str, measure: str
) -> Comparison | None:
    """Two rows in the first of the tables that has both for the pair."""
    for table in tables:
        systems = table.values.get(pair, {})
        values: list[PerTopic] = [systems.get(name, {}).get(measure, {}) for name in (system, baseline)]
        if all(values):
            return compare(values[0], values[1], margins=(MARGIN,), alpha=ALPHA)
    return None


def not_testable(reason: str, numbers: Sequence[str] = ()) -> Judgement:
    """The judgement of a claim for which something is missing."""
    return Judgement(Verdict.not_testable, tuple(numbers), reason)
