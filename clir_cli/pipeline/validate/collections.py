"""The step of a collection: read once, with the judgements and translations of the pairs that search it."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from clir_cli.corpora.collection_files import find_files
from clir_cli.corpora.documents import read_documents
from clir_cli.corpora.ir_datasets_documents import read_ir_dataset
from clir_cli.inspection import documents
from clir_cli.inspection.coverage import inspect_document_coverage
from clir_cli.inspection.findings import Level, Part
from clir_cli.inspection.judgements import inspect_judged_documents
from clir_cli.inspection.places import places_of
from clir_cli.inspection.wording import some_are
from clir_cli.pipeline.pools import searched_by
from clir_cli.pipeline.validate.material import Material


def inspect_collection(material: Material, name: str) -> None:
    """A collection, and what the pairs that search it need of it."""
    about = material.findings.about(f"collection {name}")
    collected = read_collection(material, name, about)
    if collected is None or not collected.digests:
        return
    pools = material.settings.collections[name].pools or []
    documents.inspect_pools(collected, about, {pool.topics: pool.documents for pool in pools})
    experiment = material.experiment
    for pair in (pair for pair in material.pairs if experiment.collection(pair) == name):
        judged = material.judged.get(experiment.qrels(pair)) if experiment.is_judged(pair) else None
        if judged is not None and judged.grades and material.searched.get(pair):
            material.evaluated[pair] = inspect_judged_documents(
                judged,
                material.findings.about(f"pair {pair}"),
                material.spelt(pair),
                collected,
                partial(searched_by, pools=material.pools(name)),
            )
        words = material.words.get(pair)
        if words is not None and words.target and material.rows.translates(pair):
            stop = material.stop(material.language_of(name))
            part = material.findings.about(f"translations {pair}")
            inspect_document_coverage(collected.words, stop, words.target, part, where=words.where)


def read_collection(material: Material, name: str, about: Part) -> documents.Collected | None:
    """Every document of a collection, looked at; None where there is nothing to read."""
    source, language = material.settings.collections[name], material.language_of(name)
    paths = material.present(about, source.path, f"collections.{name}")
    if not paths and source.dataset is None:
        return None
    handler = material.record(about, paths, documents.KINDS, Level.warning if source.faults == "skip" else Level.error)
    _tell_empty_files(about, paths)
    encoding = source.encoding or ("iso-8859-1" if source.format == "clef" else "utf-8")
    pretrain = material.settings.pretrain
    ranking = pretrain.ranking if pretrain else None
    asks_titles = ranking is not None and ranking.titles_of == name and ranking.queries is None
    collected = documents.inspect_documents(
        read_ir_dataset(source.dataset, handler)
        if source.dataset is not None
        else read_documents(paths, source.format, source.encoding, source.fields, handler),
        about,
        language=language,
        stop=material.stop(language),
        guesser=material.guesser,
        find_places=lambda ids: places_of([(file, encoding) for file in _files(paths)], ids),
        fields=", ".join(source.fields or ()),
        encoding=encoding,
        codes=handler.codes,
        watched=material.watched if asks_titles else {},
        progress=material.progress,
    )
    if asks_titles:
        material.titles_met |= {text: f"title of {id}" for text, id in collected.titles_met.items()}
    return collected


def _files(paths: Sequence[Path]) -> list[Path]:
    """Every file, where the reader tells what is wrong with folders."""
    return [file for path in paths for file in find_files(path, lambda fault: None)]


def _tell_empty_files(about: Part, paths: Sequence[Path]) -> None:
    """Files of no bytes are no fault to the readers, but often what is left of a copy that failed."""
    files = _files(paths)
    empty = [file for file in files if file.is_file() and not file.stat().st_size]
    if empty and len(empty) < len(files):
        text = f"{some_are(len(empty), 'file', len(files))} empty."
        about.warning("empty-file", text, hint="Was it copied whole?", count=len(empty), examples=map(str, empty))
