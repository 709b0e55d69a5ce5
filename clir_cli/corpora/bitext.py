"""Parallel text: two files, sentence by sentence and line by line."""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_lines
from clir_cli.records import SentencePair


def read_bitext(
    source: Path,
    target: Path,
    encoding: str = "utf-8",
    on_fault: FaultHandler = stop_at_fault,
    *,
    keep_blank: bool = False,
) -> Iterator[SentencePair]:
    """Stream the pairs; a line that is blank on either side is left out on both, unless ``keep_blank``: then pair k is
    line k of the files.

    Faults: those of ``lines.read_lines`` in either file; and, with both counts, files that have different numbers of
    lines: then a line is missing, and all pairs after it are wrong. That shows only at the end, so publish nothing made
    from the pairs before.
    """
    source_lines = target_lines = 0
    for left, right in zip_longest(read_lines(source, encoding, on_fault), read_lines(target, encoding, on_fault)):
        if left is not None:
            source_lines = left[0]
        if right is not None:
            target_lines = right[0]
        if left and right:
            pair = SentencePair(left[1].strip(), right[1].strip())
            if keep_blank or (pair.source and pair.target):
                yield pair
    if source_lines != target_lines:
        on_fault(
            DataError(
                f"{source} has {source_lines} lines, {target} has {target_lines}.",
                "Parallel files need the same number of lines: find the line that is missing.",
            )
        )
