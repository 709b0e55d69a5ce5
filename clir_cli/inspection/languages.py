"""A guess of the language of a text, from nothing but stop words.

The share of words that are stop words of a language, where a word that n languages have counts 1/n: the lists are of
very different lengths, and without that the longest would win short texts. A guess is made only of enough words and
by a clear margin; docs/decisions/005-language-guess.md has the measurements.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from clir_cli.corpora.normalise import stop_words
from clir_cli.errors import DataError

COMMON = (
    "eng", "deu", "fra", "ita", "spa", "por", "nld", "swe", "dan", "nor", "fin",
    "pol", "ces", "hun", "ron", "tur", "rus", "som", "swa", "ind",
)  # fmt: skip
"""Languages that are told apart whatever an experiment declares."""

ENOUGH = 20
"""Words below which there is no guess."""

MARGIN = 2.0
"""How many times the second language's share the first's must be."""

LEAST = 0.08
"""The share that is too small to tell anything: names, numbers, a language without a list."""

_SAME = {"swh": "swa"}


class LanguageGuesser:
    """Guesses among ``languages`` and the common ones."""

    def __init__(self, languages: Iterable[str] = ()) -> None:
        candidates = dict.fromkeys(_SAME.get(language, language) for language in (*languages, *COMMON))
        lists = {language: words for language in candidates if (words := _list_of(language))}
        self._languages = list(lists)
        owners: dict[str, int] = {}  # word -> set of languages, as bits
        for number, words in enumerate(lists.values()):
            for word in words:
                owners[word] = owners.get(word, 0) | 1 << number
        self._owners = owners

    def knows(self, language: str) -> bool:
        """Whether there is a list for ``language``: only then a guess can speak against it."""
        return _SAME.get(language, language) in self._languages

    def guess(self, words: Iterable[str]) -> str:
        """The language of content keys (stop words among them), or empty where they do not tell."""
        return self.guess_counted(Counter(words))

    def guess_counted(self, words: Mapping[str, int]) -> str:
        """The same for a text whose words are counted already."""
        masks: Counter[int] = Counter()
        for word, count in words.items():
            if mask := self._owners.get(word):
                masks[mask] += count
        return self._decide(masks, sum(words.values()))

    def guess_text(self, keys: list[str]) -> str:
        """The same for one short text, faster."""
        masks = Counter(map(self._owners.get, keys))
        return self._decide(masks, len(keys))

    def speaks_against(self, guessed: str, declared: str) -> bool:
        """Whether a guess contradicts the declared language."""
        return bool(guessed) and self.knows(declared) and guessed != _SAME.get(declared, declared)

    def _decide(self, masks: Mapping[int, int] | Mapping[int | None, int], words: int) -> str:
        if words < ENOUGH:
            return ""
        shares = [0.0] * (len(self._languages) + 1)
        for mask, count in masks.items():
            if mask:
                members = _members(mask)
                for number in members:
                    shares[number] += count / len(members)
        second, first = sorted(shares)[-2:]
        if first < LEAST * words or first < MARGIN * second:
            return ""
        return self._languages[shares.index(first)]


@lru_cache(maxsize=1 << 14)
def _members(mask: int) -> tuple[int, ...]:
    return tuple(number for number in range(mask.bit_length()) if mask >> number & 1)


@lru_cache(maxsize=64)
def _list_of(language: str) -> frozenset[str]:
    try:
        return stop_words("iso", language)
    except DataError:  # the package has no list
        return frozenset()
