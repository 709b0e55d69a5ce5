"""The page from its data."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from clir_cli.report.page.content import Page
from clir_cli.report.page.html_tables import HtmlTable, of_plain, of_sheet
from clir_cli.report.sheets import measure_title, sheets
from clir_cli.report.tables import ResultsTable


def render_page(page: Page) -> str:
    """One self-contained HTML file; the same data give the same bytes. Everything that is not markup is escaped."""
    ablations = [(ablation, _results(f"ablation-{ablation.name}", ablation.table)) for ablation in page.ablations]
    results = [
        (table, _results(f"table-{number}" if number > 1 else "table", table))
        for number, table in enumerate(page.tables, 1)
    ]
    return _environment().get_template("page.html.j2").render(page=page, results=results, ablations=ablations)


def _results(name: str, table: ResultsTable) -> list[HtmlTable]:
    return [of_sheet(sheet, f"{name}-{sheet.name}") for sheet in sheets(table)]


def mark_code(sentence: str) -> Markup:
    """A sentence in which what stands between backticks is code."""
    parts = sentence.split("`")
    if len(parts) % 2 == 0:  # a backtick alone is only that
        return escape(sentence)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if place % 2 else escape(part) for place, part in enumerate(parts)
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("clir_cli.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"measure_title": measure_title, "html_table": of_plain, "code": mark_code}
    return environment
