"""Words that begin alike back each other off: forms of one word are translated alike.

A word that was met three times has three sentences to tell its translations by; its other forms have more. So when EM
turns expected counts into probabilities, each word's row gets some pseudo-counts that are distributed as its family
translates:

    P(t | s) = (count(s, t) + w P(family of t | family of s) P(t | family of t)) / (count(s) + w)

A family is the words of one language with more than ``letters`` letters that share their first ``letters``; any other
word is its own. (Prefixes as crude stems: McNamee and Mayfield 2004 found five letters to serve European languages.)
The weight fades where a word is frequent, as a Dirichlet prior does.
"""

from typing import Any

import numba
import numpy as np

from clir_cli.translation.alignment.cells import Cells
from clir_cli.translation.alignment.prepared_text import PreparedText

_compiled: Any = numba.njit(cache=True, nogil=True)


class Families:
    """``source`` and ``target`` int32: the family of each word; ``source_share`` and ``target_share`` float64:
    P(word | its family), by frequency; ``cell`` int32 [cells]: the family cell of each cell, ``count`` of them."""

    def __init__(self, text: PreparedText, cells: Cells, letters: int) -> None:
        self.source, self.source_share = _families(text.source_words, text.sources, letters)
        self.target, self.target_share = _families(text.target_words, text.targets, letters)
        by_family = np.argsort(self.source, kind="stable").astype(np.int32)
        self.cell, self.count = _number_cells(by_family, self.source, self.target, cells.start, cells.target)


def _families(words: list[str], tokens: np.ndarray, letters: int) -> tuple[np.ndarray, np.ndarray]:
    number: dict[str, int] = {}
    # A family's name ends in a star, so that it is never a word's: punctuation is no part of longer words.
    names = (word if len(word) <= letters else f"{word[:letters]}*" for word in words)
    family = np.array([number.setdefault(name, len(number)) for name in names], np.int32)
    frequency = np.bincount(tokens, minlength=len(words)).astype(np.float64)
    return family, frequency / np.bincount(family, weights=frequency)[family]


@_compiled
def _number_cells(by_family, source, target, cell_start, cell_target):  # type: ignore[no-untyped-def]
    last_family = np.full(len(target), -1, np.int32)  # of a target family: the source family that met it last
    number = np.empty(len(target), np.int32)
    cell = np.empty(len(cell_target), np.int32)
    found = 0
    for s in by_family:
        for c in range(cell_start[s], cell_start[s + 1]):
            t = target[cell_target[c]]
            if last_family[t] != source[s]:
                last_family[t] = source[s]
                number[t] = found
                found += 1
            cell[c] = number[t]
    return cell, found
