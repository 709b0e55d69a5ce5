"""The report in a real browser, at the width of a desk and of a phone, in light and dark."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from .conftest import WORDS

TABLES = [
    "table-results", "table-judged", "table-comparisons", "table-2-results", "table-2-judged", "table-2-gains",
    "table-2-comparisons", "values-deu-eng",
    "ablation-layers-results", "ablation-layers-comparisons", "coverage-pairs", "coverage-topics", "versions", "stages",
]  # fmt: skip
VIEWS = [(width, scheme) for width in (1280, 390) for scheme in ("light", "dark")]


class Opened(NamedTuple):
    """A page with everything that it complained of or asked for."""

    page: Any
    troubles: list[str]


@pytest.fixture(scope="module", params=VIEWS, ids=lambda view: f"{view[0]}-{view[1]}")
def opened(request: pytest.FixtureRequest, browser: Any, report: Path) -> Iterator[Opened]:
    width, scheme = request.param
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    troubles: list[str] = []
    page.on("console", lambda message: troubles.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.on("request", lambda asked: None if asked.url == report.as_uri() else troubles.append(f"asked: {asked.url}"))
    page.goto(report.as_uri())
    yield Opened(page, troubles)
    page.close()


def test_it_complains_of_nothing_asks_for_nothing_and_fits(opened: Opened) -> None:
    page = opened.page
    assert opened.troubles == []
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    too_wide = page.evaluate(
        "[...document.querySelectorAll('body *')].filter((e) => !e.closest('.scroll, .skip, svg')"
        " && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + '.' + e.className)"
    )
    assert too_wide == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    assert opened.troubles == []


def test_every_table_and_figure_is_there_and_is_seen(opened: Opened) -> None:
    page = opened.page
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    tables = page.evaluate(
        "[...document.querySelectorAll('table')].map((table) => [table.id, table.tBodies[0].rows.length])"
    )
    assert [name for name, rows in tables if rows > 0] == TABLES
    drawn = page.evaluate(
        "[...document.querySelectorAll('figure')].map((figure) => [figure.id || figure.className,"
        " figure.querySelector('svg').getBoundingClientRect().width, figure.querySelectorAll('path, rect').length])"
    )
    assert [name for name, _, _ in drawn] == ["differences", "learning-deu-eng", "gap-deu-eng", "layers"]
    for _, width, marks in drawn:
        assert width > 250
        assert marks >= 3
    paper, ink = page.evaluate(
        "[getComputedStyle(document.documentElement).backgroundColor,"
        " getComputedStyle(document.querySelector('#gap-deu-eng svg text')).fill]"
    )
    assert paper != ink, "text of a figure follows the theme"


def test_no_letter_is_a_box(opened: Opened) -> None:
    """Every letter is drawn, and otherwise than two code points that no font has."""
    missing, alike = opened.page.evaluate(
        """(words) => {
          const canvas = document.createElement("canvas"), pen = canvas.getContext("2d", { willReadFrequently: true });
          canvas.width = canvas.height = 48;
          const picture = (letter) => {
            pen.clearRect(0, 0, 48, 48);
            pen.font = "32px " + getComputedStyle(document.body).fontFamily;
            pen.fillText(letter, 6, 36);
            return pen.getImageData(0, 0, 48, 48).data.join();
          };
          const box = picture("\\u0378"), blank = picture(" ");
          const letters = [...new Set(words.replaceAll(" ", ""))];
          return [letters.filter((l) => [box, blank].includes(picture(l))), box === picture("\\u0379")];
        }""",
        " ".join(WORDS.values()),
    )
    assert alike, "what no font has looks the same"
    assert missing == []
    text = opened.page.inner_text("main") + opened.page.inner_text("header")
    assert "Straße" in text


@pytest.fixture(scope="module")
def page(browser: Any, report: Path) -> Iterator[Any]:
    """A page to play with."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.goto(report.as_uri())
    yield opened
    opened.close()


