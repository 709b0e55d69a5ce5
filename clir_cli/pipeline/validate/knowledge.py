"""The words that the translations of a pair know: of a table, a word list, or one that was aligned already."""

from pathlib import Path

from clir_cli.config.knowledge_schema import DictionarySettings, TableSettings
from clir_cli.config.load import Experiment
from clir_cli.config.schema import languages_of
from clir_cli.config.sources import Source, find_source, legs_of, parts_there
from clir_cli.corpora.normalise import content_keys
from clir_cli.errors import ClirError
from clir_cli.inspection.coverage import inspect_dictionary
from clir_cli.inspection.faults import Kind
from clir_cli.inspection.findings import Part
from clir_cli.pipeline.validate.material import Material, Words
from clir_cli.translation.dictionaries.reading import read_dictionary
from clir_cli.translation.embeddings.vectors import read_vectors
from clir_cli.translation.formats.reading import read_table_file
from clir_cli.translation.table import TranslationTable

TABLE = (Kind("", "unreadable-table", "{count} faults of the table."),)
DICTIONARY = (Kind("", "unreadable-dictionary", "{count} faults of the dictionary."),)
VECTORS = (Kind("", "unreadable-vectors", "{count} faults of the word vectors."),)


def known_words(material: Material, pair: str, about: Part) -> Words | None:
    """The words of a pair's table; None where there is none yet, or none that can be read (which is told)."""
    settings = material.of_pair[pair]
    source = find_source(settings.knowledge, material.rows.source(pair))
    if source is None:
        return None
    if source.table is not None or source.dictionary is not None:
        return _words_of(material, pair, source, about)
    if source.mix is None:
        return _aligned(material.experiment, pair) or _words_of(material, pair, source, about)
    found = []
    for name in parts_there(settings, pair, source):
        part = find_source(settings.knowledge, name)
        words = _words_of(material, pair, part, about) if part else None
        if words is None:
            return _aligned(material.experiment, pair)
        found.append(words)
    targets = frozenset[str]().union(*(words.target for words in found if all(words.target for words in found)))
    return Words(frozenset[str]().union(*(words.source for words in found)), targets, "the tables of the mixture")


def _words_of(material: Material, pair: str, source: Source, about: Part) -> Words | None:
    """The words of one source, as far as its files tell them."""
    if source.table is not None:
        return _of_table(material, source.table, about)
    if source.dictionary is not None:
        return _of_dictionary(material, pair, source.dictionary, about)
    if source.embeddings is not None:
        return _of_vectors(material, pair, about)
    if source.pivot is not None:
        first, second = (material.words.get(leg) for leg in legs_of(pair, source.pivot))
        where = f"the parallel text by way of {source.pivot}"
        return Words(first.source, second.target, where) if first and second else None
    return material.words.get(pair)


def _of_table(material: Material, table: TableSettings, about: Part) -> Words | None:
    paths = [table.path, *(table.vocabularies or [])]
    if len(material.present(about, paths, "knowledge.table")) < len(paths):
        return None
    with material.recording(about, [table.path], TABLE):
        read, _ = read_table_file(
            table.path, table.format, vocabularies=table.vocabularies, swap=table.swap, invert=table.invert,
            encoding=table.encoding,
        )  # fmt: skip
        return _words(read, "the table")
    return None


def _of_dictionary(material: Material, pair: str, dictionary: DictionarySettings, about: Part) -> Words | None:
    paths = dictionary.path
    if len(material.present(about, paths, "knowledge.dictionary")) < len(paths):
        return None
    source, target = languages_of(pair)
    with material.recording(about, paths, DICTIONARY):
        table, report = read_dictionary(
            paths, material.stop(source), material.stop(target), format=dictionary.format,
            columns=(dictionary.source, dictionary.target), languages=(source, target), uids=dictionary.uids,
            weights=dictionary.weights, quality_column=dictionary.quality,
        )  # fmt: skip
        inspect_dictionary(report.used, report.several_words, report.no_word, about, place=str(paths[0]))
        return _words(table, "the dictionary")
    return None


def _of_vectors(material: Material, pair: str, about: Part) -> Words | None:
    """The words of the queries that have a vector; the other side is only read through."""
    query, document = languages_of(pair)
    stop, key = material.stop(query), material.experiment.topics(pair)
    fields = tuple(material.settings.topics[key].fields)
    topics = [material.topics[key][topic].topic for topic in material.searched.get(pair, ())]
    asked = {word for topic in topics for word in content_keys(topic.text(fields), stop)}
    paths = [material.settings.vectors[language] for language in (query, document)]
    if len(material.present(about, paths, "vectors")) < len(paths):
        return None
    with material.recording(about, paths, VECTORS):
        known, _ = (read_vectors(path, words) for path, words in zip(paths, (asked, ()), strict=True))
        return Words(frozenset(known.words), frozenset(), "the word vectors")
    return None


def _aligned(experiment: Experiment, pair: str) -> Words | None:
    """The table of the `align` stage where it is made already."""
    folder = made(experiment, "align", pair)
    return _words(TranslationTable.load(folder / "table"), "the table that was learned") if folder else None


def made(experiment: Experiment, kind: str, pair: str | None = None) -> Path | None:
    """The result of a stage where it is there; None where it is not, or cannot be told."""
    from clir_cli.pipeline.plan import Selection, make_plan

    if not (experiment.artifacts / kind).is_dir():
        return None
    try:
        plan = make_plan(experiment, kind, Selection(pairs=(pair,)) if pair else None)
        return next((plan.artifact(stage) for stage in plan.targets if plan.store.has(stage)), None)
    except ClirError:  # a file is missing, or there is nothing of that kind: told elsewhere
        return None


def _words(table: TranslationTable, where: str) -> Words:
    return Words(frozenset(table.source_words), frozenset(table.target_words), where)
