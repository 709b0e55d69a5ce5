"""Parallel text in two files to links, tables and, with a gold alignment, alignment error rates."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clir_cli.records import ProgressCallback
    from clir_cli.translation.alignment.align_text import AlignedText, Recipe
    from clir_cli.translation.alignment.prepared_text import PreparedText

STAGE = "align"
Pair = tuple[list[str], list[str]]


@dataclass(frozen=True)
class Text:
    """The parallel text and what its words are: the project's (``is_content``: without stop words of ``languages``,
    numbers and punctuation), or what spaces part."""

    files: tuple[Path, Path]
    encoding: str = "utf-8"
    splits_at_spaces: bool = False
    is_lowered: bool = False
    is_content: bool = False
    languages: tuple[str, str] | None = None
    max_length: int = 100
    max_ratio: float = 9.0


@dataclass(frozen=True)
class Gold:
    """Links made by people for the sentences of ``text``, or for the first lines of the parallel text."""

    path: Path
    text: tuple[Path, Path] | None = None
    scores_all: bool = False


def align_files(
    text: Text, aligner: dict[str, Any], recipe: dict[str, Any], out: Path | None, gold: Gold | None, quiet: bool
) -> None:
    """Align, write ``out/table``, ``inverse-table``, ``links.txt``, ``report.json``, and print what came of it.

    ``out/state`` is there while it works: called again with the same text and settings, it goes on from there.
    """
    from clir_cli.cli import console
    from clir_cli.translation.alignment.align_text import align_text
    from clir_cli.translation.alignment.gold import read_gold

    chosen = _recipe(aligner, recipe)
    links_of_people = read_gold(gold.path) if gold else None  # before hours of work
    lengths = _Lengths(max(links_of_people.sentences) + 1 if links_of_people else 0)
    with _progress(quiet) as progress:
        prepared, lines = _prepare(text, gold, progress, lengths)
        if gold is not None:
            read_gold(gold.path, lengths.first)  # again: does each link lie within its sentence?
        aligned = align_text(prepared, chosen, state=out / "state" if out else None, progress=progress)
    if out is not None:
        _write(out, text, prepared, aligned, chosen, lines)
    seen = prepared.report
    head = ["lines", "blank", "too long", "unequal", "source words", "target words"]
    words = [str(len(prepared.source_words)), str(len(prepared.target_words))]
    console.show_table(head, [[str(seen.pairs), str(seen.blank), str(seen.too_long), str(seen.unequal), *words]], head)
    if links_of_people is not None and gold is not None:
        from clir_cli.translation.alignment.gold import score_links

        methods = aligned.methods if gold.scores_all else (chosen.symmetrisation,)
        rows = []
        for method in methods:
            score = score_links(aligned.links(method), links_of_people, prepared.lines, first=lines if gold.text else 0)
            numbers = (score.aer, score.precision, score.recall, score.f1)
            rows.append([method, *(f"{number:.4f}" for number in numbers), str(score.links), str(score.sentences)])
        head = ["links", "AER", "precision", "recall", "F1", "count", "sentences"]
        console.show_table(head, rows, right=head[1:])
    if out is not None:
        console.tell(f"Tables, links and report: {out}")


def _recipe(aligner: dict[str, Any], recipe: dict[str, Any]) -> "Recipe":
    from clir_cli.errors import UsageError
    from clir_cli.translation.alignment.align_text import Recipe
    from clir_cli.translation.alignment.learn import AlignerSettings

    try:
        return Recipe(aligner=AlignerSettings(**aligner), **recipe)
    except ValueError as error:
        raise UsageError(f"{error}.".capitalize(), "See `clir align --help`.") from None


class _Lengths:
    """Words of each (source, target) sentence that a gold alignment numbers, as far as it goes: ``count`` of them."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.first: list[tuple[int, int]] = []

    def note(self, source: list[str], target: list[str]) -> Pair:
        if len(self.first) < self.count:
            self.first.append((len(source), len(target)))
        return source, target


