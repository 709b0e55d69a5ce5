"""The translation table: P(document word | query word), sparse, one row a query word.

Whatever made it (alignment, a dictionary, an imported file), first stage and M^tr read this one class. Rows may sum
to less than 1 where entries were pruned: the numbers stay as they were given.

Who wants ``renormalised`` rows? Not M^tr: it takes probabilities as they are (MAT, Algorithm 1: the self weight 1 is
their upper bound, and a pruned row says less than a whole one). Not SMT either: it normalises the translations that it
keeps within each query word. PSQ does, where a cut should be a share of what a pruned row has; and so does whoever
compares tables that were pruned differently. Mixing and Bayes' rule take rows as they are.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from clir_cli.errors import DataError
from clir_cli.lines import write_whole
from clir_cli.translation.inversion import invert_probabilities
from clir_cli.translation.pruning import best_entries, cut_entries, entries_above, normalised_rows, rank_entries

FORMAT = "clir translation table 1"
REMEDY = "Delete the folder and make the table anew (clir align)."
ARRAYS = ("data", "indices", "indptr")


class TranslationTable:
    """P(target | source) for words after normalisation (keys).

    ``source_words`` and ``target_words`` are sorted by code point and distinct; ``probabilities`` is [S, T] float32,
    row s = P(. | source word s), column indices sorted within a row. A table from ``load`` keeps its arrays on disk
    (memory-mapped) and makes its word lists and its word -> row index when they are first asked for.
    """

    def __init__(self, source_words: list[str], target_words: list[str], probabilities: csr_matrix) -> None:
        if probabilities.shape != (len(source_words), len(target_words)):
            raise ValueError(f"{probabilities.shape} is not {len(source_words)} x {len(target_words)}")
        self.source_words = source_words
        self.target_words = target_words
        self.probabilities = probabilities

    @classmethod
    def from_dict(cls, rows: Mapping[str, Mapping[str, float]]) -> "TranslationTable":
        """``{source: {target: p}}`` as a table; entries of 0 are left out."""
        sources = sorted(rows)
        targets = sorted({target for row in rows.values() for target in row})
        column = {word: number for number, word in enumerate(targets)}
        entries = [(s, column[t], p) for s, word in enumerate(sources) for t, p in rows[word].items() if p > 0]
        s, t, p = zip(*entries, strict=True) if entries else ((), (), ())
        shape = (len(sources), len(targets))
        matrix = csr_matrix((np.array(p, np.float32), (np.array(s, np.int64), np.array(t, np.int64))), shape=shape)
        matrix.sort_indices()
        return cls(sources, targets, matrix)

    def __len__(self) -> int:
        """Number of source words."""
        return int(self.probabilities.shape[0])

    def __contains__(self, word: str) -> bool:
        return word in self._rows

    def row(self, word: str) -> dict[str, float]:
        """Every translation of ``word`` with its probability, by target word; empty where the word is unknown."""
        columns, values = self._entries(word)
        return {self.target_words[t]: p for t, p in zip(columns.tolist(), values.tolist(), strict=True)}

    def top(self, word: str, count: int) -> list[tuple[str, float]]:
        """The ``count`` most probable translations: p descending, equal p by target word ascending."""
        columns, values = self._entries(word)
        # Target words are sorted, so a smaller column is a smaller word; a stable sort keeps them in that order.
        best = np.argsort(-values, kind="stable")[:count]
        return [(self.target_words[columns[i]], float(values[i])) for i in best]

    def rows(self) -> Iterator[tuple[str, list[tuple[str, np.float32]]]]:
        """Each source word with all its translations in the order of ``top``: the way through a large table."""
        words, matrix = self.target_words, self.probabilities
        order, _ = rank_entries(matrix)
        for number, source in enumerate(self.source_words):
            entries = order[matrix.indptr[number] : matrix.indptr[number + 1]]
            columns = matrix.indices[entries].tolist()
            yield source, list(zip([words[t] for t in columns], matrix.data[entries], strict=True))

    def _entries(self, word: str) -> tuple[np.ndarray, np.ndarray]:
        number = self._rows.get(word)
        if number is None:
            return np.empty(0, np.int32), np.empty(0, np.float32)
        first, last = self.probabilities.indptr[number : number + 2]
        return self.probabilities.indices[first:last], self.probabilities.data[first:last]

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.source_words)}

    def above(self, threshold: float) -> "TranslationTable":
        """A table of the entries with p > ``threshold``."""
        return self._with(entries_above(self.probabilities, threshold))

    def best(self, count: int) -> "TranslationTable":
        """A table of the ``count`` most probable translations of each word; equal p by target word ascending."""
        return self._with(best_entries(self.probabilities, count))

    def cut(self, mass: float) -> "TranslationTable":
        """A table of each word's most probable translations while their p sum to no more than ``mass``.

        The first is always kept. ``mass`` is of probability, not a share of what a pruned row has left, so that a
        second cut changes nothing; ``renormalised().cut(mass)`` is about shares.
        """
        return self._with(cut_entries(self.probabilities, mass))

    def renormalised(self) -> "TranslationTable":
        """A table whose rows sum to 1; the text above says who wants it."""
        return self._with(normalised_rows(self.probabilities))

    def inverse(self, prior: Mapping[str, float] | np.ndarray | None = None) -> "TranslationTable":
        """P(source | target) by Bayes' rule; its rows sum to 1, whatever was pruned here.

        ``prior``: P(source word), any scale: [S] in the order of ``source_words``, or by word, where one that is
        missing has 0 (its entries go). By default every source word is equally probable: then a rare word that has a
        translation for itself weighs as much as a frequent one, so give counts where there are some.
        Raises ``ValueError`` for a prior that is negative, not finite, or not one number a word.
        """
        if isinstance(prior, Mapping):
            prior = np.array([prior.get(word, 0.0) for word in self.source_words], np.float64)
        if prior is not None and (prior.shape != (len(self),) or not np.isfinite(prior).all() or (prior < 0).any()):
            raise ValueError(f"a prior is {len(self)} numbers of 0 or more")
        turned = invert_probabilities(self.probabilities, prior)
        return table_without_empty(self.target_words, self.source_words, turned)

    def transposed(self) -> "TranslationTable":
        """The same numbers with the sides exchanged: for counts and other symmetric weights; for probabilities use
        ``inverse``."""
        turned = self.probabilities.T.tocsr()
        turned.sort_indices()
        return TranslationTable(self.target_words, self.source_words, turned)

    def _with(self, probabilities: csr_matrix) -> "TranslationTable":
        return table_without_empty(self.source_words, self.target_words, probabilities)

    def save(self, folder: Path) -> None:
        """Write the table into ``folder``: arrays as .npy, words as text; table.json, which vouches for them, last."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "table.json").unlink(missing_ok=True)
        for name in ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self.probabilities, name))
        for name, words in (("source", self.source_words), ("target", self.target_words)):
            with write_whole(folder / f"{name}.txt") as file:
                file.writelines(f"{word}\n" for word in words)
        rows, columns = self.probabilities.shape
        summary = {"format": FORMAT, "source": rows, "target": columns, "entries": int(self.probabilities.nnz)}
        with write_whole(folder / "table.json") as file:
            file.write(json.dumps(summary) + "\n")

    @classmethod
    def load(cls, folder: Path) -> "TranslationTable":
        """Open a saved table in milliseconds; raises ``DataError`` where ``folder`` holds none that is whole."""
        marker = folder / "table.json"
        try:
            summary = json.loads(marker.read_text(encoding="utf-8"))
            data, indices, indptr = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in ARRAYS)
            if summary["format"] != FORMAT or len(indptr) != summary["source"] + 1 or len(data) != summary["entries"]:
                raise ValueError("arrays and table.json disagree")
        except FileNotFoundError as error:
            raise DataError(f"{folder} holds no translation table ({error.filename} is missing).", REMEDY) from error
        except (ValueError, KeyError, TypeError, OSError, EOFError) as error:
            raise DataError(f"{folder} holds a damaged translation table: {error}.", REMEDY) from error
        shape = (summary["source"], summary["target"])
        return _SavedTable(folder, csr_matrix((data, indices, indptr), shape, copy=False))


