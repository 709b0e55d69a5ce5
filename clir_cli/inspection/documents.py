"""What a collection holds: ids that come twice, documents without words, wrong encodings, another language."""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from clir_cli.corpora.normalise import content_keys
from clir_cli.inspection.encodings import has_replacements, looks_misread
from clir_cli.inspection.faults import Kind
from clir_cli.inspection.findings import Level, Part
from clir_cli.inspection.languages import LanguageGuesser
from clir_cli.inspection.wording import counted, some_are, some_have
from clir_cli.records import Document, ProgressCallback, no_progress

KINDS = (
    Kind(
        "there are no documents|there is no <DOC>|has no documents",
        "no-documents",
        "{count} files have no documents.",
        Level.error,
    ),
    Kind("", "unreadable-document", "{count} documents cannot be read."),
)
"""Faults of the readers."""

LOOKED_UP = 1000
"""Ids that are looked for in the files a second time, at most."""

TOLD = 100
"""Words of a document that its language is guessed from."""

PlaceFinder = Callable[[Collection[str]], Mapping[str, list[str]]]


@dataclass
class Collected:
    """What later checks need of a collection: ids in memory, words counted, no text."""

    digests: dict[str, bytes] = field(default_factory=dict)
    """Id -> digest of the full text."""

    words: Counter[str] = field(default_factory=Counter)
    """Content keys, stop words among them."""

    titles_met: dict[str, str] = field(default_factory=dict)
    """Watched text -> id of the document that has it as its title."""

    def __contains__(self, id: object) -> bool:
        return id in self.digests


@dataclass
class _Counted:
    """Ids in question, the first of each kind, and how many there are."""

    keep: int | None
    count: int = 0
    ids: list[str] = field(default_factory=list)

    def add(self, id: str) -> None:
        self.count += 1
        if self.keep is None or len(self.ids) < self.keep:
            self.ids.append(id)


def inspect_documents(
    documents: Iterable[Document],
    about: Part,
    *,
    language: str,
    stop: frozenset[str],
    guesser: LanguageGuesser,
    find_places: PlaceFinder = lambda ids: {},
    fields: str = "",
    encoding: str = "utf-8",
    codes: Collection[str] = (),
    watched: Collection[str] = frozenset(),
    progress: ProgressCallback = no_progress,
) -> Collected:
    """Look at every document once.

    Args:
        documents: as their reader streams them.
        about: where findings go.
        language: the declared one (ISO 639-3).
        stop: the keys that are no content.
        find_places: id -> ``file:line`` of each document of that id, asked for few ids.
        fields: the tags whose text is read, where the format has tags.
        encoding: what the files are read as.
        codes: faults that the reader's handler has recorded by the end; filled while ``documents`` is read.
        watched: texts in normal form (``normal_form``) that no title should be equal to.
        progress: told every thousand documents.
    """
    keep = about.findings.keep
    collected = Collected()
    same, other, empty, misread, lost, foreign = (_Counted(keep) for _ in range(6))
    textless = read = told = 0
    digests, words = collected.digests, collected.words
    for read, document in enumerate(documents, start=1):
        text = document.full_text
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        known = digests.setdefault(document.id, digest)
        if known is not digest:
            (same if known == digest else other).add(document.id)
            continue
        keys = content_keys(text, frozenset())
        words.update(keys)
        if stop.issuperset(keys):
            empty.add(document.id)
            textless += not text.strip()
        if looks_misread(text):
            misread.add(document.id)
        if has_replacements(text):
            lost.add(document.id)
        if guessed := guesser.guess_text(keys[:TOLD]):
            told += 1
            if guesser.speaks_against(guessed, language):
                foreign.add(document.id)
        if watched and document.title and (title := normal_form(document.title)) in watched:
            collected.titles_met.setdefault(title, document.id)
        if read % 1000 == 0:
            progress(read, None, "documents")
    progress(read, read, "documents")
    if not digests:
        if not codes:
            about.error("no-documents", "there is no document in it.", hint="Check path and format.")
        return collected
    _tell_duplicates(about, same, other, find_places)
    _tell_empty(about, empty, textless, len(digests), fields)
    _tell_encoding(about, misread, lost, len(digests), encoding, set(codes))
    _tell_language(about, foreign, told, guesser.guess_counted(words), language, guesser)
    return collected


def normal_form(text: str) -> str:
    """What texts are compared by: the keys of all their words of letters, in order."""
    return " ".join(content_keys(text, frozenset()))