def column(page: Any, place: int, table: str = "table-2-results") -> list[str]:
    return page.evaluate(
        f"[...document.querySelector('#{table}').tBodies[0].rows].map((row) => row.cells[{place}].textContent)"
    )


def test_columns_sort_by_mouse_and_by_keyboard(page: Any) -> None:
    before = column(page, 1)
    button = page.locator("#table-2-results th[data-column='1'] button")
    head = page.locator("#table-2-results th[data-column='1']")
    assert head.get_attribute("aria-sort") == "none"
    button.click()
    falling = column(page, 1)
    assert falling == sorted(before, key=lambda text: float(text[:6]), reverse=True)
    assert head.get_attribute("aria-sort") == "descending"
    button.focus()
    page.keyboard.press("Enter")
    assert column(page, 1) == sorted(falling, key=lambda text: float(text[:6]))
    assert head.get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    assert column(page, 0) == sorted(column(page, 0), key=str.lower)
    assert head.get_attribute("aria-sort") == "none", "one column at a time"


def test_the_keyboard_reaches_everything_and_shows_where_it_is(page: Any) -> None:
    page.reload()
    page.keyboard.press("Tab")
    skip = page.locator(".skip")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert skip.bounding_box()["x"] >= 0
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        tag, outline = page.evaluate(
            "[document.activeElement.tagName.toLowerCase(), getComputedStyle(document.activeElement).outlineStyle]"
        )
        if tag == "body":
            break
        seen.add(tag)
        assert outline == "solid", f"{tag} shows its focus"
    assert {"a", "button", "summary", "select", "svg", "div"} <= seen


def test_a_topic_shows_its_text_to_the_mouse_and_to_the_keyboard(page: Any) -> None:
    figure = page.locator("figure.differences")
    drawing, detail = figure.locator("svg"), figure.locator(".detail")
    drawing.hover(position={"x": drawing.bounding_box()["width"] - 3, "y": 20})
    last = detail.inner_text()
    rows = page.evaluate(
        "[...document.querySelector('#values-deu-eng').tBodies[0].rows].map((row) =>"
        " [row.cells[0].textContent, row.cells[1].textContent, row.cells[2].textContent])"
    )
    texts = {id: (query, human) for id, query, human in rows}
    assert last.partition(" ")[0] in texts
    for text in texts[last.partition(" ")[0]]:
        assert text in last
    drawing.focus()
    page.keyboard.press("Home")
    first = detail.inner_text()
    assert first != last
    shown = {first.partition(" ")[0]}
    for _ in rows[1:]:
        page.keyboard.press("ArrowRight")
        shown.add(detail.inner_text().partition(" ")[0])
    assert shown == set(texts), "arrow keys come by every topic"
    assert detail.inner_text() == last
    spoken = drawing.get_attribute("aria-valuetext")
    assert texts[last.partition(" ")[0]][0] in spoken
    assert drawing.get_attribute("aria-valuenow") == str(len(rows))


def test_another_system_measure_and_width_draw_the_chart_anew(page: Any) -> None:
    figure = page.locator("figure.differences")
    caption = figure.locator("figcaption")
    before = caption.inner_text()
    figure.locator("select").nth(1).select_option(label="MART")
    figure.locator("select").nth(2).select_option(label="MART")
    assert "mean +0.0000 (dashed); 0 better" in caption.inner_text()
    figure.locator("select").nth(2).select_option(label="SMT")
    figure.locator("select").nth(0).select_option(label="P@10")
    assert caption.inner_text().startswith("P@10 of MART less that of SMT")
    assert caption.inner_text() != before
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_function("Math.max(...[...document.querySelectorAll('.differences rect')].map((bar) =>"
                           " bar.getBoundingClientRect().right)) <= innerWidth")  # fmt: skip


def test_it_prints_with_everything_open(page: Any) -> None:
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("[...document.querySelectorAll('details')].every((part) => part.open)")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('nav')).display") == "none"
    page.emulate_media(media="screen")
