"""The one definition of a word.

A word is a stretch of the raw text: letters and digits together, or a run of punctuation (NLTK's wordpunct rule), with
two amendments. A combining mark or joiner that follows a letter stays in its word, so that decomposed text (e + acute)
and Indic vowel signs do not split words; and the underscore is punctuation, as it is to BERT's basic tokenizer.

Its key is what tables, the first stage and M^tr compare: lower case, with diacritics mapped off (MAT, section 4.1).
Diacritics go from Latin, Greek and Cyrillic letters; the optional vowel points of Arabic and Hebrew go too; every other
script keeps its marks, which there are letters in all but name.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from clir_cli.errors import DataError
from clir_cli.lines import read_lines

# Letters that Unicode does not decompose: their usual spelling without the special sign.
_SPELT_OUT = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d",
    "þ": "th", "ħ": "h", "ŧ": "t", "ı": "i", "ȷ": "j", "ς": "σ",
}  # fmt: skip
# Soft hyphen, zero-width (non-)joiner, word joiner, Arabic tatweel: they only tell how a word is drawn.
_JOINERS = "\u00ad\u200c\u200d\u2060\u0640"
_SCRIPTS_WITH_DIACRITICS = frozenset({"LATIN", "GREEK", "CYRILLIC", "COPTIC", "ARMENIAN", "GEORGIAN", "DIGIT"})
_VOWEL_POINTS = range(10, 36)  # Unicode's combining classes of Hebrew and Arabic points


class Word(NamedTuple):
    """One word: ``text[start:end]`` and its key."""

    start: int
    end: int
    key: str


_word = partial(tuple.__new__, Word)  # a Word without the detour through its Python constructor: a third faster


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


def _ranges_of_marks(codes: Iterable[int]) -> str:
    ranges: list[list[int]] = []
    for code in filter(lambda code: _is_mark(chr(code)), codes):
        if ranges and code == ranges[-1][1] + 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


_COMMON = _ranges_of_marks(range(0x300, 0x10000)) + _JOINERS
_RARE = _ranges_of_marks((*range(0x10000, 0x20000), *range(0xE0100, 0xE01F0)))
_PUNCTUATION = r"(?:[^\w\s]|_)+"
_SIMPLE = r"[^\W_]+"
_MARKED = rf"[^\W_]+(?:[{_COMMON}{_RARE}]+[^\W_]*)*"
# A text may hold marks. (One wide range is tried much faster than the many true ones of the rare scripts.)
_MAY_BE_MARKED = re.compile(f"[{_COMMON}\U00010000-\U0010ffff]")
# Most texts hold no mark of their own: the simple patterns then find the same words in less time.
_SIMPLE_WORDS, _SIMPLE_LETTERS = re.compile(f"{_SIMPLE}|{_PUNCTUATION}"), re.compile(_SIMPLE)
_MARKED_WORDS, _MARKED_LETTERS = re.compile(f"{_MARKED}|{_PUNCTUATION}"), re.compile(_MARKED)

# The joiner among the characters of iso-8859-1 (which has no marks), and its letters and digits with all else blank.
_SOFT_HYPHEN = b"\xad"
_LETTERS_OF_LATIN_1 = bytes(code if chr(code).isalnum() else ord(" ") for code in range(256))
_MOST_KEPT = 1 << 18  # words whose keys are remembered


def words(text: str) -> list[Word]:
    """Every word of ``text`` in order, digits and punctuation included; each character but white space is in one."""
    return [_word((*match.span(), _key(match[0]))) for match in _every_word_of(text).finditer(text)]


def keys(text: str) -> list[str]:
    """The keys of ``words(text)``, in less time."""
    return list(map(_key, _every_word_of(text).findall(text)))


def fold(text: str) -> str:
    """``text`` with each word replaced by its key and white space as it was; ``fold(fold(x)) == fold(x)``.

    The length may change (``ß`` becomes ``ss``): offsets always refer to the raw text.
    """
    if text.isascii():
        return text.lower()
    return _every_word_of(text).sub(lambda match: _key(match[0]), text)


def content_keys(text: str, stop: frozenset[str]) -> list[str]:
    """Keys of the words that retrieval and tables use, in order: letters only, no stop words, no stemming."""
    return list(filter(None, map(_content_keys_without(stop).__getitem__, _letters_of(text))))


def _letters_of(text: str) -> list[str]:
    """The words of ``text`` that begin with a letter or digit."""
    try:
        raw = text.encode("iso-8859-1")
    except UnicodeEncodeError:
        return (_SIMPLE_LETTERS if _is_simple(text) else _MARKED_LETTERS).findall(text)
    if _SOFT_HYPHEN in raw:
        return _MARKED_LETTERS.findall(text)
    # Bytes are many times faster than a pattern, and find the same words.
    return raw.translate(_LETTERS_OF_LATIN_1).decode("iso-8859-1").split()


class _ContentKeys(dict[str, str]):
    """Word -> key, or nothing for a word with digits in it and for a stop word; filled as words are asked for."""

    def __init__(self, stop: frozenset[str]) -> None:
        super().__init__()
        self.stop = stop

    def __missing__(self, word: str) -> str:
        if len(self) >= 2 * _MOST_KEPT:
            self.clear()
        key = _make_key(word)  # not from the other memory: each word is kept once
        if key in self.stop or not (key.isalpha() or all(char.isalpha() or _is_mark(char) for char in key)):
            key = ""
        self[word] = key
        return key


@lru_cache(maxsize=16)
def _content_keys_without(stop: frozenset[str]) -> _ContentKeys:
    return _ContentKeys(stop)


def _every_word_of(text: str) -> re.Pattern[str]:
    return _SIMPLE_WORDS if _is_simple(text) else _MARKED_WORDS


def _is_simple(text: str) -> bool:
    return text.isascii() or _MAY_BE_MARKED.search(text) is None


@lru_cache(maxsize=_MOST_KEPT)
def _key(word: str) -> str:
    return _make_key(word)


def _make_key(word: str) -> str:
    if word.isascii():
        return word.lower()
    if max(word) <= "\xff" and "\xad" not in word:  # no marks and no joiners: letter by letter
        return word.translate(_KEYS_OF_LATIN_1)
    return _folded(word)


def _folded(word: str) -> str:
    # Marks in canonical order, so that two ways to type a letter give one key.
    decomposed = unicodedata.normalize("NFD", "".join(map(_compatible, word)))
    kept: list[str] = []
    base = ""  # the letter or digit that a following mark sits on
    for char in decomposed:
        if char in _JOINERS or _is_mark(char):
            if not (base and _goes(char, base)):
                kept.append(char)
        else:
            base = char if char.isalnum() else ""
            lower = char.lower()
            kept.append(_SPELT_OUT.get(lower, lower))
    return unicodedata.normalize("NFC", "".join(kept))


def _compatible(char: str) -> str:
    """The plain letters behind ligatures and full-width letters; signs that would bring in a space stay."""
    decomposed = unicodedata.normalize("NFKD", char)
    return char if any(map(str.isspace, decomposed)) else decomposed


def _goes(mark: str, base: str) -> bool:
    return (
        mark in _JOINERS
        or unicodedata.combining(mark) in _VOWEL_POINTS
        or unicodedata.name(mark, "").startswith("VARIATION SELECTOR")
        or unicodedata.name(base, "").partition(" ")[0] in _SCRIPTS_WITH_DIACRITICS
    )


_KEYS_OF_LATIN_1 = {code: _folded(chr(code)) for code in range(256)}

# ISO 639-3 -> the codes of the stopwordsiso package.
_ISO_639_1 = {
    "afr": "af", "ara": "ar", "bul": "bg", "ben": "bn", "bre": "br", "cat": "ca", "ces": "cs", "dan": "da",
    "deu": "de", "ell": "el", "eng": "en", "epo": "eo", "est": "et", "eus": "eu", "fas": "fa", "fin": "fi",
    "fra": "fr", "gle": "ga", "glg": "gl", "guj": "gu", "hau": "ha", "heb": "he", "hin": "hi", "hrv": "hr",
    "hun": "hu", "hye": "hy", "ind": "id", "ita": "it", "jpn": "ja", "kor": "ko", "kur": "ku", "lat": "la",
    "lav": "lv", "lit": "lt", "mar": "mr", "msa": "ms", "nld": "nl", "nor": "no", "pol": "pl", "por": "pt",
    "ron": "ro", "rus": "ru", "slk": "sk", "slv": "sl", "som": "so", "sot": "st", "spa": "es", "swa": "sw",
    "swe": "sv", "swh": "sw", "tgl": "tl", "tha": "th", "tur": "tr", "ukr": "uk", "urd": "ur", "vie": "vi",
    "yor": "yo", "zho": "zh", "zul": "zu",
}  # fmt: skip


@lru_cache(maxsize=64)
def stop_words(spec: str | Path, language: str) -> frozenset[str]:
    """Stop words of ``language`` (ISO 639-3) as keys. ``spec``: ``iso``, ``none`` or a file with one word a line.

    An entry of several words (``don't``) gives the key of each, because texts are split there too.
    Raises ``DataError`` where the stopwordsiso package has no list or the file cannot be read.
    """
    if str(spec) == "none":
        return frozenset()
    if str(spec) != "iso":
        entries = [line for _, line in read_lines(Path(spec))]
    else:
        import stopwordsiso  # it reads a file of all languages

        code = _ISO_639_1.get(language, "")
        if not stopwordsiso.has_lang(code):
            raise DataError(
                f"The stopwordsiso package has no stop words for {language}.",
                f"Set languages.{language}.stop_words to none, or to a file with one word a line.",
            )
        entries = list(stopwordsiso.stopwords(code))
    return frozenset(key for entry in entries for key in content_keys(entry, frozenset()))
