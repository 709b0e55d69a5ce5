"""The text of a document in passages, its words marked by the query words that they stand for."""

from collections.abc import Iterable, Sequence

from clir_cli.analysis.explanation import PassageLink, QueryWord, Stretch, TextPart
from clir_cli.corpora.normalise import Word, words

Marks = dict[str, tuple[tuple[int, ...], float]]
"""Document word -> numbers of query words, and the p of the likeliest."""


def marks_of_links(links: Iterable[PassageLink], numbered: Sequence[str]) -> Marks:
    """By what M^tr carries."""
    return _collect((link.document_word, numbered.index(link.query_word) + 1, link.p) for link in links)


def marks_of_translations(words: Sequence[QueryWord]) -> Marks:
    """By what the first stage asks for; p is a translation's share of its query word."""
    return _collect(
        (held.word, number, held.weight / sum(one.weight for one in word.translations))
        for number, word in enumerate(words, 1)
        for held in word.held
    )


def _collect(found: Iterable[tuple[str, int, float]]) -> Marks:
    marks: Marks = {}
    for word, number, p in found:
        numbers, most = marks.get(word, ((), 0.0))
        marks[word] = (*numbers, number), max(most, p)
    return marks


def mark_text(
    text: str, keys: Sequence[str], passages: Sequence[tuple[int, int]], marks: Marks, *, marks_rest: bool = False
) -> list[TextPart]:
    """Cut ``text`` into what each passage reads, and the rest.

    ``keys``: the words that the encoder has pieces of, in order; ``passages``: first and last of them, from 0, the last
    one included. Text before a passage's first word belongs to it, up to where the one before ended. A word on the
    border of two passages is in both. ``marks_rest``: what no passage reads is marked as well.
    """
    found = words(text)
    places = _place_words(found, keys)
    parts, end = [], 0
    for number, (first, last) in enumerate(passages, 1):
        if first > last or not places:  # nothing is read of an empty document
            continue
        start = min(end, found[places[first]].start)
        end = found[places[last]].end
        parts.append(TextPart(number, _stretches(text, start, end, found, marks)))
    if text[end:].strip():
        parts.append(TextPart(0, _stretches(text, end, len(text), found, marks if marks_rest else {})))
    return parts


def _place_words(found: Sequence[Word], keys: Sequence[str]) -> list[int]:
    """Which word of the text each of ``keys`` is: a few words, such as unprintable ones, have no piece."""
    places, place = [], 0
    for key in keys:
        here = next((n for n in range(place, len(found)) if found[n].key == key), None)
        if here is None:
            here = min(place, len(found) - 1)
        else:
            place = here + 1
        places.append(here)
    return places


def _stretches(text: str, start: int, end: int, found: Sequence[Word], marks: Marks) -> list[Stretch]:
    stretches, done = [], start
    for word in found:
        if word.start < start or word.end > end or word.key not in marks:
            continue
        if word.start > done:
            stretches.append(Stretch(text[done : word.start]))
        stretches.append(Stretch(text[word.start : word.end], *marks[word.key]))
        done = word.end
    return [*stretches, Stretch(text[done:end])] if done < end else stretches
