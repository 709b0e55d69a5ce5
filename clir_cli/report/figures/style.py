"""How every figure looks, and how it is saved.

A column is 84 mm wide. Colours differ in lightness as well as in hue, so that they stay apart for colour-blind readers
and in grey print, and lines differ in marker and dash besides. Letters stay letters: fonts are embedded as TrueType
(type 42) in PDF and remain text in SVG. DejaVu Sans comes with matplotlib and has the letters of all languages in
Latin, Greek, Cyrillic and Arabic script.
"""

import io
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from clir_cli.errors import DataError, UsageError
from clir_cli.lines import check_place

WIDTH = 84.0
"""mm, the column of most two-column papers."""

MM = 1 / 25.4
"""Inches in a millimetre."""

COLOURS = ("#233d7d", "#a8430f", "#2f9e8f", "#d9a521", "#7a4b94", "#8f9aa3")
"""Dark blue, rust, teal, ochre, purple, slate: no two neighbours are equally light."""

MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)), (0, (3, 1)), (0, (7, 2, 2, 2)))

INK, RULE = "#1a1a1a", "#8a8a8a"
"""Text and axes; lines that only help to read."""

STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 7,
    "axes.titlesize": 7,
    "axes.labelsize": 7,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "lines.linewidth": 1.1,
    "lines.markersize": 3.2,
    "hatch.linewidth": 0.5,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "clir",
    "savefig.dpi": 300,
    "figure.constrained_layout.use": True,
}

FORMATS = ("pdf", "png", "svg")

Arguments = ParamSpec("Arguments")


def styled(draw: Callable[Arguments, Figure]) -> Callable[Arguments, Figure]:
    """A function that draws a figure, in the style above whatever the settings of the process."""

    @wraps(draw)
    def drawn(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Figure:
        with rc_context(STYLE):
            return draw(*args, **kwargs)

    return drawn


def panels(rows: int, columns: int, height: float, *, share_y: bool = True) -> tuple[Figure, list[list[Axes]]]:
    """A figure of column width with ``rows`` x ``columns`` axes, each row ``height`` mm high."""
    figure = Figure(figsize=(WIDTH * MM, rows * height * MM))
    axes = figure.subplots(rows, columns, squeeze=False, sharey=share_y)
    return figure, [list(row) for row in axes]


def render(figure: Figure, format: str) -> bytes:
    """The figure as a file of a format, the same bytes for the same figure. Raises ``UsageError`` for other formats."""
    if format not in FORMATS:
        raise UsageError(f"A figure cannot be written as {format or 'a file without an ending'}.", "Use .pdf or .png.")
    dated = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {}}
    out = io.BytesIO()
    with rc_context(STYLE):
        figure.savefig(out, format=format, metadata=dated[format])
    return out.getvalue()


def format_of(file: Path) -> str:
    """The format that a file's name asks for. Raises ``UsageError``, ``DataError``."""
    format = file.suffix.lower().removeprefix(".")
    if format not in FORMATS:
        raise UsageError(f"{file}: no format of a figure.", "End it in .pdf, .png or .svg.")
    check_place(file)
    return format


def save(figure: Figure, file: Path) -> None:
    """Write the figure in the format of the file's name, whole or not at all. Raises ``UsageError``, ``DataError``."""
    content = render(figure, format_of(file))
    partial = file.with_name(f".{file.name}.partial")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(content)
        partial.replace(file)
    except OSError as error:
        raise DataError(
            f"{file}: it cannot be written ({error.strerror or error}).",
            "Check the path, its permissions and the space on the disk.",
        ) from error
