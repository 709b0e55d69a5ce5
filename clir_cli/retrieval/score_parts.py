"""What each term adds to a document's score in the first stage; the parts add up to the score.

A term that occurs in a document adds weight * idf * tf / (tf + norm); what is given here was computed by the engine
that made the run, in its arithmetic, so the parts differ from the score by the rounding of their sum alone.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from clir_cli.retrieval.child import run_in_child


class TermScore(NamedTuple):
    """A term that occurs in the document."""

    term: str
    times: int
    """Occurrences in the document."""
    documents: int
    """How many documents hold it."""
    score: float


def split_score(
    index: Path, weights: Mapping[str, float], document: str, *, k1: float = 1.2, b: float = 0.75, heap: str = "1g"
) -> list[TermScore] | None:
    """The terms of a query that ``document`` holds, by term; None where the index has no such document.

    ``weights``: term -> weight, as for ``search``. Raises ``DataError`` for an index that is not whole, ``StageError``
    where Java cannot finish.
    """
    arguments = {
        "index": str(index.resolve()), "weights": dict(weights), "document": document, "k1": k1, "b": b, "heap": heap,
    }  # fmt: skip
    found = run_in_child("clir_cli.retrieval.lucene:explain_terms", arguments)
    return None if found is None else [TermScore(*part) for part in found]
