"""What the page of an experiment shows, as plain data; ``render`` makes HTML of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from clir_cli.report.tables import ResultsTable


@dataclass(frozen=True)
class TopicText:
    """A topic as a reader may see it: both texts are empty where they are licensed (``report.text: ids``)."""

    id: str
    query: str = ""
    human: str = ""


@dataclass(frozen=True)
class TopicValues:
    """The values behind the means of a pair."""

    pair: str
    topics: Sequence[TopicText]
    labels: Mapping[str, str]
    """System -> title, in row order; only systems that the pair has."""
    values: Mapping[str, Mapping[str, Mapping[str, float]]]
    """System -> measure -> topic -> value."""
    contrast: tuple[str, str]
    """(system, baseline) whose differences are drawn at first."""


@dataclass(frozen=True)
class Chart:
    """A finished figure as inline SVG, with what it shows in words."""

    name: str
    """Unique on the page, of letters, digits and hyphens."""
    title: str
    svg: Markup
    caption: str


@dataclass(frozen=True)
class PlainTable:
    """Rows of words and numbers; ``right`` names the columns that are numbers."""

    name: str
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: frozenset[str] = frozenset()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Ablation:
    """An ablation's own results, and its figure where it has one."""

    name: str
    table: ResultsTable
    chart: Chart | None = None


@dataclass(frozen=True)
class WhatRan:
    """Where the numbers come from."""

    facts: Sequence[tuple[str, str]]
    """Name and value: when, on what, with which seeds."""
    versions: PlainTable
    stages: PlainTable
    configuration: str
    """YAML with every default filled in."""


@dataclass(frozen=True)
class Page:
    """The whole report. ``missing``: part of the page -> sentences on what is not made, and by which command it is."""

    experiment: str
    description: str
    summary: str
    """One line under the title: pairs, topics, systems, when."""
    tables: Sequence[ResultsTable]
    topics: Sequence[TopicValues]
    ran: WhatRan
    learning: Sequence[Chart] = ()
    gaps: Sequence[Chart] = ()
    ablations: Sequence[Ablation] = ()
    coverage: Sequence[PlainTable] = ()
    warnings: Sequence[str] = ()
    missing: Mapping[str, Sequence[str]] = field(default_factory=dict)
