"""What a word is, and what its key is."""

import re
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clir_cli.corpora.normalise import content_keys, fold, stop_words, words
from clir_cli.corpora.normalise import keys as only_keys
from clir_cli.errors import DataError

# Letters, marks and joiners of many scripts close together, so that examples mix them.
TRICKY = (
    "aÉßǿŒİıſŁ1²½_'’.,-≠\u0301\u0308\u0327\u0338\u00ad\u200c\u200d\u2060\ufe0f\u20e3 \t\u00a0\u3000"
    "´¨कि्ंकَّاآـבּשׁй한ᄒ가かﾞΣςᾳǅﬁ①⑴𝐀𐐀𑂚𑂺😀\x00"
)
texts = st.text(st.one_of(st.sampled_from(TRICKY), st.characters(codec="utf-8")), max_size=30)


def spelt(text: str) -> list[str]:
    return [text[word.start : word.end] for word in words(text)]


def keys(text: str) -> list[str]:
    return [word.key for word in words(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("L'eau, c'est 3.5!", ["L", "'", "eau", ",", "c", "'", "est", "3", ".", "5", "!"]),
        ("state-of-the-art...", ["state", "-", "of", "-", "the", "-", "art", "..."]),
        ("snake_case __init__", ["snake", "_", "case", "__", "init", "__"]),
        ("MP3-Player", ["MP3", "-", "Player"]),
        ("", []),
        (" \n\t\u00a0", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert spelt(text) == expected


@pytest.mark.parametrize(
    "word",
    [
        unicodedata.normalize("NFD", "Überraschung"),
        unicodedata.normalize("NFD", "đặt"),
        "हिन्दी",  # vowel signs and virama are marks
        "தமிழ்",
        "עִבְרִית",
        "عَرَبِيّ",
        "می\u200cشود",  # a zero-width non-joiner between its parts
        "Wort\u00adtrennung",
        "𑂨𑂰𑂧",  # Kaithi, beyond the basic plane
        "1\ufe0f\u20e3",
    ],
)
def test_marks_and_joiners_do_not_split_a_word(word: str) -> None:
    assert spelt(f"({word})") == ["(", word, ")"]


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("Straße", "strasse"), ("STRASSE", "strasse"), ("GROẞ", "gross"), ("Ångström", "angstrom"), ("naïve", "naive"),
        ("Łódź", "lodz"), ("Øre", "ore"), ("ǿ", "o"), ("Œuvre", "oeuvre"), ("Æsop", "aesop"), ("Đorđe", "dorde"),
        ("İstanbul", "istanbul"), ("ırmak", "irmak"), ("ñandú", "nandu"), ("perché", "perche"), ("þing", "thing"),
        ("ﬁn", "fin"), ("Ｔｏｋｙｏ", "tokyo"), ("m²", "m2"), ("Đặng", "dang"), ("ΣΟΦΌΣ", "σοφοσ"), ("σοφός", "σοφοσ"),
        ("Ёлка", "елка"), ("Київ", "киів"), ("हिन्दी", "हिन्दी"), ("عَرَبِيّ", "عربي"), ("שָׁלוֹם", "שלום"),
        ("한국어", "한국어"), ("ガ", "ガ"), ("漢字", "漢字"), ("Wort\u00adtrennung", "worttrennung"), ("آب", "آب"),
    ],
)  # fmt: skip
def test_keys(word: str, key: str) -> None:
    assert keys(word) == [key]
    assert fold(word) == key


def test_both_ways_to_type_a_letter_give_one_key() -> None:
    for word in ("Überraschung", "Łódź", "हिन्दी", "क़लम", "한국어", "آب", "ガ", "Đặng"):
        composed, decomposed = (unicodedata.normalize(form, word) for form in ("NFC", "NFD"))
        assert keys(composed) == keys(decomposed)


def test_offsets_refer_to_the_raw_text() -> None:
    text = "Große ﬁne Straße"
    assert [text[word.start : word.end] for word in words(text)] == ["Große", "ﬁne", "Straße"]
    assert fold(text) == "grosse fine strasse"


@given(texts)
def test_each_character_but_white_space_is_in_one_word(text: str) -> None:
    found = words(text)
    assert "".join(text[word.start : word.end] for word in found) == re.sub(r"\s", "", text)
    assert all(before.end <= after.start for before, after in pairwise(found))


@given(texts)
def test_fold_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(texts)
def test_a_key_is_what_fold_makes_of_the_word(text: str) -> None:
    assert [word.key for word in words(text)] == [fold(text[word.start : word.end]) for word in words(text)]
    assert all(word.key and not any(map(str.isspace, word.key)) for word in words(text))


@given(texts)
def test_keys_are_those_of_the_words(text: str) -> None:
    assert only_keys(text) == [word.key for word in words(text)]


@given(texts)
def test_content_keys_are_the_alphabetic_words(text: str) -> None:
    alphabetic = [
        word.key
        for word in words(text)
        if text[word.start].isalnum()
        and all(char.isalpha() or unicodedata.category(char).startswith("M") for char in word.key)
    ]
    assert content_keys(text, frozenset()) == alphabetic


@given(texts)
def test_without_marks_words_are_those_of_wordpunct(text: str) -> None:
    plain = "".join(char for char in text if unicodedata.category(char) not in ("Mn", "Mc", "Me", "Cf", "Pc", "Lm"))
    assert spelt(plain) == re.findall(r"\w+|[^\w\s]+", plain)


def test_every_letter_of_the_basic_plane_keeps_a_stable_key() -> None:
    for code in (*range(0x3000), *range(0xA000, 0xAC00), *range(0xD7B0, 0xD800), *range(0xF900, 0x10000)):
        char = chr(code)
        if not char.isspace():
            key = fold(char)
            assert key, hex(code)
            assert fold(key) == key, hex(code)
            assert fold("a" + key) == fold(fold("a" + char)), hex(code)
            assert not any(map(str.isspace, key)), hex(code)


def test_content_keys_of_every_character_of_latin_1() -> None:
    """Texts of these alone take a faster way; another character (here a dash) makes them take the slow one."""
    for code in range(256):
        text = f"Ab{chr(code)}cd {chr(code)} {chr(code)}ef"
        assert content_keys(text, frozenset()) == content_keys(text + " \u2013", frozenset()), hex(code)
    text = " ".join(f"x{chr(code)}" for code in range(256))
    assert content_keys(text, frozenset()) == content_keys(text + " \u2013", frozenset())


def test_keys_of_latin_1_are_those_that_the_letters_have_in_longer_words() -> None:
    """Words of these letters alone take a faster way; another letter (z with a dot) makes them take the slow one."""
    letters = [chr(code) for code in range(256) if chr(code).isalnum()]
    for first in letters:
        for second in letters:
            assert fold(f"{first}{second}ż") == fold(first + second) + "z", first + second
    signs = [chr(code) for code in range(256) if not chr(code).isalnum() and not chr(code).isspace()]
    for first in signs:
        for second in signs:
            assert fold(f"{first}{second}‡") == fold(first + second) + "‡", first + second


def test_content_keys_know_which_stop_words_they_were_asked_for() -> None:
    for _ in range(2):
        assert content_keys("Die Bücher", frozenset({"die"})) == ["bucher"]
        assert content_keys("Die Bücher", frozenset({"bucher"})) == ["die"]
        assert content_keys("Die Bücher", frozenset()) == ["die", "bucher"]


def test_content_keys_leave_out_numbers_punctuation_and_stop_words() -> None:
    stop = frozenset({"die", "uber"})
    assert content_keys("Die 3 Bücher über MP3-Player: „Straße“!", stop) == ["bucher", "player", "strasse"]


@pytest.mark.parametrize(
    ("language", "stop", "content"),
    [
        ("deu", "über", "haus"), ("eng", "don't", "house"), ("fra", "été", "maison"), ("ita", "perché", "casa"),
        ("spa", "también", "casa"), ("swa", "kwa", "nyumba"), ("som", "waa", "guri"),
    ],
)  # fmt: skip
def test_stop_words_of_the_seven_languages(language: str, stop: str, content: str) -> None:
    listed = stop_words("iso", language)
    assert content_keys(stop, listed) == []
    assert content_keys(content, listed) == [content]
    assert all(fold(key) == key for key in listed)


def test_none_means_no_stop_words() -> None:
    assert stop_words("none", "deu") == frozenset()
    assert stop_words("none", "xyz") == frozenset()


def test_a_language_without_a_list_says_what_to_set() -> None:
    with pytest.raises(DataError) as caught:
        stop_words("iso", "xho")
    assert "xho" in caught.value.problem
    assert "languages.xho.stop_words" in caught.value.hint


def test_stop_words_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "stop.txt"
    path.write_text("Über\n\nles deux\n", encoding="utf-8")
    assert stop_words(str(path), "xho") == frozenset({"uber", "les", "deux"})
    with pytest.raises(DataError, match="no such file"):
        stop_words(tmp_path / "nowhere.txt", "xho")


def test_a_long_text_is_no_trouble() -> None:
    assert keys("a\u0301" * 50_000 + " " + "." * 50_000) == ["a" * 50_000, "." * 50_000]