class _SavedTable(TranslationTable):
    """A table on disk: words are read when they are first needed."""

    def __init__(self, folder: Path, probabilities: csr_matrix) -> None:
        self._folder = folder
        self.probabilities = probabilities

    @cached_property
    def source_words(self) -> list[str]:  # type: ignore[override]
        return self._words("source.txt", int(self.probabilities.shape[0]))

    @cached_property
    def target_words(self) -> list[str]:  # type: ignore[override]
        return self._words("target.txt", int(self.probabilities.shape[1]))

    def _words(self, name: str, count: int) -> list[str]:
        words = (self._folder / name).read_text(encoding="utf-8").split("\n")[:-1]
        if len(words) != count:
            raise DataError(f"{self._folder / name} holds {len(words)} words, not {count}.", REMEDY)
        return words


def table_without_empty(source_words: list[str], target_words: list[str], matrix: csr_matrix) -> TranslationTable:
    """The table without words that have no entry, so that "in the table" means "has a translation".

    ``matrix``: [S, T], columns sorted within rows, no entries of 0.
    """
    rows = np.flatnonzero(np.diff(matrix.indptr))
    columns = np.flatnonzero(np.bincount(matrix.indices, minlength=matrix.shape[1]))
    numbers = np.zeros(matrix.shape[1], matrix.indices.dtype)
    numbers[columns] = np.arange(len(columns))
    ends = matrix.indptr[np.concatenate((rows, [-1]))]  # an empty row ends where it begins
    kept = csr_matrix((matrix.data, numbers[matrix.indices], ends), (len(rows), len(columns)), copy=False)
    return TranslationTable(
        source_words if len(rows) == len(source_words) else [source_words[i] for i in rows],
        target_words if len(columns) == len(target_words) else [target_words[i] for i in columns],
        kept,
    )
