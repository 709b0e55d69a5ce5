"""A value with its interval for each variant of a model: sets of layers (MAT, figure 5), steps (MAD-X, figure 4)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from matplotlib.figure import Figure

from clir_cli.report.figures.style import COLOURS, MARKERS, RULE, panels, styled


class Interval(NamedTuple):
    """A mean and the ends of its interval."""

    label: str
    value: float
    low: float
    high: float


@styled
def draw_intervals(
    sets: Mapping[str, Sequence[Interval]],
    measure: str,
    baselines: Mapping[str, tuple[str, float]] | None = None,
    axis: str = "layers with translations",
) -> Figure:
    """``sets``: pair -> an interval for each variant; a panel for each pair.

    ``baselines``: pair -> (title, value) of a line to compare with. ``axis``: what the variants differ in.
    """
    figure, axes = panels(len(sets), 1, 44, share_y=False)
    for (pair, intervals), [panel] in zip(sets.items(), axes, strict=True):
        places = range(len(intervals))
        values = [interval.value for interval in intervals]
        ends = [
            [max(0.0, interval.value - interval.low) for interval in intervals],
            [max(0.0, interval.high - interval.value) for interval in intervals],
        ]
        panel.errorbar(
            places, values, yerr=ends, fmt=MARKERS[0], color=COLOURS[0], capsize=2.5, elinewidth=0.8, capthick=0.8,
        )  # fmt: skip
        if baselines and pair in baselines:
            title, value = baselines[pair]
            panel.axhline(value, color=COLOURS[1], linestyle="--", linewidth=0.9)
            panel.annotate(
                title, (1, value), xycoords=("axes fraction", "data"), xytext=(0, 2), textcoords="offset points",
                ha="right", va="bottom", color=COLOURS[1],
            )  # fmt: skip
        panel.set_xticks(places, [interval.label for interval in intervals])
        panel.set_xlim(-0.6, len(intervals) - 0.4)
        panel.margins(y=0.15)
        panel.set_ylabel(measure)
        panel.set_title(pair)
        panel.yaxis.grid(True, color=RULE, alpha=0.3, linewidth=0.4)
        panel.set_axisbelow(True)
    axes[-1][0].set_xlabel(axis)
    return figure
