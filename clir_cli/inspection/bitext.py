"""What parallel text holds: files of unequal length, lines that are no translations, languages that are swapped."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import zip_longest

from clir_cli.corpora.normalise import content_keys, words
from clir_cli.inspection.faults import Kind
from clir_cli.inspection.findings import Part
from clir_cli.inspection.languages import LanguageGuesser
from clir_cli.inspection.wording import share, some_are
from clir_cli.records import ProgressCallback, no_progress

KINDS = (Kind("", "unreadable-bitext", "{count} faults."),)
"""Faults of the reader, beside bytes that cannot be decoded."""

MOST_RATIO = 4
"""A line with this many times the words of its translation is strange..."""

FROM_WORDS = 12
"""...if it has at least this many."""

Line = tuple[int, str]


@dataclass
class ParallelText:
    """The content keys of both sides with their counts, stop words among them."""

    source: Counter[str] = field(default_factory=Counter)
    target: Counter[str] = field(default_factory=Counter)
    pairs: int = 0
    """Lines with text on both sides."""

    met: dict[str, int] = field(default_factory=dict)
    """Watched text -> the first line that is equal to it."""


def inspect_bitext(
    source: Iterable[Line],
    target: Iterable[Line],
    about: Part,
    *,
    names: tuple[str, str],
    languages: tuple[str, str],
    guesser: LanguageGuesser,
    stop: tuple[frozenset[str], frozenset[str]],
    max_length: int,
    counts_all: bool = False,
    watched: Collection[str] = frozenset(),
    codes: Collection[str] = (),
    progress: ProgressCallback = no_progress,
) -> ParallelText:
    """Look at every line once.

    ``source`` and ``target``: ``(number, line)`` of both files, called ``names``; ``languages``: those of the pair;
    ``stop``: their stop words; ``max_length``: words above which the aligner skips a line, content words or with
    ``counts_all`` all of them; ``watched``: queries in normal form; ``codes``: faults recorded as lines are read.
    """
    text = ParallelText()
    counts = [0, 0]
    blank = uneven = long = same = pairs = 0
    uneven_at: list[str] = []
    for left, right in zip_longest(source, target):
        if left is not None:
            counts[0] = left[0]
        if right is not None:
            counts[1] = right[0]
        if left is None or right is None:
            continue
        number, (first, second) = left[0], (left[1].strip(), right[1].strip())
        if not first or not second:
            blank += 1
            continue
        pairs += 1
        here, there = content_keys(first, frozenset()), content_keys(second, frozenset())
        text.source.update(here)
        text.target.update(there)
        same += first == second
        longer, shorter = max(len(here), len(there)), min(len(here), len(there))
        if counts_all:
            if max(len(first), len(second)) > max_length:  # letters: no text has more words
                long += max(len(words(first)), len(words(second))) > max_length
        elif longer > max_length:
            content = (sum(key not in known for key in keys) for keys, known in zip((here, there), stop, strict=True))
            long += max(content) > max_length
        if longer >= FROM_WORDS and longer >= MOST_RATIO * shorter:
            uneven += 1
            if about.findings.keep is None or len(uneven_at) < about.findings.keep:
                uneven_at.append(f"line {number:,}: {len(here)} words, {len(there)} words")
        if watched:
            for keys in (here, there):
                if len(keys) > 1 and (joined := " ".join(keys)) in watched:
                    text.met.setdefault(joined, number)
        if pairs % 10_000 == 0:
            progress(pairs, None, "lines")
    progress(pairs, pairs, "lines")
    text.pairs = pairs
    if counts[0] != counts[1]:
        about.error(
            "unequal-lines", f"{names[0]} has {counts[0]:,} lines, {names[1]} has {counts[1]:,}.", place=names[0],
            hint="Parallel files need the same number of lines: find the line that is missing.",
        )  # fmt: skip
    if not pairs and not codes:
        about.error("no-lines", "there is no line with text on both sides.", place=names[0], hint="Check the paths.")
    if not pairs:
        return text
    _tell_languages(about, text, names, languages, guesser)
    if same:
        about.note("untranslated-line", f"{share(same, pairs)} lines are the same on both sides.", count=same)
    if uneven:
        about.note(
            "length-ratio",
            f"{share(uneven, pairs)} lines have {MOST_RATIO} times the words of their translation or more.",
            count=uneven, examples=uneven_at,
        )  # fmt: skip
    if long:
        text_ = f"{share(long, pairs)} lines have more than {max_length} words on a side and will be skipped."
        about.note("long-line", text_, hint="knowledge.align.max_length sets the limit.", count=long)
    if blank:
        about.note("blank-line", f"{some_are(blank, 'line')} blank on a side and will be left out.", count=blank)
    return text


def inspect_met_queries(met: dict[str, int], topics: dict[str, str], about: Part, name: str) -> None:
    """Lines that are equal to a query. ``topics``: normal form -> topic id."""
    if met:
        text = f"{some_are(len(met), 'query')} also a line of the parallel text."
        examples = (f"{topics[query]}: {name}:{line}" for query, line in met.items())
        about.note("query-in-bitext", text, count=len(met), examples=examples)


def _tell_languages(
    about: Part, text: ParallelText, names: tuple[str, str], languages: tuple[str, str], guesser: LanguageGuesser
) -> None:
    guessed = (guesser.guess_counted(text.source), guesser.guess_counted(text.target))
    wrong = [guesser.speaks_against(guess, declared) for guess, declared in zip(guessed, languages, strict=True)]
    if any(wrong) and languages[0] != languages[1] and guessed == languages[::-1]:
        about.warning(
            "swapped-languages", f"the languages seem to be swapped: {names[0]} looks like {guessed[0]}, {names[1]} "
            f"like {guessed[1]} (a guess from stop words).", place=names[0],
            hint=f"The first file of bitext.{'-'.join(languages)} is the one in {languages[0]}.",
        )  # fmt: skip
        return
    for name, guess, declared, is_wrong in zip(names, guessed, languages, wrong, strict=True):
        if is_wrong:
            about.warning(
                "bitext-language", f"the language is {guess} by a guess from stop words, but {declared} is meant.",
                place=name, hint="Check the paths.",
            )  # fmt: skip
