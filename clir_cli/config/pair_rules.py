"""What the pairs of an experiment need from its other groups: one rule, one small function."""

from collections.abc import Iterator

from clir_cli.config.choices import collection_for, language_of, qrels_for, topics_for
from clir_cli.config.draft import Draft, Rule
from clir_cli.config.problems import Problem, near_miss
from clir_cli.config.schema import languages_of


def pairs_are_there(draft: Draft) -> Iterator[Problem]:
    if not draft.settings.pairs:
        yield draft.problem(("pairs",), "name at least one pair, such as deu-eng")


def pairs_have_collections(draft: Draft) -> Iterator[Problem]:
    settings = draft.settings
    for pair in settings.pairs:
        key = collection_for(settings, pair)
        if key in settings.collections or draft.wrote(("collections", key)):
            continue
        if settings.pairs[pair].collection is not None:
            rule = f"no collection `{key}`{near_miss(key, settings.collections)}"
            yield draft.problem(("pairs", pair, "collection"), rule)
        else:
            language = languages_of(pair)[1]
            fitting = [name for name in settings.collections if language_of(settings, name) == language]
            rule = f"{pair} searches documents in {language}: add `collections.{language}`"
            if fitting:
                rule = f"{pair} could search {' or '.join(fitting)}: say which with `pairs.{pair}.collection`"
            yield draft.problem(("pairs", pair), rule)


def pairs_have_topics(draft: Draft) -> Iterator[Problem]:
    settings = draft.settings
    for pair in settings.pairs:
        key = topics_for(settings, pair)
        if key in settings.topics or draft.wrote(("topics", key)):
            continue
        if settings.pairs[pair].topics is not None:
            yield draft.problem(("pairs", pair, "topics"), f"no topics `{key}`{near_miss(key, settings.topics)}")
        else:
            yield draft.problem(("pairs", pair), f"{pair} needs topics in {key}: add `topics.{key}`")


def pairs_have_qrels(draft: Draft) -> Iterator[Problem]:
    settings = draft.settings
    for pair in settings.pairs:
        key = qrels_for(settings, pair)
        if (
            key in settings.qrels
            or draft.wrote(("qrels", key))
            or collection_for(settings, pair) not in settings.collections
        ):
            continue
        if settings.pairs[pair].qrels is not None:
            yield draft.problem(("pairs", pair, "qrels"), f"no qrels `{key}`{near_miss(key, settings.qrels)}")
        else:
            yield draft.problem(("pairs", pair), f"{pair} needs judgements of collection {key}: add `qrels.{key}`")


def pairs_have_knowledge(draft: Draft) -> Iterator[Problem]:
    for pair in draft.pairs_that_learn():
        if pair not in draft.settings.bitext and not draft.wrote(("bitext", pair)):
            rule = f"{pair} has nothing to learn translations from: add `bitext.{pair}`, or give a `knowledge.table`"
            yield draft.problem(("pairs", pair), rule)


def pairs_name_models_of_the_experiment(draft: Draft) -> Iterator[Problem]:
    for pair, override in draft.settings.pairs.items():
        for index, model in enumerate(override.models or []):
            if model not in draft.settings.models:
                rule = f"no model `{model}`{near_miss(model, draft.settings.models)}"
                yield draft.problem(("pairs", pair, "models", index), rule)


PAIR_RULES: list[Rule] = [
    pairs_are_there,
    pairs_have_collections,
    pairs_have_topics,
    pairs_have_qrels,
    pairs_have_knowledge,
    pairs_name_models_of_the_experiment,
]
