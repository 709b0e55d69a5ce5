"""The English collection at any size: planned documents, and beyond them as many as wanted, made from written stock.

A plan costs more than its words. So only as many documents are planned as the topics need; what a larger collection
has besides tells stories about the same other concepts with sentences that were written once.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from clir_cli.corpora.sample.concepts import Domain, World
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.latimes import number_latimes
from clir_cli.corpora.sample.lexicon import Language, Lexicon
from clir_cli.corpora.sample.sentences import Writer
from clir_cli.corpora.sample.stories import DocumentPlan, plan_document, plan_sentence, tell_story
from clir_cli.records import Document

WORDS = 50
"""Words of a document as planned, on average."""
STORIES, STORY_LINES = 8, 20
"""Stories in stock for a concept, and the sentences of each."""
DOMAIN_LINES = 1000
"""Sentences in stock for a domain."""


class Stock(NamedTuple):
    """Sentences of a domain, and how many words they have on average."""

    lines: list[str]
    words: float


class Newswire:
    """Writes the documents one by one; nothing but the stock and the plans is kept."""

    def __init__(
        self, seed: int, world: World, language: Language, lexicon: Lexicon, other: Sequence[tuple[Domain, str]]
    ) -> None:
        self._seed = seed
        self._world = world
        self._other = other
        self._language = language
        self._lexicon = lexicon
        self._stock = cache(self._write_stock)
        self._stories = cache(self._write_stories)

    def stream(
        self, plans: Sequence[DocumentPlan], documents: int, words: int
    ) -> Iterator[tuple[Document, DocumentPlan | None]]:
        """``documents`` documents of about ``words`` words in the order of their numbers, with their plan if any.

        The plans keep their order and are spread evenly among the others.
        """
        author = Writer(self._language, self._lexicon, Dice(self._seed, f"documents.{self._language.code}"))
        dice, left = Dice(self._seed, "newswire"), len(plans)
        for index, docno in enumerate(number_latimes(documents)):
            rest = documents - index
            if left == rest or (left and dice.below(rest) < left):
                plan = plans[len(plans) - left]
                left -= 1
                yield self._tell(dice, author, docno, plan, words), plan
            else:
                yield self._compose(dice, docno, words), None

    def _tell(self, dice: Dice, author: Writer, docno: str, plan: DocumentPlan, words: int) -> Document:
        """A planned document; a long one goes on with its story, and with what else there is in its domain."""
        author.new_text()
        lines = list(map(author.write, plan.sentences))
        title = author.write(plan.headline)
        if words > WORDS:
            stock = self._stock(plan.story.domain.name)
            more = _length(dice, words, stock) - len(lines)
            for _ in range(more // 4):
                focus = plan.story.focus if dice.chance(0.15) else ""
                lines.append(author.write(plan_sentence(dice, self._world, plan.story, focus, 0.4)))
            lines = _mix(dice, lines, stock, more - more // 4)
        return Document(docno, "\n".join(lines), title)

    def _compose(self, dice: Dice, docno: str, words: int) -> Document:
        """A document from the stock: lines of one story among lines of its domain."""
        place = dice.below(len(self._other))
        title, about, lines = dice.choose(self._stories(place))
        stock = self._stock(self._other[place][0].name)
        with_focus = dice.weigh((0, 1, 2, 3), (0.1, 0.45, 0.3, 0.15))
        length = dice.between(5, 6) if words <= WORDS else _length(dice, words, stock)
        own = _some_in_a_row(dice, about, with_focus) + _some_in_a_row(dice, lines, max(2, length // 4))
        return Document(docno, "\n".join(_mix(dice, own, stock, length - len(own))), title)

    def _write_stock(self, name: str) -> Stock:
        dice, author = self._author(f"stock.{name}")
        domain = next(domain for domain in self._world.domains if domain.name == name)
        lines = []
        for _ in range(DOMAIN_LINES):
            story = tell_story(dice, self._world, domain, "")
            author.new_text()
            lines.append(author.write(plan_sentence(dice, self._world, story, "", 0.4)))
        return Stock(lines, sum(line.count(" ") + 1 for line in lines) / DOMAIN_LINES)

    def _write_stories(self, place: int) -> list["_Story"]:
        domain, focus = self._other[place]
        dice, author = self._author(f"stock.{focus}")
        stories = []
        for _ in range(STORIES):
            story = tell_story(dice, self._world, domain, focus)
            author.new_text()
            headline = author.write(plan_document(dice, self._world, story).headline)
            plans = [plan_sentence(dice, self._world, story, focus if i < 5 else "", 0.4) for i in range(STORY_LINES)]
            lines = list(map(author.write, plans))
            stories.append((headline, lines[:5], lines[5:]))
        return stories

    def _author(self, part: str) -> tuple[Dice, Writer]:
        return Dice(self._seed, f"{part}.plans"), Writer(
            self._language, self._lexicon, Dice(self._seed, f"{part}.words")
        )


_Story = tuple[str, list[str], list[str]]
"""Headline, lines that name what the story is about, other lines."""


def _length(dice: Dice, words: int, stock: Stock) -> int:
    """How many lines make a document of about so many words: between three and seven fifths of it."""
    return max(5, round(words * (0.6 + 0.8 * dice.below(1000) / 1000) / stock.words))


def _some_in_a_row(dice: Dice, lines: list[str], count: int) -> list[str]:
    first = dice.below(max(1, len(lines) - count))
    return lines[first : first + count]


def _mix(dice: Dice, lines: list[str], stock: Stock, count: int) -> list[str]:
    """``lines`` in their order at random places among ``count`` lines of the stock."""
    mixed = [stock.lines[dice.below(DOMAIN_LINES)] for _ in range(count)]
    for place, line in zip(sorted(dice.below(count + 1) for _ in lines), reversed(lines), strict=True):
        mixed.insert(count - place, line)
    return mixed
