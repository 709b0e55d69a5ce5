"""What happens in the world: stories, the documents that tell them, the topics that ask for them, who is relevant.

Relevance is ground truth: a document is relevant to a topic when it was planned to tell the topic's story. Judged
non-relevant are documents planned to resemble it: they share its domain and its common concepts, use its own concept in
another story, mention it once in passing, or (seen from a query language) are about the other sense of its word.
"""

from dataclasses import dataclass, field, replace

from clir_cli.corpora.sample.concepts import GENERAL, SECOND_SENSES, Domain, World, is_counted
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.sentences import Phrase, Sentence


@dataclass(frozen=True, slots=True)
class Story:
    """Something in the news: what it is about and the common concepts, place and person that go with it."""

    domain: Domain
    focus: str
    nouns: tuple[str, str]
    verb: str
    place: str
    person: str


@dataclass(frozen=True, slots=True)
class DocumentPlan:
    """A document before it has words, and the grades that follow from its plan (topic number -> grade)."""

    story: Story
    headline: Sentence
    sentences: list[Sentence]
    grades: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TopicPlan:
    """A topic before it has words; its ``story.focus`` belongs to no other topic."""

    number: int
    story: Story
    title: Sentence
    description: Sentence


def divide_concepts(world: World, seed: int, topics: int) -> tuple[list[tuple[Domain, str]], list[tuple[Domain, str]]]:
    """The concepts that topics are about (one each), and the rest: what the other stories are about."""
    dice = Dice(seed, "topics.concepts")
    everything = dice.shuffled([(domain, concept) for domain in world.domains for concept in domain.particulars])
    asked = [pair for pair in everything if pair[1] not in SECOND_SENSES.split()][:topics]
    return asked, [pair for pair in everything if pair not in asked]


def tell_story(dice: Dice, world: World, domain: Domain, focus: str) -> Story:
    """A new story about ``focus``."""
    one, other = dice.some(domain.nouns, 2)
    place, person = dice.choose(world.places), dice.choose(world.people)
    return Story(domain, focus, (one, other), dice.choose(domain.verbs), place, person)


def plan_topic(dice: Dice, number: int, story: Story) -> TopicPlan:
    """A topic that asks for the story: its own concept beside one of the common ones, or the event."""
    plural = dice.chance(0.5)
    focus = _phrase(dice, story.domain, story.focus, plural=plural, adjectives=0)
    again = _phrase(dice, story.domain, story.focus, plural=plural if dice.chance(0.7) else not plural, adjectives=0)
    noun, other = (_phrase(dice, story.domain, noun, adjectives=0.15) for noun in story.nouns)
    place: dict[str, Phrase | str] = {"P": story.place} if dice.chance(0.3) else {}
    if dice.chance(0.5):
        title = Sentence("title", {"X": focus, "W": noun, **place})
    else:
        title = Sentence("title_event", {"S": _counted(noun), "V": story.verb, "O": focus, **place})
    if dice.chance(0.5):
        description = Sentence("want_about", {"X": again, "W": other})
    else:
        description = Sentence("want_event", {"S": other, "V": story.verb, "O": again})
    return TopicPlan(number, story, title, description)


def plan_document(dice: Dice, world: World, story: Story, passing: str = "") -> DocumentPlan:
    """A document that tells the story; ``passing``: a concept that it mentions once without being about it.

    Few documents name what they are about more than once, some only in the headline or not at all.
    """
    length = dice.between(5, 6)
    with_focus = dice.weigh((0, 1, 2, 3), (0.1, 0.45, 0.3, 0.15))
    sentences = [plan_sentence(dice, world, story, story.focus, 0.4) for _ in range(with_focus)]
    sentences += [plan_sentence(dice, world, story, "", 0.4) for _ in range(length - with_focus - bool(passing))]
    if passing:
        sentences.append(_passing_sentence(dice, story, passing))
    return DocumentPlan(
        story, _headline(dice, story, story.focus if dice.chance(0.35) else ""), dice.shuffled(sentences)
    )


