"""The forms of a word that texts have, as single words in lower case."""

from collections.abc import Iterator, Mapping

from clir_cli.corpora.sample.concepts import Kind
from clir_cli.corpora.sample.lexicon import Language, Lemma, NounParts

FORMS: Mapping[str, tuple[str, ...]] = {"deu": ("nom", "acc", "dat", "bare", "bare_acc")}
"""Forms of noun phrases that differ in more than their article."""


def inflect(language: Language, lemma: Lemma, kind: Kind, nouns: Mapping[str, Lemma]) -> list[str]:
    """Different forms of ``lemma``, the one of the dictionary first; ``nouns``: one of each gender, for agreement."""
    if kind == "noun":
        forms = _forms_of_noun(language, lemma)
    elif kind == "verb":
        forms = (language.verb(lemma, "past", plural, "m") for plural in (False, True))
    else:
        forms = (form for noun in nouns.values() for form in _forms_beside(language, lemma, noun))
    last_words = (form.split()[-1].lower() for form in forms)  # of "ont vu" it is the participle
    return list(dict.fromkeys([lemma.word.lower(), *last_words]))


def _phrases(language: Language, noun: Lemma, adjective: Lemma | None) -> Iterator[str]:
    for form in FORMS.get(language.code, ("bare",)):
        for plural in (False, True):
            for definite in (True, False):
                yield language.noun_phrase(NounParts(noun, plural, definite, adjective, None), form)


def _forms_of_noun(language: Language, noun: Lemma) -> Iterator[str]:
    return _phrases(language, noun, None)


def _forms_beside(language: Language, adjective: Lemma, noun: Lemma) -> Iterator[str]:
    """What the adjective adds to phrases with the noun."""
    pairs = zip(_phrases(language, noun, adjective), _phrases(language, noun, None), strict=True)
    for phrase, without in pairs:
        plain = without.split()
        yield from (word for word in phrase.split() if word not in plain)
