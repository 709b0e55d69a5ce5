"""Sentence plans without words, and how a language puts them into words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.lexicon import Language, Lemma, Lexicon, NounParts

SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: concepts and what grammar needs to know."""

    concept: str
    plural: bool = False
    definite: bool = True
    adjective: str = ""
    modifier: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A plan: a frame and what fills it.

    Parts: S subject, V verb, O object, S2 and A a second subject and its quality, X and W things spoken of (Phrase, or
    a concept for V and A); N person, P place, K number (written alike in all languages), T weekday (0 to 6, as text).
    """

    frame: str
    parts: Mapping[str, Phrase | str] = field(default_factory=dict)


class Writer:
    """Puts plans into the words of one language.

    A writer keeps to one word for a concept most of the time (``loyalty``), as the author of a text does.
    """

    def __init__(self, language: Language, lexicon: Lexicon, dice: Dice, loyalty: float = 0.8) -> None:
        self._language = language
        self._lexicon = lexicon
        self._dice = dice
        self._loyalty = loyalty
        self._habit: dict[str, int] = {}

    def new_text(self) -> None:
        """Another author begins: the choices among synonyms are open again."""
        self._habit = {}

    def write(self, sentence: Sentence) -> str:
        """The sentence in words, with a capital at the beginning and punctuation as in the template."""
        templates = [t for t in self._language.templates[sentence.frame] if _slots(t) == sentence.parts.keys()]
        if not templates:
            raise ValueError(f"{self._language.code}: no template for {sentence.frame} with {sorted(sentence.parts)}")
        template = self._dice.choose(templates)
        chosen = {slot: self._choose(part) for slot, part in sentence.parts.items() if slot not in "NPKT"}
        text = SLOT.sub(lambda slot: self._fill(sentence, chosen, slot.group(1), slot.group(2) or ""), template)
        return text[:1].upper() + text[1:]

    def _choose(self, part: Phrase | str) -> NounParts | Lemma:
        if isinstance(part, str):
            return self._word(part)
        return NounParts(
            self._word(part.concept),
            part.plural,
            part.definite,
            self._word(part.adjective) if part.adjective else None,
            self._word(part.modifier) if part.modifier else None,
        )

    def _word(self, concept: str) -> Lemma:
        words = self._lexicon[concept]
        if len(words) == 1:
            return words[0]
        if concept not in self._habit:
            self._habit[concept] = self._dice.weigh(range(2), (0.6, 0.4))
        habit = self._habit[concept]
        return words[habit if self._dice.chance(self._loyalty) else 1 - habit]

    def _fill(self, sentence: Sentence, chosen: Mapping[str, NounParts | Lemma], slot: str, form: str) -> str:
        if slot == "T":
            return self._language.weekdays[int(str(sentence.parts[slot]))]
        part = chosen.get(slot)
        if part is None:
            return str(sentence.parts[slot])
        if isinstance(part, NounParts):
            return self._language.noun_phrase(part, form)
        if slot == "A":
            bearer = chosen.get("S2", chosen.get("S"))
            return self._language.predicate(part, bearer if isinstance(bearer, NounParts) else None)
        subject = chosen.get("S")  # verbs agree with S; a person (N) is singular
        if isinstance(subject, NounParts):
            return self._language.verb(part, form, subject.plural, subject.noun.gender)
        return self._language.verb(part, form, False, "m")


@cache
def _slots(template: str) -> frozenset[str]:
    return frozenset(slot.group(1) for slot in SLOT.finditer(template))
