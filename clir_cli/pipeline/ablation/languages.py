"""How a model came to its languages: which pair it learned its task on, and how long a language was learned."""

from collections.abc import Sequence

from clir_cli.config.choices import languages_needed, task_from
from clir_cli.config.load import Experiment
from clir_cli.config.model_schema import ModelSettings
from clir_cli.config.problems import near_miss
from clir_cli.errors import UsageError
from clir_cli.pipeline.ablation.variants import Variants, replaced
from clir_cli.pipeline.rows import Rows


def by_tasks(experiment: Experiment, base: str, pairs: Sequence[str]) -> Variants:
    """The model, and one to compare it with, trained on each source pair: the source x target matrix of MAD-X.

    Sources are ``analysis.ablation.task_from`` or all judged pairs of the experiment whose languages are there; the
    other model is ``analysis.ablation.against`` or the first that is trained whole. Raises ``UsageError`` where there
    is none, or a pair cannot be a source.
    """
    settings, rows = experiment.settings, Rows(experiment)
    asked = settings.analysis.ablation
    other = _against(experiment, base, pairs, asked.against)
    sources = asked.task_from or [pair for pair in settings.pairs if experiment.is_judged(pair)]
    for source in sources:
        if source not in settings.pairs or not experiment.is_judged(source):
            problem = f"{source} is no pair with judgements to learn from{near_miss(source, settings.pairs)}"
            raise UsageError(problem, f"Experiment {experiment.name} has the pairs {', '.join(settings.pairs)}.")
    models: dict[str, ModelSettings] = {}
    against: dict[str, tuple[str, ModelSettings]] = {}
    for source in sources:
        made = {
            f"{name}-from-{source}": replaced(
                settings.models[name], f"{rows.label(name)} from {source}", task_from=source
            )
            for name in (base, other)
        }
        if not asked.task_from and any(_lacks(experiment, model, pairs) for model in made.values()):
            continue  # a pair whose languages nobody gave text for is a source only where it is asked for
        for model in made.values():
            if lack := _lacks(experiment, model, pairs):
                raise UsageError(
                    f"{model.label} needs the language {lack}.", f"Name text under adapters.languages.{lack}."
                )
        (name, model), beside = made.items()
        models[name], against[name] = model, beside
    return Variants(rows.label(base), models, against=against)


def trained_whole(experiment: Experiment, base: str, pairs: Sequence[str]) -> list[str]:
    """Models beside ``base`` that one of the pairs has, of which all weights are trained on its topics alone."""
    there = {name for pair in pairs for name in experiment.for_pair(pair).models}
    return [
        name
        for name, model in experiment.settings.models.items()
        if name in there - {base} and not model.zero_shot and model.adapters is None and model.masked_language is None
    ]


def _against(experiment: Experiment, base: str, pairs: Sequence[str], asked: str | None) -> str:
    settings = experiment.settings
    if asked is not None and asked not in settings.models:
        raise UsageError(
            f"Experiment {experiment.name} has no model `{asked}`{near_miss(asked, settings.models)}",
            "Choose one with --against.",
        )
    whole = trained_whole(experiment, base, pairs)
    if asked is None and not whole:
        raise UsageError(f"There is no model to compare {base} with.", "Add one that is trained whole, or --against.")
    return asked or whole[0]


def _lacks(experiment: Experiment, model: ModelSettings, pairs: Sequence[str]) -> str | None:
    """A language that the model needs for one of the pairs and that nobody gave text for."""
    settings = experiment.settings.model_copy(update={"models": {"it": model}})
    needed = (language for pair in pairs for language in languages_needed(settings, pair, "it"))
    return next((language for language in needed if language not in settings.adapters.languages), None)


def by_steps(experiment: Experiment, base: str, pairs: Sequence[str]) -> Variants:
    """The model ranking through adapters that learned their language in a share of the steps (MAD-X, figure 4).

    Those are the languages of a pair that the model was not trained with: what it was trained with stays as it is.
    Raises ``UsageError`` where there is no such language in any pair.
    """
    settings, label = experiment.settings, Rows(experiment).label(base)
    varied = settings.models[base]
    assert varied.adapters is not None
    if not any(languages_swapped(experiment, base, pair) for pair in pairs):
        raise UsageError(
            f"{base} ranks {' and '.join(pairs)} through the languages that it is trained with: none is learned after.",
            "Name a pair with task_from, or another pair with --pair.",
        )
    variants = {
        f"{base}-steps-{share:g}": replaced(
            varied, f"{label}, {share:g} of the steps", adapters=varied.adapters.model_copy(update={"share": share})
        )
        for share in dict.fromkeys(settings.analysis.ablation.shares)
    }
    left_out = {pair: list(variants) for pair in pairs if not languages_swapped(experiment, base, pair)}
    return Variants(f"{label}, all steps", variants, left_out)


def languages_swapped(experiment: Experiment, model: str, pair: str) -> list[str]:
    """Languages whose adapters a model goes through in ranking ``pair`` and did not in training."""
    adapters = experiment.settings.models[model].adapters
    if adapters is None:
        return []
    trained = adapters.spoken(task_from(experiment.settings, pair, model))
    return [name for name in dict.fromkeys(adapters.spoken(pair)) if name is not None and name not in trained]
