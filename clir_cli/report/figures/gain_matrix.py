"""Relative gains of one system over another, by the pair that both learned on and the pair that is ranked (MAD-X)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from clir_cli.report.figures.style import COLOURS, INK, MM, WIDTH, styled

LOSS_TO_GAIN = LinearSegmentedColormap.from_list("loss to gain", [COLOURS[1], "#ffffff", COLOURS[0]])
STRONG = 0.6
"""Of the largest gain: from here on a cell is so dark that its number is white."""


class Cell(NamedTuple):
    """``gain``: (new - old) / old of the two means; ``is_sure``: its corrected p is below the table's level."""

    gain: float
    is_sure: bool


@styled
def draw_gain_matrix(
    sources: Sequence[str], targets: Sequence[str], cells: Mapping[tuple[str, str], Cell], measure: str, question: str
) -> Figure:
    """A row for each source, a column for each target; ``cells``: (source, target) -> gain, where both were run.

    ``question``: which system against which. Numbers are per cent, with a star where ``is_sure``.
    """
    most = max((abs(cell.gain) for cell in cells.values()), default=0.0) or 1.0
    figure = Figure(figsize=(WIDTH * MM, (22 + 9 * len(sources)) * MM))
    axes = figure.subplots()
    colours = np.full((len(sources), len(targets)), np.nan)
    for row, source in enumerate(sources):
        for column, target in enumerate(targets):
            cell = cells.get((source, target))
            if cell is None:
                axes.text(column, row, "–", ha="center", va="center")
                continue
            colours[row, column] = cell.gain
            axes.text(
                column, row, f"{100 * cell.gain:+.1f}{'*' if cell.is_sure else ''}".replace("-", "−"),
                ha="center", va="center", color="white" if abs(cell.gain) > STRONG * most else INK,
            )  # fmt: skip
    axes.imshow(colours, cmap=LOSS_TO_GAIN, vmin=-most, vmax=most, aspect="auto")
    axes.set_xticks(range(len(targets)), targets)
    axes.set_yticks(range(len(sources)), sources)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("ranked")
    axes.set_ylabel("learned on")
    axes.set_title(f"{measure}, gain in %: {question}")
    return figure
