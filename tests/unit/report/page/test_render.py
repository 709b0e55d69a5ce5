"""The page as text: whole, escaped, without outside references, readable in both themes."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from matplotlib.figure import Figure

import clir_cli.report.page
from clir_cli.report.figures.intervals import Interval, draw_intervals
from clir_cli.report.page.content import Ablation, Chart, Page, PlainTable, TopicText, TopicValues, WhatRan
from clir_cli.report.page.inline_svg import to_inline_svg
from clir_cli.report.page.render import mark_code, render_page
from clir_cli.report.tables import ResultsTable

EVIL = "</script><script>alert(1)</script>"
STYLE = Path(clir_cli.report.page.__file__).parent / "templates" / "style.css.j2"


def figure() -> Figure:
    return draw_intervals({"deu-eng": [Interval("10, 11", 0.4, 0.3, 0.5)]}, "MAP", {"deu-eng": ("m2BERT", 0.2)})


def page(table: ResultsTable) -> Page:
    topics = [TopicText(f"C{number:03}", f"Straße {EVIL}", "street") for number in range(1, 11)]
    labels = {system: table.labels[system] for system in ("smt", "mart")}
    values = {system: table.values["deu-eng"][system] for system in labels}
    empty = PlainTable("empty", "Versions", ["library", "version"], [["numpy", "2"]])
    charts = [Chart(name, name, to_inline_svg(figure(), name), EVIL) for name in ("one", "two")]
    return Page(
        experiment=EVIL,
        description=EVIL,
        summary="deu-eng",
        tables=[table],
        topics=[TopicValues("deu-eng", topics, labels, values, ("mart", "smt"))],
        ran=WhatRan([("Seeds", EVIL)], empty, PlainTable("stages", "Stages", ["stage"], [[EVIL]]), f"a: {EVIL}"),
        learning=charts,
        ablations=[Ablation("layers", table)],
        warnings=[f"Read `clir gap` {EVIL}"],
        missing={"gap": ["Run `clir gap --pair deu-eng`."]},
    )


class Tags(HTMLParser):
    """Ids, references and the nesting of a page."""

    VOID = frozenset({"meta", "link", "br", "input"})

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.references: list[str] = []
        self.open: list[str] = []
        self.scripts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [str(found["id"])] if "id" in found else []
        self.references += [str(found[name]) for name in ("href", "src", "data") if name in found]
        self.scripts += tag == "script"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_nothing_of_the_data_becomes_markup_and_nothing_is_fetched(table: ResultsTable) -> None:
    text = render_page(page(table))
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    assert tags.scripts == 1
    assert EVIL not in text
    assert len(tags.ids) == len(set(tags.ids))
    outside = [target for target in tags.references if not target.startswith(("#", "data:,"))]
    assert outside == []
    assert [target for target in tags.references if target.startswith("#") and target[1:] not in tags.ids] == []
    assert "url(http" not in text
    assert "@import" not in text
    assert "<code>clir gap --pair deu-eng</code>" in text
    assert text == render_page(page(table)), "the same data are the same bytes"


def test_a_figure_takes_the_colours_of_the_page() -> None:
    svg = to_inline_svg(figure(), "layers")
    assert "var(--c0)" in svg
    assert "var(--c1)" in svg
    assert re.findall(r"#[0-9a-fA-F]{6}", svg) == []
    assert ">m2BERT</text>" in svg
    assert "<style" not in svg
    assert set(re.findall(r'id="([^"]+)"', svg)) == set(re.findall(r"(?:#)(layers-[\w-]+)", svg))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_and_lines_stand_out(theme: str) -> None:
    blocks = re.findall(r":root \{(.*?)\}", STYLE.read_text(encoding="utf-8"), re.DOTALL)
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", blocks[0 if theme == "light" else 1]))
    for name in ("ink", "quiet", "link"):
        assert contrast(colours[name], colours["paper"]) >= 4.5
        assert contrast(colours[name], colours["tint"]) >= 4.5
    for name in ("focus", "rule", "c0", "c1", "c2"):
        assert contrast(colours[name], colours["paper"]) >= 3


def contrast(one: str, other: str) -> float:
    """WCAG 2: (lighter + .05) / (darker + .05) of relative luminances."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_what_stands_between_backticks_is_code() -> None:
    assert mark_code("Run `clir <x>` & see") == "Run <code>clir &lt;x&gt;</code> &amp; see"
    assert mark_code("a ` alone <b>") == "a ` alone &lt;b&gt;"
