"""An explanation as one HTML file without script, font or picture from elsewhere."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from clir_cli.analysis.explanation import Explanation
from clir_cli.report.explanation import words

COLOURS = 8
"""Colours of query words; a ninth word has the first one's colour, and its own number."""
LIKELY, POSSIBLE = 0.5, 0.1
"""From these p a marked word is underlined twice, or once; below with dots."""


def render_page(explanation: Explanation) -> str:
    """The page; the same explanation gives the same bytes, and all that is not markup is escaped.

    Marked words carry the numbers of the query words that they stand for, so that colour only repeats what is written.
    """
    first, reranked = explanation.first, explanation.reranked
    scores = [one.score for word in first.words for one in word.held]
    changes = [abs(one.score - reranked.reading.score) for one in reranked.reading.without] if reranked else []
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            explanation=explanation,
            first=first,
            reranked=reranked,
            reading=reranked.reading if reranked else None,
            passages=reranked.reading.passages if reranked else [],
            no_links=words.say_no_links(reranked) if reranked else "",
            words=words,
            largest_score=max(scores, default=0.0),
            largest_change=max(changes, default=0.0),
        )
    )


def colour_of(number: int) -> int:
    """1 to ``COLOURS``."""
    return (number - 1) % COLOURS + 1


def line_of(p: float) -> str:
    """The class of a marked word's underline."""
    return "likely" if p >= LIKELY else "possible" if p >= POSSIBLE else "weak"


def share(value: float, largest: float) -> int:
    """A bar's length in per cent."""
    return round(100 * abs(value) / largest) if largest else 0


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("clir_cli.report.explanation"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"colour": colour_of, "line": line_of}
    environment.globals["share"] = share
    return environment
