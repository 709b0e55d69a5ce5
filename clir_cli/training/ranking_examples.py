"""Queries, the documents that answer them, and others that do not: material for ranking in one language.

It comes from a file of triples (as MS MARCO's), or from a collection, where each title asks for its own document, or a
list of queries does.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from clir_cli.corpora.document_store import DocumentStore
from clir_cli.corpora.normalise import content_keys
from clir_cli.errors import DataError
from clir_cli.lines import read_lines
from clir_cli.training.spooled_texts import Chosen, Members, SpooledTexts

HARD_SHARE = 0.25
"""Of the other documents drawn from a collection, those that share a word with the query."""
TRIES = 20


@dataclass
class RankingExamples:
    """Queries by number, and their documents by number.

    ``others`` are the documents a query is contrasted with; without them, any of ``documents`` but the relevant ones.
    ``sharing``: per query, for each of its words the documents that hold it; such documents are the harder contrast.
    """

    queries: Sequence[str]
    documents: Sequence[str]
    relevant: Sequence[Sequence[int] | NDArray[np.int64]]
    others: Sequence[Sequence[int] | NDArray[np.int64]] | None = None
    sharing: list[list[NDArray[np.int32]]] = field(default_factory=list)

    def draw_relevant(self, query: int, dice: np.random.Generator) -> int:
        """One of the relevant documents."""
        return int(self.relevant[query][int(dice.integers(len(self.relevant[query])))])

    def draw_other(self, query: int, dice: np.random.Generator, hard_share: float = HARD_SHARE) -> int:
        """A document that is not relevant: with ``hard_share``, one that shares a word with the query, if there is one.

        The word is drawn first, so that a rare word counts as much as a frequent one.
        """
        if self.others is not None:
            return int(self.others[query][int(dice.integers(len(self.others[query])))])
        if self.sharing and self.sharing[query] and dice.random() < hard_share:
            for _ in range(TRIES):
                holders = self.sharing[query][dice.integers(len(self.sharing[query]))]
                number = holders[dice.integers(len(holders))]
                if number not in self.relevant[query]:
                    return int(number)
        while True:
            number = int(dice.integers(len(self.documents)))
            if number not in self.relevant[query]:
                return number


class StoredTexts(Sequence[str]):
    """The texts of a document store by number; ``titles`` says whether they begin with their titles."""

    def __init__(self, store: DocumentStore, titles: bool) -> None:
        self._store, self._titles = store, titles

    def __len__(self) -> int:
        return len(self._store)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[place] for place in range(*number.indices(len(self)))]
        id = self._store.ids[number]
        text = self._store.text(id)
        return text if self._titles else text.removeprefix(self._store.title(id)).removeprefix("\n")


def read_triples(
    path: Path, examples: int | None = None, *, seed: int = 42, folder: Path | None = None
) -> RankingExamples:
    """Lines of ``query TAB relevant text TAB other text``; lines of one query are put together.

    ``examples``: most queries that are used, drawn by ``seed``. The texts stay on disk, in a nameless file in
    ``folder``. Raises ``DataError``, with file and line, where a line has not three parts or one is empty, and where
    there is no line.
    """
    queries, documents = SpooledTexts(folder), SpooledTexts(folder)
    asked, relevant, others = array("q"), array("q"), array("q")
    for line, text in read_lines(path):
        parts = [part.strip() for part in text.split("\t")]
        if parts == [""]:
            continue
        if len(parts) != 3 or not all(parts):
            raise DataError(
                f"{path}:{line}: {len(parts)} parts, or an empty one.",
                "Each line needs three texts with tabs between: query, relevant text, other text.",
            )
        asked.append(queries.add(parts[0]))
        relevant.append(documents.add(parts[1]))
        others.append(documents.add(parts[2]))
    if not asked:
        raise DataError(f"{path} holds no triples.", "Each line needs: query, relevant text, other text.")
    queries.close()
    documents.close()
    chosen = _choose_numbers(len(queries), examples, seed)
    return RankingExamples(
        Chosen(queries, chosen),
        documents,
        Members(asked, relevant, len(queries)).take(chosen),
        Members(asked, others, len(queries)).take(chosen),
    )


def title_examples(
    store: DocumentStore, *, examples: int | None = None, stop: frozenset[str] = frozenset(), seed: int = 42
) -> RankingExamples:
    """Each title asks for its own document, which is read without it.

    Documents of the same title all answer it. Documents without a title, or with nothing else, ask for nothing.
    ``stop``: words that make no document a hard contrast by being shared. Raises ``DataError`` where no document has a
    title and text.
    """
    documents = StoredTexts(store, titles=False)
    relevant: dict[str, list[int]] = {}
    for number, id in enumerate(store.ids):
        title = store.title(id).strip()
        if title and documents[number].strip():
            relevant.setdefault(title, []).append(number)
    return _examples(store, documents, relevant, examples, stop, seed, "No document of the collection has a title.")


def query_examples(
    store: DocumentStore,
    queries: Mapping[str, str],
    judgements: Mapping[str, Mapping[str, int]] | None = None,
    *,
    examples: int | None = None,
    stop: frozenset[str] = frozenset(),
    seed: int = 42,
) -> RankingExamples:
    """Queries by id, answered by the documents that ``judgements`` grade above 0.

    Without judgements a query's id is that of its document. Documents that are not in the collection, and queries
    without any that is, are left out. Raises ``DataError`` where nothing is left.
    """
    place = {id: number for number, id in enumerate(store.ids)}
    relevant: dict[str, list[int]] = {}
    for id, text in queries.items():
        judged = {id: 1} if judgements is None else judgements.get(id, {})
        answers = [place[document] for document, grade in judged.items() if grade > 0 and document in place]
        if answers and text.strip():
            known = relevant.setdefault(text.strip(), [])
            known.extend(number for number in answers if number not in known)
    problem = "None of the pre-training queries has an answer in the collection."
    return _examples(store, StoredTexts(store, titles=True), relevant, examples, stop, seed, problem)


def _examples(
    store: DocumentStore,
    documents: Sequence[str],
    relevant: dict[str, list[int]],
    examples: int | None,
    stop: frozenset[str],
    seed: int,
    problem: str,
) -> RankingExamples:
    relevant = {query: answers for query, answers in relevant.items() if len(answers) < len(documents)}
    if not relevant:
        raise DataError(problem, "Check what `pretrain.ranking` reads.")
    queries = _choose(list(relevant), examples, seed)
    return RankingExamples(
        queries, documents, [relevant[query] for query in queries], sharing=_sharing(store, queries, stop)
    )


def _sharing(store: DocumentStore, queries: list[str], stop: frozenset[str]) -> list[list[NDArray[np.int32]]]:
    keys = [sorted(set(content_keys(query, stop))) for query in queries]
    holders = {key: array("i") for of_query in keys for key in of_query}
    for number, (_, line) in enumerate(read_lines(store.tokens_path)):
        for key in holders.keys() & set(line.split(" ")):
            holders[key].append(number)
    # A word that only the answer holds leads nowhere.
    shared = {key: np.array(numbers, dtype=np.int32) for key, numbers in holders.items() if len(numbers) > 1}
    return [[shared[key] for key in of_query if key in shared] for of_query in keys]


def _choose(queries: list[str], examples: int | None, seed: int) -> list[str]:
    return [queries[number] for number in _choose_numbers(len(queries), examples, seed)]


def _choose_numbers(count: int, examples: int | None, seed: int) -> NDArray[np.int64]:
    """``examples`` of 0..count-1, ascending; all where there are no more."""
    if examples is None or examples >= count:
        return np.arange(count)
    return np.sort(np.random.default_rng([seed, 4]).permutation(count)[:examples])
