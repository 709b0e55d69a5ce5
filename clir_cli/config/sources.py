"""The sources of translation knowledge as a pair sees them: which one is used, what each is, and what a pair lacks."""

from collections.abc import Iterator
from dataclasses import dataclass

from clir_cli.config.choices import bitext_for
from clir_cli.config.knowledge_schema import (
    AlignSettings,
    DictionarySettings,
    EmbeddingsSettings,
    KnowledgeSettings,
    NamedSource,
    TableSettings,
)
from clir_cli.config.schema import ExperimentSettings, languages_of

NONE = "none"


@dataclass(frozen=True)
class Source:
    """One source under the name that the settings give it; what it consists of is in the field of its kind.

    ``pivot`` is the language between; ``mix`` names and weighs other sources.
    """

    name: str
    align: AlignSettings
    """Of its kind where all other fields are None, and of the legs of a pivot."""
    table: TableSettings | None = None
    dictionary: DictionarySettings | None = None
    embeddings: EmbeddingsSettings | None = None
    pivot: str | None = None
    mix: dict[str, float] | None = None


def chosen_source(knowledge: KnowledgeSettings) -> str:
    """The name of the source that is used, once ``auto`` is resolved: what is named, a mixture first, else bitext."""
    if knowledge.source != "auto":
        return knowledge.source
    return next(iter(candidates(knowledge)), "bitext")


def candidates(knowledge: KnowledgeSettings) -> list[str]:
    """What ``auto`` could mean; a mixture stands for all that it is made of."""
    if knowledge.mix is not None:
        return ["mix"]
    return [kind for kind in NamedSource.model_fields if getattr(knowledge, kind) is not None]


def names_of_sources(knowledge: KnowledgeSettings) -> list[str]:
    """Every name that ``source``, ``mix``, ``matrix.source`` and a model's ``source`` may use."""
    kinds = [kind for kind in (*NamedSource.model_fields, "mix") if getattr(knowledge, kind) is not None]
    return list(dict.fromkeys(["bitext", "embeddings", *kinds, *knowledge.named]))


def find_source(knowledge: KnowledgeSettings, name: str) -> Source | None:
    """The source of that name; None where the settings have none (or it is ``none``)."""
    align = knowledge.align
    if name == "bitext":
        return Source(name, align)
    if name == "mix" and knowledge.mix is not None:
        return Source(name, align, mix=knowledge.mix)
    if name in knowledge.named:
        return Source(name, align, **{kind: getattr(knowledge.named[name], kind) for kind in NamedSource.model_fields})
    if name == "embeddings":
        return Source(name, align, embeddings=knowledge.embeddings or EmbeddingsSettings())
    if name in NamedSource.model_fields and (settings := getattr(knowledge, name)) is not None:
        return Source(name, align, **{name: settings})
    return None


def what_lacks(settings: ExperimentSettings, pair: str, name: str) -> str | None:
    """Why a pair does not have a source, as the rest of a sentence; None where it has it.

    ``settings`` are those that the pair sees. A mixture lacks something only where all of its parts do.
    """
    source = find_source(settings.knowledge, name)
    query, document = languages_of(pair)
    if source is None:
        return f"it has no `{name}`"
    if source.mix is not None:
        if parts_there(settings, pair, source):
            return None
        return "; ".join(dict.fromkeys(what_lacks(settings, pair, part) or "" for part in source.mix if part != "mix"))
    if source.embeddings is not None:
        without = [language for language in (query, document) if language not in settings.vectors]
        return f"no word vectors of {' and '.join(without)}" if without else None
    if source.pivot is not None:
        if source.pivot in (query, document):
            return f"{source.pivot} is one of its own languages"
        legs = [leg for leg in legs_of(pair, source.pivot) if bitext_for(settings, leg) is None]
        return f"no parallel text of {' and '.join(legs)}" if legs else None
    if source.table is None and source.dictionary is None and bitext_for(settings, pair) is None:
        return f"no parallel text of {pair}"
    return None


def legs_of(pair: str, pivot: str) -> tuple[str, str]:
    """``som-deu`` over ``eng``: som-eng and eng-deu."""
    query, document = languages_of(pair)
    return f"{query}-{pivot}", f"{pivot}-{document}"


def parts_there(settings: ExperimentSettings, pair: str, source: Source) -> dict[str, float]:
    """The parts of a mixture that a pair has, with their weights."""
    parts = [part for part in source.mix or {} if part != "mix"]  # a mixture of itself is refused elsewhere
    return {part: (source.mix or {})[part] for part in parts if not what_lacks(settings, pair, part)}


def sources_read(settings: ExperimentSettings, pair: str) -> Iterator[Source]:
    """The sources that stages of a pair are made from, mixtures taken apart; nothing that the pair lacks."""
    of_models = [model.source for model in settings.models.values() if model.reads_table]
    for name in dict.fromkeys([chosen_source(settings.knowledge), settings.matrix.source, *of_models]):
        source = find_source(settings.knowledge, name) if name else None
        if source is None or what_lacks(settings, pair, source.name):
            continue
        for part in parts_there(settings, pair, source) if source.mix else [source.name]:
            found = find_source(settings.knowledge, part)
            assert found is not None, "what there is can be found"
            yield found


def bitext_read(settings: ExperimentSettings, pair: str) -> list[str]:
    """The pairs whose parallel text the tables of a pair are learned from: its own, or the legs of a pivot."""
    pairs: list[str] = []
    for source in sources_read(settings, pair):
        if source.pivot is not None:
            pairs += legs_of(pair, source.pivot)
        elif source.table is None and source.dictionary is None and source.embeddings is None:
            pairs.append(pair)
    return list(dict.fromkeys(pairs))
