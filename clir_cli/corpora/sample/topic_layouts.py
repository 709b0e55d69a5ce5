"""The layouts of the topic files: what CLEF used in its years, and the blocks of the Somali and Swahili topics."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from textwrap import wrap
from typing import NamedTuple

from clir_cli.records import Topic

TAGS = {"deu": "DE", "eng": "EN", "spa": "ES"}
WIDTH = 60
"""Characters of a line in the layouts that break lines."""
WITH_NARRATIVE = frozenset({"fra", "ita", "spa"})
"""Languages whose topics have a narrative."""


class TopicFile(NamedTuple):
    """A file of topics."""

    name: str
    texts: Iterator[str]
    encoding: str


def lay_out_topics(topics: Iterable[Topic], language: str) -> TopicFile:
    """The file of a language's topics, in the layout that it has in the sample."""
    if language in TAGS:
        return TopicFile(f"topics.{language}.sgml", clef_topics(topics, language), "iso-8859-1")
    if language == "fra":
        return TopicFile("topics.fra.xml", direct_topics(topics, "fr"), "utf-8")
    if language == "ita":
        return TopicFile("topics.ita.txt", early_topics(topics, "I"), "iso-8859-1")
    return TopicFile(f"topics.{language}.txt", block_topics(topics), "utf-8")


def clef_topics(topics: Iterable[Topic], language: str) -> Iterator[str]:
    """CLEF 2001 to 2006: tags with the language in them, no root element; some topics have a field more."""
    tag = TAGS[language]
    for number, topic in enumerate(topics, 1):
        yield f"<top>\n<num> {topic.id} </num>\n<{tag}-title> {topic.title} </{tag}-title>\n"
        if topic.narrative and number % 7 == 0:
            yield f"<{tag}-nota> Anotación del traductor </{tag}-nota>\n"
        yield f"<{tag}-desc> {topic.description} </{tag}-desc>\n"
        if topic.narrative:
            yield f"<{tag}-narr> {topic.narrative} </{tag}-narr>\n"
        yield "</top>\n\n"


def early_topics(topics: Iterable[Topic], letter: str) -> Iterator[str]:
    """CLEF 2000: tags are not closed; the description ends at a blank line, the narrative with the topic."""
    for topic in topics:
        description, narrative = map(_broken, (topic.description, topic.narrative))
        yield f"<top>\n<num> {topic.id}\n\n<{letter}-title> {topic.title}\n\n<{letter}-desc>\n{description}\n\n"
        yield f"<{letter}-narr>\n{narrative}\n</top>\n\n"


def direct_topics(topics: Iterable[Topic], lang: str) -> Iterator[str]:
    """The XML of the DIRECT system."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<topics>\n'
    for topic in topics:
        yield f'  <topic lang="{lang}">\n    <identifier>{topic.id}</identifier>\n'
        for name in ("title", "description", "narrative"):
            yield f"    <{name}>{escape(getattr(topic, name), quote=False)}</{name}>\n"
        yield "  </topic>\n"
    yield "</topics>\n"


def block_topics(topics: Iterable[Topic]) -> Iterator[str]:
    """Lines with names, a blank line after each topic; a long description goes on in the next line."""
    for topic in topics:
        yield f"query_id: {topic.id}\ntitle: {topic.title}\ndescription: {_broken(topic.description)}\n\n"


def _broken(text: str) -> str:
    return "\n".join(wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False))


def name_topic(number: int, language: str) -> str:
    """The id of a topic as its file spells it."""
    return f"{number}-AH" if language == "fra" else f"C{number:03d}"


JUDGED_AS = {"eng": "C{:03d}", "deu": "{}", "fra": "{}-AH", "ita": "{}-AH", "spa": "{}"}
"""How the judgements of a collection spell the ids of topics."""


def trec_qrels(qrels: Mapping[int, Mapping[str, int]], language: str) -> Iterator[str]:
    """``topic 0 document grade``, by topic and document; some files have tabs."""
    gap = "\t" if language == "spa" else " "
    for number in sorted(qrels):
        id = JUDGED_AS[language].format(number)
        for document in sorted(qrels[number]):
            yield f"{id}{gap}0{gap}{document}{gap}{qrels[number][document]}\n"
