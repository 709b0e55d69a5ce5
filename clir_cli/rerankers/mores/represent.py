"""Documents through MORES' document encoder, once, to disk."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from clir_cli.encoders.budget import default_tokens, plan_batches
from clir_cli.encoders.layout import Layout, read_layout
from clir_cli.encoders.piece_store import PieceStore
from clir_cli.encoders.pieces import Text, TextEncoder
from clir_cli.errors import ClirError, DataError
from clir_cli.lines import write_whole
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.rerankers.inputs import NO_LINKS, Passage, passages
from clir_cli.rerankers.mores.batch import side
from clir_cli.rerankers.mores.model import Mores
from clir_cli.rerankers.mores.representations import (
    FORMAT,
    TORCH_TYPES,
    Representations,
    Stored,
    Strategy,
    parts_of_row,
    shard_file,
    weights_hash,
)

SHARD_BYTES = 256 * 2**20
NOTHING = Text(np.empty(0, np.int32), np.empty(0, np.int32), [])


class _Documents:
    """Which passages the documents have, cut when they are needed."""

    def __init__(self, ids: Sequence[str], store: PieceStore, layout: Layout, max_pieces: int, most: int) -> None:
        self.ids, self._store, self.layout, self._max_pieces, self._most = ids, store, layout, max_pieces, most
        counts, lengths, digest = [0], [0], hashlib.sha256()
        for id in ids:
            found = self._cut(id)
            counts.append(len(found))
            digest.update(f"{id}\n".encode())
            for passage in found:
                lengths.append(len(passage.pieces) - passage.query_length)
                digest.update(passage.pieces.tobytes())
        self.passages = np.cumsum(counts, dtype=np.int64)
        self.rows = np.cumsum(lengths, dtype=np.int64)
        self.digest = digest.hexdigest()

    def _cut(self, id: str) -> list[Passage]:
        document = self._store.get(id)
        return passages(
            NOTHING, document, NO_LINKS, self.layout, max_pieces=self._max_pieces, document_pieces=self._most, arm=None
        )

    def between(self, first: int, last: int) -> Iterator[tuple[Passage, NDArray[np.int32]]]:
        """Passages ``first`` to ``last`` - 1, each with the number of every position's word, -1 at special pieces."""
        start = int(np.searchsorted(self.passages, first, side="right")) - 1
        stop = int(np.searchsorted(self.passages, last, side="left"))
        before, after = self.layout.document_specials - len(self.layout.after), len(self.layout.after)
        for number in range(start, stop):
            document = self._store.get(self.ids[number])
            read = 0
            for place, passage in enumerate(self._cut(self.ids[number]), int(self.passages[number])):
                size = len(passage.pieces) - passage.query_length - before - after
                if first <= place < last:
                    words = document.keys[document.words[read : read + size]] if size else np.empty(0, np.int32)
                    yield passage, np.pad(words, (before, after), constant_values=-1).astype(np.int32)
                read += size


