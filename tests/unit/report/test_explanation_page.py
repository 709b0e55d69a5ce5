"""The page of an explanation: whole without anything from elsewhere, escaped, readable without colours."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from clir_cli.analysis.explanation import (
    Explanation,
    FirstStage,
    PassageLink,
    PassageScore,
    QueryWord,
    Reading,
    Reranked,
    Stretch,
    TextPart,
    Translation,
    Without,
)
from clir_cli.analysis.hidden_text import hide_text
from clir_cli.report.explanation import words
from clir_cli.report.explanation.page import colour_of, render_page

READING = Reading(
    passages=[PassageScore(1, 4, 2, 1.25), PassageScore(4, 6, 0, 0.75)],
    score=1.0,
    links=[PassageLink("häuser", "house", 0.5, 1, [1, 2]), PassageLink("<b>", "tree", 0.01, 1, [1])],
    without=[Without("häuser", 2, 0.5), Without("<b>", 1, 1.25), Without("", 3, -0.5)],
    reads_translations=True,
)
FIRST = FirstStage(
    "smt", 7, 20, 0.625,
    [
        QueryWord("häuser", 1, 0.5, [Translation("house", 0.4, 1, 3, 0.5), Translation("home", 0.1)]),
        QueryWord("<b>", 1, 0.5, [Translation("tree", 0.5, 1, 2, 0.125)]),
        QueryWord("neu", 1, 0.0, []),
    ],
    ["und"], True,
)  # fmt: skip
EXPLANATION = Explanation(
    pair="deu-eng", topic="C1", query="Häuser & <b>, neu und", document="d1", title="A house", grade=1,
    first=FIRST, reranked=Reranked("mart", "MART", 2, 3, 10, 1.0, 3, READING),
    numbered=["häuser", "<b>"], marks_links=True,
    text=[
        TextPart(1, [Stretch("A "), Stretch("house", (1,), 0.5), Stretch(" <i> "), Stretch("tree", (1, 2), 0.01)]),
        TextPart(2, [Stretch("Straße")]),
        TextPart(0, [Stretch("the end")]),
    ],
)  # fmt: skip


class Seen(HTMLParser):
    """Tags, attributes, visible text, and what is open at the end."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text += data


def seen(explanation: Explanation) -> Seen:
    found = Seen(render_page(explanation))
    assert found.open == []
    return found


def test_the_page_is_whole_and_asks_for_nothing() -> None:
    page = render_page(EXPLANATION)
    assert page == render_page(EXPLANATION)
    found = seen(EXPLANATION)
    assert not {"script", "link", "img", "iframe", "b>", "i"} & set(found.tags)
    assert not {"src", "href", "onclick"} & {name for name, _ in found.attributes}
    assert "url(" not in page
    assert "@import" not in page
    assert ("name", "viewport") in found.attributes
    assert "prefers-color-scheme: dark" in page


def test_what_is_not_markup_is_escaped_and_stays_text() -> None:
    found = seen(EXPLANATION)
    for said in ("Häuser & <b>, neu und", "<i>", "Straße", "und"):
        assert said in found.text


def test_marked_words_are_told_by_number_not_by_colour_alone() -> None:
    found, page = seen(EXPLANATION), render_page(EXPLANATION)
    assert "house<sup>1</sup></mark>" in page
    assert "tree<sup>1,2</sup></mark>" in page
    titles = [value for name, value in found.attributes if name == "title"]
    assert titles == ["häuser (p 0.50)", "häuser, <b> (p 0.01)"]
    assert 'class="c1 likely"' in page
    assert 'class="c1 weak"' in page
    assert [colour_of(number) for number in (1, 8, 9, 17)] == [1, 8, 1, 1]


def test_every_number_of_the_explanation_is_there() -> None:
    text = seen(EXPLANATION).text
    for said in (
        "rank 7 of 20, score 0.6250", "model of fold 2", "rank 3 of 10 (4 up), score 1.0000",
        "judged relevant (grade 1)", "house* 0.400, home 0.100", "none in the table", "0.5000", "0.1250",
        "Not asked (stop words, numbers): und",
        "Passage 1, score 1.2500", "1-4", "4-6", "0.0100", "1, 2", "-0.5000", "+0.2500", "-1.5000", "all of them",
        "Not read", "the end",
    ):  # fmt: skip
        assert said in text


def test_sections_fall_away_with_a_sentence() -> None:
    assert EXPLANATION.reranked is not None
    no_model = seen(replace(EXPLANATION, reranked=None, marks_links=False))
    assert "Scores by passage" not in no_model.text
    assert "deu-eng has no re-ranker" in no_model.text
    assert "what the first stage asks for" in no_model.text
    reading = replace(READING, links=[], without=[], reads_translations=False)
    plain = replace(
        EXPLANATION, reranked=replace(EXPLANATION.reranked, label="m2BERT", reading=reading), marks_links=False
    )
    assert "m2BERT reads no translations: there are no links to leave out." in seen(plain).text
    unlinked = replace(EXPLANATION.reranked, reading=replace(reading, reads_translations=True))
    assert words.say_no_links(unlinked) == words.NO_LINK
    dense = seen(replace(EXPLANATION, first=FirstStage("dense", 1, 5, 0.5, remark="No parts.")))
    assert "No parts." in dense.text
    assert "dense retrieval" in dense.text
    outside = seen(replace(EXPLANATION, first=replace(FIRST, rank=None, score=None)))
    assert "not among the 20 documents of the list; its score would be 0.6250" in outside.text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rank": 7}, "(as before)"),
        ({"rank": 9}, "(2 down)"),
        ({"rank": None, "run_score": None, "would_be": 4}, "re-ranked; its score 1.0000 would be rank 4."),
        ({"rank": None, "run_score": None, "of": 0}, "the topic was not re-ranked; score 1.0000."),
        ({"is_tested": False}, "MART (model of fold 2, for the topic is in no fold)"),
        ({"fold": None}, "MART (nothing fine-tuned)"),
        ({"run_score": 1.5, "remark": "Otherwise."}, "In the run it has 1.5000: Otherwise."),
    ],
)  # fmt: skip
def test_ranks_in_words(change: dict[str, object], said: str) -> None:
    assert EXPLANATION.reranked is not None
    assert said in words.say_reranked(replace(EXPLANATION.reranked, **change), FIRST)  # type: ignore[arg-type]


def test_hidden_text_leaves_numbers_of_words() -> None:
    query = ["häuser", "&", "<b>", ",", "neu", "und"]
    hidden = hide_text(EXPLANATION, query, query, ["a", "house", "<", "i", ">", "tree", "the", "end"])
    page = seen(hidden)
    for word in ("häuser", "Häuser", "neu", "house", "home", "tree", "Straße", "the end", "<i>"):
        assert word not in page.text
    for said in ("q1", "q3", "q5", "q6", "d2* 0.400, - 0.100", "d6", "report.text: ids", "0.6250"):
        assert said in page.text
    assert hidden.numbered == ["q1", "q3"]
    assert [word.score for word in hidden.first.words] == [word.score for word in FIRST.words]
