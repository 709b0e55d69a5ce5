"""Documents as word pieces, on disk: each text goes through the tokenizer once, for all models, folds and epochs.

    ids.txt          document ids, one a line
    vocabulary.txt   keys of words, one a line; a key's number is its line
    pieces.raw       [P] int32, the pieces of all documents, one after the other
    begins.raw       [P] bool, whether a piece begins a word
    keys.raw         [W] int32, the key of every word
    bounds.npy       [N + 1, 2] int64, where each document's pieces and words begin
    about.json       what they were made by

Arrays are memory-mapped, so a collection of any size costs a process the pages that it reads.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clir_cli.encoders.pieces import Integers, Text, TextEncoder
from clir_cli.errors import DataError
from clir_cli.lines import write_whole
from clir_cli.records import ProgressCallback, no_progress


class Pieces(NamedTuple):
    """A document as word pieces, its words known by numbers; otherwise as ``Text``."""

    pieces: Integers
    words: Integers
    keys: Integers


def number_keys(text: Text, numbers: dict[str, int]) -> Pieces:
    """``text`` with numbers for keys; a key that has none yet gets the next one."""
    keys = np.fromiter((numbers.setdefault(key, len(numbers)) for key in text.keys), np.int32, len(text.keys))
    return Pieces(text.pieces, text.words, keys)


class PieceStore:
    """Pieces of documents by document id, as ``write_pieces`` wrote them."""

    def __init__(self, folder: Path) -> None:
        """Raises ``DataError`` where ``folder`` holds no whole store."""
        try:
            self._about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
            self._pieces, self._begins, self._keys = (_mapped(folder, name) for name in _KINDS)
            self._bounds = np.load(folder / "bounds.npy")
            with (folder / "ids.txt").open(encoding="utf-8", newline="\n") as file:
                self._number = {line[:-1]: number for number, line in enumerate(file)}
            sizes = [len(self._number) + 1, len(self._pieces), len(self._keys)]
            if [len(self._bounds), *self._bounds[-1].tolist()] != sizes or len(self._begins) != len(self._pieces):
                raise ValueError("its files are not of one size")
        except (OSError, ValueError) as error:
            raise DataError(f"{folder} holds no whole word pieces: {error}", "Make them again.") from error
        self._folder = folder

    def __len__(self) -> int:
        return len(self._number)

    def __contains__(self, document: object) -> bool:
        return document in self._number

    @property
    def max_pieces(self) -> int:
        """Pieces of a document that are kept at most."""
        return int(self._about["max_pieces"])

    def check(self, encoder: TextEncoder, document_pieces: int) -> None:
        """Refuse pieces of another tokenizer, or fewer than are to be read."""
        if self._about["encoder"] != encoder.fingerprint:
            raise DataError(
                f"The word pieces in {self._folder} were made by another tokenizer.", "Make them with the model's own."
            )
        if document_pieces > self.max_pieces:
            raise DataError(
                f"{self._folder} keeps {self.max_pieces} pieces of a document, {document_pieces} are to be read.",
                "Lower document_pieces, or make the store again.",
            )

    def get(self, document: str) -> Pieces:
        """The pieces of a document. Raises ``DataError`` where it is not there."""
        try:
            number = self._number[document]
        except KeyError:
            raise DataError(
                f"Document {document} is not in the collection.", "Was the run made from another one?"
            ) from None
        (start, first), (stop, last) = self._bounds[number].tolist(), self._bounds[number + 1].tolist()
        words = np.cumsum(self._begins[start:stop], dtype=np.int32) - np.int32(1)
        return Pieces(self._pieces[start:stop], words, self._keys[first:last])

    @cached_property
    def vocabulary(self) -> Mapping[str, int]:
        """Key -> number."""
        with (self._folder / "vocabulary.txt").open(encoding="utf-8", newline="\n") as file:
            return {line[:-1]: number for number, line in enumerate(file)}


_KINDS: dict[str, Any] = {"pieces": np.int32, "begins": np.bool_, "keys": np.int32}


def _mapped(folder: Path, name: str) -> NDArray[Any]:
    path = folder / f"{name}.raw"
    if not path.stat().st_size:  # an empty file cannot be mapped
        return np.empty(0, _KINDS[name])
    array = np.memmap(path, _KINDS[name], mode="r")
    return array.view(np.ndarray)  # slices of a memmap object cost several times as much


def write_pieces(
    folder: Path,
    documents: Iterable[tuple[str, str]],
    encoder: TextEncoder,
    *,
    max_pieces: int,
    total: int | None = None,
    progress: ProgressCallback = no_progress,
) -> PieceStore:
    """Encode ``(document id, text)`` one by one into ``folder``; memory does not grow with the texts.

    Of every text the first ``max_pieces`` pieces are kept. ``about.json`` is written last.
    """
    folder.mkdir(parents=True, exist_ok=True)
    numbers: dict[str, int] = {}
    bounds = [(0, 0)]
    ids: list[str] = []

    def texts() -> Iterator[str]:
        for id, text in documents:
            ids.append(id)
            yield text

    with ExitStack() as stack:
        raw = {name: stack.enter_context((folder / f"{name}.raw").open("wb")) for name in _KINDS}
        for text in encoder.encode_all(texts(), max_pieces):
            found = number_keys(text, numbers)
            raw["pieces"].write(found.pieces.tobytes())
            raw["begins"].write((np.diff(found.words, prepend=-1) > 0).tobytes())
            raw["keys"].write(found.keys.tobytes())
            bounds.append((bounds[-1][0] + len(found.pieces), bounds[-1][1] + len(found.keys)))
            if len(bounds) % 1000 == 0:
                progress(len(bounds) - 1, total, "documents into word pieces")
    np.save(folder / "bounds.npy", np.asarray(bounds, dtype=np.int64))
    for file_name, lines in (("ids.txt", ids), ("vocabulary.txt", list(numbers))):
        with write_whole(folder / file_name) as file:
            file.writelines(f"{line}\n" for line in lines)
    with write_whole(folder / "about.json") as file:
        json.dump({"encoder": encoder.fingerprint, "max_pieces": max_pieces}, file)
    return PieceStore(folder)