def _prepare(
    text: Text, gold: Gold | None, progress: "ProgressCallback", lengths: _Lengths
) -> tuple["PreparedText", int]:
    """The text, the gold's sentences at its end, and the number of lines before those; ``lengths`` is filled."""
    from clir_cli.corpora.bitext import read_bitext
    from clir_cli.errors import UsageError
    from clir_cli.translation.alignment.prepared_text import prepare

    lines = 0
    split_source, split_target = _splitters(text)
    split_gold = _at_spaces(text)
    has_own_text = gold is not None and gold.text is not None

    def pairs() -> Iterator[Pair]:
        nonlocal lines
        for pair in read_bitext(*text.files, text.encoding, keep_blank=True):
            lines += 1
            words = split_source(pair.source), split_target(pair.target)
            yield words if has_own_text else lengths.note(*words)
        if gold is not None and gold.text is not None:
            for pair in read_bitext(*gold.text, text.encoding, keep_blank=True):
                yield lengths.note(split_gold(pair.source), split_gold(pair.target))

    try:
        return prepare(pairs(), max_length=text.max_length, max_ratio=text.max_ratio, progress=progress), lines
    except ValueError as error:
        raise UsageError(f"{error}.".capitalize(), "See `clir align --help`.") from None


def _splitters(text: Text) -> tuple[Callable[[str], list[str]], Callable[[str], list[str]]]:
    from clir_cli.corpora.normalise import content_keys, keys

    if text.splits_at_spaces:
        return _at_spaces(text), _at_spaces(text)
    if text.is_content:
        stop_source, stop_target = _stop_lists(text)
        return (lambda line: content_keys(line, stop_source)), (lambda line: content_keys(line, stop_target))
    return keys, keys


def _at_spaces(text: Text) -> Callable[[str], list[str]]:
    """Words parted by spaces; folded where those of the other text are."""
    from clir_cli.corpora.normalise import fold

    if not text.splits_at_spaces:
        return lambda line: fold(line).split()
    return (lambda line: line.lower().split()) if text.is_lowered else str.split


def _stop_lists(text: Text) -> tuple[frozenset[str], frozenset[str]]:
    from clir_cli.corpora.normalise import stop_words

    if text.languages is None:
        return frozenset(), frozenset()
    source, target = text.languages
    return stop_words("iso", source), stop_words("iso", target)


def _write(
    out: Path, text: Text, prepared: "PreparedText", aligned: "AlignedText", recipe: "Recipe", lines: int
) -> None:
    from clir_cli.lines import write_whole
    from clir_cli.translation.alignment.align_text import keep_content
    from clir_cli.translation.alignment.links_text import write_links_text
    from clir_cli.translation.alignment.state import forget_state

    (out / "report.json").unlink(missing_ok=True)  # it vouches for the rest, and comes last
    write_links_text(out / "links.txt", aligned.links(recipe.symmetrisation), prepared)
    if lines < prepared.report.read:
        _part(out / "links.txt", lines, out / "gold-links.txt")
    table, inverse = aligned.table(False), aligned.table(True)
    if not text.splits_at_spaces:
        stop_source, stop_target = _stop_lists(text)
        table = keep_content(table, stop_source, stop_target)
        inverse = keep_content(inverse, stop_target, stop_source)
    table.save(out / "table")
    inverse.save(out / "inverse-table")
    sizes = {
        name: {"words": len(made), "translations": int(made.probabilities.nnz)}
        for name, made in (("table", table), ("inverse", inverse))
    }
    settings = asdict(recipe) | {"text": asdict(text)}
    report = {"settings": settings, "prepared": asdict(prepared.report), "learned": aligned.learned} | sizes
    with write_whole(out / "report.json") as file:
        file.write(json.dumps(report, indent=1, ensure_ascii=False, default=str) + "\n")
    forget_state(out / "state")


def _part(whole: Path, lines: int, rest: Path) -> None:
    """Move all but the first lines of a file into another: what is left is parallel to the text again."""
    from clir_cli.lines import write_whole

    with whole.open(encoding="utf-8") as read:
        with write_whole(whole) as file:
            file.writelines(islice(read, lines))
        with write_whole(rest) as file:
            file.writelines(read)


@contextmanager
def _progress(quiet: bool) -> Iterator["ProgressCallback"]:
    """Progress of the one thing that is done, as a plan's stages show it."""
    from time import monotonic

    from clir_cli.cli.progress import watching
    from clir_cli.pipeline.events import Event, EventKind

    begun = monotonic()
    with watching(1, quiet) as listen:
        listen(Event(EventKind.started, STAGE))
        yield lambda done, total, text: listen(Event(EventKind.progress, STAGE, done, total, text))
        listen(Event(EventKind.finished, STAGE, seconds=monotonic() - begun))
