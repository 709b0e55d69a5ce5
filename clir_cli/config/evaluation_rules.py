"""What must hold of measures, comparisons and mixtures: one rule, one small function."""

from collections.abc import Iterator

from clir_cli.config.choices import rows_of, systems_of
from clir_cli.config.draft import Draft, Rule
from clir_cli.config.evaluation_schema import EvaluationSettings, InterpolationSettings
from clir_cli.config.problems import Problem, near_miss
from clir_cli.config.yaml_lines import KeyPath
from clir_cli.errors import UsageError

ORACLE = "oracle"
"""The row of oracle re-ranking: it is told from systems by its name."""


def rows_have_names_of_their_own(draft: Draft) -> Iterator[Problem]:
    if ORACLE in draft.settings.models:
        yield draft.problem(("models", ORACLE), f"`{ORACLE}` is the name of oracle re-ranking: choose another")
    for name in draft.settings.interpolation:
        if name in systems_of(draft.settings) or name == ORACLE:
            yield draft.problem(("interpolation", name), f"`{name}` is the name of a system: choose another")
    labels = {model.label: name for name, model in draft.settings.models.items()}
    for name, chosen in draft.settings.interpolation.items():
        if chosen.label is not None and chosen.label in labels:
            rule = f"`{chosen.label}` is the label of {labels[chosen.label]} too: rows could not be told apart"
            yield draft.problem(("interpolation", name, "label"), rule)
        labels[chosen.label] = name


def interpolations_are_of_systems(draft: Draft) -> Iterator[Problem]:
    systems = systems_of(draft.settings)
    for name, chosen in draft.settings.interpolation.items():
        for index, system in enumerate(chosen.systems):
            if system not in systems:
                path: KeyPath = ("interpolation", name, "systems", index)
                place = path if draft.wrote(path) else path[:2]
                yield draft.problem(place, f"no system `{system}` to mix{near_miss(system, systems)}")
    for pair, override in draft.settings.pairs.items():
        for index, name in enumerate(override.interpolation or []):
            if name not in draft.settings.interpolation:
                rule = f"no interpolation `{name}`{near_miss(name, draft.settings.interpolation)}"
                yield draft.problem(("pairs", pair, "interpolation", index), rule)


def judgements_are_there(draft: Draft) -> Iterator[Problem]:
    if draft.settings.qrels or draft.wrote(("qrels",)):
        return
    if draft.settings.interpolation:
        yield draft.problem(("interpolation",), "weights are chosen by judgements: add `qrels`")
    if draft.settings.evaluation.oracle:
        yield draft.problem(("evaluation", "oracle"), "an oracle asks the judgements: add `qrels`")


def comparisons_are_of_rows(draft: Draft) -> Iterator[Problem]:
    evaluation, rows = draft.settings.evaluation, rows_of(draft.settings)

    def unknown(name: str) -> str:
        if name == ORACLE:
            return f"`{ORACLE}` is a ceiling, not a system: it is in no test"
        return f"no system `{name}`{near_miss(name, rows)}"

    # The default stays allowed where it is not run, as in an experiment of the first stage only.
    if evaluation.compare not in rows and evaluation.compare != EvaluationSettings().compare:
        yield draft.problem(("evaluation", "compare"), unknown(evaluation.compare))
    for index, contrast in enumerate(evaluation.contrasts):
        path = ("evaluation", "contrasts", index)
        if contrast.system == contrast.baseline:
            yield draft.problem(path, f"`{contrast.system}` is compared with itself")
        for name in dict.fromkeys((contrast.system, contrast.baseline)):
            if name not in rows:
                yield draft.problem(path, unknown(name))
    if not draft.wrote(("evaluation", "baselines")):
        return
    for index, baseline in enumerate(evaluation.baselines):
        path = ("evaluation", "baselines", index)
        if baseline not in rows:
            yield draft.problem(path, unknown(baseline))
        elif baseline == evaluation.compare:
            yield draft.problem(path, f"`{baseline}` is compared with itself")


def measures_are_known(draft: Draft) -> Iterator[Problem]:
    measures = draft.settings.evaluation.measures
    asked: list[tuple[KeyPath, str]] = []
    for index, measure in enumerate(measures):
        path: KeyPath = ("evaluation", "measures", index)
        if measure in measures[:index]:
            yield draft.problem(path, f"`{measure}` is named twice")
        elif measure not in EvaluationSettings().measures:
            asked.append((path, measure))
    for name, chosen in draft.settings.interpolation.items():
        if chosen.measure != InterpolationSettings.model_fields["measure"].default:
            asked.append((("interpolation", name, "measure"), chosen.measure))
    if asked:
        # Only here, because ir_measures is slow to import: found now, and not after hours of training.
        from clir_cli.evaluation.measures import parse_measures
    for path, measure in asked:
        try:
            parse_measures([measure])
        except UsageError as error:
            yield draft.problem(path, error.problem.rstrip("."))


def expected_scores_can_come_out(draft: Draft) -> Iterator[Problem]:
    settings = draft.settings
    rows = [*rows_of(settings), *([ORACLE] if settings.evaluation.oracle else [])]
    for pair, systems in settings.expected.items():
        if pair not in settings.pairs:
            yield draft.problem(("expected", pair), f"no pair `{pair}`{near_miss(pair, settings.pairs)}")
            continue
        for system, measures in systems.items():
            if system not in rows:
                yield draft.problem(("expected", pair, system), f"no system `{system}`{near_miss(system, rows)}")
                continue
            for measure in measures:
                if measure not in settings.evaluation.measures:
                    rule = f"`{measure}` is not measured: add it to evaluation.measures"
                    yield draft.problem(("expected", pair, system, measure), rule)


EVALUATION_RULES: list[Rule] = [
    rows_have_names_of_their_own,
    interpolations_are_of_systems,
    judgements_are_there,
    comparisons_are_of_rows,
    measures_are_known,
    expected_scores_can_come_out,
]
