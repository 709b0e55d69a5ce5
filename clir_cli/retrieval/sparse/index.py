"""An inverted index as arrays on disk: term -> documents and frequencies, memory-mapped when it is searched.

A folder with ``terms.txt`` (sorted), ``starts.npy`` int64 [terms + 1], ``documents.npy`` uint32 and
``frequencies.npy`` int32 (term t owns ``starts[t]:starts[t + 1]``, documents ascending), ``lengths.npy`` int32 (words
of each document), ``documents.txt`` (ids) and ``places.npy`` uint32 (each document's place among the sorted ids).
``index.json`` vouches for them and comes last. What is indexed is what Lucene indexes: the content keys of a store,
without the documents that have none.
"""

import json
import shutil
from array import array
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from clir_cli.corpora.document_store import DocumentStore
from clir_cli.errors import DataError
from clir_cli.lines import write_whole
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.retrieval.search import IndexReport
from clir_cli.retrieval.sparse.kernels import count_postings, fill_postings

FORMAT = "clir sparse index 1"
ARRAYS = ("starts", "documents", "frequencies", "lengths", "places")
REMEDY = "Delete the folder and make the index anew (clir retrieve)."

_BLOCK = 1 << 20
"""Tokens kept in memory until they are written."""


class _Numbers(dict[str, int]):
    """Words numbered as they come."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def write_index(
    store_folder: Path,
    folder: Path,
    *,
    beginnings: Sequence[str] | None = None,
    progress: ProgressCallback = no_progress,
) -> IndexReport:
    """Index the content keys of a document store into ``folder``, anew if it is there.

    ``beginnings``: only documents whose ids begin with one of these; default: all. Memory: the vocabulary, the ids and
    what the system keeps of files. Raises ``DataError`` where no document has a word.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    ids, lengths, words, skipped = _write_tokens(
        DocumentStore(store_folder), folder / "tokens.bin", beginnings, progress
    )
    terms = sorted(words)
    number = np.empty(len(terms), np.uint32)
    number[[words[term] for term in terms]] = np.arange(len(terms), dtype=np.uint32)
    tokens = np.memmap(folder / "tokens.bin", np.uint32, "r+")
    for first in range(0, len(tokens), _BLOCK):
        tokens[first : first + _BLOCK] = number[tokens[first : first + _BLOCK]]
    token_start = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    starts = count_postings(tokens, token_start, len(terms))
    documents, frequencies = (
        np.lib.format.open_memmap(folder / f"{name}.npy", "w+", kind, (int(starts[-1]),))
        for name, kind in (("documents", np.uint32), ("frequencies", np.int32))
    )
    fill_postings(tokens, token_start, starts, documents, frequencies)
    for written in (documents, frequencies):
        written.flush()
    del tokens
    (folder / "tokens.bin").unlink()
    places = np.empty(len(ids), np.uint32)
    places[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids), dtype=np.uint32)
    for name, values in (("starts", starts), ("lengths", lengths), ("places", places)):
        np.save(folder / f"{name}.npy", values)
    for name, lines in (("terms", terms), ("documents", ids)):
        with write_whole(folder / f"{name}.txt") as file:
            file.writelines(f"{line}\n" for line in lines)
    counts = {"documents": len(ids), "skipped": skipped, "terms": len(terms), "postings": int(starts[-1])}
    with write_whole(folder / "index.json") as file:
        file.write(json.dumps({"format": FORMAT, "tokens": int(token_start[-1])} | counts) + "\n")
    return IndexReport(len(ids), skipped)


def _write_tokens(
    store: DocumentStore, path: Path, beginnings: Sequence[str] | None, progress: ProgressCallback
) -> tuple[list[str], np.ndarray, dict[str, int], int]:
    """All tokens by number, end to end, into a file; ids, words of each document, word numbers, documents skipped."""
    wanted = tuple(beginnings) if beginnings is not None else ("",)
    total = sum(identifier.startswith(wanted) for identifier in store.ids)
    words = _Numbers()
    ids: list[str] = []
    lengths = array("i")
    block = array("I")
    done = 0
    with path.open("wb") as file, store.tokens_path.open(encoding="utf-8") as lines:
        for identifier, line in zip(store.ids, lines, strict=True):
            if not identifier.startswith(wanted):
                continue
            done += 1
            before = len(block)
            block.extend(map(words.__getitem__, line.split()))
            if len(block) > before:
                ids.append(identifier)
                lengths.append(len(block) - before)
            if len(block) >= _BLOCK:
                block.tofile(file)
                del block[:]
            if done % 1000 == 0:
                progress(done, total, "indexing")
        block.tofile(file)
    if not total and beginnings:
        raise DataError(
            f"No document's id begins with {' or '.join(beginnings)}.", "Look at `pools` of the collection."
        )
    if not ids:
        raise DataError(
            f"None of the {total} documents holds a word to index.",
            "Check the collection's format and fields: numbers, punctuation and stop words are no words here.",
        )
    return ids, np.frombuffer(lengths, np.int32), words, total - len(ids)


class SparseIndex:
    """An index that was written; its arrays stay on disk. Raises ``DataError`` where it is not whole."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        marker = folder / "index.json"
        if not marker.is_file():
            raise DataError(f"{folder} holds no finished index.", "Build it first (clir retrieve does).")
        try:
            about = json.loads(marker.read_text(encoding="utf-8"))
            if about.get("format") != FORMAT:
                raise ValueError("it is of another kind")
            starts, documents, frequencies, lengths, places = (
                np.load(folder / f"{name}.npy", mmap_mode="r") for name in ARRAYS
            )
            sizes = (about["terms"] + 1, *[about["postings"]] * 2, *[about["documents"]] * 2)
            if sizes != tuple(map(len, (starts, documents, frequencies, lengths, places))):
                raise ValueError("arrays and index.json disagree")
        except (ValueError, KeyError, OSError, EOFError) as error:
            raise DataError(f"{folder} holds a damaged index: {error}.", REMEDY) from error
        # Plain views: compiled code knows no memory maps.
        self.starts, self.documents, self.frequencies = map(np.asarray, (starts, documents, frequencies))
        self.lengths, self.places = np.asarray(lengths), np.asarray(places)
        self.tokens: int = about["tokens"]

    def __len__(self) -> int:
        """Number of documents."""
        return len(self.lengths)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Term -> its number."""
        return {term: number for number, term in enumerate(self._lines("terms.txt", len(self.starts) - 1))}

    @cached_property
    def sorted_ids(self) -> list[str]:
        """Document ids by place."""
        ids = self._lines("documents.txt", len(self))
        by_place = np.empty(len(ids), np.int64)
        by_place[self.places] = np.arange(len(ids))
        return [ids[number] for number in by_place]

    def _lines(self, name: str, count: int) -> list[str]:
        lines = (self.folder / name).read_text(encoding="utf-8").split("\n")[:-1]
        if len(lines) != count:
            raise DataError(f"{self.folder / name} holds {len(lines)} lines, not {count}.", REMEDY)
        return lines