def _tell_duplicates(about: Part, same: _Counted, other: _Counted, find_places: PlaceFinder) -> None:
    ids = list(dict.fromkeys([*other.ids, *same.ids]))[:LOOKED_UP]
    places = find_places(ids) if ids else {}
    for kind, level, what, hint in (
        (other, Level.error, "another text", "Give each document its own id."),
        (same, Level.warning, "the same text", "The second is left out: take it out of the files."),
    ):
        if not kind.count:
            continue
        examples = [_where(id, places) for id in dict.fromkeys(kind.ids)]
        first = places.get(kind.ids[0], [])
        if kind.count == 1:
            seen = f", first at {first[0]}" if len(first) > 1 else ""
            message = f"document {kind.ids[0]} is there twice, the second time with {what}{seen}."
            about.add(level, "duplicate-id", message, place=first[-1] if first else "", hint=hint)
        else:
            message = f"{kind.count:,} documents have the id of an earlier one and {what}."
            about.add(level, "duplicate-id", message, hint=hint, count=kind.count, examples=examples)


def _where(id: str, places: Mapping[str, list[str]]) -> str:
    found = places.get(id, [])
    return f"{id}: {', '.join(found[:5])}" if found else id


def _tell_empty(about: Part, empty: _Counted, textless: int, documents: int, fields: str) -> None:
    if not empty.count:
        return
    if textless == documents:
        told = f" in the tags {fields}" if fields else ""
        message = f"none of the {documents:,} documents has text{told}."
        about.error("no-text", message, hint="Set `fields` to the tags that hold text, or the format.", count=documents)
        return
    message = f"{some_have(empty.count, 'document', documents)} no word that can be searched."
    hint = "No query finds them" + (f"; is their text in other tags than {fields}?" if textless and fields else ".")
    about.warning("empty-document", message, hint=hint, count=empty.count, examples=empty.ids)


def _tell_encoding(
    about: Part, misread: _Counted, lost: _Counted, documents: int, encoding: str, codes: set[str]
) -> None:
    if misread.count:
        is_unicode = encoding.lower().replace("-", "").replace("_", "") == "utf8"
        about.warning(
            "misread-encoding",
            f"utf-8 read as another encoding (Ã¼ for ü) is in {counted(misread.count, 'document')} of {documents:,}.",
            hint="The files were converted wrongly: convert them anew." if is_unicode else "Try encoding: utf-8.",
            count=misread.count,
            examples=misread.ids,
        )
    if lost.count and "undecodable-byte" not in codes:
        about.warning(
            "lost-character",
            f"U+FFFD, which stands for a lost character, is in {counted(lost.count, 'document')} of {documents:,}.",
            hint="The files were decoded wrongly before they were written: convert the originals anew.",
            count=lost.count,
            examples=lost.ids,
        )


def _tell_language(
    about: Part, foreign: _Counted, told: int, guessed: str, declared: str, guesser: LanguageGuesser
) -> None:
    if guesser.speaks_against(guessed, declared):
        about.warning(
            "other-language",
            f"the language is {guessed} by a guess from stop words, but {declared} is declared.",
            hint="Check `language`, or the files.",
        )
    elif foreign.count:
        about.note(
            "other-language",
            f"{some_are(foreign.count, 'document', told)} not in {declared}, by a guess from stop words.",
            count=foreign.count,
            examples=foreign.ids,
        )


def inspect_pools(collected: Collected, about: Part, pools: Mapping[str, Collection[str]]) -> None:
    """Whether each pool has documents. ``pools``: numbers of its topics -> how the ids of its documents begin."""
    beginnings = {beginning for named in pools.values() for beginning in named}
    missing = set(beginnings)
    for id in collected.digests:
        if missing and id.startswith(tuple(missing)):
            missing = {beginning for beginning in missing if not id.startswith(beginning)}
    if not missing or not collected.digests:
        return
    some = next(iter(collected.digests))
    examples = [
        f"{beginning} (pool of {topics})"
        for topics, named in pools.items()
        for beginning in named
        if beginning in missing
    ]
    about.error(
        "empty-pool",
        f"{counted(len(missing), 'beginning')} of ids in `pools` {'fits' if len(missing) == 1 else 'fit'} no document.",
        hint=f"Ids here look like {some}.",
        count=len(examples),
        examples=examples,
    )
