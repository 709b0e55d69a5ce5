"""Vectors of a collection on disk, made in shards: a killed run goes on with the first shard that is not there.

about.json         what the vectors are made by, written first
vectors-00000.npy  [SHARD, d] float16 or float32, in the order of the collection; the last shard may be shorter
counts-00000.json  texts of a shard that were cut or had no piece, written before its vectors
ids.txt            document ids, one a line
report.json        sums of the counts; written last, it vouches for the rest
"""

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from clir_cli.corpora.document_store import DocumentStore
from clir_cli.errors import DataError
from clir_cli.lines import write_whole
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.retrieval.dense.embed import Embedder, Vectors

SHARD = 512
"""Documents of a shard: what is sorted by length and batched together, and what a kill can cost."""

REMEDY = "Delete the folder and embed the collection again."


@dataclass(frozen=True)
class VectorReport:
    """``documents``: of the collection; ``cut``: those read in part only, being longer than ``max_pieces`` pieces;
    ``empty``: those without a single piece, which have no vector and are never found."""

    documents: int
    cut: int
    empty: int
    max_pieces: int


def write_vectors(
    store_folder: Path,
    folder: Path,
    embedder: Embedder,
    *,
    prefix: str = "",
    stored: Literal["float16", "float32"] = "float32",
    progress: ProgressCallback = no_progress,
) -> VectorReport:
    """Embed every document of a store, each behind ``prefix``; vectors are not scaled.

    Shards that are there are kept: a run that was killed and gone on with leaves the same bytes as one that was not.
    Raises ``DataError`` where ``folder`` holds vectors of another model, collection or form, and where a vector is too
    large for float16.
    """
    store = DocumentStore(store_folder)
    folder.mkdir(parents=True, exist_ok=True)
    about = {
        "model": embedder.fingerprint,
        "width": embedder.width,
        "prefix": prefix,
        "stored": stored,
        "shard": SHARD,
        "documents": len(store),
        "ids": hashlib.sha256("\n".join(store.ids).encode()).hexdigest()[:16],
    }
    _begin(folder, about)
    cut = empty = 0
    progress(0, len(store), "documents into vectors")
    for number, first in enumerate(range(0, len(store), SHARD)):
        ids = store.ids[first : first + SHARD]
        if not _shard(folder, number).is_file():
            _write_shard(folder, number, [store.text(id) for id in ids], embedder, prefix, stored)
        counts = json.loads(_counts(folder, number).read_text(encoding="utf-8"))
        cut, empty = cut + counts["cut"], empty + counts["empty"]
        progress(first + len(ids), len(store), "documents into vectors")
    report = VectorReport(len(store), cut, empty, embedder.max_pieces)
    with write_whole(folder / "ids.txt") as file:
        file.writelines(f"{id}\n" for id in store.ids)
    with write_whole(folder / "report.json") as file:
        file.write(json.dumps(asdict(report)) + "\n")
    return report


def _begin(folder: Path, about: dict[str, Any]) -> None:
    """Say what the vectors will be, or find that those begun are the same."""
    path = folder / "about.json"
    if not path.is_file():
        if _shard(folder, 0).exists():
            raise DataError(f"{folder} holds vectors of nobody knows which model.", REMEDY)
        with write_whole(path) as file:
            file.write(json.dumps(about, indent=1, ensure_ascii=False) + "\n")
        return
    begun = _read_json(path)
    if begun != about:
        other = [name for name in about if begun.get(name) != about[name]]
        what = "model" if "model" in other else "collection" if {"ids", "documents"} & set(other) else "form"
        raise DataError(f"{folder} holds vectors of another {what}.", REMEDY)


def _write_shard(
    folder: Path, number: int, texts: list[str], embedder: Embedder, prefix: str, stored: Literal["float16", "float32"]
) -> None:
    embedded = embedder.embed(texts, prefix)
    with np.errstate(over="ignore"):
        vectors = embedded.vectors.astype(stored)
    if not np.isfinite(vectors).all():
        raise DataError("A vector of this model is too large for float16.", "Set retrieval.dense.stored: float32.")
    with write_whole(_counts(folder, number)) as file:
        file.write(json.dumps({"cut": embedded.cut, "empty": embedded.empty}) + "\n")
    path = _shard(folder, number)
    partial = path.with_suffix(".partial")
    with partial.open("wb") as raw:
        np.save(raw, vectors)
        raw.flush()
        os.fsync(raw.fileno())
    partial.replace(path)


class VectorStore:
    """Vectors that were written; they stay on disk.

    Raises ``DataError`` where ``folder`` holds none, or not all of them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        if not (self.folder / "report.json").is_file():
            raise DataError(f"{folder}: there are no vectors of a whole collection.", REMEDY)
        self._about = _read_json(self.folder / "about.json")
        self.report = VectorReport(**_read_json(self.folder / "report.json"))
        with (self.folder / "ids.txt").open(encoding="utf-8", newline="\n") as file:
            self.ids: list[str] = [line[:-1] for line in file]
        try:
            count = -(-len(self.ids) // self._about["shard"])
            self._shards = [np.load(_shard(self.folder, number), mmap_mode="r") for number in range(count)]
        except (OSError, ValueError) as error:
            raise DataError(f"{folder}: vectors are missing or damaged: {error}", REMEDY) from error
        if [len(self.ids), self.width] != [sum(map(len, self._shards)), *{s.shape[1] for s in self._shards}]:
            raise DataError(f"{folder}: the files of these vectors do not fit together.", REMEDY)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def width(self) -> int:
        """d, the length of a vector."""
        return int(self._about["width"])

    def check(self, embedder: Embedder) -> None:
        """Refuse an embedder whose vectors cannot be compared with these."""
        if self._about["model"] != embedder.fingerprint:
            raise DataError(
                f"The vectors in {self.folder} were made by another model.",
                "Ask with the model that embedded the collection, or embed it again.",
            )

    def blocks(self, size: int) -> Iterator[tuple[int, Vectors]]:
        """``(number of the first document, its and the following vectors)``, float32 [at most ``size``, d]."""
        per_shard = self._about["shard"]
        for first in range(0, len(self), size):
            last = min(first + size, len(self))
            parts: list[NDArray[Any]] = []
            for number in range(first // per_shard, -(-last // per_shard)):
                start = number * per_shard
                parts.append(self._shards[number][max(0, first - start) : last - start])
            yield first, np.concatenate(parts, dtype=np.float32)


def _shard(folder: Path, number: int) -> Path:
    return folder / f"vectors-{number:05}.npy"


def _counts(folder: Path, number: int) -> Path:
    return folder / f"counts-{number:05}.json"


def _read_json(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
