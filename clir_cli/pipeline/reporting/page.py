"""The data of an experiment's report, collected from its finished stages."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from clir_cli.errors import UsageError
from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.reporting.ablations import Finished, finished_ablations, gain_matrix, interval_sets
from clir_cli.pipeline.reporting.coverage import finished_coverage
from clir_cli.pipeline.reporting.gaps import finished_gaps
from clir_cli.pipeline.reporting.learning import learning_curves
from clir_cli.pipeline.reporting.provenance import what_ran
from clir_cli.pipeline.reporting.tables import read_tables
from clir_cli.pipeline.reporting.topics import topic_values
from clir_cli.pipeline.reporting.warnings import warnings_of
from clir_cli.report.page.content import Ablation, Chart, Page, PlainTable
from clir_cli.report.sheets import measure_title
from clir_cli.report.tables import ResultsTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE = "report.html"
WORST = 20
"""Topics listed whose words are missing most."""


def collect_page(plan: Plan) -> Page:
    """Everything the page shows. The report stage of the plan is finished; nothing else is made for it.

    Raises ``UsageError`` where the experiment has no tables.
    """
    reports = [stage for stage in plan.targets if stage.kind == "report"]
    if not reports:
        raise UsageError("Without judgements there are no tables.", "Give the experiment `qrels`.")
    tables = read_tables(plan.artifact(reports[0]))
    systems: dict[str, list[str]] = reports[0].settings["systems"]
    missing: dict[str, list[str]] = {}
    learning, missing["learning"] = _learning(plan)
    gaps, missing["gap"] = _gaps(plan)
    ablations, missing["ablations"] = _ablations(plan)
    coverage, missing["coverage"] = _coverage(plan, systems)
    ran = what_ran(plan)
    return Page(
        experiment=plan.experiment.name,
        description=plan.experiment.settings.description,
        summary=_summary(tables, dict(ran.facts)["Made"]),
        tables=tables,
        topics=topic_values(plan, tables),
        ran=ran,
        learning=learning,
        gaps=gaps,
        ablations=ablations,
        coverage=coverage,
        warnings=warnings_of(plan, systems),
        missing=missing,
    )


def _summary(tables: list[ResultsTable], made: str) -> str:
    pairs = dict.fromkeys(column.pair for table in tables for column in table.columns)
    labels = dict.fromkeys(label for table in tables for label in table.labels.values())
    counted = sorted({column.topics for table in tables for column in table.columns if column.topics})
    topics = f"{counted[0]} to {counted[-1]}" if len(counted) > 1 else "".join(map(str, counted))
    number = f"{len(pairs)} pairs" if len(pairs) > 1 else f"Pair {next(iter(pairs))}"
    when = made.rpartition("to ")[2].partition(" ")[0]
    return f"{number} · {topics} topics · {', '.join(labels)} · {when}"


def _inline(name: str, title: str, caption: str, figure: "Figure") -> Chart:
    from clir_cli.report.page.inline_svg import to_inline_svg

    return Chart(name, title, to_inline_svg(figure, name), caption)


def _learning(plan: Plan) -> tuple[list[Chart], list[str]]:
    found = learning_curves(plan)
    if not found:
        return [], ["No model was trained here, or its logs are gone."]
    from clir_cli.report.figures.learning import draw_learning

    caption = "Training loss and MAP of the validation topics by epoch; thin lines: folds, thick line: their mean."
    return [
        _inline(f"learning-{pair}", f"Learning curves, {pair}", caption, draw_learning(curves))
        for pair, curves in found.items()
    ], []


def _gaps(plan: Plan) -> tuple[list[Chart], list[str]]:
    found = finished_gaps(plan)
    charts = []
    if found.lines:
        from clir_cli.report.figures.gap import draw_gap

        caption = (
            "Mean cosine similarity of word pairs that are translations of each other and of random pairs that are "
            "not, by layer (0: the embeddings); bands: 95 % of a bootstrap over topics."
        )
        charts = [
            _inline(f"gap-{pair}", f"Translation gap, {pair}", caption, draw_gap({pair: models}))
            for pair, models in found.lines.items()
        ]
    again = f"`clir gap --experiment {plan.experiment.name}"
    missing = [
        f"Not measured for {', '.join(models)} of {pair}: {again} --pair {pair}` makes it, then make this report again."
        for pair, models in found.missing.items()
    ]
    if not charts and not missing:
        missing = ["There is none: it takes a trained model that reads query and document together, and translations."]
    return charts, missing


def _ablations(plan: Plan) -> tuple[list[Ablation], list[str]]:
    found = finished_ablations(plan)
    made = [Ablation(name, one.table, _variants(name, one)) for name, one in found.made.items()]
    missing = list(found.faults)
    models = plan.experiment.settings.models.values()
    parts = ["layers", "knowledge", "matrix"] if any(model.reads_table for model in models) else []
    parts += ["task", "steps"] if any(model.adapters for model in models) else []
    wanted = [what for what in parts if what not in found.made]
    if wanted and plan.graph.rows.trained():
        commands = ", ".join(f"`clir ablate {what} --experiment {plan.experiment.name}`" for what in wanted)
        missing.append(f"Not made: {', '.join(wanted)}. {commands} would, then make this report again.")
    elif not made and not plan.graph.rows.trained():
        missing.append("There is none: the experiment trains no model.")
    return made, missing


def _variants(name: str, ablation: Finished) -> Chart | None:
    table = ablation.table
    measure = table.columns[0].measure
    title = measure_title(measure)
    matrix = gain_matrix(ablation, measure)
    if matrix is not None and matrix.cells:
        from clir_cli.report.figures.gain_matrix import draw_gain_matrix

        figure = draw_gain_matrix(matrix.sources, matrix.targets, matrix.cells, title, matrix.question)
        caption = (
            f"{title}, gain in per cent of {matrix.question}, by the pair that both learned on (rows) and the pair "
            f"that is ranked (columns); star: corrected p below {table.alpha:g}."
        )
        return _inline(name, "Learned on, and ranked", caption, figure)
    found = interval_sets(ablation, measure)
    if not found.sets:
        return None
    from clir_cli.report.figures.intervals import draw_intervals

    interval = f"{100 * (1 - table.alpha):g} %"
    titles = dict.fromkeys(title for title, _ in found.baselines.values())
    what = f"of the paired difference to {next(iter(titles))}" if titles else "of the mean"
    caption = f"{title}, mean over topics, by {found.axis}; bars: {interval} intervals {what}."
    figure = draw_intervals(found.sets, title, found.baselines, found.axis)
    return _inline(name, _CHART_TITLES[ablation.kind], caption, figure)


_CHART_TITLES = {"layers": "Which layers", "steps": "How long the language was learned"}


def _coverage(plan: Plan, systems: Mapping[str, list[str]]) -> tuple[list[PlainTable], list[str]]:
    found, lacking = finished_coverage(plan, systems)
    missing = [f"Not there any more: the table, topics or collection of {', '.join(lacking)}."] if lacking else []
    if not found.rows:
        return [], missing or ["No pair has a table of translations."]
    tables = [_by_pair(found.rows)]
    if worst := found.worst(WORST):
        head = found.topics_head
        title = f"Topics with the most unknown words (at most {WORST})"
        tables.append(PlainTable("coverage-topics", title, head, worst, frozenset({"unknown", "of"})))
    return tables, missing


def _by_pair(rows: list[list[str]]) -> PlainTable:
    """One row a pair of what `clir table coverage` prints one below the other."""
    by_pair: dict[str, dict[str, str]] = {}
    for pair, what, known, of, share in rows:
        by_pair.setdefault(pair, {})[what] = f"{share} ({known}/{of})"
    heads = list(dict.fromkeys(what for cells in by_pair.values() for what in cells))
    return PlainTable(
        "coverage-pairs",
        "Share of the queries that the table has",
        ["pair", *heads],
        [[pair, *(cells.get(what, "") for what in heads)] for pair, cells in by_pair.items()],
        frozenset(heads),
    )
