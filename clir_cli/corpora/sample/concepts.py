"""What there is to write about: domains, their concepts, and names.

A concept has no words of its own: each language names it (``lexicon``). Ids of the concepts that have real words are
English glosses; the others ("sport.thing.3") get invented words.
"""

from dataclasses import dataclass
from typing import Literal

from clir_cli.corpora.sample.dice import Dice

Kind = Literal["noun", "verb", "adjective"]

COMMON: dict[str, str] = {
    "politics": "election government president minister parliament party vote",
    "war": "war soldier army weapon attack border peace",
    "health": "hospital disease doctor medicine patient nurse health",
    "school": "school teacher student book university exam class",
    "farming": "farm farmer livestock drought harvest seed grain",
    "economy": "bank money market company trade price tax",
    "labour": "worker wage factory union job employer strike",
    "transport": "road car train bridge airport driver ticket",
    "sea": "ship port fisherman boat sea coast sailor",
    "justice": "court judge law prison thief police lawyer",
    "sport": "game player team cup victory coach stadium",
    "environment": "forest tree animal river rain flood climate",
    "energy": "oil gas electricity mine fuel coal power-station",
    "culture": "song singer film music artist theatre dance",
    "media": "newspaper radio television journalist letter telephone computer",
    "religion": "mosque church prayer religion priest pilgrim feast",
    "refuge": "refugee camp aid tent hunger family orphan",
}
"""Nouns that many stories of a domain share."""

PARTICULAR: dict[str, str] = {
    "politics": "seal-stamp paragraph chair",
    "war": "knife horse castle",
    "health": "malaria measles tuberculosis vaccine tooth heart blood jaw",
    "school": "table clock bat-animal",
    "farming": "camel goat sheep donkey maize banana coffee tea sugar milk honey pear rooster",
    "economy": "salt gold heel",
    "labour": "needle clay spring-coil",
    "transport": "donkey-cart tunnel",
    "sea": "island rope crane-machine seal-animal",
    "justice": "key door lock",
    "sport": "ball bat-club",
    "environment": "elephant lion snake bird bee locust mosquito mountain cave well crane-bird pine spring-water",
    "energy": "bulb wind sun",
    "culture": "mirror hat sound",
    "media": "cable",
    "religion": "bench bell",
    "refuge": "bread rice meat bed tap",
}
"""Nouns that are what a story is about; topics and the stories that only resemble them each have their own."""

SECOND_SENSES = "lock bulb tap pine sound heel seal-animal bat-club crane-bird spring-water bench"
"""Of these no topic is about: in one of the languages their word is also that of another concept above."""

MASSES = (
    "peace health livestock grain money trade police rain climate oil gas electricity coal music television religion "
    "aid hunger malaria measles tuberculosis blood maize coffee tea sugar milk honey salt gold clay bread rice meat "
    "wind sun"
)
"""Nouns that are not counted."""
_MASSES = frozenset(MASSES.split())

GENERAL = "people city village report problem agreement meeting plan group decision danger group-leader"
VERBS = (
    "build destroy sell buy close open support criticise examine visit repair protect find lose send bring stop need "
    "discuss save show use change follow praise refuse count share burn steal plant wash watch"
)
ADJECTIVES = (
    "new old big small important dangerous cheap long short strong weak rich poor clean dirty quick slow local "
    "foreign public modern heavy beautiful empty"
)

INVENTED_COMMON, INVENTED_VERBS, INVENTED_ADJECTIVES = 3, 2, 1
"""How many concepts without real words each domain has besides."""


@dataclass(frozen=True, slots=True)
class Domain:
    """A field of news: its shared nouns, its verbs and adjectives, what its stories are about, its compounds."""

    name: str
    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]
    particulars: tuple[str, ...]
    compounds: dict[str, str]
    """Head noun -> the noun that goes before it ("flood" before "report")."""


@dataclass(frozen=True, slots=True)
class World:
    """All that the sample writes about."""

    domains: tuple[Domain, ...]
    people: tuple[str, ...]
    places: tuple[str, ...]

    def kinds(self) -> dict[str, Kind]:
        """Each concept's part of speech, in a fixed order."""
        kinds: dict[str, Kind] = dict.fromkeys(GENERAL.split(), "noun")
        for domain in self.domains:
            kinds.update(dict.fromkeys(domain.nouns + domain.particulars, "noun"))
            kinds.update(dict.fromkeys(domain.verbs, "verb"))
            kinds.update(dict.fromkeys(domain.adjectives, "adjective"))
        return kinds


def is_counted(concept: str) -> bool:
    """Can there be several of it?"""
    return concept not in _MASSES


def build_world(seed: int, particulars: int) -> World:
    """A world with at least ``particulars`` concepts that a story can be about, spread evenly over the domains."""
    dice = Dice(seed, "world")
    each = max(2, -(-particulars // len(COMMON)))
    return World(
        domains=tuple(_build_domain(dice, name, each) for name in COMMON),
        people=_names(dice, 60, words=2),
        places=_names(dice, 40, words=1),
    )


def _build_domain(dice: Dice, name: str, particulars: int) -> Domain:
    nouns = tuple(COMMON[name].split()) + tuple(f"{name}.noun.{i}" for i in range(INVENTED_COMMON))
    invented = tuple(f"{name}.thing.{i}" for i in range(particulars))
    heads = dice.some(nouns + tuple(GENERAL.split()), 4)
    return Domain(
        name=name,
        nouns=nouns,
        verbs=tuple(dice.some(VERBS.split(), 9)) + tuple(f"{name}.verb.{i}" for i in range(INVENTED_VERBS)),
        adjectives=tuple(dice.some(ADJECTIVES.split(), 6))
        + tuple(f"{name}.adjective.{i}" for i in range(INVENTED_ADJECTIVES)),
        particulars=(tuple(PARTICULAR[name].split()) + invented)[:particulars],
        compounds={head: dice.choose([noun for noun in nouns if noun != head]) for head in heads},
    )


def _names(dice: Dice, count: int, words: int) -> tuple[str, ...]:
    """Invented names, spelled alike in every language."""
    names: list[str] = []
    while len(names) < count:
        parts = []
        for _ in range(words):
            syllables = [dice.choose("bdfghjklmnprstvz") + dice.choose("aeiou") for _ in range(dice.between(2, 3))]
            parts.append(("".join(syllables) + dice.choose(["", "n", "r", "l", "s"])).capitalize())
        name = " ".join(parts)
        if name not in names:
            names.append(name)
    return tuple(names)