def plan_sentence(dice: Dice, world: World, story: Story, focus: str, aspect: float) -> Sentence:
    """One sentence of a story.

    It names ``focus`` (unless empty) and, with probability ``aspect`` each, the common concepts that go with the story.
    """
    domain = story.domain
    lead = _phrase(dice, domain, focus) if focus else _companion(dice, story, aspect)
    companion = _companion(dice, story, aspect, without=lead.concept)
    place = story.place if dice.chance(0.6) else dice.choose(world.places)
    person = story.person if dice.chance(0.6) else dice.choose(world.people)
    frames = ("event", "said", "because", "state", "count", "plan", "concern", "between")
    frame = dice.weigh(frames, (5, 3, 2, 1.5, 1.5 if is_counted(lead.concept) else 0, 1.5, 1.5, 1))
    if frame == "state":
        return Sentence(frame, {"S": replace(lead, adjective=""), "A": dice.choose(domain.adjectives)})
    if frame == "count":
        seen: dict[str, Phrase | str] = {"N": person} if dice.chance(0.3) else {}
        return Sentence(frame, seen | {"K": str(dice.between(2, 99)), "S": _counted(lead), "P": place})
    if frame == "concern":
        return Sentence(frame, {"N": person, "X": lead})
    if frame == "between":
        return Sentence(frame, {"X": lead, "W": companion})
    subject, thing = (lead, companion) if dice.chance(0.3) else (companion, lead)
    verb = story.verb if dice.chance(aspect) else dice.choose(domain.verbs)
    parts: dict[str, Phrase | str] = {"S": subject, "V": verb, "O": thing}
    if frame == "said":
        parts["N"] = person
    elif frame == "because":
        third = replace(_companion(dice, story, aspect, without=subject.concept), adjective="")
        parts |= {"S2": third, "A": dice.choose(domain.adjectives)}
    elif frame == "event":
        when, where = dice.choose(((False, False), (True, False), (False, True), (True, True)))
        parts |= ({"T": str(dice.below(7))} if when else {}) | ({"P": place} if where else {})
    return Sentence(frame, parts)


def _companion(dice: Dice, story: Story, aspect: float, without: str = "") -> Phrase:
    """A common concept of the story or of its domain."""
    if dice.chance(aspect):
        options = list(story.nouns)
    else:
        options = GENERAL.split() if dice.chance(0.3) else list(story.domain.nouns)
    return _phrase(dice, story.domain, dice.choose([concept for concept in options if concept != without]))


def _passing_sentence(dice: Dice, story: Story, passing: str) -> Sentence:
    frame = dice.choose(("unlike", "instead"))
    subject, thing = (_phrase(dice, story.domain, noun) for noun in dice.some(story.domain.nouns, 2))
    mention = _phrase(dice, story.domain, passing, adjectives=0)
    return Sentence(frame, {"X": mention, "S": subject, "V": dice.choose(story.domain.verbs), "O": thing})


def _headline(dice: Dice, story: Story, focus: str) -> Sentence:
    lead = _phrase(dice, story.domain, focus or story.nouns[1], adjectives=0)
    noun = _phrase(dice, story.domain, story.nouns[0], adjectives=0)
    if dice.chance(0.5):
        return Sentence("headline_about", {"X": lead, "W": noun})
    return Sentence("headline", {"S": noun, "V": story.verb, "O": lead})


def _phrase(dice: Dice, domain: Domain, concept: str, plural: bool | None = None, adjectives: float = 0.25) -> Phrase:
    return Phrase(
        concept,
        plural=(dice.chance(0.4) if plural is None else plural) and is_counted(concept),
        definite=dice.chance(0.7) or not is_counted(concept),
        adjective=dice.choose(domain.adjectives) if dice.chance(adjectives) else "",
        modifier=domain.compounds[concept] if concept in domain.compounds and dice.chance(0.5) else "",
    )


def _counted(phrase: Phrase) -> Phrase:
    """The phrase as it follows a number or stands without article: many, if the concept is counted at all."""
    return replace(phrase, plural=is_counted(phrase.concept), definite=False)
