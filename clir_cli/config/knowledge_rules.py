"""What pairs need to have translations: sources that exist, one that is meant, and some pair that has it."""

from collections.abc import Iterator

from clir_cli.config.choices import human_topics_for, turned
from clir_cli.config.draft import Draft, Rule
from clir_cli.config.knowledge_schema import NamedSource
from clir_cli.config.problems import Problem, near_miss
from clir_cli.config.schema import ExperimentSettings, languages_of
from clir_cli.config.sources import NONE, candidates, chosen_source, find_source, names_of_sources, what_lacks
from clir_cli.config.yaml_lines import KeyPath


def sources_are_there(draft: Draft) -> Iterator[Problem]:
    """Names of sources, wherever they are used: of a kind that is given for some pair, or under ``named``."""
    known = [name for pair in draft.settings.pairs for name in names_of_sources(draft.for_pair(pair).knowledge)]
    for pair in draft.settings.pairs:
        settings = draft.for_pair(pair)
        asked: list[tuple[KeyPath, str]] = [(("knowledge", "mix", part), part) for part in settings.knowledge.mix or {}]
        if settings.knowledge.source not in ("auto", NONE):
            asked.append((("knowledge", "source"), settings.knowledge.source))
        if settings.matrix.source is not None:
            asked.append((("matrix", "source"), settings.matrix.source))
        asked += _sources_of_models(settings)
        for path, name in asked:
            if path[1] == "mix" and name == "mix":
                rule = "a mixture is made of sources, not of itself"
            elif name in known or draft.wrote(("knowledge", "named", name)) or draft.wrote(("knowledge", name)):
                continue
            elif name in (*NamedSource.model_fields, "mix"):
                rule = f"source {name} needs `knowledge.{name}`"
            else:
                rule = f"no source `{name}`{near_miss(name, known)}"
            yield draft.problem(_own(draft, pair, path), rule)


def one_source_is_meant(draft: Draft) -> Iterator[Problem]:
    for pair in draft.settings.pairs:
        knowledge = draft.for_pair(pair).knowledge
        named = candidates(knowledge)
        if knowledge.source == "auto" and len(named) > 1:
            rule = f"{' and '.join(named)} are named: say which is used with `source`, or weigh them with `mix`"
            yield draft.problem(_own(draft, pair, ("knowledge",)), rule)


def pairs_have_translations(draft: Draft) -> Iterator[Problem]:
    """A pair may lack word vectors, a pivot or a part of a mixture that others have: its cells are "not available"."""
    if _something_was_wrong(draft):
        return
    users: dict[str, list[tuple[str, KeyPath, str | None]]] = {}
    for pair in draft.settings.pairs:
        settings = draft.for_pair(pair)
        name = chosen_source(settings.knowledge)
        if name == "bitext" and what_lacks(settings, pair, name):
            rule = (
                f"{pair} has nothing to learn translations from: add `bitext.{pair}`, give `knowledge.table` or "
                "`knowledge.dictionary`, or say `knowledge.source: none`"
            )
            yield draft.problem(("pairs", pair), rule)
            continue
        for path, used in _names_used(settings, name):
            users.setdefault(used, []).append((pair, _own(draft, pair, path), what_lacks(settings, pair, used)))
    for name, found in users.items():
        if all(lack for _, _, lack in found):
            lacks = "; ".join(f"{pair}: {lack}" for pair, _, lack in found[:3])
            yield draft.problem(found[0][1], f"no pair has the source `{name}` ({lacks})")


def _sources_of_models(settings: ExperimentSettings) -> list[tuple[KeyPath, str]]:
    """Where models name sources of their own, and the names."""
    models = settings.models.items()
    return [(("models", name, "source"), model.source) for name, model in models if model.source is not None]


def _names_used(settings: ExperimentSettings, chosen: str) -> Iterator[tuple[KeyPath, str]]:
    """Where a name is used, and the name; only those that exist."""
    knowledge = settings.knowledge
    own: KeyPath = ("knowledge", "source" if knowledge.source != "auto" else chosen)
    asked = [(own, chosen), (("matrix", "source"), settings.matrix.source), *_sources_of_models(settings)]
    for path, name in asked:
        source = find_source(knowledge, name) if name else None
        if source is not None and source.mix is not None:
            yield from ((("knowledge", "mix", part), part) for part in source.mix if find_source(knowledge, part))
        elif source is not None and source.name != "bitext":
            yield path, source.name


def without_translations_there_is_something_else(draft: Draft) -> Iterator[Problem]:
    settings = draft.settings
    for pair in settings.pairs:
        own = draft.for_pair(pair)
        if chosen_source(own.knowledge) != NONE:
            continue
        if human_topics_for(settings, pair) is None and "dense" not in own.retrieval.methods:
            language = languages_of(pair)[1]
            rule = f"{pair} translates nothing and has no human translations: add `topics.{language}` or translations"
            yield draft.problem(("pairs", pair), rule)
        for name, model in own.models.items():
            if model.reads_table and own.matrix.source is None and model.source is None:
                rule = f"{name} needs translations for M^tr, and {pair} has `knowledge.source: none`"
                yield draft.problem(("pairs", pair), rule)


def _own(draft: Draft, pair: str, path: KeyPath) -> KeyPath:
    """The pair's own key where it has one, else the experiment's."""
    own = ("pairs", pair, *path)
    return own if draft.wrote(own) else path


def _something_was_wrong(draft: Draft) -> bool:
    """Whether parallel text, vectors or a source were left out because their value is wrong: that is told already."""
    settings = draft.settings
    languages = {language for pair in settings.pairs for language in languages_of(pair)}
    wrong = any(draft.wrote(("vectors", language)) and language not in settings.vectors for language in languages)
    for pair in [*settings.pairs, *map(turned, settings.pairs)]:
        wrong = wrong or (draft.wrote(("bitext", pair)) and pair not in settings.bitext)
    return wrong


KNOWLEDGE_RULES: list[Rule] = [
    sources_are_there,
    one_source_is_meant,
    pairs_have_translations,
    without_translations_there_is_something_else,
]
