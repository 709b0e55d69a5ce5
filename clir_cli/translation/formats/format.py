"""What a format is to whoever reads tables."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from clir_cli.errors import FaultHandler, stop_at_fault
from clir_cli.translation.formats.entries import Entries


@dataclass(frozen=True)
class Request:
    """How a file is to be read. ``is_swapped``: the conditioning word is the one that the format has for the other.
    ``vocabularies``: of GIZA++, source first. ``on_fault``: what becomes of an entry that cannot be read."""

    path: Path
    is_swapped: bool = False
    vocabularies: tuple[Path, Path] | None = None
    encoding: str = "utf-8"
    on_fault: FaultHandler = stop_at_fault


@dataclass(frozen=True)
class TableFormat:
    """``read`` gives the entries as they stand there. ``null``: how the format writes the empty word. ``are_counts``:
    numbers are counts, which say nothing of a direction. ``is_of_query_word``: they are P(query word | document word),
    so that a table needs Bayes' rule. ``names``: endings of file names (without ``.gz``) that only this format has.
    ``remedy``: what to do where the numbers are of the other direction."""

    name: str
    read: Callable[[Request], Entries]
    remedy: str
    null: frozenset[str] = frozenset()
    are_counts: bool = False
    is_of_query_word: bool = False
    names: tuple[str, ...] = ()
