"""A matplotlib figure as SVG inside a page: its text in the page's font, its colours those of the page's theme."""

import re

from markupsafe import Markup
from matplotlib.figure import Figure

from clir_cli.report.figures.style import COLOURS, INK, RULE, render

_THEME = {"#ffffff": "var(--paper)", INK: "var(--ink)", RULE: "var(--rule)", "#000000": "var(--ink)"}
_THEME |= {colour: f"var(--c{number})" for number, colour in enumerate(COLOURS)}


def to_inline_svg(figure: Figure, name: str) -> Markup:
    """The ``<svg>`` element of a figure; ``name`` keeps its ids apart from those of other figures of the page.

    The element says nothing to screen readers: its caption does. The style sheet names the colours ``--paper``,
    ``--ink``, ``--rule`` and ``--c0`` ...
    """
    text = render(figure, "svg").decode("utf-8")
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r' (?:width|height)="[\d.]+pt"', "", text, count=2)
    text = re.sub(r' xmlns:xlink="[^"]*"', "", text).replace("xlink:href", "href")
    used = set(re.findall(r'(?:url\(#|href="#)([\w-]+)', text))
    text = re.sub(r' id="([^"]+)"', lambda m: f' id="{name}-{m[1]}"' if m[1] in used else "", text)
    text = re.sub(r'(url\(#|href="#)([\w-]+)', rf"\g<1>{name}-\2", text)
    text = re.sub(r"#[0-9a-fA-F]{6}\b", lambda m: _THEME.get(m[0].lower(), m[0]), text)
    # A theme's colour is not valid in an attribute, only in a style; matplotlib writes styles, but for its hatches.
    text = re.sub(r' (fill|stroke)="(var\([^)]*\))"', r' style="\1: \2"', text)
    text = re.sub(r"font: (?:(\w+) )?([\d.]+)px [^;\"]*", r"font: \2px var(--sans)", text)
    text = re.sub(r">\s+<", "><", re.sub(r"(?<=\d) \n", " ", text))
    return Markup(text.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1).strip())
