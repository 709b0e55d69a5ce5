"""A collection on disk, as everything after the readers uses it: any document by its id, and its content keys.

A store is a folder. The raw text of all documents is one file with the places where documents begin, so that a large
collection is looked up without being in memory; the content keys are a text file, line i those of document i, which is
what Lucene indexes.
"""

import hashlib
import json
import os
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from clir_cli.corpora.normalise import content_keys
from clir_cli.errors import DataError, Faults, stop_at_fault
from clir_cli.lines import write_whole
from clir_cli.records import Document, ProgressCallback, no_progress
from clir_cli.trec import is_column

_IDS, _TEXTS, _PLACES, _TOKENS, _VOCABULARY, _REPORT = (
    "ids.txt", "texts.bin", "places.npy", "tokens.txt", "vocabulary.txt", "report.json",
)  # fmt: skip


@dataclass(frozen=True)
class StoreReport:
    """What a collection turned out to hold.

    ``documents``: stored, the empty ones among them. ``empty``: those without a single content key, which no query can
    find (Lucene would drop them with a line in its log). ``duplicates``: documents met again with the same text, stored
    once. ``tokens``: content keys of all documents; ``vocabulary``: distinct ones. ``faults``: records that could not
    be read or stored and were left out, with the messages of the first.
    """

    documents: int
    empty: int
    duplicates: int
    tokens: int
    vocabulary: int
    empty_ids: list[str]
    duplicate_ids: list[str]
    faults: int = 0
    fault_examples: list[str] = field(default_factory=list)


def write_store(
    documents: Iterable[Document],
    folder: Path,
    stop: frozenset[str],
    progress: ProgressCallback = no_progress,
    faults: Faults | None = None,
) -> StoreReport:
    """Write a store in one pass over ``documents``; ``stop``: the keys that are no content. The report comes last.

    Memory: the ids, a digest of each text and the vocabulary. Raises ``DataError`` for an id that comes back with
    another text, an id with white space, and where there is no document. ``faults``: what the reader of ``documents``
    collects; then the first two of these are left out and counted there too, and the report tells.
    """
    on_fault = faults or stop_at_fault
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _REPORT).unlink(missing_ok=True)  # a store without its report is not whole
    digests: dict[str, bytes] = {}
    places = array("q")  # per document: where it begins, and how many bytes of it are title
    vocabulary: set[str] = set()
    empty_ids: list[str] = []
    duplicate_ids: list[str] = []
    size = tokens = 0
    with write_whole(folder / _TOKENS) as token_file, (folder / _TEXTS).open("wb") as text_file:
        for document in documents:
            try:
                title, text = _encoded(document)
                digest = hashlib.blake2b(text, digest_size=16).digest()
                is_known = _is_known(document.id, digest, digests)
            except DataError as fault:
                on_fault(fault)
                continue
            if is_known:
                duplicate_ids.append(document.id)
                continue
            digests[document.id] = digest
            places.extend((size, len(title)))
            text_file.write(text)
            size += len(text)
            keys = content_keys(document.full_text, stop)
            token_file.write(" ".join(keys) + "\n")
            vocabulary.update(keys)
            tokens += len(keys)
            if not keys:
                empty_ids.append(document.id)
            if len(digests) % 1000 == 0:
                progress(len(digests), None, "documents")
        text_file.flush()
        os.fsync(text_file.fileno())
    if not digests:
        raise _no_documents(faults)
    progress(len(digests), len(digests), "documents")
    places.extend((size, 0))
    np.save(folder / _PLACES, np.frombuffer(places, dtype=np.int64).reshape(-1, 2))
    _write_column(folder / _IDS, digests)
    _write_column(folder / _VOCABULARY, sorted(vocabulary))
    report = StoreReport(
        documents=len(digests),
        empty=len(empty_ids),
        duplicates=len(duplicate_ids),
        tokens=tokens,
        vocabulary=len(vocabulary),
        empty_ids=empty_ids,
        duplicate_ids=duplicate_ids,
        faults=faults.count if faults else 0,
        fault_examples=faults.examples if faults else [],
    )
    with write_whole(folder / _REPORT) as file:
        json.dump(asdict(report), file, ensure_ascii=False, indent=1)
    return report


