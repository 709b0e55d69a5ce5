"""What MORES keeps of documents, so that they are never read again; memory-mapped.

    about.json         what it was made by, and how
    ids.txt            document ids, one a line
    passages.npy       [N + 1] int64, where each document's passages begin
    rows.npy           [P + 1] int64, where each passage's rows begin
    shards.npy         [S + 1] int64, where each shard's passages begin
    00000.raw, ...     a shard: one row a word piece, special pieces too, of numbers in the dtype
    keys.raw           [R] int32, the word of each row by its number, -1 at special pieces  (for translations)
    vocabulary.txt     keys of words, one a line; a key's number is its line                (for translations)
    done.json          written last

A row is D (strategy s1), or the keys and values of every block, K_1 V_1 .. K_l V_l (s2), and then D too where the
translation branch reads it. MORES calls the two Reuse-S1 and Reuse-S2.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from clir_cli.encoders.folder import encoder_weights
from clir_cli.encoders.pieces import TextEncoder
from clir_cli.errors import DataError
from clir_cli.rerankers.mores.model import Mores

Strategy = Literal["s1", "s2"]
Stored = Literal["float16", "bfloat16", "float32"]

TORCH_TYPES: dict[str, torch.dtype] = {
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "float32": torch.float32,
}
_RAW: dict[str, Any] = {"float16": np.int16, "bfloat16": np.int16, "float32": np.int32}
"""What the bits of a number are mapped as: NumPy has no bfloat16."""

FORMAT = 1
_SHAPES = ("num_attention_heads", "hidden_size", "hidden_act", "layer_norm_eps", "model_type")


class Rows(NamedTuple):
    """Passages side by side: ``values`` float32 [B, m, c], 0 or another passage's beyond ``lengths`` [B]."""

    values: Tensor
    lengths: Tensor
    keys: NDArray[np.int32] | None
    """[B, m] the word of each row, -1 where there is none."""

    @property
    def mask(self) -> Tensor | None:
        """Boolean [B, m]; None where nothing is padded."""
        longest = self.values.shape[1]
        if int(self.lengths.min()) == longest:
            return None
        return torch.arange(longest, device=self.values.device) < self.lengths.to(self.values.device).unsqueeze(1)


def parts_of_row(model: Mores, strategy: Strategy) -> int:
    """How many vectors of width d a row holds."""
    if strategy == "s1":
        return 1
    return 2 * len(model.blocks) + int(model.arm == "translation")


def weights_hash(model: Mores, strategy: Strategy) -> str:
    """Of the weights that decide what is stored: the document encoder's, the adapters' that documents go through, and,
    for s2, those of keys and values."""
    weights: dict[str, Tensor] = dict(encoder_weights(model.encoder))
    if strategy == "s2":
        for number in range(len(model.blocks)):
            for name in ("key", "value"):
                part = getattr(model.block(number).cross, name).state_dict()
                weights |= {f"block.{number}.{name}.{parameter}": value for parameter, value in part.items()}
    digest = hashlib.sha256(json.dumps({name: getattr(model.encoder.config, name) for name in _SHAPES}).encode())
    if (adapters := model.adapters) is not None:
        digest.update(f"{adapters.switch.stacking} {adapters.switch.last_dropped}".encode())
        through = {"task": adapters.switch.tasks["document"]}
        if adapters.switch.document is not None:
            through["language"] = adapters.switch.languages[adapters.switch.document]
        for name, adapter in through.items():
            weights |= {f"adapters.{name}.{parameter}": value for parameter, value in adapter.state_dict().items()}
    for name in sorted(weights):
        digest.update(name.encode())
        digest.update(weights[name].detach().cpu().float().contiguous().numpy().tobytes())
    return digest.hexdigest()


def shard_file(folder: Path, number: int) -> Path:
    return folder / f"{number:05}.raw"


