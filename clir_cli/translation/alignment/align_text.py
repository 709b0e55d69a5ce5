"""Prepared text to links and tables, whichever tool aligns: our own, or eflomal."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from clir_cli.corpora.normalise import content_keys
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.translation.alignment.aligned import Symmetrisation
from clir_cli.translation.alignment.counted import count_links
from clir_cli.translation.alignment.learn import AlignerSettings, learn
from clir_cli.translation.alignment.prepared_text import PreparedText
from clir_cli.translation.alignment.symmetrise import METHODS, Links, symmetrise
from clir_cli.translation.pruning import keep_entries
from clir_cli.translation.table import TranslationTable, table_without_empty

INSTEAD: Symmetrisation = "grow-diag-final-and"
"""What ``agreement`` means where a tool gives links without probabilities."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is made of a text. ``symmetrisation``: of the links that are kept, and that a table of ``links`` is counted
    from; a table that is ``expected`` takes EM's expected counts (links alone give no such: eflomal's are counted)."""

    tool: Literal["clir", "eflomal"] = "clir"
    aligner: AlignerSettings = field(default_factory=AlignerSettings)
    symmetrisation: Symmetrisation = "agreement"
    table: Literal["expected", "links"] = "expected"
    min_probability: float = 1e-4
    max_translations: int = 100


@dataclass(frozen=True, slots=True)
class AlignedText:
    """``methods``: the symmetrisations that there are; ``links`` gives those of one, ``table`` P(target | source) or
    with True the inverse; ``learned``: what the aligner says of itself, as plain data."""

    methods: tuple[Symmetrisation, ...]
    links: Callable[[Symmetrisation], Links]
    table: Callable[[bool], TranslationTable]
    learned: dict[str, Any]


def align_text(
    text: PreparedText, recipe: Recipe, *, state: Path | None = None, progress: ProgressCallback = no_progress
) -> AlignedText:
    """Align ``text`` as ``recipe`` says.

    ``state``: a folder from which a killed run goes on (not with eflomal). Raises ``StageError`` as eflomal does.
    """
    sizes: dict[str, Any] = {
        "min_probability": recipe.min_probability,
        "max_translations": recipe.max_translations,
    }
    if recipe.tool == "eflomal":
        from clir_cli.translation.alignment.eflomal import align_with_eflomal

        forward, backward = align_with_eflomal(text, threads=recipe.aligner.threads, progress=progress)

        def combine(method: Symmetrisation) -> Links:
            chosen = INSTEAD if method == "agreement" else method
            assert chosen != "agreement"
            return symmetrise(forward, backward, text.source_start, text.target_start, chosen)

        def count(inverse: bool) -> TranslationTable:
            return count_links(combine(recipe.symmetrisation), text, inverse=inverse, **sizes)

        learned = {"tool": "eflomal", "source_words": len(text.source_words), "target_words": len(text.target_words)}
        return AlignedText(METHODS, combine, count, learned)
    alignment = learn(text, recipe.aligner, state=state, progress=progress)

    def table(inverse: bool) -> TranslationTable:
        if recipe.table == "expected":
            return alignment.table(inverse=inverse, **sizes)
        return count_links(alignment.links(recipe.symmetrisation), text, inverse=inverse, **sizes)

    return AlignedText(("agreement", *METHODS), alignment.links, table, {"tool": "clir"} | asdict(alignment.report))


def keep_content(table: TranslationTable, stop_source: frozenset[str], stop_target: frozenset[str]) -> TranslationTable:
    """The table without stop words, numbers and punctuation on either side; probabilities as they are."""
    sources, targets = (
        [content_keys(word, stop) == [word] for word in words]
        for words, stop in ((table.source_words, stop_source), (table.target_words, stop_target))
    )
    matrix = table.probabilities
    rows = np.repeat(np.array(sources, np.bool_), np.diff(matrix.indptr))
    kept = keep_entries(matrix, rows & np.array(targets, np.bool_)[matrix.indices])
    return table_without_empty(table.source_words, table.target_words, kept)
