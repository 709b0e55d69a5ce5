"""Tables that say something else on purpose: what a model makes of them shows what it takes from the true one."""

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from clir_cli.translation.table import TranslationTable

BAND = 16
"""Document words of like frequency that a shuffled table exchanges among each other."""


def shuffle_targets(table: TranslationTable, frequencies: Mapping[str, int], seed: int) -> TranslationTable:
    """``table`` with each document word replaced by another one, everywhere by the same: p(f(t) | s) = P(t | s).

    ``frequencies``: document word -> number of documents that have it. Only these words are exchanged, and others
    leave the table, for no document has them: so every query word keeps as many translations in the collection, with
    the same probabilities. f exchanges words of like frequency: ordered by it (ties at random), they are cut into
    bands of ``BAND``, and f goes round a random circle of each band, so that no word stays what it is (unless it is
    the only one there is). The same ``seed`` and frequencies give the same f.
    """
    known = [number for number, word in enumerate(table.target_words) if frequencies.get(word, 0) > 0]
    random = np.random.default_rng(seed)
    ties = random.permutation(len(known))
    order = sorted(range(len(known)), key=lambda i: (-frequencies[table.target_words[known[i]]], ties[i]))
    other: dict[str, str] = {}
    for band in _bands(order):
        circle = [table.target_words[known[i]] for i in random.permutation(band)]
        other |= zip(circle, [*circle[1:], circle[0]], strict=True)
    rows = {source: {other[t]: float(p) for t, p in entries if t in other} for source, entries in table.rows()}
    return TranslationTable.from_dict({source: row for source, row in rows.items() if row})


def _bands(order: list[int]) -> list[list[int]]:
    """Bands of ``BAND``; a rest of one joins the band before it."""
    bands = [order[start : start + BAND] for start in range(0, len(order), BAND)]
    if len(bands) > 1 and len(bands[-1]) == 1:
        last = bands.pop()
        bands[-1] += last
    return bands


def turn_round(table: TranslationTable) -> TranslationTable:
    """P(query word | document word) in the places of ``table``: Bayes' rule, all query words equally probable.

    The same links with other numbers. Where the other direction was made by itself, its ``transposed()`` is better:
    it knows how frequent query words are.
    """
    return table.inverse().transposed()


def count_documents(documents: Iterable[str]) -> Counter[str]:
    """Word -> how many documents have it; a document is its words, one space between."""
    counts: Counter[str] = Counter()
    for line in documents:
        counts.update(set(line.split()))
    return counts
