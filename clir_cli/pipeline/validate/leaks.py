"""What a whole experiment must not do: test topics that its models have seen before."""

from functools import cache
from pathlib import Path

from clir_cli.config.encoder_schema import CheckpointOf
from clir_cli.config.load import Experiment
from clir_cli.corpora.folds import assign_folds, read_folds, split
from clir_cli.corpora.topics import parse_ranges, scan_topics, topic_key
from clir_cli.errors import ClirError, DataError
from clir_cli.inspection.documents import normal_form
from clir_cli.inspection.faults import Kind
from clir_cli.inspection.folds import (
    Seen,
    inspect_folds,
    inspect_ranking_queries,
    inspect_repeated_texts,
    inspect_start,
)
from clir_cli.inspection.judgements import repeated_texts
from clir_cli.lines import read_lines
from clir_cli.pipeline.rows import Rows
from clir_cli.pipeline.validate.knowledge import made
from clir_cli.pipeline.validate.material import Material
from clir_cli.trec import scan_qrels

QUERIES = (Kind("", "unreadable-query", "{count} queries cannot be read."),)


def inspect_leaks(material: Material) -> None:
    """Folds, the model that training starts from, and the ranking examples of pre-training."""
    experiment, settings = material.experiment, material.settings
    _inspect_pretraining(material)
    rows = Rows(experiment)
    start = settings.encoder.checkpoint
    if isinstance(start, str) and Path(start).is_absolute() and settings.models:  # a folder, not a name on the hub
        material.present(material.findings.about("encoder"), [Path(start)], "encoder.checkpoint")
    judged = [pair for pair in material.pairs if experiment.is_judged(pair)]
    if not judged or any(pair not in material.evaluated for pair in judged):  # what is wrong is told already
        return
    about = material.findings.about("folds")
    count, seed = settings.training.folds.count, settings.training.seed
    keys = set().union(*material.evaluated.values())
    is_needed = bool(rows.trained() or settings.interpolation) or settings.evaluation.mean == "folds"
    if not is_needed or not inspect_folds(keys, count, about):
        return
    folds = assign_folds(keys, count, seed)
    if not rows.trained():
        return
    told: set[frozenset[str]] = set()
    for name in dict.fromkeys(experiment.topics(pair) for pair in judged):
        topics, fields = material.topics[name], tuple(settings.topics[name].fields)
        groups = repeated_texts({key: normal_form(found.topic.text(fields)) for key, found in topics.items()})
        new = [group for group in groups if frozenset(group) not in told]
        told |= {frozenset(group) for group in groups}
        inspect_repeated_texts(
            new,
            folds,
            material.findings.about(f"topics {name}"),
            {key: found.topic.id for key, found in topics.items()},
            {key: found.place for key, found in topics.items()},
        )
    if isinstance(start, CheckpointOf):
        for pair in judged:
            _inspect_start(material, pair, start, folds, rows.folds(pair))


def _inspect_start(material: Material, pair: str, start: CheckpointOf, folds: dict[str, int], run: list[int]) -> None:
    try:
        seen, is_sure = _seen(material.experiment, start, pair)
        inspect_start(
            folds, run, seen, material.findings.about(f"pair {pair}"), is_sure=is_sure,
            start=f"{start.model} of {start.experiment}",
        )  # fmt: skip
    except ClirError as fault:
        about = material.findings.about("encoder")
        about.warning("unknown-start", f"what {start.experiment} was trained on cannot be told: {fault.problem}")


def _seen(experiment: Experiment, start: CheckpointOf, pair: str) -> tuple[Seen, bool]:
    """Fold -> topics that the other model, and the ones it started from, were trained and validated on."""
    other = experiment.other(start.experiment)
    pair = start.pair or pair
    folds, is_sure = _folds_of(other)
    trained = Rows(other).folds(pair)
    before = other.settings.encoder.checkpoint
    earlier, earlier_sure = _seen(other, before, pair) if isinstance(before, CheckpointOf) else (_nothing, True)

    @cache
    def seen(fold: int) -> frozenset[str]:
        fold = fold if fold in trained else trained[0]
        parts = split(folds, fold)
        return parts.training | parts.validation | earlier(fold)

    return seen, is_sure and earlier_sure


def _nothing(fold: int) -> frozenset[str]:
    return frozenset()


def _folds_of(experiment: Experiment) -> tuple[dict[str, int], bool]:
    """The folds of another experiment: as they were made, else as its topics and judgements let expect."""
    if folder := made(experiment, "folds"):
        return read_folds(folder / "folds.tsv"), True
    settings = experiment.settings
    keys: set[str] = set()
    for pair in settings.pairs:
        if not experiment.is_judged(pair):
            continue
        source = settings.topics[experiment.topics(pair)]
        numbers = parse_ranges(source.numbers) if source.numbers else None
        found = scan_topics(source.path, source.format, source.encoding, _pass_over, numbers)
        relevant = {
            topic_key(judgement.topic)
            for _, judgement in scan_qrels(settings.qrels[experiment.qrels(pair)], _pass_over)
            if judgement.grade > 0
        }
        keys |= {topic_key(topic.topic.id) for topic in found} & relevant
    return assign_folds(keys, settings.training.folds.count, settings.training.seed), False


def _pass_over(fault: DataError) -> None:
    """Faults of another experiment are told when that one is looked at."""


def _inspect_pretraining(material: Material) -> None:
    ranking = material.settings.pretrain.ranking if material.settings.pretrain else None
    if ranking is None:
        return
    about = material.findings.about("pretrain")
    met, what = dict(material.titles_met), "titles"
    if ranking.queries is not None and material.present(about, [ranking.queries], "pretrain.ranking.queries"):
        what = "queries"
        for found in scan_topics([ranking.queries], on_fault=material.record(about, [ranking.queries], QUERIES)):
            if (text := normal_form(found.topic.title)) in material.watched:
                met.setdefault(text, found.place)
    if ranking.triples is not None and material.present(about, [ranking.triples], "pretrain.ranking.triples"):
        what = "queries"
        for number, line in read_lines(ranking.triples, "utf-8", material.record(about, [ranking.triples], QUERIES)):
            if (text := normal_form(line.partition("\t")[0])) in material.watched:
                met.setdefault(text, f"{ranking.triples}:{number}")
    if ranking.query_documents is not None:
        material.present(about, [ranking.query_documents], "pretrain.ranking.query_documents")
    inspect_ranking_queries(met, material.watched, about, what=what)
