"""Texts and numbers of a large set of training examples, without a Python object for each."""

import hashlib
import tempfile
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray


class SpooledTexts(Sequence[str]):
    """Distinct texts by number, in a nameless file that goes with the process.

    While texts are added a digest of each is kept, by which it is known again; ``close`` lets go of them.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """``folder``: where the file is; by default where the system keeps such."""
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - open as long as its texts are read
        self._bounds = array("q", [0])
        self._known: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._bounds) - 1

    def add(self, text: str) -> int:
        """The number of ``text``: its own if it is there already, else the next."""
        data = text.encode()
        number = self._known.setdefault(hashlib.blake2b(data, digest_size=16).digest(), len(self))
        if number == len(self):
            self._file.write(data)
            self._bounds.append(self._bounds[-1] + len(data))
        return number

    def close(self) -> None:
        """No more texts come."""
        self._known = {}

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[place] for place in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(number)
        begin, end = self._bounds[number], self._bounds[number + 1]
        self._file.seek(begin)
        return self._file.read(end - begin).decode()


class Chosen(Sequence[str]):
    """Some of the texts, by the places of ``numbers``."""

    def __init__(self, texts: Sequence[str], numbers: NDArray[np.int64]) -> None:
        self._texts, self._numbers = texts, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[place] for place in range(*number.indices(len(self)))]
        return self._texts[int(self._numbers[number])]


class Members(Sequence[NDArray[np.int64]]):
    """For each of many owners some numbers, each once, in the order in which they first came."""

    def __init__(self, owners: Iterable[int], members: Iterable[int], count: int) -> None:
        """``owners`` and ``members``: a pair at each place; ``count`` owners."""
        pairs = np.stack([np.asarray(owners, dtype=np.int64), np.asarray(members, dtype=np.int64)])
        _, first = np.unique(pairs, axis=1, return_index=True)
        pairs = pairs[:, np.sort(first)]
        order = np.argsort(pairs[0], kind="stable")
        self._members = pairs[1, order]
        self._bounds = np.searchsorted(pairs[0, order], np.arange(count + 1))

    def __len__(self) -> int:
        return len(self._bounds) - 1

    @overload
    def __getitem__(self, number: int) -> NDArray[np.int64]: ...
    @overload
    def __getitem__(self, number: slice) -> list[NDArray[np.int64]]: ...
    def __getitem__(self, number: int | slice) -> NDArray[np.int64] | list[NDArray[np.int64]]:
        if isinstance(number, slice):
            return [self[place] for place in range(*number.indices(len(self)))]
        if not 0 <= number < len(self):
            raise IndexError(number)
        return self._members[self._bounds[number] : self._bounds[number + 1]]

    def take(self, numbers: NDArray[np.int64]) -> "Members":
        """Those of some owners, numbered anew."""
        counts = np.diff(self._bounds)[numbers]
        places = np.concatenate([np.arange(*self._bounds[number : number + 2]) for number in numbers.tolist()])
        return Members(np.repeat(np.arange(len(numbers)), counts), self._members[places], len(numbers))
