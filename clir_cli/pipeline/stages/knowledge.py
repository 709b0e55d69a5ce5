"""Stages of translation knowledge: the table of a pair from one source or another, and what M^tr takes from it."""

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from clir_cli.corpora.bitext import read_bitext
from clir_cli.corpora.document_store import DocumentStore
from clir_cli.corpora.normalise import content_keys, keys
from clir_cli.pipeline.joined_topics import read_joined
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.stop_list import stop_list
from clir_cli.records import ProgressCallback
from clir_cli.translation.combine import mix as mix_tables
from clir_cli.translation.combine import pivot as pivot_tables
from clir_cli.translation.links_file import write_links
from clir_cli.translation.matrix import link_topics
from clir_cli.translation.rules import TranslationRules
from clir_cli.translation.table import TranslationTable

LINKS = "links.txt.gz"
"""Beside a learned table: the links of each line of the parallel text, over the words that the aligner saw."""


def align(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Parallel text -> links, and P(document word | query word)."""
    from clir_cli.translation.alignment.align_text import Recipe, align_text, keep_content
    from clir_cli.translation.alignment.learn import AlignerSettings
    from clir_cli.translation.alignment.links_text import write_links_text
    from clir_cli.translation.alignment.prepared_text import prepare

    settings = inputs.settings
    stop_source, stop_target = (stop_list(inputs, stop) for stop in settings["stop"])

    def sentence_pairs() -> Iterator[tuple[list[str], list[str]]]:
        source, target = (inputs.files[side][0] for side in ("source", "target"))
        for pair in read_bitext(source, target, settings["encoding"], keep_blank=True):
            if settings["words"] == "all":
                yield keys(pair.source), keys(pair.target)
            else:
                yield content_keys(pair.source, stop_source), content_keys(pair.target, stop_target)

    lengths = {name: settings[name] for name in ("max_length", "max_ratio")}
    text = prepare(sentence_pairs(), **lengths, progress=progress)
    aligner = {name: settings[name] for name in AlignerSettings.__dataclass_fields__ if name in settings}
    if "null_probability" in settings:
        aligner["null"] = settings["null_probability"]
    threads = os.environ.get("NUMBA_NUM_THREADS")  # what the worker was given; no result depends on it
    rest = ("tool", "symmetrisation", "table", "min_probability", "max_translations")
    recipe = Recipe(
        aligner=AlignerSettings(**aligner, threads=int(threads) if threads else None),
        **{name: settings[name] for name in rest if name in settings},
    )
    aligned = align_text(text, recipe, state=out / "state", progress=progress)
    write_links_text(out / LINKS, aligned.links(recipe.symmetrisation), text)
    whole = aligned.table(False)
    table = keep_content(whole, stop_source, stop_target)
    table.save(out / "table")
    _report(out, {"prepared": asdict(text.report), "learned": aligned.learned} | _size(table))
    shutil.rmtree(out / "state", ignore_errors=True)  # the way back after a kill; the table is whole now


def take(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """A table that another tool made -> ours."""
    from clir_cli.translation.formats.reading import read_table_file

    chosen = {name: inputs.settings[name] for name in ("swap", "invert", "encoding")}
    vocabularies = inputs.files["vocabularies"] or None
    table, report = read_table_file(
        inputs.files["table"][0], inputs.settings["format"], vocabularies=vocabularies, **chosen
    )
    table.save(out / "table")
    _report(out, report.plain() | _size(table))


def look_up(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Word lists -> a table in which every translation of a word has the same probability, or that of its rating."""
    from clir_cli.translation.dictionaries.reading import read_dictionary

    settings = inputs.settings
    stop_source, stop_target = (stop_list(inputs, stop) for stop in settings["stop"])
    table, report = read_dictionary(
        inputs.files["dictionary"],
        stop_source,
        stop_target,
        format=settings["format"],
        columns=(settings["source"], settings["target"]),
        languages=(settings["stop"][0]["language"], settings["stop"][1]["language"]),
        uids=settings["uids"],
        weights=settings["weights"],
        quality_column=settings["quality"],
    )
    table.save(out / "table")
    _report(out, asdict(report) | _size(table))


def embed(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Word vectors -> each word's nearest neighbours among the words of the collection.

    Of the query language the words of the topics are looked up; all that have a vector for CSLS, which judges a
    document word by how near it is to the words of that language.
    """
    from clir_cli.pipeline.workers import cards
    from clir_cli.translation.embeddings.neighbours import nearest_table

    settings = inputs.settings
    stop = stop_list(inputs, settings["stop"][0])
    asked: set[str] | None = None
    if "topics" in inputs.needs:
        topics = read_joined(inputs.needs["topics"] / "topics.tsv")
        asked = {key for topic in topics for key in content_keys(topic.query, stop)}
    table, report = nearest_table(
        inputs.files["source"][0],
        inputs.files["target"][0],
        asked,
        DocumentStore(inputs.needs["collection"] / "store").vocabulary,
        neighbours=settings["neighbours"],
        csls=settings["csls"],
        device="cuda" if cards() else "cpu",
        progress=progress,
    )
    table.save(out / "table")
    _report(out, asdict(report) | _size(table))


def pivot(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Two tables with a language between -> one over it."""
    first, second = (TranslationTable.load(inputs.needs[part] / "table") for part in ("first", "second"))
    table, report = pivot_tables(first, second, **inputs.settings)
    table.save(out / "table")
    _report(out, asdict(report) | _size(table))


def mix(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Tables of a pair -> their weighted mean."""
    weights = inputs.settings["weights"]
    tables = {name: TranslationTable.load(inputs.needs[name] / "table") for name in weights}
    table = mix_tables(tables, weights)
    table.save(out / "table")
    _report(out, {"parts": {name: {"weight": weights[name]} | _size(tables[name]) for name in weights}} | _size(table))


def _size(table: TranslationTable) -> dict[str, Any]:
    return {"words": len(table), "translations": int(table.probabilities.nnz)}


def _report(out: Path, report: dict[str, Any]) -> None:
    (out / "report.json").write_text(json.dumps(report, indent=1, ensure_ascii=False), encoding="utf-8")


def matrices(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The rows of the table that each topic needs, over the words of the collection; or what ``arm`` has for them."""
    settings = inputs.settings
    arm = settings.get("arm", "translation")
    stop_query, stop_document = (stop_list(inputs, stop) for stop in settings["stop"])
    keep = settings["stop_words"] == "keep"
    store = DocumentStore(inputs.needs["collection"] / "store")
    vocabulary = store.vocabulary
    queries = {
        topic.id: content_keys(topic.query, frozenset()) for topic in read_joined(inputs.needs["topics"] / "topics.tsv")
    }
    links = link_topics(
        queries,
        # The store's vocabulary is without stop words, as tables are; where they may link they come back in here.
        [*vocabulary, *sorted(stop_document)] if keep else vocabulary,
        _table_of_arm(inputs, arm, store),
        TranslationRules(
            copy="always" if arm == "copies" else settings["copy"],
            threshold=settings.get("threshold", 0.0),
            stop=frozenset() if keep else stop_query,
        ),
    )
    write_links(out / "links.npz", links)


def _table_of_arm(inputs: Inputs, arm: str, store: DocumentStore) -> TranslationTable:
    """The table that links are read from: the true one, or another in its place."""
    from clir_cli.translation.altered import count_documents, shuffle_targets, turn_round

    if arm == "copies":
        return TranslationTable.from_dict({})
    table = TranslationTable.load(inputs.needs["align"] / "table")
    if arm == "shuffled":
        with store.tokens_path.open(encoding="utf-8") as documents:
            return shuffle_targets(table, count_documents(documents), inputs.settings["seed"])
    if arm == "transposed":
        return table.transposed() if inputs.settings.get("given") == "other way" else turn_round(table)
    return table
