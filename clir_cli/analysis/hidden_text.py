"""An explanation without text, for collections whose text is not to be shown (``report.text: ids``)."""

from collections.abc import Sequence
from dataclasses import replace

from clir_cli.analysis.explanation import Explanation, FirstStage, QueryWord, Reranked, Translation

NOT_HELD = "-"
"""A translation that is not in the document: the table's word would tell the query's."""


def hide_text(
    explanation: Explanation, asked: Sequence[str], query: Sequence[str], document: Sequence[str]
) -> Explanation:
    """The same with every word as its number in its text: q3 the third of the query, d17 the 17th of the document.

    ``asked``: words of the text that the first stage asked (the query, or its human translation), ``query``: of what
    the model read, ``document``: of the document; all of them with punctuation, as keys.
    """
    name_asked, name_query, name_document = _Names("q", asked), _Names("q", query), _Names("d", document)
    return replace(
        explanation,
        query="",
        title="",
        text=[],
        first=_hide_first(explanation.first, name_asked, name_document),
        reranked=explanation.reranked and _hide_reranked(explanation.reranked, name_query, name_document),
        numbered=[(name_query if explanation.marks_links else name_asked)[word] for word in explanation.numbered],
        shows_text=False,
    )


class _Names(dict[str, str]):
    """Word -> its number in a text."""

    def __init__(self, letter: str, text: Sequence[str]) -> None:
        super().__init__({word: f"{letter}{place}" for place, word in reversed(list(enumerate(text, 1)))})

    def __missing__(self, word: str) -> str:
        return NOT_HELD


def _hide_first(first: FirstStage, asked: _Names, document: _Names) -> FirstStage:
    def hide(word: QueryWord) -> QueryWord:
        return replace(word, word=asked[word.word], translations=[translation(one) for one in word.translations])

    def translation(one: Translation) -> Translation:
        return replace(one, word=document[one.word] if one.times else NOT_HELD)

    return replace(
        first, words=[hide(word) for word in first.words], passed_over=[asked[word] for word in first.passed_over]
    )


def _hide_reranked(reranked: Reranked, query: _Names, document: _Names) -> Reranked:
    reading = reranked.reading
    return replace(
        reranked,
        reading=replace(
            reading,
            links=[
                replace(link, query_word=query[link.query_word], document_word=document[link.document_word])
                for link in reading.links
            ],
            without=[replace(one, word=query[one.word] if one.word else "") for one in reading.without],
        ),
    )
