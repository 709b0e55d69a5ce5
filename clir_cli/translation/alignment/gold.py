"""Word alignments made by people, and how well links agree with them.

Two formats, told by look: NAACL (``sentence source target`` and S or P, all from 1; Mihalcea and Pedersen 2003) and
Pharaoh (one line a sentence, ``0-0`` sure and ``1?2`` possible, from 0).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_lines, write_whole
from clir_cli.translation.alignment.symmetrise import Links

Link = tuple[int, int]

NAACL = "A line is `sentence source target`, counted from 1, and S (sure) or P (possible), or nothing for sure."
PHARAOH = "A line holds one sentence's links, `0-0` for sure ones and `1?2` for possible ones, counted from 0."
_NUMBER = re.compile("[0-9]{1,9}")
_PHARAOH_LINK = re.compile(r"([0-9]{1,9})([-?])([0-9]{1,9})")


@dataclass(slots=True)
class GoldSentence:
    """The links of one sentence as (source position, target position), from 0; every sure link is possible too."""

    sure: set[Link] = field(default_factory=set)
    possible: set[Link] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Gold:
    """``sentences``: line of the text, from 0 -> its links. A sentence without any link counts as not annotated."""

    sentences: dict[int, GoldSentence]


@dataclass(frozen=True, slots=True)
class AlignmentScore:
    """``aer``, ``precision``, ``recall``, ``f1`` (0 to 1), and the number of ``links`` scored, of ``sure`` and of
    ``possible`` gold links (those include the sure ones) and of annotated ``sentences``."""

    aer: float
    precision: float
    recall: float
    f1: float
    links: int
    sure: int
    possible: int
    sentences: int


def read_gold(
    path: Path, lengths: Sequence[tuple[int, int]] | None = None, on_fault: FaultHandler = stop_at_fault
) -> Gold:
    """Read a gold alignment, plain or gzipped; where a link is there as sure and as possible, it is sure.

    ``lengths``: words of each (source, target) sentence of the text, so that links outside are found.
    Faults, with file and line: a wrong number of columns, what is no position, an unknown mark, a sentence or position
    outside the text. Raises ``DataError`` for a file in neither format and for one without links.
    """
    sentences: dict[int, GoldSentence] = {}
    parse: _Parser | None = None
    for number, line in read_lines(path, on_fault=on_fault):
        fields = line.split()
        if not fields:
            continue
        if parse is None:
            parse = _told_by_look(path, number, fields)
        try:
            # All of a line before any of it: a line that is at fault is left out whole.
            links = list(parse(number, fields))
            for sentence, link, _ in links:
                _check_inside(sentence, link, lengths)
        except _Fault as fault:
            on_fault(DataError(f"{path}:{number}: {fault}", fault.hint))
            continue
        for sentence, link, sure in links:
            found = sentences.setdefault(sentence, GoldSentence())
            found.possible.add(link)
            if sure:
                found.sure.add(link)
    if not sentences:
        raise DataError(f"{path}: there are no links in this file.", "Is it the gold alignment?")
    return Gold(dict(sorted(sentences.items())))


def write_gold(path: Path, gold: Gold, format: Literal["naacl", "pharaoh"]) -> None:
    """Write ``gold`` so that ``read_gold`` gives it back; links sorted."""
    with write_whole(path) as file:
        if format == "naacl":
            for sentence, links in gold.sentences.items():
                for i, j in sorted(links.possible):
                    file.write(f"{sentence + 1} {i + 1} {j + 1} {'S' if (i, j) in links.sure else 'P'}\n")
            return
        for line in range(max(gold.sentences, default=-1) + 1):
            links = gold.sentences.get(line, GoldSentence())
            marked = (f"{i}{'-' if (i, j) in links.sure else '?'}{j}" for i, j in sorted(links.possible))
            file.write(" ".join(marked) + "\n")


def score_links(links: Links, gold: Gold, lines: np.ndarray | None = None, *, first: int = 0) -> AlignmentScore:
    """Alignment error rate (Och and Ney 2003), precision and recall of ``links`` A against sure S and possible P.

    AER = 1 - (|A & S| + |A & P|) / (|A| + |S|), precision = |A & P| / |A|, recall = |A & S| / |S|, summed over all
    sentences; F1 is the harmonic mean of the two. What has nothing to be divided by is 0 (and AER 1).

    ``lines``: the line of each pair in the text that was aligned (``PreparedText.lines``; default: pair k is line k),
    ``first``: the line where the gold's first sentence stands in that text. Sentences without gold are left out of A;
    gold sentences that the links do not have (dropped in preparation) count with no links.
    """
    lines = np.arange(len(links)) if lines is None else lines
    wanted = np.fromiter(gold.sentences, np.int64, len(gold.sentences)) + first
    of_line = {int(lines[pair]) - first: int(pair) for pair in np.flatnonzero(np.isin(lines, wanted))}
    made = sure = possible = in_sure = in_possible = 0
    for line, sentence in gold.sentences.items():
        sure += len(sentence.sure)
        possible += len(sentence.possible)
        if line in of_line:
            found = set(links.of(of_line[line]))
            made += len(found)
            in_sure += len(found & sentence.sure)
            in_possible += len(found & sentence.possible)
    precision, recall = _ratio(in_possible, made), _ratio(in_sure, sure)
    return AlignmentScore(
        aer=1 - _ratio(in_sure + in_possible, made + sure),
        precision=precision,
        recall=recall,
        f1=_ratio(2 * precision * recall, precision + recall),
        links=made,
        sure=sure,
        possible=possible,
        sentences=len(gold.sentences),
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


class _Fault(Exception):  # noqa: N818 - what is wrong with a line, before its place is known
    def __init__(self, problem: str, hint: str) -> None:
        super().__init__(problem)
        self.hint = hint


_Parsed = Iterator[tuple[int, Link, bool]]
_Parser = Callable[[int, list[str]], _Parsed]


def _told_by_look(path: Path, number: int, fields: list[str]) -> _Parser:
    if _NUMBER.fullmatch(fields[0]):
        return _parse_naacl
    if _PHARAOH_LINK.fullmatch(fields[0]):
        return _parse_pharaoh
    raise DataError(
        f"{path}:{number}: {fields[0]!r} begins neither a NAACL nor a Pharaoh alignment.",
        "NAACL lines are `sentence source target S`, Pharaoh lines `0-0 1?2`.",
    )


def _parse_naacl(number: int, fields: list[str]) -> _Parsed:
    if len(fields) not in (3, 4):
        raise _Fault(f"{len(fields)} columns, not 3 or 4.", NAACL)
    for text in fields[:3]:
        if not _NUMBER.fullmatch(text):
            raise _Fault(f"{text!r} is no position.", NAACL)
        if not int(text):
            raise _Fault("0 is no position.", NAACL)
    if fields[3:] not in ([], ["S"], ["P"]):
        raise _Fault(f"{fields[3]!r} is neither S nor P.", NAACL)
    sentence, i, j = (int(text) - 1 for text in fields[:3])
    yield sentence, (i, j), fields[3:] != ["P"]


def _parse_pharaoh(number: int, fields: list[str]) -> _Parsed:
    for text in fields:
        match = _PHARAOH_LINK.fullmatch(text)
        if not match:
            raise _Fault(f"{text!r} is no link.", PHARAOH)
        yield number - 1, (int(match[1]), int(match[3])), match[2] == "-"


def _check_inside(sentence: int, link: Link, lengths: Sequence[tuple[int, int]] | None) -> None:
    if lengths is None:
        return
    if sentence >= len(lengths):
        raise _Fault(
            f"sentence {sentence + 1} is outside the text, which has {len(lengths)}.", "Is it the gold of this text?"
        )
    for side, position, length in zip(("source", "target"), link, lengths[sentence], strict=True):
        if position >= length:
            raise _Fault(
                f"word {position + 1} is outside the {side} sentence, which has {length} words.",
                "Is it the gold of this text, and are source and target not exchanged?",
            )
