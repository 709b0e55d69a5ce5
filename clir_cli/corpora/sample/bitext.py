"""Parallel text with the faults that parallel text has."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from clir_cli.corpora.sample.concepts import Domain, World
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.sentences import Phrase, Sentence, Writer
from clir_cli.corpora.sample.stories import plan_sentence, plan_topic, tell_story


@dataclass(frozen=True, slots=True)
class Noise:
    """Probabilities, per line."""

    loose: float
    """The target leaves out adjectives and compounds."""
    dropped: float
    """One to three words are missing on one side."""
    strayed: float
    """The target belongs to another line (two neighbours are swapped, or it is another sentence)."""
    blank: float
    """One side or both are empty."""
    repeated: float
    """The line occurs again right after."""


CLEAN, NOISY = Noise(0.12, 0.06, 0.02, 0.005, 0.01), Noise(0.22, 0.12, 0.05, 0.01, 0.02)
RARITY = (0.0, 0.15, 0.5, 1.0, 2.0)
"""How often a concept comes up relative to others; 0: it never does."""


def write_bitext(
    world: World,
    concepts: list[tuple[Domain, str]],
    source: Writer,
    target: Writer,
    dice: Dice,
    lines: int,
    noise: Noise,
) -> list[tuple[str, str]]:
    """``lines`` pairs of sentences about the concepts; some concepts are frequent, some occur once or never."""
    spread = (0.05, 0.15, 0.3, 0.3, 0.2) if noise is CLEAN else (0.1, 0.2, 0.3, 0.25, 0.15)
    weights = [dice.weigh(RARITY, spread) for _ in concepts]
    pairs: list[tuple[str, str]] = []
    for plan in _plans(world, concepts, weights, dice):
        source.new_text()
        target.new_text()
        pair = (source.write(plan), target.write(_loosened(plan) if dice.chance(noise.loose) else plan))
        pairs.append(_damaged(dice, pair, noise))
        if dice.chance(noise.strayed) and len(pairs) > 1:
            _stray(dice, pairs)
        if dice.chance(noise.repeated):
            pairs.append(pairs[-1])
        if len(pairs) >= lines:
            return pairs[:lines]
    raise AssertionError("plans never end")


def _plans(world: World, concepts: list[tuple[Domain, str]], weights: list[float], dice: Dice) -> Iterator[Sentence]:
    while True:
        domain, focus = dice.weigh(concepts, weights)
        story = tell_story(dice, world, domain, focus)
        if dice.chance(0.04):
            yield plan_topic(dice, 0, story).description
        else:
            yield plan_sentence(dice, world, story, focus if dice.chance(0.25) else "", 0.3)


def _loosened(plan: Sentence) -> Sentence:
    parts = {
        slot: replace(part, adjective="", modifier="") if isinstance(part, Phrase) else part
        for slot, part in plan.parts.items()
    }
    return Sentence(plan.frame, parts)


def _damaged(dice: Dice, pair: tuple[str, str], noise: Noise) -> tuple[str, str]:
    sides = list(pair)
    if dice.chance(noise.dropped):
        side = dice.below(2)
        words = sides[side].split()
        for _ in range(min(dice.between(1, 3), len(words) - 2)):
            words.pop(dice.below(len(words)))
        sides[side] = " ".join(words)
    if dice.chance(noise.blank):
        for side in dice.choose(((0,), (1,), (0, 1))):
            sides[side] = ""
    return sides[0], sides[1]


def _stray(dice: Dice, pairs: list[tuple[str, str]]) -> None:
    (one, one_target), (two, two_target) = pairs[-2], pairs[-1]
    if dice.chance(0.5):
        pairs[-2:] = [(one, two_target), (two, one_target)]
    else:
        pairs[-1] = (two, dice.choose(pairs)[1])
