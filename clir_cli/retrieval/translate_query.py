"""A query in the other language: each query word's best translations, weighted (the SMT row of the MAT paper).

Structures are those of Galago's ``#combine`` (paper: "weighted #combine"). Nested, every query word counts the same
and its translations share its weight::

    #combine( #combine:0=0.7:1=0.3( haus heim ) #combine:0=0.9:1=0.1( buch band ) )

flat, all translations stand in one #combine with their table probabilities, so that a query word whose ten best
translations carry little mass counts less. The paper does not say which one it used; docs/method.md does for us.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from clir_cli.translation.rules import TranslatedWord, TranslationRules
from clir_cli.translation.table import TranslationTable

Structure = Literal["nested", "flat"]

TEN_BEST = TranslationRules(top=10, renormalise=True, out_of_table="keep")
"""The paper's SMT: ten translations a word, which share its weight."""


def translate(
    words: Sequence[str], table: TranslationTable, rules: TranslationRules = TEN_BEST
) -> list[TranslatedWord]:
    """The translations of every query word that ``rules`` leave, words without any left out.

    A word that occurs twice in the query is there twice.
    """
    chosen = rules.choose_each(words, table)
    return [chosen[word] for word in words if word in chosen]


def human(words: Iterable[str]) -> list[TranslatedWord]:
    """A query that a person translated: every word stands for itself."""
    return [TranslatedWord(word, [(word, 1.0)]) for word in words]


def weigh(translated: Sequence[TranslatedWord], structure: Structure = "nested") -> dict[str, float]:
    """The #combine multiplied out: document word -> weight; weights sum to 1; a word reached twice gets both shares.

    The weights of a word's translations are taken to sum to 1 (``renormalise``).

    Galago divides the weights of each #combine by their sum and its flattening multiplies nested weights out, so
    score(document) = sum over the words of weight * BM25(word, document).
    """
    weights: dict[str, float] = {}
    for _, target, weight in weigh_each(translated, structure):
        weights[target] = weights.get(target, 0.0) + weight
    return weights


def weigh_each(
    translated: Sequence[TranslatedWord], structure: Structure = "nested"
) -> Iterator[tuple[str, str, float]]:
    """The parts that ``weigh`` adds up: (query word, document word, weight)."""
    total = sum(_share(word, structure) for word in translated)
    for word in translated:
        for target, weight in word.translations:
            yield word.word, target, weight * _share(word, structure) / total


def to_combine(translated: Sequence[TranslatedWord], structure: Structure = "nested") -> str:
    """The query as Galago reads it, for people; weights to six digits."""
    if structure == "flat":
        children = [(target, p * word.mass) for word in translated for target, p in word.translations]
        return _combine([target for target, _ in children], [weight for _, weight in children])
    return _combine([_one_word(word) for word in translated], [1.0] * len(translated))


def _share(word: TranslatedWord, structure: Structure) -> float:
    return word.mass if structure == "flat" else 1.0


def _one_word(word: TranslatedWord) -> str:
    targets = [target for target, _ in word.translations]
    return targets[0] if len(targets) == 1 else _combine(targets, [p for _, p in word.translations])


def _combine(children: Sequence[str], weights: Sequence[float]) -> str:
    equal = all(weight == weights[0] for weight in weights)
    keys = "" if equal else "".join(f":{i}={weight:.6g}" for i, weight in enumerate(weights))
    return f"#combine{keys}( {' '.join(children)} )" if children else "#combine( )"
