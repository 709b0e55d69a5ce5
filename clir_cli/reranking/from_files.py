"""Re-ranking of a run with a model's folder, topics and documents: no experiment, no collection on disk.

Documents are streamed. Of those that the run names, word pieces go into a store on disk beside the output; scores are
kept there topic by topic, so that a killed call goes on. The store goes when the run is written.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from clir_cli.corpora.collection_files import find_files
from clir_cli.corpora.documents import read_documents
from clir_cli.corpora.topics import read_topics, topic_key
from clir_cli.encoders.piece_store import PieceStore, write_pieces
from clir_cli.encoders.pieces import TextEncoder
from clir_cli.errors import DataError, UsageError
from clir_cli.lines import check_place, write_whole
from clir_cli.records import Document, ProgressCallback, Run, TopicLinks, no_progress
from clir_cli.rerankers.int8 import quantise
from clir_cli.rerankers.mores.model import Mores
from clir_cli.rerankers.mores.representations import Representations
from clir_cli.rerankers.mores.represented import RepresentedScorer
from clir_cli.rerankers.reading import PassageReader
from clir_cli.rerankers.reranker import Reranker
from clir_cli.reranking.linking import LinkRule
from clir_cli.reranking.rerank import rerank, rerank_by
from clir_cli.reranking.texts import READING, find_links
from clir_cli.translation.table import TranslationTable
from clir_cli.trec import read_run, write_run

NAMED = 5
"""Ids that an error names."""


@dataclass(frozen=True)
class Texts:
    """Where topics and documents are, and how to read them: as in ``read_topics`` and ``read_documents``."""

    topics: Sequence[Path]
    documents: Sequence[Path]
    topic_format: str = "auto"
    document_format: str = "auto"
    topic_encoding: str | None = None
    document_encoding: str | None = None
    fields: Sequence[str] = ("title", "description")


def rerank_files(
    model: Reranker,
    tokenizer: Any,
    run: Path,
    texts: Texts,
    out: Path,
    *,
    depth: int = 100,
    table: TranslationTable | None = None,
    links: Mapping[str, TopicLinks] | None = None,
    rule: LinkRule | None = None,
    reading: Mapping[str, Any] = READING,
    device: torch.device | None = None,
    tokens: int | None = None,
    precision: str = "float32",
    int8: bool = False,
    representations: Path | None = None,
    identity: Sequence[str] = (),
    progress: ProgressCallback = no_progress,
) -> Run:
    """Re-rank the first ``depth`` documents of each topic of ``run``, write it to ``out``, give it back.

    ``representations``: those of the documents that ``represent`` stored for this MORES; documents are then not read.
    ``reading``: ``text``, ``max_pieces`` and ``document_pieces``. ``table`` or ``links`` are for models that read
    translations, ``rule`` says which entries of the table count. ``identity``: whatever else tells this call from
    others (the model's weights, the table): scores that a killed call left are taken up only by the same one.

    Raises ``DataError`` for topics without text and documents without one, naming them, before anything is scored;
    ``UsageError`` where translations are missing.
    """
    check_place(out)
    candidates = {topic: entries[:depth] for topic, entries in read_run(run).items()}
    if not candidates:
        raise DataError(f"{run}: there is no topic in this run.", "Lines are `topic Q0 document rank score tag`.")
    queries = _read_queries(candidates, texts)
    chosen = {name: reading.get(name, default) for name, default in READING.items()}
    work = out.with_name(f".{out.name}.partial")
    _begin(
        work,
        [
            _identity(model),
            str(depth),
            precision,
            str(int8),
            str(representations),
            queries,
            chosen,
            *identity,
            candidates,
            texts,
        ],
    )
    wanted = frozenset(entry.document for entries in candidates.values() for entry in entries)
    device = device or torch.device("cpu")
    if representations is not None:
        scorer = _stored(model, tokenizer, representations, wanted, queries, table, links, rule, chosen["text"], device)
        result = rerank_by(scorer.score, candidates, shards=work / "shards", progress=progress)
    else:
        encoder = TextEncoder(tokenizer, chosen["text"])
        documents = _pieces(work / "pieces", wanted, texts, encoder, chosen["document_pieces"], progress)
        found = find_links(model, queries, documents.vocabulary, table, links, rule)
        model = model.to(device)
        if int8:
            model = quantise(model)
        reader = PassageReader(model, tokenizer, queries=queries, documents=documents, links=found, **chosen)
        result = rerank(
            model, reader, candidates, tokens=tokens, precision=precision, shards=work / "shards", progress=progress
        )
    write_run(out, result, "clir")
    shutil.rmtree(work)
    return result


def _read_queries(candidates: Run, texts: Texts) -> dict[str, str]:
    """Topic of the run -> its text, white space as the pipeline has it; 041 of a run is C041 of the topics."""
    files = [file for path in texts.topics for file in find_files(Path(path))]
    if not files:
        named = ", ".join(map(str, texts.topics))
        raise DataError(f"{named}: there are no topics in it.", "Name the files of the topics.")
    topics = {topic_key(topic.id): topic for topic in read_topics(files, texts.topic_format, texts.topic_encoding)}
    missing = [topic for topic in candidates if topic_key(topic) not in topics]
    if missing:
        problem = f"{_count(missing, 'topic')} of the run {'are' if len(missing) > 1 else 'is'} not among the topics: "
        raise DataError(problem + _named(missing), "Run and topics must be of the same set.")
    queries = {topic: " ".join(topics[topic_key(topic)].text(tuple(texts.fields)).split()) for topic in candidates}
    if empty := [topic for topic, text in queries.items() if not text]:
        problem = f"{_count(empty, 'topic')} of the run without any text in {', '.join(texts.fields)}: {_named(empty)}"
        raise DataError(problem, "Name the parts that make the query with --fields.")
    return queries


def _pieces(
    folder: Path,
    wanted: frozenset[str],
    texts: Texts,
    encoder: TextEncoder,
    document_pieces: int,
    progress: ProgressCallback,
) -> PieceStore:
    """The documents of the run as word pieces; those of a call before where they are whole."""
    if (folder / "about.json").is_file():
        with suppress(DataError):  # damaged on disk: made again
            return PieceStore(folder)
    shutil.rmtree(folder, ignore_errors=True)
    stream = read_documents(list(texts.documents), texts.document_format, texts.document_encoding)
    store = write_pieces(
        folder,
        _wanted(stream, wanted),
        encoder,
        max_pieces=document_pieces,
        total=len(wanted),
        progress=progress,
    )
    if missing := sorted(wanted.difference(id for id in wanted if id in store)):
        shutil.rmtree(folder)
        are = "are" if len(missing) > 1 else "is"
        problem = f"{_count(missing, 'document')} of the run {are} not among the documents: {_named(missing)}"
        raise DataError(problem, "Was the run made from another collection?")
    return store


def _stored(
    model: Reranker,
    tokenizer: Any,
    folder: Path,
    wanted: frozenset[str],
    queries: Mapping[str, str],
    table: TranslationTable | None,
    links: Mapping[str, TopicLinks] | None,
    rule: LinkRule | None,
    text: Any,
    device: torch.device,
) -> RepresentedScorer:
    """What scores from stored documents. Raises ``UsageError`` for a model that has none, ``DataError`` for others'."""
    if not isinstance(model, Mores):
        raise UsageError("Only a MORES reads stored representations.", "Leave out --representations.")
    store = Representations(folder)
    if missing := sorted(id for id in wanted if id not in store):
        are = "have" if len(missing) > 1 else "has"
        problem = f"{_count(missing, 'document')} of the run {are} no representation in {folder}: {_named(missing)}"
        raise DataError(problem, "Represent them, too.")
    found = find_links(model, queries, store.vocabulary, table, links, rule)
    return RepresentedScorer(
        model.to(device), store, tokenizer, queries=queries, links=found, text=text, absorb=store.strategy == "s1"
    )


def _wanted(documents: Iterable[Document], wanted: frozenset[str]) -> Iterator[tuple[str, str]]:
    """``(id, text)`` of the documents of the run, each once. Raises ``DataError`` for two texts of one id."""
    digests: dict[str, bytes] = {}
    for document in documents:
        if document.id not in wanted:
            continue
        text = document.full_text
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        known = digests.setdefault(document.id, digest)
        if known is digest:
            yield document.id, text
        elif known != digest:
            raise DataError(f"There are two documents {document.id} with different texts.", "Give each its own id.")


def _identity(model: Reranker) -> str:
    """Of what the model is and of its weights."""
    digest = hashlib.sha256(repr(model.description).encode())
    if model.adapters is not None:
        digest.update(model.adapters.identity.encode())
    for name, value in model.named_parameters():
        digest.update(name.encode() + value.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def _begin(work: Path, parts: Sequence[Any]) -> None:
    """Make the folder of unfinished work; what a call of another kind left there goes."""
    digest = hashlib.sha256(json.dumps(parts, sort_keys=True, default=repr).encode())
    texts: Texts = parts[-1]
    for path in (*texts.documents, *texts.topics):
        for file in find_files(Path(path)):
            if not file.exists():
                continue  # the reader says so
            status = file.stat()
            digest.update(f"{file} {status.st_size} {status.st_mtime_ns}".encode())
    identity = digest.hexdigest()
    mark = work / "identity.txt"
    if mark.is_file() and mark.read_text(encoding="utf-8") == identity:
        return
    shutil.rmtree(work, ignore_errors=True)
    with write_whole(mark) as stream:
        stream.write(identity)


def _count(ids: Sequence[str], what: str) -> str:
    return f"{len(ids)} {what}{'s' if len(ids) > 1 else ''}"


def _named(ids: Sequence[str]) -> str:
    return ", ".join(ids[:NAMED]) + (", ..." if len(ids) > NAMED else ".")
