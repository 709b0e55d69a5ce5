"""What a pair uses where the file leaves it open: its collection, judgements, topics and systems."""

from typing import NamedTuple

from clir_cli.config.schema import BitextSettings, ExperimentSettings, languages_of


def collection_for(settings: ExperimentSettings, pair: str) -> str:
    """Key of the collection a pair searches: the one it names, else the one in the document language.

    A collection called like the language comes first. Where none or several
    fit, the language itself is the answer, which then is no key.
    """
    named = settings.pairs[pair].collection
    language = languages_of(pair)[1]
    if named is not None or language in settings.collections:
        return named or language
    fitting = [name for name, collection in settings.collections.items() if collection.language == language]
    return fitting[0] if len(fitting) == 1 else language


def qrels_for(settings: ExperimentSettings, pair: str) -> str:
    """Key of the judgements: the one the pair names, else its collection's name."""
    return settings.pairs[pair].qrels or collection_for(settings, pair)


def topics_for(settings: ExperimentSettings, pair: str) -> str:
    """Key of the topics that are translated: the one the pair names, else the query language."""
    return settings.pairs[pair].topics or languages_of(pair)[0]


def human_topics_for(settings: ExperimentSettings, pair: str) -> str | None:
    """Key of the human translations: topics in the document language; None where there are none (no human row)."""
    language = languages_of(pair)[1]
    return language if language in settings.topics else None


def bitext_for(settings: ExperimentSettings, pair: str) -> BitextSettings | None:
    """The parallel text of a pair, or that of the other direction turned round; None where there is neither."""
    if pair in settings.bitext:
        return settings.bitext[pair]
    other = settings.bitext.get(turned(pair))
    return other and BitextSettings(source=other.target, target=other.source, encoding=other.encoding)


def turned(pair: str) -> str:
    """``deu-eng`` -> ``eng-deu``."""
    query, document = languages_of(pair)
    return f"{document}-{query}"


def is_judged(settings: ExperimentSettings, pair: str) -> bool:
    """Whether a pair has relevance judgements: without them it has runs, but no row in a table."""
    return qrels_for(settings, pair) in settings.qrels


def shows_text(settings: ExperimentSettings) -> bool:
    """Whether results may hold text of topics and documents; that of CLEF's collections is licensed."""
    if settings.report.text is not None:
        return settings.report.text == "full"
    return all(collection.format != "clef" for collection in settings.collections.values())


def rows_of(settings: ExperimentSettings) -> list[str]:
    """Rows of the table that can be compared: all systems, and what is mixed from them."""
    return [*systems_of(settings), *settings.interpolation]


def systems_of(settings: ExperimentSettings) -> list[str]:
    """The first stage and every model, in the order of the file."""
    methods = set(settings.retrieval.methods)
    for override in settings.pairs.values():
        own = override.retrieval.get("methods")
        methods |= set(own) if isinstance(own, list) else set()
    return [*(name for name in ("smt", "psq", "dense") if name in methods), "human", *settings.models]


def language_of(settings: ExperimentSettings, collection: str) -> str:
    """Language of a collection: what it says, else its own name."""
    return settings.collections[collection].language or collection


def task_from(settings: ExperimentSettings, pair: str, model: str) -> str:
    """The pair whose topics a model of ``pair`` is trained on: what the model says, else the pair, else ``pair``."""
    return settings.models[model].task_from or settings.pairs[pair].task_from or pair


def languages_needed(settings: ExperimentSettings, pair: str, model: str) -> list[str]:
    """Languages whose text or adapters a model of ``pair`` needs."""
    chosen = settings.models[model]
    found: list[str] = []
    source = task_from(settings, pair, model)
    if chosen.adapters is not None:
        found += [name for each in (source, pair) for name in chosen.adapters.spoken(each) if name is not None]
    if chosen.masked_language is not None:
        found.append(languages_of(source if chosen.masked_language == "source" else pair)[0])
    return list(dict.fromkeys(found))


class Length(NamedTuple):
    """Optimiser steps, or passes over the text: one of the two."""

    steps: int | None
    epochs: float | None


def language_length(settings: ExperimentSettings, language: str, share: float = 1.0) -> Length:
    """How long a language is learned: what is said of it, else of all languages; ``share`` of that."""
    common, own = settings.adapters, settings.adapters.languages[language]
    said = own if own.steps is not None or own.epochs is not None else common
    if said.epochs is not None:
        return Length(None, said.epochs * share)
    assert said.steps is not None
    return Length(max(1, round(said.steps * share)), None)


def languages_learned(settings: ExperimentSettings) -> list[str]:
    """Languages under ``adapters.languages`` that some model of the experiment needs."""
    needed: list[str] = []
    for pair, override in settings.pairs.items():
        for model in settings.models if override.models is None else override.models:
            if model in settings.models:
                needed += languages_needed(settings, pair, model)
    return [name for name in dict.fromkeys(needed) if name in settings.adapters.languages]
