"""The collections of the other languages before they have words: the same topics, documents of their own.

Each language has one or two newspapers or agencies, some of them of two years. The judges of the earlier topics had the
documents of the first year only (the pools of CLEF grew from year to year); later documents may tell their stories too,
but nobody has judged them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from clir_cli.corpora.sample.collection import retell
from clir_cli.corpora.sample.concepts import Domain, World
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.outlets import Outlet
from clir_cli.corpora.sample.stories import DocumentPlan, TopicPlan, plan_document, tell_story

PER_TOPICS = (15, 2)
"""Documents of a collection and the number of topics they are enough for."""
POOL_CHANGES = frozenset({"fra"})
"""Languages whose earlier topics are judged on the first year only."""


@dataclass(frozen=True, slots=True)
class PlacedDocument:
    """A plan, where it is published, and when (the last two digits of the year)."""

    plan: DocumentPlan
    outlet: Outlet
    year: int


def count_documents(topics: int) -> int:
    """Documents of a collection for so many topics."""
    many, few = PER_TOPICS
    return -(-topics * many // few)


def is_early(number: int, topics: int) -> bool:
    """Does the topic belong to the half that was judged first?"""
    return number <= -(-topics // 2)


def plan_backward(
    seed: int,
    world: World,
    topics: Sequence[TopicPlan],
    other: Sequence[tuple[Domain, str]],
    language: str,
    outlets: Sequence[Outlet],
) -> list[PlacedDocument]:
    """The documents of one language, in random order: for each topic 3 to 5 relevant ones and 2 that resemble them."""
    dice = Dice(seed, f"collection.{language}")
    first, last = min(min(outlet.numbers) for outlet in outlets), max(max(outlet.numbers) for outlet in outlets)
    placed: list[PlacedDocument] = []

    def place(plan: DocumentPlan, year: int | None = None) -> None:
        options = [outlet for outlet in outlets if year is None or year in outlet.numbers]
        outlet = dice.choose(options)
        placed.append(PlacedDocument(plan, outlet, dice.choose(sorted(outlet.numbers)) if year is None else year))

    for topic in topics:
        only_first = language in POOL_CHANGES and is_early(topic.number, len(topics))
        for plan in _plans_for(dice, world, topic, other):
            place(plan, first if only_first else None)
        if only_first and dice.chance(0.5):
            place(plan_document(dice, world, retell(dice, world, topic.story)), last)
    for _ in range(count_documents(len(topics)) - len(placed)):
        domain, focus = dice.choose(other)
        place(plan_document(dice, world, tell_story(dice, world, domain, focus)))
    return dice.shuffled(placed)


def _plans_for(dice: Dice, world: World, topic: TopicPlan, other: Sequence[tuple[Domain, str]]) -> list[DocumentPlan]:
    story = topic.story
    relevant = [plan_document(dice, world, retell(dice, world, story)) for _ in range(dice.between(3, 5))]
    neighbours = [focus for domain, focus in other if domain.name == story.domain.name] or [other[0][1]]
    domain, focus = dice.choose(other)
    resembling = [
        # the same common concepts, another concept of its own; half of them name the topic's in passing
        plan_document(
            dice,
            world,
            replace(story, focus=dice.choose(neighbours)),
            passing=story.focus if dice.chance(0.5) else "",
        ),
        # its own concept in passing, in an unlike story
        plan_document(dice, world, tell_story(dice, world, domain, focus), passing=story.focus),
    ]
    for plans, grade in ((relevant, 1), (resembling, 0)):
        for plan in plans:
            plan.grades[topic.number] = grade
    return relevant + resembling
