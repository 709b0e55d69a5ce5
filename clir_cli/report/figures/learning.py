"""Learning curves: training loss and validation measure by epoch."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from clir_cli.report.figures.style import COLOURS, DASHES, MARKERS, panels, styled


class Epoch(NamedTuple):
    """One line of a training log; ``validation`` is None where the epoch was not validated."""

    epoch: int
    loss: float
    validation: float | None


Folds = Mapping[str, Sequence[Epoch]]
"""Name of a fold -> its epochs, in order."""


@styled
def draw_learning(curves: Mapping[str, Folds], validated: str = "validation MAP") -> Figure:
    """``curves``: model's title -> its folds. Folds are thin lines, their mean a thick one.

    The mean ends with the first fold that stopped: from there on it would be one of fewer folds.
    """
    figure, [[losses, values]] = panels(1, 2, 46, share_y=False)
    for number, (title, folds) in enumerate(curves.items()):
        for axes, field in ((losses, "loss"), (values, "validation")):
            lines = [_points(epochs, field) for epochs in folds.values()]
            _draw(axes, [line for line in lines if line], title, number)
    losses.set_ylabel("training loss")
    values.set_ylabel(validated)
    for axes in (losses, values):
        axes.set_xlabel("epoch")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    handles, names = losses.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=min(3, len(names)) or 1)
    return figure


def mean_line(lines: Sequence[Mapping[int, float]]) -> dict[int, float]:
    """Epoch -> mean of the lines, for the epochs that all of them have."""
    if not lines:
        return {}
    shared = set(lines[0]).intersection(*lines)
    return {epoch: sum(line[epoch] for line in lines) / len(lines) for epoch in sorted(shared)}


def _points(epochs: Sequence[Epoch], field: str) -> dict[int, float]:
    return {line.epoch: value for line in epochs if (value := getattr(line, field)) is not None}


def _draw(axes: Axes, lines: Sequence[Mapping[int, float]], title: str, number: int) -> None:
    style = number % len(COLOURS)
    for line in lines if len(lines) > 1 else []:
        axes.plot(list(line), list(line.values()), color=COLOURS[style], linewidth=0.5, alpha=0.45)
    mean = mean_line(lines)
    axes.plot(
        list(mean), list(mean.values()), color=COLOURS[style], linestyle=DASHES[style], marker=MARKERS[style],
        markevery=max(1, len(mean) // 10), label=title,
    )  # fmt: skip