class Representations:
    """Stored documents, as ``represent`` wrote them."""

    def __init__(self, folder: Path) -> None:
        """Raises ``DataError`` where ``folder`` holds none, not all of them, or a shard was cut."""
        folder = Path(folder)
        self.folder = folder
        if not (folder / "done.json").is_file():
            raise DataError(
                f"{folder} holds no whole representations of documents.", "Make them, or go on, with clir represent."
            )
        try:
            self.about: dict[str, Any] = json.loads((folder / "about.json").read_text("utf-8"))
            self._passages, self._rows, self._shards = (
                np.load(folder / f"{name}.npy") for name in ("passages", "rows", "shards")
            )
            with (folder / "ids.txt").open(encoding="utf-8", newline="\n") as file:
                self._number = {line[:-1]: number for number, line in enumerate(file)}
            self.dtype = TORCH_TYPES[self.about["dtype"]]
            self.columns = int(self.about["columns"])
        except (OSError, ValueError, KeyError) as error:
            raise DataError(
                f"{folder} holds no representations that can be read: {error}", "Make them again."
            ) from error
        self._check_sizes()
        self._open: dict[int, Tensor] = {}

    def _check_sizes(self) -> None:
        ends = self._rows[self._shards]
        sizes = np.diff(ends) * self.columns * self.dtype.itemsize
        expected = [(shard_file(self.folder, number), int(size)) for number, size in enumerate(sizes)]
        if self.about["keys"]:
            expected.append((self.folder / "keys.raw", int(ends[-1]) * 4))
        for file, size in expected:
            there = file.stat().st_size if file.is_file() else -1
            if there != size:
                problem = f"{file} has {there} bytes, not {size}" if there >= 0 else f"{file} is missing"
                raise DataError(
                    f"{problem}: the representations are not whole.", f"Delete {self.folder} and make them again."
                )

    def __len__(self) -> int:
        return len(self._number)

    def __contains__(self, document: object) -> bool:
        return document in self._number

    @property
    def strategy(self) -> Strategy:
        """s1 (D) or s2 (keys and values)."""
        found: Strategy = self.about["strategy"]
        return found

    @property
    def max_pieces(self) -> int:
        """Word pieces of one input, special ones included, when they were made."""
        return int(self.about["max_pieces"])

    @property
    def bytes_per_document(self) -> float:
        """Of all shards, over the documents."""
        return float(self._rows[-1]) * self.columns * self.dtype.itemsize / max(1, len(self))

    @cached_property
    def vocabulary(self) -> Mapping[str, int]:
        """Key -> number; empty where no keys were kept."""
        if not self.about["keys"]:
            return {}
        with (self.folder / "vocabulary.txt").open(encoding="utf-8", newline="\n") as file:
            return {line[:-1]: number for number, line in enumerate(file)}

    def check(self, model: Mores, encoder: TextEncoder) -> None:
        """Refuse what another model or tokenizer made, or what lacks the words that the model's arm reads."""
        if self.about["model"] != weights_hash(model, self.strategy) or self.about["columns"] != (
            parts_of_row(model, self.strategy) * model.encoder.width
        ):
            raise DataError(
                f"The representations in {self.folder} were made by another model.",
                "Make them with this one: clir represent --checkpoint FOLDER.",
            )
        if self.about["encoder"] != encoder.fingerprint:
            raise DataError(
                f"The representations in {self.folder} were made with another tokenizer, or another form of text.",
                "Make them with the model's own.",
            )
        if model.arm == "translation" and not self.about["keys"]:
            raise DataError(
                f"The representations in {self.folder} do not say which words the documents hold.",
                "Make them with this model, which reads translations.",
            )

    def passages_of(self, documents: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(passages of ``documents``, the place of the document in the list that each belongs to).

        Raises ``DataError`` for a document that is not there.
        """
        try:
            numbers = np.fromiter((self._number[document] for document in documents), np.int64, len(documents))
        except KeyError as error:
            raise DataError(
                f"Document {error.args[0]} has no representation in {self.folder}.", "Represent it, too."
            ) from None
        first, counts = self._passages[numbers], self._passages[numbers + 1] - self._passages[numbers]
        owners = np.repeat(np.arange(len(documents)), counts)
        return spread(first, counts), owners

    def lengths(self, passages: NDArray[np.int64]) -> NDArray[np.int64]:
        """Rows of each passage."""
        return np.asarray(self._rows[passages + 1] - self._rows[passages])

    def read(self, passages: NDArray[np.int64], *, keys: bool = False) -> Rows:
        """The rows of ``passages`` [B], put side by side and turned into float32; ``keys``: their words, too."""
        lengths = self.lengths(passages)
        first = self._rows[passages]
        # Padding repeats a passage's first row: it is masked, and must only be finite.
        place = np.arange(lengths.max())
        rows = first[:, None] + np.where(place < lengths[:, None], place, 0)  # [B, m]
        values = self._gather(passages, rows)
        found = None
        if keys:
            found = np.where(place < lengths[:, None], self._keys[rows], np.int32(-1))
        return Rows(values.view(*rows.shape, self.columns), torch.from_numpy(lengths), found)

    def _gather(self, passages: NDArray[np.int64], rows: NDArray[np.int64]) -> Tensor:
        """[B * m, c] in float32; a pass over the shards that hold them, not over documents."""
        shards = np.searchsorted(self._shards, passages, side="right") - 1
        used = np.unique(shards)
        if len(used) == 1:
            return self._take(int(used[0]), rows.ravel())
        values = torch.empty(rows.size, self.columns)
        width = rows.shape[1]
        for shard in used.tolist():
            places = spread(np.flatnonzero(shards == shard) * width, np.full(int((shards == shard).sum()), width))
            values[torch.from_numpy(places)] = self._take(shard, rows[shards == shard].ravel())
        return values

    def _take(self, shard: int, rows: NDArray[np.int64]) -> Tensor:
        if shard not in self._open:
            raw = np.memmap(shard_file(self.folder, shard), _RAW[self.about["dtype"]], mode="c")
            self._open[shard] = torch.from_numpy(np.asarray(raw)).view(self.dtype).view(-1, self.columns)
        begin = int(self._rows[self._shards[shard]])
        return self._open[shard].index_select(0, torch.from_numpy(rows - begin)).float()

    @cached_property
    def _keys(self) -> NDArray[np.int32]:
        return np.asarray(np.memmap(self.folder / "keys.raw", np.int32, mode="r"))


def spread(first: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """``first[i], first[i] + 1, ..`` of so many ``counts[i]``, one after the other."""
    before = np.cumsum(counts) - counts
    return np.asarray(np.repeat(first - before, counts) + np.arange(counts.sum()))
