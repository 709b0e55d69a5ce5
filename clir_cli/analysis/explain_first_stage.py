"""The query as the first stage asked it, and the document's score split by its words."""

from collections import Counter
from collections.abc import Iterable, Sequence

from clir_cli.analysis.explanation import QueryWord, Translation
from clir_cli.retrieval.score_parts import TermScore
from clir_cli.retrieval.sparse.score_parts import WordScore
from clir_cli.retrieval.translate_query import Structure, weigh_each
from clir_cli.translation.rules import TranslatedWord


def split_by_query_word(
    asked: Sequence[str],
    translated: Sequence[TranslatedWord],
    terms: Sequence[TermScore],
    structure: Structure = "nested",
) -> list[QueryWord]:
    """A weighted query (``translate_query.weigh``): the score of each term, given to the query words that ask for it.

    ``asked``: the query's words in order; ``terms``: what the document holds. A term's score is linear in its weight,
    so each query word is given the share that it has in the weight; the shares add up to the document's score.
    """
    weights: dict[str, dict[str, float]] = {}  # query word -> document word -> weight
    totals: dict[str, float] = {}
    for word, target, weight in weigh_each(translated, structure):
        row = weights.setdefault(word, {})
        row[target] = row.get(target, 0.0) + weight
        totals[target] = totals.get(target, 0.0) + weight
    found = {term.term: term for term in terms}

    def translation(target: str, weight: float) -> Translation:
        term = found.get(target)
        if term is None:
            return Translation(target, weight)
        return Translation(target, weight, term.times, term.documents, term.score * weight / totals[target])

    return [
        QueryWord(word, times, sum(row.values()), _best_first(translation(t, w) for t, w in row.items()))
        for word, times in Counter(asked).items()
        for row in [weights.get(word, {})]
    ]


def split_structured_query(
    asked: Sequence[str], translated: Sequence[TranslatedWord], words: Sequence[WordScore]
) -> list[QueryWord]:
    """A query of PSQ: weights of translations are p(translation | query word), a query word weighs its share of all."""
    rows = {word.word: word for word in translated}
    found = {(word.word, term.term): term for word in words for term in word.terms}
    known = Counter(word.word for word in translated)

    def translation(word: str, target: str, p: float) -> Translation:
        term = found.get((word, target))
        return Translation(target, p) if term is None else Translation(target, p, *term[1:])

    return [
        QueryWord(
            word,
            times,
            known[word] / len(translated) if translated else 0.0,
            _best_first(translation(word, t, p) for t, p in rows[word].translations) if word in rows else [],
        )
        for word, times in Counter(asked).items()
    ]


def _best_first(translations: Iterable[Translation]) -> list[Translation]:
    return sorted(translations, key=lambda entry: (-entry.weight, entry.word))
