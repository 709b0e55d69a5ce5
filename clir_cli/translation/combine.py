"""Tables out of tables: a weighted mixture of several for one pair, and two joined over a language between them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from scipy.sparse import csr_matrix, vstack

from clir_cli.errors import DataError
from clir_cli.translation.pruning import best_entries, keep_entries, row_sums
from clir_cli.translation.table import TranslationTable, table_without_empty

_PRODUCTS = 1 << 24  # products of two probabilities in memory at a time


@dataclass(frozen=True, slots=True)
class PivotReport:
    """``words``: query words in the result, of ``source_words``; ``pivot_words``: words of the language between that
    both tables have, of ``first_pivot_words`` in the first and ``second_pivot_words`` in the second. Means over the
    query words of the first table: ``mass`` of a row there, ``lost`` through pivot words without a row in the second,
    ``pruned`` from the result, ``kept`` in it (less than mass - lost - pruned where the second's rows sum to less than
    1)."""

    words: int
    source_words: int
    pivot_words: int
    first_pivot_words: int
    second_pivot_words: int
    mass: float
    lost: float
    pruned: float
    kept: float


def mix(
    tables: Mapping[str, TranslationTable],
    weights: Mapping[str, float],
    *,
    min_probability: float = 0.0,
    max_translations: int | None = None,
) -> TranslationTable:
    """P(target | source) = sum over tables of weight * P(target | source) there.

    For each query word the weights are divided by the sum of those of the tables that know it: a word that only one
    table knows keeps that table's row whole, whatever the table's weight. Rows that sum to 1 give rows that do.
    ``min_probability``, ``max_translations``: smaller entries of the result go and only the best stay.

    Raises ``DataError`` for a weight without a table or a table without one, weights that are not above 0, and a table
    that has no document word in common with the others (one for another language).
    """
    if sorted(tables) != sorted(weights):
        problem = f"The mixture has weights for {_listed(weights)}, but tables {_listed(tables)}."
        raise DataError(problem, "Give each table one weight.")
    for name, weight in weights.items():
        if not 0 < weight < np.inf:
            raise DataError(f"The mixture weighs {name} with {weight}.", "Weights are numbers above 0.")
    names = sorted(tables)
    _check_common(tables, names)
    largest = max(weights.values())
    weights = {name: weight / largest for name, weight in weights.items()}  # their sum stays a number, however large
    sources = sorted(set().union(*(tables[name].source_words for name in names)))
    targets = sorted(set().union(*(tables[name].target_words for name in names)))
    row_of, column_of = _numbered(sources), _numbered(targets)
    spread = [_spread(tables[name], row_of, column_of) for name in names]
    shares = [weights[name] * (np.diff(matrix.indptr) > 0) for name, matrix in zip(names, spread, strict=True)]
    total = np.sum(shares, axis=0)
    parts = [_scaled(matrix, share / np.maximum(total, 1e-300)) for matrix, share in zip(spread, shares, strict=True)]
    return table_without_empty(
        sources, targets, prune(reduce(csr_matrix.__add__, parts), min_probability, max_translations).astype(np.float32)
    )


def pivot(
    first: TranslationTable,
    second: TranslationTable,
    *,
    min_probability: float,
    max_translations: int,
    names: tuple[str, str] = ("the first table", "the second table"),
) -> tuple[TranslationTable, PivotReport]:
    """P(target | source) = sum over pivot words m of P(target | m) P(m | source): ``second`` after ``first``.

    Entries below ``min_probability`` go and the best ``max_translations`` of a row stay. Rows are not renormalised: one
    that sums to less than 1 says how much was lost on the way, as the report does. ``names`` are for messages.
    Raises ``DataError`` where the target words of ``first`` and the source words of ``second`` have none in common.
    """
    row_of = _numbered(second.source_words)
    numbers = np.array([row_of.get(word, -1) for word in first.target_words], np.int64)
    common = int((numbers >= 0).sum())
    if not common:
        raise DataError(
            f"{names[0]} translates into none of the words that {names[1]} translates.",
            "The second table's query language must be the first one's document language.",
        )
    there = first.probabilities
    path = keep_entries(there, numbers[there.indices] >= 0).astype(np.float64)
    path = csr_matrix((path.data, numbers[path.indices], path.indptr), (len(first), len(second)))
    last = second.probabilities.astype(np.float64)
    kept_blocks, pruned = [], 0.0
    for block in _blocks(path, last):
        products = path[block] @ last
        kept = prune(products, min_probability, max_translations)
        pruned += products.data.sum() - kept.data.sum()
        kept_blocks.append(kept.astype(np.float32))
    result = vstack(kept_blocks, format="csr")
    table = table_without_empty(first.source_words, second.target_words, result)
    rows = max(len(first), 1)
    mass, through = (float(row_sums(matrix).sum()) / rows for matrix in (there, path))
    return table, PivotReport(
        words=len(table),
        source_words=len(first),
        pivot_words=common,
        first_pivot_words=len(first.target_words),
        second_pivot_words=len(second),
        mass=mass,
        lost=mass - through,
        pruned=float(pruned) / rows,
        kept=float(result.data.sum(dtype=np.float64)) / rows,
    )


def prune(matrix: csr_matrix, min_probability: float, max_translations: int | None) -> csr_matrix:
    """``matrix`` without entries below ``min_probability`` or of 0, with the best ``max_translations`` of each row."""
    kept = keep_entries(matrix, (matrix.data >= min_probability) & (matrix.data > 0))
    kept.sort_indices()
    return kept if max_translations is None else best_entries(kept, max_translations)


def _check_common(tables: Mapping[str, TranslationTable], names: Sequence[str]) -> None:
    for name in names:
        others = [other for other in names if other != name]
        words = set(tables[name].target_words)
        if others and all(words.isdisjoint(tables[other].target_words) for other in others):
            raise DataError(
                f"The tables {name} and {_listed(others)} have no document word in common.",
                "Is each for the same pair, in the same direction?",
            )


def _numbered(words: Sequence[str]) -> dict[str, int]:
    return {word: number for number, word in enumerate(words)}


def _spread(table: TranslationTable, row_of: Mapping[str, int], column_of: Mapping[str, int]) -> csr_matrix:
    """The table's numbers over larger vocabularies, float64. Both are sorted, so rows and columns keep their order."""
    rows = np.array([row_of[word] for word in table.source_words], np.int64)
    columns = np.array([column_of[word] for word in table.target_words], np.int64)
    matrix = table.probabilities
    sizes = np.zeros(len(row_of) + 1, np.int64)
    sizes[rows + 1] = np.diff(matrix.indptr)
    data = matrix.data.astype(np.float64)
    return csr_matrix((data, columns[matrix.indices], np.cumsum(sizes)), (len(row_of), len(column_of)))


def _scaled(matrix: csr_matrix, factors: np.ndarray) -> csr_matrix:
    """Row s times ``factors[s]``."""
    data = matrix.data * np.repeat(factors, np.diff(matrix.indptr))
    return csr_matrix((data, matrix.indices, matrix.indptr), matrix.shape)


def _blocks(path: csr_matrix, last: csr_matrix) -> Iterator[slice]:
    """Slices of the rows of ``path`` whose products with ``last`` fit in memory together."""
    lengths = np.diff(last.indptr).astype(np.int64)
    products = np.concatenate(([0], np.cumsum(lengths[path.indices])))[path.indptr]
    first = 0
    while first < path.shape[0]:
        end = int(np.searchsorted(products, products[first] + _PRODUCTS, side="right")) - 1
        end = max(end, first + 1)
        yield slice(first, end)
        first = end


def _listed(names: Mapping[str, object] | Sequence[str]) -> str:
    return ", ".join(sorted(names))
