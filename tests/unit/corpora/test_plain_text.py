"""What of the content of a tag is text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.corpora.plain_text import plain_text, without_controls


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("  a\r\n\tb\u00a0 c\u2003d ", "a b c d"),
        ("<P>one</P><P>two</P>", "one two"),
        ("<p class='x'\n>one</p ><br/>two", "one two"),
        ("AT&T, R & D, a&b; 3 < 4 > 2 <", "AT&T, R & D, a&b; 3 < 4 > 2 <"),
        ("i<3 <- <> <5> <me@home.org>", "i<3 <- <> <5> <me@home.org>"),
        ("&amp;&lt;b&gt;&quot;&#39;&eacute;&#xE9;&#233;&nbsp;x", "&<b>\"'ééé x"),
        ("&hyph;&amp &#;&#x; &;", "&hyph;&amp &#;&#x; &;"),
        ("&amp;lt;", "&lt;"),  # resolved once
        ("a&#0;b&#7;c&#xD800;d&#x110000;e&#9999999;f", "abcdef"),
        ("&#128;&#x93;", "€“"),  # as browsers read them
        ("a\x00b\x1bc\x7fd\x92e\x85f", "a b c d e f"),
        ("soft\u00adhyphen zero\u200bwidth", "soft\u00adhyphen zero\u200bwidth"),
        ("", ""),
        ("<P>\n</P>", ""),
    ],
)
def test_plain_text(content: str, text: str) -> None:
    assert plain_text(content) == text


@given(st.text())
def test_white_space_is_single_and_controls_are_gone(content: str) -> None:
    text = plain_text(content)
    assert text == " ".join(text.split())
    assert without_controls(text) == text


@given(st.text())
def test_line_ends_and_tabs_stay(text: str) -> None:
    found = without_controls(text)
    assert len(found) == len(text)
    assert all(new == old or new == " " for new, old in zip(found, text, strict=True))
    assert [c for c in found if c in "\t\n\r"] == [c for c in text if c in "\t\n\r"]
