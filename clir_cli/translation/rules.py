"""Which translations of a query word count: one place for SMT, PSQ, M^tr, coverage and every analysis.

Whoever reads a table asks here and nowhere else, so that two stages which are given the same rules see the same
translations. The rules, in the order in which they hold:

1. a query word in ``stop`` has no translations;
2. ``copy`` puts the word itself among them at p = 1;
3. document words in ``document_stop``, or outside the vocabulary where one is given, go;
4. entries at or below ``threshold`` go;
5. of what is left, best first (equal p by word ascending), ``cut`` and then ``top`` keep the beginning;
6. ``renormalise`` divides what is kept by its sum;
7. ``out_of_table`` says what becomes of a word that is left with nothing.

Who wants what: SMT the ten best, renormalised, so that every query word weighs the same whatever its tail; PSQ a cut;
M^tr everything in the collection's vocabulary and the probabilities as they are, for its self weight 1 is the upper
bound of a probability.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from clir_cli.translation.table import TranslationTable

CopyRule = Literal["never", "oov", "always"]
OutOfTable = Literal["keep", "drop"]

ROUNDING = 1e-6
"""Probabilities are float32: a sum this far above the cut is at the cut."""


class TranslatedWord(NamedTuple):
    """One query word; ``translations``: (document word, weight), best first; ``mass``: sum of their p in the table."""

    word: str
    translations: list[tuple[str, float]]
    mass: float = 1.0


@dataclass(frozen=True, slots=True)
class TranslationRules:
    """What the module's text lists; the defaults keep all of a row as it is, and words without a row have nothing.

    ``copy`` links a query word with the equal document word at p = 1: "never" (the text of MAT), "oov" where the word
    is not in the table, "always" where it is not among its own translations (the authors' code; so a false friend gets
    p = 1 too). ``threshold`` is strict. ``cut`` keeps translations while their probabilities sum to no more than it,
    the first one always; 1 keeps all. ``top``: most translations. ``out_of_table``: "keep" lets a word without
    translations stand for itself with weight 1 (names), where document stop words and vocabulary allow it.
    """

    stop: frozenset[str] = frozenset()
    document_stop: frozenset[str] = frozenset()
    copy: CopyRule = "never"
    threshold: float = 0.0
    cut: float = 1.0
    top: int | None = None
    renormalise: bool = False
    out_of_table: OutOfTable = "drop"

    def choose(
        self, word: str, table: TranslationTable, vocabulary: Collection[str] | None = None
    ) -> TranslatedWord | None:
        """The translations of ``word`` that count; None where there are none. ``vocabulary``: a set, for speed."""
        if word in self.stop:
            return None
        row = table.row(word)
        if self.copy != "never" and word not in row and (self.copy == "always" or word not in table):
            row[word] = 1.0
        # As float32, which probabilities are: 0.1 is not above a threshold of 0.1.
        threshold = float(np.float32(self.threshold))
        entries = [(t, p) for t, p in row.items() if p > threshold and self._may_be(t, vocabulary)]
        entries.sort(key=lambda entry: (-entry[1], entry[0]))
        kept = self._beginning(entries)
        if not kept:
            keeps = self.out_of_table == "keep" and self._may_be(word, vocabulary)
            return TranslatedWord(word, [(word, 1.0)]) if keeps else None
        mass = sum(p for _, p in kept)
        return TranslatedWord(word, [(t, p / mass) for t, p in kept] if self.renormalise else kept, mass)

    def choose_each(
        self, words: Iterable[str], table: TranslationTable, vocabulary: Collection[str] | None = None
    ) -> dict[str, TranslatedWord]:
        """Every distinct word once; words without translations are left out."""
        known = vocabulary if vocabulary is None or isinstance(vocabulary, set | frozenset | dict) else set(vocabulary)
        chosen = ((word, self.choose(word, table, known)) for word in dict.fromkeys(words))
        return {word: translated for word, translated in chosen if translated is not None}

    def _may_be(self, target: str, vocabulary: Collection[str] | None) -> bool:
        return target not in self.document_stop and (vocabulary is None or target in vocabulary)

    def _beginning(self, entries: list[tuple[str, float]]) -> list[tuple[str, float]]:
        """What ``cut`` and ``top`` leave of ``entries``, best first."""
        if self.cut < 1.0:
            total = 0.0
            for count, (_, p) in enumerate(entries):
                total += p
                if count and total > self.cut + ROUNDING:
                    entries = entries[:count]
                    break
        return entries if self.top is None else entries[: self.top]
