"""A bilingual dictionary in the manner of PanLex: broad, uneven, with entries that need cleaning."""

from collections.abc import Iterator, Mapping

from clir_cli.corpora.sample.concepts import Kind, World
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.lexicon import Language, Lemma, Lexicon, NounParts

COVERAGE = {"deu": 0.6, "fra": 0.58, "ita": 0.55, "spa": 0.58, "swa": 0.45, "som": 0.35}
"""Share of the concepts that have an entry, for a language."""
NOTES = ("(n.)", "(pl.)", "(coll.)", "(fig.)", "(obs.)")


def write_dictionary(
    dice: Dice, world: World, language: Language, lexicon: Lexicon, english: Language, english_lexicon: Lexicon
) -> Iterator[str]:
    """``foreign TAB English TAB quality`` (1 to 9), a translation a line, sorted; words as dictionaries have them."""
    kinds = world.kinds()
    concepts = [concept for concept in kinds if dice.chance(COVERAGE[language.code])]
    entries: dict[tuple[str, str], int] = {}
    for concept in concepts:
        kind = kinds[concept]
        for foreign in lexicon[concept]:
            for word in english_lexicon[concept]:
                usual = foreign is lexicon[concept][0] and word is english_lexicon[concept][0]
                if usual or dice.chance(0.6):
                    pair = _dress(dice, language.cite(foreign, kind)), _dress(dice, _in_english(dice, word, kind))
                    entries.setdefault(pair, dice.between(2, 9))
        if dice.chance(0.04):  # somebody took it for something else
            wrong = dice.choose(dice.choose(list(english_lexicon.values()))).word
            entries.setdefault((language.cite(lexicon[concept][0], kind), wrong), dice.between(1, 3))
    for domain in world.domains:
        for head, modifier in domain.compounds.items():
            if dice.chance(COVERAGE[language.code]):
                pair = _compound(language, lexicon, head, modifier), _compound(english, english_lexicon, head, modifier)
                entries.setdefault(pair, dice.between(2, 9))
    return (f"{foreign}\t{word}\t{quality}\n" for (foreign, word), quality in sorted(entries.items()))


def _in_english(dice: Dice, word: Lemma, kind: Kind) -> str:
    return f"to {word.word}" if kind == "verb" and dice.chance(0.4) else word.word


def _dress(dice: Dice, word: str) -> str:
    """A capital or a note, as some contributor wrote it."""
    if dice.chance(0.06):
        word = word[0].upper() + word[1:]
    return f"{word} {dice.choose(NOTES)}" if dice.chance(0.05) else word


def _compound(language: Language, lexicon: Mapping[str, tuple[Lemma, ...]], head: str, modifier: str) -> str:
    parts = NounParts(lexicon[head][0], False, False, None, lexicon[modifier][0])
    return language.noun_phrase(parts, "bare")
