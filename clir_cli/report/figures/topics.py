"""Differences by topic: one bar a topic, the best gain first."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from clir_cli.evaluation.significance import ROUNDING
from clir_cli.report.figures.style import COLOURS, INK, RULE, panels, styled

NAMED = 30
"""With at most so many topics each bar has its topic's id."""


@styled
def draw_topics(differences: Mapping[str, float], system: str, baseline: str, measure: str) -> Figure:
    """``differences``: topic -> system - baseline; the titles of both and of the measure label the axes.

    Gains and losses differ in colour and hatching; the dashed line is the mean.
    """
    ordered = sorted(differences.items(), key=lambda entry: (-entry[1], entry[0]))
    values = [value for _, value in ordered]
    figure, [[panel]] = panels(1, 1, 48)
    gains = [place for place, value in enumerate(values) if value > ROUNDING]
    losses = [place for place, value in enumerate(values) if value < -ROUNDING]
    width = 0.8 if len(values) <= 2 * NAMED else 1.0
    panel.bar(gains, [values[place] for place in gains], width=width, color=COLOURS[0])
    panel.bar(
        losses,
        [values[place] for place in losses],
        width=width,
        facecolor=COLOURS[1],
        edgecolor="white",
        hatch="////",
        linewidth=0,
    )
    mean = sum(values) / len(values) if values else 0.0
    panel.axhline(0, color=INK, linewidth=0.6)
    panel.axhline(mean, color=RULE, linestyle="--", linewidth=0.8)
    panel.set_xlim(-0.7, max(len(values), 1) - 0.3)
    panel.set_ylabel(f"{measure}: {system} − {baseline}")
    ties = len(values) - len(gains) - len(losses)
    panel.set_title(f"mean {mean:+.4f}; {len(gains)} better, {ties} equal, {len(losses)} worse".replace("-", "−"))
    if len(values) <= NAMED:
        panel.set_xticks(range(len(values)), [topic for topic, _ in ordered], rotation=90)
    else:
        panel.set_xticks([])
    panel.set_xlabel(f"{len(values)} topics")
    return figure
