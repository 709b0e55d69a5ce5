"""The test collection before it has words: topics, documents, grades."""

from dataclasses import replace

from clir_cli.corpora.sample.concepts import Domain, World
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.stories import DocumentPlan, Story, TopicPlan, plan_document, plan_topic, tell_story

PER_TOPIC = 15
"""Documents planned for a topic at most: 4 to 9 relevant and up to 6 that only resemble them."""

POOL = 3
"""Judged documents of the domain that no topic caused, per topic at most."""


def plan_collection(
    seed: int, world: World, asked: list[tuple[Domain, str]], other: list[tuple[Domain, str]], documents: int
) -> tuple[list[TopicPlan], list[DocumentPlan]]:
    """Topics about the ``asked`` concepts and ``documents`` documents in random order.

    Documents that no topic caused tell stories about the ``other`` concepts; some are judged (grade 0) for a topic of
    their domain.
    """
    dice = Dice(seed, "collection")
    topics = [
        plan_topic(dice, number, tell_story(dice, world, domain, focus))
        for number, (domain, focus) in enumerate(asked, 1)
    ]
    plans = [plan for topic in topics for plan in _plans_for(dice, world, topic, other)]
    unjudged = {topic.number: POOL for topic in topics}
    while len(plans) < documents:
        domain, focus = dice.choose(other)
        plan = plan_document(dice, world, tell_story(dice, world, domain, focus))
        near = [topic.number for topic in topics if topic.story.domain.name == domain.name and unjudged[topic.number]]
        if near and dice.chance(0.3):
            number = dice.choose(near)
            plan.grades[number] = 0
            unjudged[number] -= 1
        plans.append(plan)
    return topics, dice.shuffled(plans)


def _plans_for(dice: Dice, world: World, topic: TopicPlan, other: list[tuple[Domain, str]]) -> list[DocumentPlan]:
    """Relevant documents, then those that resemble them."""
    story = topic.story
    plans = [plan_document(dice, world, retell(dice, world, story)) for _ in range(dice.between(4, 9))]
    for plan in plans:
        plan.grades[topic.number] = 1
    neighbours = [focus for domain, focus in other if domain.name == story.domain.name] or [other[0][1]]
    resembling: list[DocumentPlan] = []
    for _ in range(dice.between(1, 2)):  # the same common concepts, place and person, another concept of its own
        resembling.append(plan_document(dice, world, replace(story, focus=dice.choose(neighbours))))
    for _ in range(dice.between(0, 2)):  # its own concept, but only in passing, in a story like it
        like = replace(story, focus=dice.choose(neighbours))
        resembling.append(plan_document(dice, world, like, passing=story.focus))
    domain, focus = dice.choose(other)  # its own concept in passing, in an unlike story
    resembling.append(plan_document(dice, world, tell_story(dice, world, domain, focus), passing=story.focus))
    if dice.chance(0.5):  # its own concept, in a story of another domain
        domain = dice.choose([domain for domain in world.domains if domain.name != story.domain.name])
        resembling.append(plan_document(dice, world, tell_story(dice, world, domain, story.focus)))
    for plan in resembling:
        plan.grades[topic.number] = 0
    return plans + resembling


def retell(dice: Dice, world: World, story: Story) -> Story:
    """The same story as another paper tells it: one of the things that go with it may differ."""
    place = story.place if dice.chance(0.7) else dice.choose(world.places)
    verb = story.verb if dice.chance(0.7) else dice.choose(story.domain.verbs)
    return Story(story.domain, story.focus, story.nouns, verb, place, dice.choose(world.people))
