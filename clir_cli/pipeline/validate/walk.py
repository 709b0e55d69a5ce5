"""The walk over an experiment: topics, parallel text, tables, judgements, collections, folds."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from time import monotonic

from clir_cli.config.choices import turned
from clir_cli.config.load import Experiment
from clir_cli.config.schema import languages_of
from clir_cli.config.sources import bitext_read
from clir_cli.corpora.normalise import content_keys
from clir_cli.corpora.topics import parse_ranges, scan_topics
from clir_cli.errors import DataError
from clir_cli.inspection import bitext, judgements, topics
from clir_cli.inspection.coverage import inspect_query_coverage
from clir_cli.inspection.findings import FEW, Findings
from clir_cli.lines import read_lines
from clir_cli.pipeline.events import Event, EventKind, Listener, ignore
from clir_cli.pipeline.pools import pool_of
from clir_cli.pipeline.validate.collections import inspect_collection
from clir_cli.pipeline.validate.knowledge import known_words
from clir_cli.pipeline.validate.leaks import inspect_leaks
from clir_cli.pipeline.validate.material import Material, Words
from clir_cli.trec import scan_qrels

_LANGUAGE = re.compile(r"[a-z]{3}")
Step = Callable[[], None]


def inspect_experiment(
    experiment: Experiment,
    pairs: Sequence[str] | None = None,
    *,
    keep: int | None = FEW,
    listener: Listener = ignore,
) -> Findings:
    """Read every file that ``experiment`` names (for ``pairs``, if given) once, and say what is strange about it.

    ``keep``: examples of each finding (None: all). The experiment may be loaded with ``check_files=False``: a missing
    file is a finding, and so is whatever a reader cannot read. Raises ``UsageError`` for a pair that it lacks.
    """
    return Inspection(experiment, pairs, keep).run(listener)


class Inspection:
    """The steps for an experiment or some of its pairs, each with a name."""

    def __init__(self, experiment: Experiment, pairs: Sequence[str] | None = None, keep: int | None = FEW) -> None:
        self.material = Material(experiment, pairs, keep)
        self.steps: dict[str, Step] = dict(_steps(self.material))

    def run(self, listener: Listener = ignore) -> Findings:
        """Take every step; the findings."""
        for name, step in self.steps.items():
            take_step(self.material, name, step, listener)
        return self.material.findings


def take_step(material: Material, name: str, step: Step, listener: Listener) -> None:
    """Take a step and tell ``listener``; a fault that ends it is a finding."""

    def progress(done: int, total: int | None, text: str) -> None:
        listener(Event(EventKind.progress, name, done, total, text))

    begun = monotonic()
    listener(Event(EventKind.started, name))
    material.progress = progress
    try:
        step()
    except DataError as fault:
        material.record(material.findings.about(name), [])(fault)
    listener(Event(EventKind.finished, name, seconds=monotonic() - begun))


def _steps(material: Material) -> Iterable[tuple[str, Step]]:
    """In an order in which each has what it needs; collections come one by one, as they are large."""
    experiment, pairs = material.experiment, material.pairs
    for key in _topic_keys(material):
        yield f"topics {key}", partial(inspect_topics, material, key)
    for pair in pairs:
        yield f"topics of {pair}", partial(_join_topics, material, pair)
    for pair in _bitext_pairs(material):
        yield f"bitext {pair}", partial(_inspect_bitext, material, pair)
    for pair in pairs:
        if material.rows.availability([pair]):
            yield f"availability {pair}", partial(_tell_availability, material, pair)
        if material.rows.translates(pair):
            yield f"translations {pair}", partial(_inspect_knowledge, material, pair)
    for key in dict.fromkeys(experiment.qrels(pair) for pair in pairs if experiment.is_judged(pair)):
        yield f"qrels {key}", partial(_inspect_qrels, material, key)
    for name in _collections(material):
        yield f"collection {name}", partial(inspect_collection, material, name)
    if material.is_whole:
        yield "folds", partial(inspect_leaks, material)


def _topic_keys(material: Material) -> list[str]:
    keys: dict[str | None, None] = {}
    shared = material.settings.topics_intersect
    for pair in material.pairs:
        asked = material.experiment.topics(pair)
        keys |= dict.fromkeys([asked, material.experiment.human_topics(pair), *(shared if asked in shared else ())])
    return [key for key in keys if key is not None and key in material.settings.topics]


def _bitext_pairs(material: Material) -> list[str]:
    pretrain = material.settings.pretrain
    masked = pretrain.masked_language.bitext if pretrain and pretrain.masked_language else []
    learned = [read for pair in material.pairs for read in bitext_read(material.of_pair[pair], pair)]
    there = material.settings.bitext
    named = (pair if pair in there else turned(pair) for pair in (*learned, *masked))
    return [pair for pair in dict.fromkeys(named) if pair in there]


def _collections(material: Material) -> list[str]:
    names = [material.experiment.collection(pair) for pair in material.pairs]
    if pretrain := material.settings.pretrain:
        names += pretrain.masked_language.collections if pretrain.masked_language else []
        names += [pretrain.ranking.titles_of] if pretrain.ranking and pretrain.ranking.titles_of else []
    return [name for name in dict.fromkeys(names) if name in material.settings.collections]


def inspect_topics(material: Material, key: str) -> None:
    """The topics of one key of the settings, for ``material.topics``."""
    source, about = material.settings.topics[key], material.findings.about(f"topics {key}")
    paths = material.files(about, source.path, f"topics.{key}")
    material.topics[key] = {}
    if not paths:
        return
    numbers = parse_ranges(source.numbers) if source.numbers else None
    everything = scan_topics(paths, source.format, source.encoding, lambda fault: None)
    asking = [languages_of(pair)[0] for pair in material.pairs if material.experiment.topics(pair) == key]
    language = asking[0] if asking else key if _LANGUAGE.fullmatch(key) else ""
    handler = material.record(about, paths, topics.KINDS)
    material.topics[key] = topics.inspect_topics(
        scan_topics(paths, source.format, source.encoding, handler, numbers),
        about,
        language=language,
        fields=source.fields,
        guesser=material.guesser,
        stop=material.stop(language) if language else frozenset(),
        asks="fields" in material.experiment.written.topics[key].model_fields_set,
        all_topics=sum(1 for _ in everything) if numbers is not None else None,
        codes=handler.codes,
    )


def _join_topics(material: Material, pair: str) -> None:
    asked_key, human_key = material.experiment.topics(pair), material.experiment.human_topics(pair)
    asked, intersect = material.topics.get(asked_key, {}), material.settings.topics_intersect
    shared = [name for name in intersect if name != asked_key and material.topics.get(name)]
    pools = material.pools(material.experiment.collection(pair))
    material.searched[pair] = topics.inspect_joining(
        asked,
        material.findings.about(f"pair {pair}"),
        human=material.topics.get(human_key) or None if human_key else None,
        shared={name: material.topics[name] for name in shared} if asked_key in intersect else {},
        pooled={key for key in asked if pool_of(key, pools) is not None} if pools else None,
    )


def _inspect_bitext(material: Material, pair: str) -> None:
    source, about = material.settings.bitext[pair], material.findings.about(f"bitext {pair}")
    paths = [source.source, source.target]
    other = material.settings.bitext.get(turned(pair))
    if other is not None and pair in material.words and [other.target, other.source] == paths:  # seen from there
        return
    if len(material.present(about, paths, f"bitext.{pair}")) < len(paths):
        return
    handler = material.record(about, paths, bitext.KINDS)
    languages = languages_of(pair)
    align = (material.of_pair.get(pair) or material.settings).knowledge.align
    text = bitext.inspect_bitext(
        read_lines(source.source, source.encoding, handler),
        read_lines(source.target, source.encoding, handler),
        about,
        names=(str(source.source), str(source.target)),
        languages=languages,
        guesser=material.guesser,
        stop=(material.stop(languages[0]), material.stop(languages[1])),
        max_length=align.max_length,
        counts_all=align.words == "all",
        watched=material.watched,
        codes=handler.codes,
        progress=material.progress,
    )
    bitext.inspect_met_queries(text.met, material.watched, about, str(source.source))
    if text.pairs:
        where = "the parallel text, from which the table is made"
        words = Words(frozenset(text.source), frozenset(text.target), where)
        material.words[pair] = words
        material.words[turned(pair)] = Words(words.target, words.source, where)


def _tell_availability(material: Material, pair: str) -> None:
    for sentence in material.rows.availability([pair]):
        material.findings.about(f"translations {pair}").warning("not-available", sentence.removeprefix(f"{pair}: "))


def _inspect_knowledge(material: Material, pair: str) -> None:
    about = material.findings.about(f"translations {pair}")
    words = known_words(material, pair, about) or material.words.get(pair)
    if words is None:
        return
    material.words[pair] = words
    asked = material.experiment.topics(pair)
    if asked in material.topics:
        fields, stop = tuple(material.settings.topics[asked].fields), material.stop(languages_of(pair)[0])
        found = [material.topics[asked][key].topic for key in material.searched.get(pair, ())]
        queries = {topic.id: content_keys(topic.text(fields), stop) for topic in found}
        shows_text = material.experiment.shows_text
        inspect_query_coverage(
            queries, words.source, about, where=words.where, shows_text=shows_text, targets=words.target
        )


def _inspect_qrels(material: Material, key: str) -> None:
    about = material.findings.about(f"qrels {key}")
    paths = material.files(about, material.settings.qrels[key], f"qrels.{key}")
    handler = material.record(about, paths, judgements.KINDS)
    judged = material.judged[key] = judgements.inspect_judgements(scan_qrels(paths, handler), about)
    pairs = [pair for pair in material.pairs if material.experiment.qrels(pair) == key and material.searched.get(pair)]
    if not judged.grades or not pairs:
        return
    for pair in pairs:
        judgements.inspect_judged_topics(judged, material.findings.about(f"pair {pair}"), material.spelt(pair))
    if material.is_whole:
        declared = {topic for pair in pairs for topic in material.searched[pair]}
        judgements.inspect_undeclared(judged, about, declared)
