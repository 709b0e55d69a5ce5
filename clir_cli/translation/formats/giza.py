"""GIZA++'s tables: ``conditioning predicted p``, words by their ids in two ``.vcb`` files, or (``.actual.``) as words.

``.t3.final`` is P(target | source), `s t p`. ``.ti.final`` is its inverse by Bayes' rule, P(source | target), `t s p`:
a table of the other direction. Id 0 is NULL, the empty word. (In most builds of GIZA++ ``.ti.final`` is empty.)
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from clir_cli.errors import DataError, FaultHandler
from clir_cli.lines import read_lines
from clir_cli.translation.formats.columns import Columns, read_columns
from clir_cli.translation.formats.entries import Entries
from clir_cli.translation.formats.format import Request, TableFormat

COLUMNS = "A line is `source target p`, and p is P(target | source), 0 to 1."
INVERSE_COLUMNS = "A line is `target source p`, and p is P(source | target), 0 to 1."
NULL = frozenset({"NULL"})
MISMATCH = 0.1
"""Word counts that a table foretells may differ from the true ones by this share before the ids are doubted."""


def read_entries(request: Request) -> Entries:
    """``.t3.final``: conditioning words are those of the first vocabulary."""
    return _read(request, COLUMNS, request.vocabularies, (".ti.final", "giza-inverse"))


def read_inverse_entries(request: Request) -> Entries:
    """``.ti.final``: conditioning words are those of the second vocabulary."""
    turned = (request.vocabularies[1], request.vocabularies[0]) if request.vocabularies else None
    return _read(request, INVERSE_COLUMNS, turned, (".t3.final", "giza"))


def _read(request: Request, hint: str, paths: tuple[Path, Path] | None, other: tuple[str, str]) -> Entries:
    """``paths``: vocabularies of conditioning and predicted words. ``other``: ending and name of the other format."""
    path = request.path
    if path.name.removesuffix(".gz").endswith(other[0]):
        raise DataError(f"{path}: a file named {other[0]} is of the other direction.", f"Its format is {other[1]}.")
    columns = Columns(int(request.is_swapped), hint)
    entries = read_columns(path, columns, request.encoding, request.on_fault)
    if paths is None:
        if len(entries) and all(map(str.isdecimal, (*entries.conditions, *entries.outcomes))):
            problem = f"{path}: its words are numbers, ids of GIZA++."
            raise DataError(problem, "Name the two .vcb files as `vocabularies`, source first.")
        return entries
    sides = [Vocabulary.read(each, request.encoding, request.on_fault) for each in paths]
    in_words = _in_words(entries, sides)
    _refuse_exchanged(entries, sides, paths, other[1])
    return in_words


@dataclass(frozen=True)
class Vocabulary:
    """A ``.vcb`` file: word and count of each id, by the id as it is written there."""

    path: Path
    words: dict[str, str]
    counts: dict[str, float]

    @classmethod
    def read(cls, path: Path, encoding: str, on_fault: FaultHandler) -> "Vocabulary":
        """Lines `id word count`, parted by a space or a tab; id 0 is NULL, whether it is there or not."""
        words, counts = {"0": "NULL"}, {"0": 0.0}
        for number, line in read_lines(path, encoding, on_fault):
            parts = line.replace("\t", " ").strip(" ").split(" ")
            if not line.strip():
                continue
            if len(parts) != 3 or not parts[0].isdecimal() or not parts[2].isdecimal():
                on_fault(DataError(f"{path}:{number}: this is not `id word count`.", "Is it a .vcb file of GIZA++?"))
            elif parts[0] in words and parts[0] != "0":
                on_fault(DataError(f"{path}:{number}: the id {parts[0]} is there a second time.", "Keep one line."))
            else:
                words[parts[0]], counts[parts[0]] = parts[1], float(parts[2])
        return cls(path, words, counts)


def _in_words(entries: Entries, sides: Sequence[Vocabulary]) -> Entries:
    spelt: list[list[str]] = []
    numbered = ((entries.conditions, entries.condition), (entries.outcomes, entries.outcome))
    for (ids, numbers), side in zip(numbered, sides, strict=True):
        unknown = [number for number, id_ in enumerate(ids) if id_ not in side.words]
        if unknown:
            at = int(np.isin(numbers, unknown).argmax())
            raise DataError(
                f"{entries.path}:{entries.lines[at]}: {side.path} has no id {ids[numbers[at]]}.",
                "Name the vocabularies that the table was made with, source first.",
            )
        spelt.append([side.words[id_] for id_ in ids])
    weights = {word: sides[0].counts[id_] for id_, word in zip(entries.conditions, spelt[0], strict=True)}
    return replace(entries, conditions=spelt[0], outcomes=spelt[1], weights=weights)


def _refuse_exchanged(entries: Entries, sides: Sequence[Vocabulary], paths: tuple[Path, Path], other: str) -> None:
    """Both vocabularies have most ids, so exchanged ones would pass; the counts of their words tell them apart."""
    given, exchanged = (_mismatch(entries, *pair) for pair in (sides, sides[::-1]))
    if given > MISMATCH and exchanged < given / 2:
        side = entries.sides[entries.condition_side]
        raise DataError(
            f"{entries.path}: {side} fits the words of {paths[1]}, not those of {paths[0]}.",
            f"Name the vocabularies the other way round, or the other format, {other}.",
        )


def _mismatch(entries: Entries, conditions: Vocabulary, outcomes: Vocabulary) -> float:
    """How far the counts of outcomes are from those that the table foretells, as total variation distance; an id that
    the vocabulary does not have counts as mass that is lost."""
    given = np.array([conditions.counts.get(id_, 0.0) for id_ in entries.conditions])
    found = np.array([outcomes.counts.get(id_, 0.0) for id_ in entries.outcomes])
    foretold = np.bincount(entries.outcome, given[entries.condition] * entries.values, len(found))
    if not foretold.sum() or not found.sum():
        return 1.0
    return float(np.abs(foretold / foretold.sum() - found / found.sum()).sum() / 2)


GIZA = TableFormat(
    "giza", read_entries, "Read it with `swap: true` if the word that is translated is in the second column.",
    null=NULL, names=(".t3.final",),
)  # fmt: skip
GIZA_INVERSE = TableFormat("giza-inverse", read_inverse_entries, GIZA.remedy, null=NULL, names=(".ti.final",))
