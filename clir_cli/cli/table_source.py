"""The table that an argument names: of a pair of the experiment, in a folder, or in a file of any format."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from clir_cli.cli import options as opt

if TYPE_CHECKING:
    from clir_cli.translation.table import TranslationTable

_PAIR = re.compile(r"[a-z]{3}-[a-z]{3}")


def is_pair(name: str) -> bool:
    """Whether ``name`` is written as a pair is; a file of such a name is ``./deu-eng``."""
    return _PAIR.fullmatch(name) is not None


def table_named(options: opt.Common, name: str) -> "TranslationTable":
    """The table of a pair, made if need be; else that of a folder or file."""
    return pair_table(options, name) if is_pair(name) else table_at(Path(name))


def pair_table(options: opt.Common, pair: str) -> "TranslationTable":
    """The table of a pair of the experiment, made if need be."""
    from clir_cli.cli import making
    from clir_cli.translation.table import TranslationTable

    plan = making.make(options, "align", making.select([pair]))
    return TranslationTable.load(plan.artifact(plan.targets[0]) / "table")


def table_at(path: Path, format: str = "auto") -> "TranslationTable":
    """The table of a folder (``clir table import``, or that of a stage) or of a file."""
    from clir_cli.translation.formats.reading import read_table_file
    from clir_cli.translation.table import TranslationTable

    if not path.is_dir():
        return read_table_file(path, format)[0]
    inner = path / "table"
    return TranslationTable.load(inner if inner.is_dir() and not (path / "table.json").exists() else path)
