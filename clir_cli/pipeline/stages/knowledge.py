"""Stages of translation knowledge: the table of a pair, and what M^tr takes from it."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from clir_cli.corpora.bitext import read_bitext
from clir_cli.corpora.document_store import DocumentStore
from clir_cli.corpora.normalise import content_keys
from clir_cli.pipeline.joined_topics import read_joined
from clir_cli.pipeline.stage import Inputs
from clir_cli.pipeline.stages.stop_list import stop_list
from clir_cli.records import ProgressCallback
from clir_cli.translation.dictionaries.reading import read_dictionary
from clir_cli.translation.links_file import write_links
from clir_cli.translation.formats.matclir_text import read_table
from clir_cli.translation.matrix import link_topics
from clir_cli.translation.model1 import learn_model1
from clir_cli.translation.rules import TranslationRules
from clir_cli.translation.table import TranslationTable


def align(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Parallel text -> P(document word | query word) by IBM Model 1."""
    settings = inputs.settings
    stop_source, stop_target = (stop_list(inputs, stop) for stop in settings["stop"])

    def sentence_pairs() -> Iterator[tuple[list[str], list[str]]]:
        for pair in read_bitext(inputs.files["source"][0], inputs.files["target"][0], settings["encoding"]):
            yield content_keys(pair.source, stop_source), content_keys(pair.target, stop_target)

    table, report = learn_model1(
        sentence_pairs(),
        iterations=settings["iterations"],
        null_word=settings["null_word"],
        smoothing=settings["smoothing"],
        min_probability=settings["min_probability"],
        max_translations=settings["max_translations"],
        max_length=settings["max_length"],
        state=out / "state",
        progress=progress,
    )
    table.save(out / "table")
    (out / "report.json").write_text(json.dumps(asdict(report), indent=1), encoding="utf-8")
    shutil.rmtree(out / "state")  # the way back after a kill; the table is whole now


def take(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """A table that somebody else made -> ours."""
    read_table(inputs.files["table"][0]).save(out / "table")


def look_up(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """A word list -> a table in which every translation of a word has the same probability."""
    stop_source, stop_target = (stop_list(inputs, stop) for stop in inputs.settings["stop"])
    columns = inputs.settings["source"], inputs.settings["target"]
    table, report = read_dictionary(inputs.files["dictionary"][0], stop_source, stop_target, columns=columns)
    table.save(out / "table")
    (out / "report.json").write_text(json.dumps(asdict(report), indent=1), encoding="utf-8")


def matrices(out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """The rows of the table that each topic needs, over the words of the collection."""
    settings = inputs.settings
    stop_query, stop_document = (stop_list(inputs, stop) for stop in settings["stop"])
    keep = settings["stop_words"] == "keep"
    vocabulary = DocumentStore(inputs.needs["collection"] / "store").vocabulary
    queries = {
        topic.id: content_keys(topic.query, frozenset()) for topic in read_joined(inputs.needs["topics"] / "topics.tsv")
    }
    links = link_topics(
        queries,
        # The store's vocabulary is without stop words, as tables are; where they may link they come back in here.
        [*vocabulary, *sorted(stop_document)] if keep else vocabulary,
        TranslationTable.load(inputs.needs["align"] / "table"),
        TranslationRules(
            copy=settings["copy"], threshold=settings["threshold"], stop=frozenset() if keep else stop_query
        ),
    )
    write_links(out / "links.npz", links)
