"""Word vectors in one space for several languages, in the manner of MUSE: translations lie near each other, mostly."""

import math
import re
from collections.abc import Iterator, Mapping

from clir_cli.corpora.sample.concepts import World
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.inflection import inflect
from clir_cli.corpora.sample.lexicon import Language, Lemma, Lexicon
from clir_cli.corpora.sample.sentences import SLOT

Vector = list[float]

LANGUAGES_WITH_VECTORS = ("eng", "deu", "fra", "ita", "spa")
DIMENSIONS = 20
LEMMA_NOISE, FORM_NOISE, NAME_NOISE = 0.45, 0.2, 0.3
"""How far a word lies from its concept, a form from its word, a name from itself in another language."""
STEPS = 1 << 20
"""A uniform number is one of so many."""
MISSING = 0.15
"""Share of the forms that have no vector."""


def write_vectors(
    dice: Dice, world: World, language: Language, lexicon: Lexicon, concepts: Mapping[str, Vector]
) -> Iterator[str]:
    """``words dimensions``, then ``word v1 .. vd`` a line: inflected words in lower case, each once.

    concepts: where they lie, the same for all languages (``place_concepts``).
    """
    senses = _place_words(dice, language, world, lexicon, concepts)
    places = {word: [_join(vectors)] for word, vectors in senses.items() if not dice.chance(MISSING)}
    function_words = (word for frame in language.templates.values() for text in frame for word in _letters(text))
    somewhere = _random_vector(dice)
    for word in dict.fromkeys(function_words):
        places.setdefault(word, [_near(dice, somewhere, 0.8)])
    yield f"{len(places)} {DIMENSIONS}\n"
    for word in dice.shuffled(sorted(places)):
        yield f"{word} {' '.join(f'{value:.3f}' for value in places[word][0])}\n"


def place_concepts(dice: Dice, world: World) -> dict[str, Vector]:
    """Where each concept lies, near the others of its domain, and (as ``name x``) each part of a name, anywhere."""
    places: dict[str, Vector] = {}
    for domain in world.domains:
        centre = _random_vector(dice)
        for concept in (*domain.nouns, *domain.particulars, *domain.verbs, *domain.adjectives):
            places.setdefault(concept, _near(dice, centre, 1.2))
    for concept in world.kinds():
        places.setdefault(concept, _random_vector(dice))
    for name in (*world.people, *world.places):
        for part in name.lower().split():
            places.setdefault(f"name {part}", _random_vector(dice))
    return places


def _place_words(
    dice: Dice, language: Language, world: World, lexicon: Lexicon, concepts: Mapping[str, Vector]
) -> dict[str, list[Vector]]:
    """Word -> where each of its meanings lies."""
    kinds = world.kinds()
    nouns: dict[str, Lemma] = {}
    for concept, kind in kinds.items():
        if kind == "noun":
            nouns.setdefault(lexicon[concept][0].gender, lexicon[concept][0])
    senses: dict[str, list[Vector]] = {}
    for concept, kind in kinds.items():
        for lemma in lexicon[concept]:
            place = _near(dice, concepts[concept], LEMMA_NOISE)
            for form in inflect(language, lemma, kind, nouns):
                senses.setdefault(form, []).append(_near(dice, place, FORM_NOISE))
    for name in concepts:
        if name.startswith("name "):
            senses.setdefault(name.removeprefix("name "), []).append(_near(dice, concepts[name], NAME_NOISE))
    return senses


def _letters(template: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", SLOT.sub(" ", template).lower())


def _random_vector(dice: Dice) -> Vector:
    """A direction. (The difference of two uniform numbers, cheap and the same everywhere, is near enough to normal.)"""
    return _unit([(dice.below(STEPS) - dice.below(STEPS)) / STEPS for _ in range(DIMENSIONS)])


def _near(dice: Dice, place: Vector, distance: float) -> Vector:
    return _unit([value + distance * noise for value, noise in zip(place, _random_vector(dice), strict=True)])


def _join(vectors: list[Vector]) -> Vector:
    return _unit([math.fsum(values) for values in zip(*vectors, strict=True)])


def _unit(vector: Vector) -> Vector:
    length = math.sqrt(math.fsum(value * value for value in vector))  # fsum: the same on every Python
    return [value / length for value in vector]
