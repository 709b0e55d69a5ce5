"""Text cut by passages, its words marked."""

from hypothesis import given, settings
from hypothesis import strategies as st

from clir_cli.analysis.explanation import PassageLink, QueryWord, Stretch, TextPart, Translation
from clir_cli.analysis.marked_text import mark_text, marks_of_links, marks_of_translations
from clir_cli.corpora.normalise import words


def keys(text: str) -> list[str]:
    return [word.key for word in words(text)]


def test_words_are_marked_where_they_stand() -> None:
    text = "Häuser am See.\nEin Haus"
    parts = mark_text(text, keys(text), [(0, 5)], {"hauser": ((2,), 0.5), "haus": ((1, 2), 0.9)})
    assert parts == [
        TextPart(1, [Stretch("Häuser", (2,), 0.5), Stretch(" am See.\nEin "), Stretch("Haus", (1, 2), 0.9)])
    ]


def test_a_border_word_is_in_both_passages_and_the_rest_is_not_read() -> None:
    text = " eins zwei drei vier"
    parts = mark_text(text, keys("eins zwei drei"), [(0, 1), (1, 2)], {"vier": ((1,), 1.0), "zwei": ((1,), 0.2)})
    assert [part.passage for part in parts] == [1, 2, 0]
    assert parts[0].stretches == [Stretch(" eins "), Stretch("zwei", (1,), 0.2)]
    assert parts[1].stretches == [Stretch("zwei", (1,), 0.2), Stretch(" drei")]
    assert parts[2].stretches == [Stretch(" vier")]  # what is not read is not marked
    whole = mark_text(text, keys("eins zwei"), [(0, 1)], {"vier": ((1,), 1.0)}, marks_rest=True)
    assert whole[1].stretches == [Stretch(" drei "), Stretch("vier", (1,), 1.0)]


def test_words_without_a_piece_shift_nothing() -> None:
    text = "eins \ufffd zwei eins"
    parts = mark_text(text, ["eins", "zwei", "eins"], [(0, 2)], {"zwei": ((1,), 1.0)})
    assert parts[0].stretches[1] == Stretch("zwei", (1,), 1.0)
    assert "".join(stretch.text for stretch in parts[0].stretches) == text


def test_an_empty_document_has_no_text() -> None:
    assert mark_text("", [], [(0, -1)], {}) == []
    assert mark_text("...", [], [(0, -1)], {}) == [TextPart(0, [Stretch("...")])]


@settings(max_examples=60)
@given(st.text("ab ß.-é\n", max_size=40), st.integers(1, 4))
def test_nothing_of_the_text_is_lost(text: str, size: int) -> None:
    found = keys(text)
    spans = [(start, min(start + size, len(found)) - 1) for start in range(0, len(found), size)] or [(0, -1)]
    parts = mark_text(text, found, spans, {"a": ((1,), 0.3), "ss": ((2,), 0.1)})
    assert "".join(stretch.text for part in parts for stretch in part.stretches).rstrip() == text.rstrip()
    marked = [stretch.text for part in parts for stretch in part.stretches if stretch.words]
    assert marked == [text[word.start : word.end] for word in words(text) if word.key in ("a", "ss")]


def test_marks_name_every_query_word_and_the_likeliest_p() -> None:
    links = [PassageLink("haus", "home", 0.2, 1, [1]), PassageLink("heim", "home", 0.7, 1, [1])]
    assert marks_of_links(links, ["haus", "heim"]) == {"home": ((1, 2), 0.7)}
    asked = [QueryWord("haus", 1, 0.5, [Translation("house", 0.3), Translation("home", 0.2, 1, 1, 0.1)])]
    assert marks_of_translations(asked) == {"home": ((1,), 0.4)}
