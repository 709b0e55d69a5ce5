"""The page of `clir explain` in a real browser, at the width of a desk and of a phone, in light and dark."""

from pathlib import Path
from typing import Any

import pytest

from clir_cli.cli.app import run

from .conftest import MODELS
from .test_report_page import VIEWS

LUMINANCE = """(colour) => colour.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255)
  .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0)"""


@pytest.fixture(scope="module")
def explanation(report: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Why MART puts the first document of a tested topic where it does."""
    topic, _, document = (report.parent / "runs" / "deu-eng.mart.trec").read_text(encoding="utf-8").split()[:3]
    file = tmp_path_factory.mktemp("explanation") / "page.html"
    sets = [part for text in MODELS for part in ("--set", text)]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(report.parents[3])
        patch.delenv("CLIR_ARTIFACTS", raising=False)
        asked = ["--topic", topic, "--doc", document, "--model", "mart", "--html", str(file)]
        assert run(["explain", "--quiet", *asked, *sets]) == 0
    return file


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_it_fits_asks_for_nothing_and_is_read_by_eye_and_keyboard(
    browser: Any, explanation: Path, width: int, scheme: str
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    troubles: list[str] = []
    page.on("console", lambda message: troubles.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.on("request", lambda asked: troubles.append(asked.url) if asked.url != explanation.as_uri() else None)
    page.goto(explanation.as_uri())

    too_wide = page.evaluate(
        "[...document.querySelectorAll('body *')].filter((e) => !e.closest('.wide *')"
        " && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.tagName + '.' + e.className)"
    )
    assert too_wide == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    marks = page.evaluate(
        f"""[...document.querySelectorAll('.text mark')].map((mark) => {{
          const style = getComputedStyle(mark), luminance = {LUMINANCE};
          const both = [luminance(style.color), luminance(style.backgroundColor)].sort((one, two) => two - one);
          return [(both[0] + 0.05) / (both[1] + 0.05), mark.querySelector('sup').textContent,
                  style.borderBottomStyle];
        }})"""
    )
    numbered = page.locator(".legend li").count()
    assert marks
    for contrast, numbers, line in marks:
        assert contrast >= 4.5
        assert all(1 <= int(number) <= numbered for number in numbers.split(","))
        assert line in ("double", "solid", "dotted")

    regions = page.evaluate("[...document.querySelectorAll('.wide')].map((region) => region.ariaLabel)")
    reached = {}
    for _ in regions:
        page.keyboard.press("Tab")
        label, outline = page.evaluate(
            "[document.activeElement.ariaLabel, getComputedStyle(document.activeElement).outlineStyle]"
        )
        reached[label] = outline
    assert reached == dict.fromkeys(regions, "solid")
    assert len(regions) >= 4
    assert troubles == []
    page.close()