class DocumentStore:
    """A store that was written; texts stay on disk, ids are in memory.

    Raises ``DataError`` where the folder holds no whole store, or a document is asked for that is not in it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        if not (self.folder / _REPORT).is_file():
            raise DataError(f"{folder}: there is no whole document store.", "Prepare the collection again.")
        self.ids: list[str] = _read_column(self.folder / _IDS)
        self._number = {id: number for number, id in enumerate(self.ids)}
        self._places = np.load(self.folder / _PLACES, mmap_mode="r")
        size = (self.folder / _TEXTS).stat().st_size
        if len(self._places) != len(self.ids) + 1 or self._places[-1, 0] != size:
            raise DataError(f"{folder}: the files of this document store do not fit together.", "Prepare it again.")
        # A file of no bytes cannot be mapped.
        self._bytes = np.memmap(self.folder / _TEXTS, np.uint8, "r") if size else np.zeros(0, np.uint8)

    def __reduce__(self) -> tuple[type["DocumentStore"], tuple[Path]]:
        return type(self), (self.folder,)  # another process maps the files itself

    def __len__(self) -> int:
        return len(self.ids)

    def __contains__(self, id: object) -> bool:
        return id in self._number

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """``(id, full text)`` of every document, in the order they were read."""
        for number, id in enumerate(self.ids):
            yield id, self._read(number)

    def text(self, id: str) -> str:
        """The raw full text (title, line break, text) of a document."""
        return self._read(self._find(id))

    def title(self, id: str) -> str:
        """The raw title of a document, empty where it has none."""
        number = self._find(id)
        start, length = self._places[number]
        return bytes(self._bytes[start : start + length]).decode("utf-8")

    @property
    def tokens_path(self) -> Path:
        """A text file: line i holds the content keys of ``ids[i]``, one space between."""
        return self.folder / _TOKENS

    @cached_property
    def vocabulary(self) -> list[str]:
        """The distinct content keys of all documents, sorted."""
        return _read_column(self.folder / _VOCABULARY)

    @cached_property
    def report(self) -> StoreReport:
        """What ``write_store`` found."""
        return StoreReport(**json.loads((self.folder / _REPORT).read_text(encoding="utf-8")))

    def _find(self, id: str) -> int:
        try:
            return self._number[id]
        except KeyError:
            raise DataError(f"Document {id} is not in the collection.", "Was the run made from another one?") from None

    def _read(self, number: int) -> str:
        return bytes(self._bytes[self._places[number, 0] : self._places[number + 1, 0]]).decode("utf-8")


def _encoded(document: Document) -> tuple[bytes, bytes]:
    if not is_column(document.id):
        raise DataError(f"The document id {document.id!r} has white space in it.", "Ids are columns in runs.")
    try:
        return document.title.encode("utf-8"), document.full_text.encode("utf-8")
    except UnicodeEncodeError:
        raise DataError(f"Document {document.id} holds half of a character.", "Mend its text.") from None


def _is_known(id: str, digest: bytes, digests: dict[str, bytes]) -> bool:
    known = digests.get(id)
    if known is not None and known != digest:
        raise DataError(
            f"There are two documents {id} with different texts.",
            "Give each its own id; `clir validate` says where they are.",
        )
    return known is not None


def _no_documents(faults: Faults | None) -> DataError:
    if faults and faults.count:
        problem = f"None of the collection's documents can be read: {faults.count} faults."
        return DataError(problem, f"The first is: {faults.examples[0]}" if faults.examples else "")
    return DataError("The collection has no documents.", "Check its path and format.")


def _write_column(path: Path, values: Iterable[str]) -> None:
    with write_whole(path) as file:
        file.writelines(f"{value}\n" for value in values)


def _read_column(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="\n") as file:
        return [line[:-1] for line in file]