def represent(
    folder: Path,
    model: Mores,
    tokenizer: Any,
    documents: PieceStore,
    ids: Sequence[str],
    *,
    strategy: Strategy = "s1",
    dtype: Stored = "float16",
    text: Literal["raw", "folded"] = "raw",
    max_pieces: int = 512,
    document_pieces: int = 800,
    tokens: int | None = None,
    shard_bytes: int = SHARD_BYTES,
    progress: ProgressCallback = no_progress,
) -> Representations:
    """Write the representations of the documents ``ids`` to ``folder``, shard by shard, and open them.

    Documents are cut into passages as they are when a model reads them online. A shard that is whole is not made again:
    killed and called again with the same arguments, the work goes on and the files have the same bytes (on a CPU with
    the same number of threads). ``tokens``: word pieces read at once. ``model`` is set to evaluation mode.

    Raises ``DataError`` where ``folder`` holds representations made by another model or in another way, ``ClirError``
    where a number does not fit ``dtype``.
    """
    encoder = TextEncoder(tokenizer, text)
    documents.check(encoder, document_pieces)
    layout = read_layout(tokenizer, apart=True)
    cut = _Documents(ids, documents, layout, min(max_pieces, model.max_pieces), document_pieces)
    columns = parts_of_row(model, strategy) * model.encoder.width
    has_keys = model.arm == "translation"
    about = {
        "format": FORMAT,
        "strategy": strategy,
        "dtype": dtype,
        "columns": columns,
        "model": weights_hash(model, strategy),
        "encoder": encoder.fingerprint,
        "max_pieces": min(max_pieces, model.max_pieces),
        "document_pieces": document_pieces,
        "keys": has_keys,
        "shard_bytes": shard_bytes,
        "documents": cut.digest,
    }
    _claim(folder, about)
    if (folder / "done.json").is_file():
        return Representations(folder)
    shards = _cut_shards(cut.rows, max(1, shard_bytes // (columns * TORCH_TYPES[dtype].itemsize)))
    _write_plan(folder, cut, shards)
    if has_keys:
        _write_keys(folder, cut, documents)
    writer = _Writer(model, layout, strategy, dtype, tokens)
    for number, (first, last) in enumerate(zip(shards[:-1].tolist(), shards[1:].tolist(), strict=True)):
        file = shard_file(folder, number)
        if not file.is_file():
            partial = file.with_suffix(".partial")
            writer.write(partial, [passage for passage, _ in cut.between(first, last)])
            partial.replace(file)
        progress(last, int(shards[-1]), "passages")
    with write_whole(folder / "done.json") as stream:
        json.dump({"shards": len(shards) - 1}, stream)
    return Representations(folder)


def _claim(folder: Path, about: dict[str, Any]) -> None:
    """Begin, or see that what is there is of the same model, documents and settings."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "about.json"
    if not file.is_file():
        with write_whole(file) as stream:
            json.dump(about, stream, indent=1)
        return
    try:
        there = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise DataError(f"{file} cannot be read: {error}", f"Delete {folder} to begin anew.") from error
    different = [name for name in about if there.get(name) != about[name]]
    if different:
        what = ", ".join(_NAMES.get(name, name) for name in different)
        raise DataError(
            f"{folder} holds representations made with another {what}.",
            "Give another folder, or delete this one to make them anew.",
        )


_NAMES = {"encoder": "tokenizer", "documents": "set of documents"}


def _cut_shards(rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Where each shard's passages begin: as many as have ``most`` rows together, one at least."""
    bounds = [0]
    while bounds[-1] < len(rows) - 1:
        end = int(np.searchsorted(rows, rows[bounds[-1]] + most, side="right")) - 1
        bounds.append(max(end, bounds[-1] + 1))
    return np.asarray(bounds, dtype=np.int64)


def _write_plan(folder: Path, cut: _Documents, shards: NDArray[np.int64]) -> None:
    for name, values in (("passages", cut.passages), ("rows", cut.rows), ("shards", shards)):
        np.save(folder / f"{name}.npy", values)
    with write_whole(folder / "ids.txt") as file:
        file.writelines(f"{id}\n" for id in cut.ids)


def _write_keys(folder: Path, cut: _Documents, documents: PieceStore) -> None:
    with (folder / "keys.raw").open("wb") as file:
        for _, keys in cut.between(0, len(cut.rows) - 1):
            file.write(keys.tobytes())
    with write_whole(folder / "vocabulary.txt") as stream:
        stream.writelines(f"{key}\n" for key in sorted(documents.vocabulary, key=documents.vocabulary.__getitem__))


class _Writer:
    """Passages through the model, a shard at a time; what is read together depends on the shard alone."""

    def __init__(self, model: Mores, layout: Layout, strategy: Strategy, dtype: Stored, tokens: int | None) -> None:
        self._model, self._layout, self._strategy = model.eval(), layout, strategy
        self._type = TORCH_TYPES[dtype]
        self._device = next(model.parameters()).device
        self._tokens = tokens or default_tokens(model.encoder)

    def write(self, file: Path, found: list[Passage]) -> None:
        inputs = [passage.pieces[passage.query_length :] for passage in found]
        lengths = np.array([len(pieces) for pieces in inputs])
        rows: list[Tensor | None] = [None] * len(inputs)
        with torch.inference_mode():
            for chosen in plan_batches(lengths, self._tokens):
                pieces, types, mask = side([inputs[place] for place in chosen], self._layout, self._layout.types[3]).to(
                    self._device
                )
                values = self._values(self._model.encoder(pieces, types, mask, sides="document")).to(self._type)
                if not bool(torch.isfinite(values if mask is None else values[mask]).all()):
                    raise ClirError(
                        f"A representation does not fit {str(self._type).removeprefix('torch.')}.",
                        "Store float32 (--dtype, or reranking.stored), in another folder.",
                    )
                for place, row in zip(chosen.tolist(), values.cpu(), strict=True):
                    rows[place] = row[: lengths[place]].clone()
        with file.open("wb") as stream:
            for own in rows:
                assert own is not None
                stream.write(own.view(torch.uint8).numpy().tobytes())

    def _values(self, d: Tensor) -> Tensor:
        """What is stored of D [B, m, d]: [B, m, c]."""
        if self._strategy == "s1":
            return d
        parts = []
        for number in range(len(self._model.blocks)):
            cross = self._model.block(number).cross
            parts += [cross.key(d), cross.value(d)]
        return torch.cat([*parts, d] if self._model.arm == "translation" else parts, dim=-1)
