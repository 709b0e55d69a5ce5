"""Parallel text: two files, sentence by sentence and line by line."""

from collections.abc import Iterator
from pathlib import Path

from clir_cli.errors import DataError
from clir_cli.lines import read_lines
from clir_cli.records import SentencePair


def read_bitext(source: Path, target: Path, encoding: str = "utf-8") -> Iterator[SentencePair]:
    """Stream the pairs; where a line is blank on either side, it goes on both.

    Raises ``DataError`` with both counts where the files have different numbers of lines, for then some line is
    missing and all pairs after it are wrong; it does so at the end, so use nothing before.
    """
    sources, targets = read_lines(source, encoding), read_lines(target, encoding)
    pairs = 0
    for pairs, ((_, left), (_, right)) in enumerate(zip(sources, targets, strict=False), start=1):
        if left and right and not left.isspace() and not right.isspace():
            yield SentencePair(left.strip(), right.strip())
    # zip takes a line from the first file before it finds the second at its end: count both anew.
    lengths = _length(source, encoding), _length(target, encoding)
    if lengths[0] != lengths[1]:
        raise DataError(
            f"{source} has {lengths[0]} lines, {target} has {lengths[1]}.",
            "Parallel files need the same number of lines: find the line that is missing.",
        )
