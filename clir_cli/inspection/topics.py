"""What a topic file holds: its language, missing fields, numbers; and how topics of several files belong together."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from clir_cli.corpora.normalise import content_keys
from clir_cli.corpora.topics import FoundTopic, topic_key
from clir_cli.inspection.faults import Kind
from clir_cli.inspection.findings import Part
from clir_cli.inspection.languages import LanguageGuesser
from clir_cli.inspection.wording import listed, some_are, some_have

KINDS = (
    Kind("is there already, at", "duplicate-topic", "{count} topics are there already."),
    Kind("those before it in", "mixed-languages", "{count} topics are in another language than those before them."),
    Kind("there are no topics|the file is empty", "no-topics", "{count} files have no topics."),
    Kind("looks like no layout", "unknown-format", "{count} files have no known layout."),
    Kind("", "unreadable-topic", "{count} topics cannot be read."),
)
"""Faults of the readers."""

PARTS = ("title", "description", "narrative")


def inspect_topics(
    topics: Iterable[FoundTopic],
    about: Part,
    *,
    language: str,
    fields: Sequence[str],
    guesser: LanguageGuesser,
    stop: frozenset[str],
    asks: bool = True,
    all_topics: int | None = None,
    codes: Collection[str] = (),
) -> dict[str, FoundTopic]:
    """Look at the topics of one key of the settings; the topics by ``topic_key``.

    ``language``: the declared one; empty where the key says none. ``fields``: the parts that make queries;
    ``asks``: whether the settings name them, or it is the default.
    ``all_topics``: how many the files have, where only those of some numbers are used. ``codes``: faults recorded
    while ``topics`` are read.
    """
    found = {topic_key(topic.topic.id): topic for topic in topics}
    if all_topics is not None and (found or all_topics):
        text = f"{some_have(len(found), 'topic', all_topics)} a number that `numbers` names."
        about.note("numbers", text, count=len(found))
    if not found:
        if "no-topics" not in codes:
            hint = "Compare `numbers` with the numbers in the files." if all_topics else "Check path and format."
            about.error("no-topics", "no topic is left.", hint=hint)
        return found
    _tell_language(about, found.values(), language, fields, guesser)
    for field in fields:
        without = [topic for topic in found.values() if not getattr(topic.topic, field)]
        if len(without) == len(found) and not asks:
            text = f"no topic has a {field}: queries are made of what is there."
            about.note("missing-field", text, hint="Is the format right?", count=len(found))
        elif without:
            text = f"{some_have(len(without), 'topic', len(found))} no {field}."
            hint = "The query is made of what is there: are format and `fields` right?"
            _tell(about.warning, "missing-field", text, without, hint)
    silent = [topic for topic in found.values() if not content_keys(topic.topic.text(tuple(fields)), stop)]
    if silent:
        text = f"{some_have(len(silent), 'topic', len(found))} no word that can be searched."
        hint = "Nothing but stop words, digits and punctuation: nothing will be found."
        _tell(about.warning, "empty-query", text, silent, hint)
    return found


def inspect_joining(
    asked: Mapping[str, FoundTopic],
    about: Part,
    *,
    human: Mapping[str, FoundTopic] | None,
    shared: Mapping[str, Collection[str]],
    pooled: Collection[str] | None,
) -> list[str]:
    """How the topics of a pair meet its other files; the keys of those that are searched.

    ``human``: the translations, None where there are none; ``shared``: name -> keys of each topic set of
    ``topics.intersect``; ``pooled``: keys that some pool is for, None where there are no pools.
    """
    unshared = [key for key in asked if not all(key in keys for keys in shared.values())]
    outside = [key for key in asked if pooled is not None and key not in pooled]
    left = {*unshared, *outside}
    kept = [key for key in asked if key not in left]
    if unshared:
        text = f"{some_are(len(unshared), 'topic')} not in all of topics.intersect and will be left out."
        examples = (
            f"{asked[key].topic.id}: not in {listed(name for name, keys in shared.items() if key not in keys)}"
            for key in unshared
        )
        about.note("unshared-topic", text, count=len(unshared), examples=examples)
    if outside:
        text = f"{some_are(len(outside), 'topic')} in no pool of the collection and will be left out."
        about.note("topic-outside-pools", text, count=len(outside), examples=_named(asked[key] for key in outside))
    if asked and not kept:
        about.error("no-topics", "no topic is left.", hint="Compare the numbers of topics, topics.intersect and pools.")
    if human is not None:
        untranslated = [asked[key] for key in kept if key not in human]
        if kept and len(untranslated) == len(kept):
            about.warning(
                "untranslated-topic", "none of the topics has a human translation.",
                hint="Compare the ids of both topic files.", count=len(kept), examples=_named(untranslated),
            )  # fmt: skip
        elif untranslated:
            text = f"{some_have(len(untranslated), 'topic', len(kept))} no human translation."
            about.note("untranslated-topic", text, count=len(untranslated), examples=_named(untranslated))
    return kept


def _tell_language(
    about: Part, topics: Collection[FoundTopic], declared: str, fields: Sequence[str], guesser: LanguageGuesser
) -> None:
    if not declared:
        return
    stated = Counter(topic.language for topic in topics if topic.language)
    strangers = [topic for topic in topics if topic.language and topic.language != declared]
    if strangers:
        language = next(language for language, _ in stated.most_common() if language != declared)
        text = f"{some_are(len(strangers), 'topic')} tagged as {language}, but declared as {declared}."
        hint = "Name the file of the language, or put it under the key of its language."
        _tell(about.warning, "topic-language", text, strangers, hint)
        return
    words: Counter[str] = Counter()
    for topic in topics:
        words.update(content_keys(topic.topic.text(tuple(fields)), frozenset()))
    guessed = guesser.guess_counted(words)
    if guesser.speaks_against(guessed, declared):
        text = f"the language is {guessed} by a guess from stop words, but {declared} is declared."
        about.warning("topic-language", text, hint="Name the file of the language, or put it under the right key.")


def _named(topics: Iterable[FoundTopic]) -> Iterable[str]:
    return (f"{topic.topic.id} ({topic.place})" for topic in topics)


def _tell(add: Callable[..., None], code: str, text: str, topics: Sequence[FoundTopic], hint: str) -> None:
    """A finding about topics: one has a place, several are examples."""
    if len(topics) == 1:
        add(code, f"topic {topics[0].topic.id}: {text}", place=topics[0].place, hint=hint)
    else:
        add(code, text, hint=hint, count=len(topics), examples=_named(topics))
