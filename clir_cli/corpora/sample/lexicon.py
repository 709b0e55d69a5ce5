"""How a language names the concepts: real words where its module has them, invented ones for the rest."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from clir_cli.corpora.sample.concepts import Kind
from clir_cli.corpora.sample.dice import Dice


class Lemma(NamedTuple):
    """A dictionary entry. ``gender`` and ``form`` mean what the language's module says (plural, past tense)."""

    word: str
    gender: str = ""
    form: str = ""


@dataclass(frozen=True, slots=True)
class Syllables:
    """What invented words of a language are made of: onset, nucleus, perhaps link and nucleus, coda, ending.

    Each field lists its options, separated by spaces; an option given twice is twice as likely.
    """

    onsets: str
    nuclei: str
    links: str
    codas: str
    endings: Mapping[Kind, str]

    def invent(self, dice: Dice, kind: Kind) -> str:
        """A word that nobody has heard before."""
        body = dice.choose(self.onsets.split()) + dice.choose(self.nuclei.split())
        if dice.chance(0.4):
            body += dice.choose(self.links.split()) + dice.choose(self.nuclei.split())
        return body + dice.choose(self.codas.split()) + dice.choose(self.endings[kind].split())


@dataclass(frozen=True, slots=True)
class Language:
    """All that the generator knows about a language: one module in ``languages`` makes one of these.

    Templates hold slots ``{S:nom}``: the name of a part of the sentence plan (``sentences.Sentence``) and the form in
    which this language puts it. A frame may have several templates; one that uses just the parts of the plan is drawn.
    """

    code: str
    syllables: Syllables
    core: Mapping[str, str]
    """Concept -> "word:gender:form|synonym:gender:form"."""
    invent_lemma: Callable[[Dice, Kind, str], Lemma]
    """Chooses gender and forms for an invented word."""
    noun_phrase: Callable[["NounParts", str], str]
    verb: Callable[[Lemma, str, bool, str], str]
    """(lemma, form, plural subject?, gender of the subject) -> the verb."""
    predicate: Callable[[Lemma, "NounParts | None"], str]
    """(adjective, whose quality it is) -> the adjective as said of it."""
    templates: Mapping[str, tuple[str, ...]]
    weekdays: tuple[str, ...]
    cite: Callable[[Lemma, Kind], str] = lambda lemma, kind: lemma.word
    """The form that stands in dictionaries."""
    synonyms: float = 0.4
    """Share of the invented nouns and verbs that have a second word."""
    homonyms: float = 0.15
    """Share of the topics' own concepts whose (invented) word also means something unrelated."""
    cognates: float = 0.0
    """Share of the invented nouns that are spelled as in English."""


class NounParts(NamedTuple):
    """What a noun phrase is made of, before the language puts it together."""

    noun: Lemma
    plural: bool
    definite: bool
    adjective: Lemma | None
    modifier: Lemma | None


Lexicon = dict[str, tuple[Lemma, ...]]
"""Concept -> its words, the usual one first."""


def read_core(core: str) -> dict[str, str]:
    """The ``concept=word`` entries of a language module: separated by semicolons or line ends."""
    entries = (entry.strip() for line in core.splitlines() for entry in line.split(";"))
    return dict(entry.split("=", 1) for entry in entries if entry)


def build_lexicon(
    seed: int, language: Language, kinds: Mapping[str, Kind], homonym_pairs: list[tuple[str, str]], loans: Lexicon
) -> Lexicon:
    """Words of ``language`` for every concept.

    homonym_pairs: concepts that come to share a word, where neither has a real one. loans: the English lexicon, from
    which cognates are taken (empty for English).
    """
    dice = Dice(seed, f"lexicon.{language.code}")
    used = {lemma.word.lower() for entry in language.core.values() for lemma in _read_entry(entry)}
    lexicon: Lexicon = {}

    def invent(kind: Kind) -> Lemma:
        while (word := language.syllables.invent(dice, kind)) in used or len(word) < 4:
            pass
        used.add(word)
        return language.invent_lemma(dice, kind, word)

    for concept, kind in kinds.items():
        if concept in language.core:
            lexicon[concept] = _read_entry(language.core[concept])
            continue
        first = invent(kind)
        if kind == "noun" and concept in loans and dice.chance(language.cognates):
            first = language.invent_lemma(dice, kind, loans[concept][0].word)
        second = (invent(kind),) if kind != "adjective" and dice.chance(language.synonyms) else ()
        lexicon[concept] = (first, *second)
    for one, other in homonym_pairs:
        if one in language.core or other in language.core:
            continue
        lexicon[other] = (lexicon[one][0], *lexicon[other][1:])
    return lexicon


def _read_entry(entry: str) -> tuple[Lemma, ...]:
    return tuple(Lemma(*word.split(":")) for word in entry.split("|"))
