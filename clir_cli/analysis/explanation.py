"""Why a document scores as it does: what is told of one topic and one document.

Records without a method of their own; who fills them is ``explain_first_stage``, ``explain_reranker`` and
``marked_text``, who shows them the command line and the page.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Translation:
    """A document word that a query word asks for."""

    word: str
    weight: float
    """First stage: its part of the whole query, which sums to 1; PSQ: p(word | query word)."""
    times: int = 0
    """Occurrences in the document."""
    documents: int = 0
    """How many documents hold it; only where this one does."""
    score: float = 0.0
    """What it adds to the document's score through this query word."""


@dataclass(frozen=True)
class QueryWord:
    """A word of the query as the first stage asks it; ``times``: occurrences in the query, ``weight`` of all of them.

    ``translations`` best first; none: the word is not in the table, and is not asked.
    """

    word: str
    times: int
    weight: float
    translations: list[Translation]

    @property
    def held(self) -> list[Translation]:
        """The translations that the document holds."""
        return [translation for translation in self.translations if translation.times]

    @property
    def score(self) -> float:
        return sum(translation.score for translation in self.translations)


@dataclass(frozen=True)
class FirstStage:
    """Where the first stage put the document, and why.

    ``rank`` and ``score`` are None where the run does not have the document; ``of``: the length of the topic's list.
    ``words`` are the query's; where ``is_split``, their scores add up to the document's. ``passed_over``: words of the
    query that are not asked: stop words, numbers. ``remark``: why the score is not split, or what to know of it.
    """

    system: str
    rank: int | None
    of: int
    score: float | None
    words: list[QueryWord] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    is_split: bool = False
    remark: str = ""

    @property
    def sum(self) -> float:
        """Of the parts."""
        return sum(word.score for word in self.words)


@dataclass(frozen=True)
class PassageScore:
    """One input of the model: words ``first`` to ``last`` of the document (from 1), how many links, and the logit."""

    first: int
    last: int
    links: int
    score: float


@dataclass(frozen=True)
class PassageLink:
    """What M^tr carries between a query word and a document word; ``passages`` (from 1) that hold the word."""

    query_word: str
    document_word: str
    p: float
    times: int
    """Occurrences in what is read of the document."""
    passages: list[int]


@dataclass(frozen=True)
class Without:
    """The document's score where M^tr has not the links of ``word`` (empty: of any word), ``links`` of them."""

    word: str
    links: int
    score: float


@dataclass(frozen=True)
class Reading:
    """What a re-ranker makes of the document; ``score`` is the mean of its passages'.

    ``links`` and ``without`` are empty where the model reads no translations, or M^tr has none here.
    """

    passages: list[PassageScore]
    score: float
    links: list[PassageLink]
    without: list[Without]
    reads_translations: bool


@dataclass(frozen=True)
class Reranked:
    """A re-ranker's score; ``rank`` of ``of`` re-ranked candidates, None where the document is not among them.

    ``fold`` None: nothing was trained. ``is_tested`` False: the topic is in no fold, for it has no judgements.
    ``run_score``: as it is in the run. ``would_be``: the rank that the score would have, for a document that is not.
    """

    model: str
    label: str
    fold: int | None
    rank: int | None
    of: int
    run_score: float | None
    would_be: int
    reading: Reading
    is_tested: bool = True
    remark: str = ""


@dataclass(frozen=True)
class Stretch:
    """A piece of the text; ``words``: numbers of the query words that it stands for, from 1; ``p`` of the likeliest."""

    text: str
    words: tuple[int, ...] = ()
    p: float = 0.0


@dataclass(frozen=True)
class TextPart:
    """The text of one passage (from 1), or, where ``passage`` is 0, what no model reads."""

    passage: int
    stretches: list[Stretch]


@dataclass(frozen=True)
class Explanation:
    """All that is told. ``grade`` None: not judged. ``numbered``: query words by the numbers of ``Stretch.words``.

    ``marks_links``: whether the text is marked by links of M^tr; else by translations of the first stage.
    ``shows_text`` False: words are replaced by their numbers, and there is no text.
    """

    pair: str
    topic: str
    query: str
    document: str
    title: str
    grade: int | None
    first: FirstStage
    reranked: Reranked | None
    numbered: list[str]
    marks_links: bool
    text: list[TextPart]
    shows_text: bool = True
