"""The text of a new experiment: YAML with comments, for a person to go on with."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from clir_cli.config.language_codes import name_of_language
from clir_cli.pipeline.new_experiment.looks import Look
from clir_cli.pipeline.new_experiment.wishes import NewExperiment
from clir_cli.pipeline.new_experiment.yaml_words import as_yaml, written_path

HEAD = """\
# Experiments of clir. Run one with `clir run-all --experiment NAME`. Paths are relative to this file.
# `clir config` prints an experiment with every default filled in, `clir config --describe` what every key means;
# any setting can be changed for one run: `clir run-all --set retrieval.k1=0.9`.

"""
_COLUMN = 40
"""Where comments begin, if the line is not longer."""

_OF_DOCUMENTS = "auto, jsonl, tsv, trec, clef or squad"
_OF_TOPICS = "auto, tsv, jsonl, clef, clef2000, direct or blocks"


def text_of_file(new: NewExperiment) -> str:
    """A whole new file."""
    name = as_yaml(new.wishes.name)
    lines = [
        _line(0, f"default: {name}", "what a command without --experiment runs"),
        _line(0, "artifacts: data/artifacts", "results go there; the variable CLIR_ARTIFACTS wins over it"),
        "",
        "experiments:",
        *lines_of_experiment(new, 2),
    ]
    return HEAD + "\n".join(lines) + "\n"


def lines_of_experiment(new: NewExperiment, indent: int) -> list[str]:
    """The experiment under its name, which is indented by ``indent``; what is in it by two more at each step."""
    lines = [" " * indent + f"{as_yaml(new.wishes.name)}:"]
    return lines + [_line(indent + 2 + 2 * depth, text, comment) for depth, text, comment in _body(new)]


def _line(indent: int, text: str, comment: str = "") -> str:
    text = " " * indent + text
    return f"{text.ljust(_COLUMN)}  # {comment}" if comment else text


_Line = tuple[int, str, str]
"""Depth, text, comment."""


def _body(new: NewExperiment) -> Iterator[_Line]:
    wishes, pair = new.wishes, f"{new.query}-{new.document}"
    queries, documents = name_of_language(new.query), name_of_language(new.document)
    yield 0, f"description: {as_yaml(f'Queries in {queries} and documents in {documents}')}", "for `clir config --list`"
    yield 0, "collections:", "documents, by the language they are in"
    yield from _source(
        new, new.document, wishes.documents, new.documents, "file, folder or list; .gz too", _OF_DOCUMENTS
    )
    yield 0, "topics:", "queries, by language; in the document language: human translations"
    yield from _source(new, new.query, wishes.topics, new.topics, "file or list of files", _OF_TOPICS)
    if new.human is not None:
        yield from _source(new, new.document, wishes.human, new.human, "human translations of the queries", _OF_TOPICS)
    if wishes.qrels:
        yield 0, "qrels:", "judgements, by collection: topic 0 document grade"
        yield from _paths(new, new.document, wishes.qrels, 1, "")
    else:
        yield 0, "# qrels: {" + new.document + ": FILE}", "none yet: there are runs, but no tables"
    yield from _translations(new, pair)
    yield 0, f"pairs: [{pair}]", "query language - document language"
    if new.without_stop_words:
        yield 0, "languages:", "only where a default does not fit"
        for language in new.without_stop_words:
            yield (
                1,
                f"{language}: {{stop_words: none}}",
                "stopwordsiso has no list for it; or a file with a word a line",
            )
    yield 0, "retrieval:", "the first stage: BM25"
    yield 1, "depth: 1000", "documents retrieved per topic"
    yield from _models(new)


def _source(
    new: NewExperiment, language: str, paths: Sequence[Path], look: Look, about: str, formats: str
) -> Iterator[_Line]:
    yield 1, f"{language}:", ""
    yield from _paths(new, "path", paths, 2, about)
    yield 2, f"format: {look.format}", formats
    yield 2, f"encoding: {look.encoding}", "utf-8, iso-8859-1, windows-1252, ..."
    if look.fields:
        yield 2, f"fields: [{', '.join(look.fields)}]", "parts that make the query: title, description, narrative"


def _paths(new: NewExperiment, key: str, paths: Sequence[Path], depth: int, about: str) -> Iterator[_Line]:
    written = [as_yaml(written_path(path, new.folder)) for path in paths]
    if len(written) == 1:
        yield depth, f"{key}: {written[0]}", about
        return
    yield depth, f"{key}:", about
    for text in written:
        yield depth + 1, f"- {text}", ""


def _translations(new: NewExperiment, pair: str) -> Iterator[_Line]:
    def path(file: Path | None) -> str:
        assert file is not None
        return as_yaml(written_path(file, new.folder))

    if new.bitext is not None:
        assert new.wishes.bitext is not None
        source, target = new.wishes.bitext
        yield 0, "bitext:", "parallel text, by pair: line by line"
        yield 1, f"{pair}:", ""
        yield 2, f"source: {path(source)}", f"sentences in {new.query}"
        yield 2, f"target: {path(target)}", f"the same in {new.document}"
        yield 2, f"encoding: {new.bitext.encoding}", "of both"
    yield 0, "knowledge:", "where translation probabilities come from"
    if new.translations == "bitext":
        yield 1, "source: bitext", "bitext, table, dictionary, embeddings, pivot, mix or none"
        yield 1, "align: {hmm: 5}", "iterations of the HMM; `clir config --describe` has the rest"
    elif new.translations == "dictionary":
        yield 1, "source: dictionary", "bitext, table, dictionary, embeddings, pivot, mix or none"
        yield 1, "dictionary:", "one entry a line, columns parted by tabs"
        yield 2, f"path: {path(new.wishes.dictionary)}", ""
        yield 2, "source: 1", f"column with the {new.query} word"
        yield 2, "target: 2", f"column with the {new.document} word"
    elif new.translations == "table":
        yield 1, "source: table", "bitext, table, dictionary, embeddings, pivot, mix or none"
        yield 1, f"table: {path(new.wishes.table)}", "`source target p`, or of GIZA++, Moses, fast_align ..."
    else:
        yield 1, "source: none", "nothing is translated; bitext, table or dictionary add that row"


def _models(new: NewExperiment) -> Iterator[_Line]:
    if new.encoder is None:
        yield 0, "models: []", "first stage only; with an encoder: m2bert, mart-plb, mart"
        yield 0, "# encoder: bert-base-multilingual-uncased", "hub name or folder: what re-rankers are built on"
        return
    yield 0, "encoder:", "what re-rankers are built on"
    yield 1, f"checkpoint: {as_yaml(new.encoder)}", "hub name or folder"
    if not new.encoder.startswith(("./", "/")) and not Path(new.encoder).is_absolute():
        yield 1, "# revision: COMMIT", "pins what the hub has under this name"
    yield 1, "max_pieces: 512", "word pieces of one input; fewer are faster"
    yield 1, "document_pieces: 800", "word pieces of a document that are read"
    if new.models == ["zero-shot"]:
        yield 0, "models: [zero-shot]", "scores with the checkpoint's own ranking head; others need qrels"
        yield 0, "reranking: {depth: 100}", "documents that are re-ranked"
        return
    yield 0, f"models: [{', '.join(new.models)}]", "m2bert, mart-plb, mart, mart-blocks, zero-shot; [] for none"
    yield 0, "training:", "for a first look: epochs: 3, folds: {run: [1]}"
    yield 1, "epochs: 100", "at most; it stops when validation gets no better"
    yield 1, "learning_rate: 0.00002", "of the pre-trained layers"
    yield 1, "batch: {forward: 2, effective: 16}", "pairs in memory at once; pairs in one step"
    yield 1, "folds: {count: 5}", "cross-validation by topic; `run: [1]` is one fold only"
    yield 0, "reranking: {depth: 100}", "documents that are re-ranked"
