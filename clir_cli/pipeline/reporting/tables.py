"""The tables of a finished report stage, read back."""

from pathlib import Path

from clir_cli.report import stored
from clir_cli.report.tables import ResultsTable

TESTED = "tested-folds."
"""What the files of the table over the topics of the tested folds begin with, where not all folds are run."""


def read_tables(folder: Path) -> list[ResultsTable]:
    """The table over all topics, then that over the topics of the tested folds where there is one.

    Raises ``DataError`` where a file is no stored table, ``OSError`` where there is none.
    """
    files = [folder / stored.FILE, folder / f"{TESTED}{stored.FILE}"]
    found = [files[0], *(file for file in files[1:] if file.is_file())]
    return [stored.from_json(file.read_text(encoding="utf-8")) for file in found]
