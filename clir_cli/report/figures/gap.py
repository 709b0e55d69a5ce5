"""The translation gap by layer (MAT, figure 4), models side by side."""

from collections.abc import Mapping
from math import ceil

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from clir_cli.analysis.translation_gap import Line
from clir_cli.report.figures.style import COLOURS, DASHES, MARKERS, RULE, panels, styled

ABREAST = 4
"""Panels in a row at most."""

KINDS = {"translated": "translations", "random": "random pairs"}


@styled
def draw_gap(gaps: Mapping[str, Mapping[str, Mapping[str, Line]]]) -> Figure:
    """``gaps``: pair -> model's title -> ``translated`` and ``random``, each [L + 1] with its band, embeddings first.

    A row of panels for each pair, all on one scale; a model that a pair lacks has no panel.
    """
    abreast = min(ABREAST, max(map(len, gaps.values())))
    rows = [
        (pair, list(models.items())[start : start + abreast])
        for pair, models in gaps.items()
        for start in range(0, len(models), abreast)
    ]
    figure, axes = panels(len(rows), abreast, 40 if len(rows) == 1 else 35)
    for (pair, shown), line in zip(rows, axes, strict=True):
        for panel in line[len(shown) :]:
            panel.set_axis_off()
        line[0].set_ylabel(f"{pair}\ncosine similarity" if len(gaps) > 1 else "cosine similarity")
        for panel, (title, kinds) in zip(line, shown, strict=False):
            panel.set_title(title)
            panel.set_xlabel("layer")
            for number, (kind, name) in enumerate(KINDS.items()):
                drawn = kinds[kind]
                layers = range(len(drawn.mean))
                panel.fill_between(layers, drawn.low, drawn.high, color=COLOURS[number], alpha=0.22, linewidth=0)
                panel.plot(
                    layers, drawn.mean, color=COLOURS[number], linestyle=DASHES[number], marker=MARKERS[number],
                    markerfacecolor=COLOURS[number] if number == 0 else "none",
                    markevery=max(1, ceil(len(drawn.mean) / 14)), label=name,
                )  # fmt: skip
            panel.axhline(0, color=RULE, linewidth=0.5, zorder=0)
            panel.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    handles, names = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper center", ncols=2)
    return figure
