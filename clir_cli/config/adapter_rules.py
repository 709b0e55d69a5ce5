"""What must hold where models have adapters, or are trained on another pair: one rule, one small function."""

from collections.abc import Iterator

from clir_cli.config.choices import bitext_for, languages_needed, task_from
from clir_cli.config.draft import Draft, Rule
from clir_cli.config.encoder_schema import CheckpointOf
from clir_cli.config.problems import Problem, near_miss
from clir_cli.config.schema import languages_of


def sources_of_transfer_are_there(draft: Draft) -> Iterator[Problem]:
    settings = draft.settings
    named = [(("pairs", pair, "task_from"), override.task_from) for pair, override in settings.pairs.items()]
    for path, source in [
        *named,
        *((("models", name, "task_from"), m.task_from) for name, m in settings.models.items()),
    ]:
        if source is not None and source not in settings.pairs:
            yield draft.problem(path, f"no pair `{source}`{near_miss(source, settings.pairs)}")
    for name, model in settings.models.items():
        if model.zero_shot and (model.task_from or model.adapters or model.masked_language):
            rule = "a model that is zero_shot is not trained: it has no `adapters`, `masked_language` or `task_from`"
            yield draft.problem(("models", name, "zero_shot"), rule)


def adapters_have_an_encoder_of_their_own(draft: Draft) -> Iterator[Problem]:
    """Languages are learned once, in the encoder that all folds start from."""
    settings = draft.settings
    for name, model in settings.models.items():
        path = ("models", name)
        if model.adapters is None and model.masked_language is None:
            continue
        key = "adapters" if model.adapters is not None else "masked_language"
        if isinstance(settings.encoder.checkpoint, CheckpointOf):
            rule = "languages are learned in one encoder: `encoder.checkpoint` is another one in every fold"
            yield draft.problem((*path, key), rule)
        if model.adapters is not None and model.masked_language is not None:
            yield draft.problem((*path, "masked_language"), "all weights, or adapters alone: choose one of the two")
        if model.masked_language is not None and model.kind == "mores":
            rule = "a MORES starts from a model of its own: `masked_language` is for bert and mart"
            yield draft.problem((*path, "masked_language"), rule)
        if model.adapters is not None and model.adapt != "all":
            yield draft.problem((*path, "adapt"), "with `adapters` nothing else of the model moves: leave `adapt` out")


def languages_are_there(draft: Draft) -> Iterator[Problem]:
    """Every language that a model needs has text or an adapter; what it names is in the experiment."""
    settings = draft.settings
    known = settings.adapters.languages
    told: set[str] = set()
    for pair in settings.pairs:
        for model in draft.for_pair(pair).models:
            if task_from(settings, pair, model) not in settings.pairs:
                continue
            for language in languages_needed(settings, pair, model):
                if language not in known and language not in told:
                    told.add(language)
                    rule = f"{model} needs {language} for {pair}: add `adapters.languages.{language}`"
                    yield draft.problem(("models", model), rule)
    for language, learned in known.items():
        path = ("adapters", "languages", language)
        for index, name in enumerate(learned.collections):
            if name not in settings.collections:
                rule = f"no collection `{name}`{near_miss(name, settings.collections)}"
                yield draft.problem((*path, "collections", index), rule)
        for index, pair in enumerate(learned.bitext):
            if bitext_for(settings, pair) is None:
                yield draft.problem((*path, "bitext", index), f"no bitext `{pair}`{near_miss(pair, settings.bitext)}")
            elif language not in languages_of(pair):
                yield draft.problem((*path, "bitext", index), f"`{pair}` has no side in {language}")
    whole = {
        languages_of(task_from(settings, pair, name) if model.masked_language == "source" else pair)[0]
        for name, model in settings.models.items()
        for pair in settings.pairs
        if model.masked_language and name in draft.for_pair(pair).models
    }
    for language in sorted(whole & set(known)):
        if known[language].adapter is not None:
            rule = "all weights are trained on text of this language: an adapter is not enough"
            yield draft.problem(("adapters", "languages", language, "adapter"), rule)


ADAPTER_RULES: list[Rule] = [
    sources_of_transfer_are_there,
    adapters_have_an_encoder_of_their_own,
    languages_are_there,
]
