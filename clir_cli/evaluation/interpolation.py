"""Two runs as one: weight * first + (1 - weight) * second, scores made comparable within a topic.

The weight is chosen on topics that are not tested. Of several weights that do equally well the smallest is taken: the
first system gets no larger share than it has earned.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clir_cli.errors import DataError
from clir_cli.evaluation.measures import evaluate, mean_over_topics
from clir_cli.evaluation.significance import ROUNDING
from clir_cli.records import Qrels, Run, ScoredDoc
from clir_cli.trec import rank

Scores = npt.NDArray[np.float64]


def _minmax(scores: Scores) -> Scores:
    span = scores.max() - scores.min()
    return (scores - scores.min()) / span if span > 0 else np.zeros_like(scores)


def _zscore(scores: Scores) -> Scores:
    # Of equal scores the deviation is 0 only but for rounding: their span says it exactly.
    return (scores - scores.mean()) / scores.std() if scores.max() > scores.min() else np.zeros_like(scores)


def _unchanged(scores: Scores) -> Scores:
    return scores


NORMALISE: dict[str, Callable[[Scores], Scores]] = {"minmax": _minmax, "zscore": _zscore, "none": _unchanged}
"""Name -> how the scores of one topic's candidates become comparable; equal scores all become 0 (but for ``none``)."""


@dataclass(frozen=True)
class Blend:
    """Two runs over the same candidates, normalised: what every weight is tried on."""

    documents: dict[str, list[str]]
    """Topic -> candidates."""
    first: dict[str, Scores]
    """Topic -> the first system's score of each candidate."""
    second: dict[str, Scores]

    def at(self, weight: float) -> Run:
        """The run with this share of the first system: 1 is the first's order of the candidates, 0 the second's."""
        return {
            topic: rank(zip(documents, weight * self.first[topic] + (1 - weight) * self.second[topic], strict=True))
            for topic, documents in self.documents.items()
        }


def bring_together(
    first: Run,
    second: Run,
    topics: Collection[str],
    *,
    normalise: str = "minmax",
    reranked: tuple[bool, bool] = (False, False),
) -> Blend:
    """Both runs over the candidates of each topic, scores normalised.

    The candidates are the documents of the run that is a re-ranker's (``reranked``): what it never saw is not ranked
    by half a score. Where both or neither are, they are the union. A document that a run lacks gets that run's lowest
    score of the topic (a run without the topic scores all of its documents alike), before normalising over the
    candidates.

    Args:
        first, second: topic -> ranked list.
        topics: those that are ranked; one that neither run has gets an empty list.
        normalise: a name of ``NORMALISE``.
        reranked: whether the first, and the second, is a re-ranker.

    Raises ``DataError`` for a score that is infinite: no share of it can be taken.
    """
    blend = Blend({}, {}, {})
    for topic in topics:
        lists = (first.get(topic, []), second.get(topic, []))
        wanted = [ranked for ranked, is_reranked in zip(lists, reranked, strict=True) if is_reranked] or lists
        documents = list(dict.fromkeys(entry.document for ranked in wanted for entry in ranked))
        blend.documents[topic] = documents
        for half, ranked in zip((blend.first, blend.second), lists, strict=True):
            half[topic] = _normalised(_scores(topic, documents, ranked), normalise)
    return blend


def _scores(topic: str, documents: Sequence[str], ranked: Sequence[ScoredDoc]) -> Scores:
    known = {entry.document: entry.score for entry in ranked}
    lowest = min(known.values(), default=0.0)
    scores = np.array([known.get(document, lowest) for document in documents], dtype=np.float64)
    if not np.isfinite(scores).all():
        raise DataError(f"Topic {topic} has a score that is not a finite number.", "Make the run again.")
    return scores


def _normalised(scores: Scores, how: str) -> Scores:
    return NORMALISE[how](scores) if len(scores) else scores


def weights(step: float) -> list[float]:
    """0, ``step``, ... 1. Raises ``ValueError`` where no number of steps makes 1."""
    count = round(1 / step)
    if count < 1 or abs(count * step - 1) > 1e-6:
        raise ValueError(f"no number of steps of {step:g} makes 1")
    return [number / count for number in range(count + 1)]


@dataclass(frozen=True, slots=True)
class Choice:
    """A weight, and what it is based on."""

    weight: float
    values: dict[float, float]
    """Every weight tried -> mean of the measure."""

    @property
    def value(self) -> float:
        return self.values[self.weight]


def choose_weight(blend: Blend, qrels: Qrels, topics: Sequence[str], *, step: float, measure: str) -> Choice:
    """The weight with the best mean of ``measure`` over ``topics``; the smallest of those that differ by rounding only.

    Raises ``DataError`` where none of the topics has a relevant document.
    """
    values = {
        weight: mean_over_topics(evaluate(blend.at(weight), qrels, topics, [measure])[measure])
        for weight in weights(step)
    }
    best = max(values.values())
    return Choice(next(weight for weight, value in values.items() if value >= best - ROUNDING), values)
