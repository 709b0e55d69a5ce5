"""Figures: what they show, their width, fonts, colours, letters."""

import io
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.image import imread

from clir_cli.analysis.translation_gap import Line
from clir_cli.errors import DataError, UsageError
from clir_cli.report.figures.gain_matrix import Cell, draw_gain_matrix
from clir_cli.report.figures.gap import draw_gap
from clir_cli.report.figures.intervals import Interval, draw_intervals
from clir_cli.report.figures.learning import Epoch, draw_learning, mean_line
from clir_cli.report.figures.style import COLOURS, DASHES, MARKERS, MM, WIDTH, format_of, render, save
from clir_cli.report.figures.topics import draw_topics

WORDS = ["Straße", "café", "shabakadda", "cunto", "ng'ombe", "wẹ̀ẹ́kì", "Łódź", "слово"]


def line(*means: float) -> Line:
    values = np.array(means)
    return Line(values, values - 0.05, values + 0.05)


def gap() -> Figure:
    kinds = {"translated": line(0.1, 0.3, 0.5), "random": line(0.1, 0.1, 0.0), "gap": line(0.0, 0.2, 0.5)}
    return draw_gap({"deu-eng": {"m2BERT": kinds, "MART": kinds}, "som-eng": {"MART": kinds}})


def learning() -> Figure:
    folds = {"1": [Epoch(1, 0.7, None), Epoch(2, 0.5, 0.2)], "2": [Epoch(1, 0.5, None), Epoch(2, 0.3, 0.4)]}
    return draw_learning({"m2BERT": folds, "MART": folds})


def layers() -> Figure:
    sets = [Interval("11", 0.3, 0.2, 0.45), Interval("10, 11", 0.4, 0.35, 0.5)]
    return draw_intervals({"deu-eng": sets, "swa-eng": sets[:1]}, "MAP", {"deu-eng": ("m2BERT", 0.25)})


def topics() -> Figure:
    values = [0.2, -0.1, 0.0, 0.4, 0.1, -0.2, 0.3, 0.05]
    return draw_topics(dict(zip(WORDS, values, strict=True)), "MART", "m2BERT", "MAP")


def gains() -> Figure:
    cells = {("deu-eng", "som-eng"): Cell(0.12, True), ("som-eng", "som-eng"): Cell(-0.3, False)}
    return draw_gain_matrix(["deu-eng", "som-eng"], ["som-eng", "swa-eng"], cells, "MAP", "MAD-X over full")


ALL = [gap, learning, layers, topics, gains]


def width_of(png: bytes) -> int:
    return int(imread(io.BytesIO(png), format="png").shape[1])


def test_every_figure_is_as_wide_as_a_column_and_lets_its_fonts_be_read() -> None:
    for draw in ALL:
        assert width_of(render(draw(), "png")) == pytest.approx(WIDTH * MM * 300, abs=1)
        pdf = render(draw(), "pdf")
        assert b"/FontFile2" in pdf, "a TrueType font is embedded"
        assert b"/Subtype /Type3" not in pdf


def test_the_same_figure_is_the_same_file() -> None:
    for format in ("pdf", "svg"):
        assert render(layers(), format) == render(layers(), format)


def test_no_letter_is_missing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # matplotlib warns of a glyph that its font lacks
        text = render(topics(), "svg").decode()
        render(topics(), "png")
    for word in ("Straße", "café", "shabakadda"):
        assert f">{word}<" in text
    with pytest.warns(UserWarning, match="missing from font"):
        render(draw_topics({"\u4e2d": 0.1}, "MART", "m2BERT", "MAP"), "png")


def test_colours_stay_apart_in_grey_print() -> None:
    grey = [0.299 * r + 0.587 * g + 0.114 * b for r, g, b in map(to_rgb, COLOURS)]
    assert min(abs(one - other) for one, other in pairwise(grey)) > 0.1
    assert len(set(COLOURS)) == len(set(MARKERS)) == len({str(dash) for dash in DASHES}) == len(COLOURS)


def test_the_gap_has_a_panel_a_model_and_a_row_a_pair() -> None:
    figure = gap()
    shown = [axes for axes in figure.axes if axes.axison]
    assert [axes.get_title() for axes in shown] == ["m2BERT", "MART", "MART"]
    assert len(figure.axes) == 4, "a pair without a model leaves its place empty"
    translated, random = shown[0].lines[:2]
    assert list(translated.get_ydata()) == [0.1, 0.3, 0.5]
    assert list(translated.get_xdata()) == [0, 1, 2]
    assert translated.get_linestyle() != random.get_linestyle()
    band = shown[0].collections[0].get_paths()[0].vertices
    assert (band[:, 1].min(), band[:, 1].max()) == (pytest.approx(0.05), pytest.approx(0.55))


def test_a_curve_is_its_folds_and_their_mean() -> None:
    losses, values = learning().axes
    one, two, mean = losses.lines[:3]
    assert [list(part.get_ydata()) for part in (one, two)] == [[0.7, 0.5], [0.5, 0.3]]
    assert list(mean.get_ydata()) == pytest.approx([0.6, 0.4])
    assert list(values.lines[2].get_xdata()) == [2], "epochs without validation have no point"
    assert mean_line([{1: 1.0, 2: 2.0, 3: 0.0}, {1: 3.0, 2: 4.0}]) == {1: 2.0, 2: 3.0}
    assert mean_line([]) == {}


def test_layers_have_their_intervals_and_the_line_to_compare_with() -> None:
    first, second = layers().axes
    bars = first.collections[0].get_segments()
    assert [sorted(part[:, 1]) for part in bars] == [pytest.approx([0.2, 0.45]), pytest.approx([0.35, 0.5])]
    assert [label.get_text() for label in first.get_xticklabels()] == ["11", "10, 11"]
    assert [text.get_text() for text in first.texts] == ["m2BERT"]
    assert list(second.texts) == []


def test_topics_are_sorted_and_counted() -> None:
    (panel,) = topics().axes
    assert panel.get_title() == "mean +0.0937; 5 better, 1 equal, 2 worse"
    heights = sorted(((bar.get_x(), bar.get_height()) for bar in panel.patches), key=lambda bar: bar[0])
    assert [height for _, height in heights] == [0.4, 0.3, 0.2, 0.1, 0.05, -0.1, -0.2]
    assert next(label.get_text() for label in panel.get_xticklabels()) == WORDS[3]


def test_a_file_is_whole_and_of_a_known_format(tmp_path: Path) -> None:
    save(layers(), tmp_path / "new" / "layers.PDF")
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["layers.PDF"]
    with pytest.raises(UsageError) as caught:
        format_of(tmp_path / "layers.jpeg")
    assert caught.value.hint == "End it in .pdf, .png or .svg."
    (tmp_path / "figures.png").mkdir()
    with pytest.raises(DataError, match="a file is expected here"):
        format_of(tmp_path / "figures.png")


def test_gains_in_per_cent_with_a_star_where_they_are_sure() -> None:
    text = render(gains(), "svg").decode()
    for each in (">+12.0*<", ">−30.0<", "learned on", "MAP, gain in %: MAD-X over full"):
        assert each in text
    assert text.count(">–<") == 2  # nobody ranked swa-eng
