"""The files of a collection: which ones hold documents, and in which format."""

import os
import re
from pathlib import Path

from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.lines import read_text, unreadable

_FORMAT_OF_SUFFIX = {
    ".jsonl": "jsonl", ".ndjson": "jsonl",
    ".tsv": "tsv", ".tab": "tsv",
    ".sgml": "trec", ".sgm": "trec", ".trec": "trec", ".xml": "trec",
}  # fmt: skip
# What lies beside the documents on the disks of TREC and CLEF.
_NO_DOCUMENTS_IN = (".dtd", ".md", ".pdf", ".html", ".htm")
_NO_DOCUMENTS_NAMED = ("readme", "read.me", "licence", "license", "copying", "copyright", "valid_ids")
_SQUAD = re.compile(r'\{\s*(?:"version"\s*:\s*[^,{}\[\]]*,\s*)?"data"\s*:\s*\[')

_ENOUGH = 1000  # characters that tell a format


def find_files(path: Path, on_fault: FaultHandler = stop_at_fault) -> list[Path]:
    """``path`` itself, or the files below a folder in order of names, but DTDs, READMEs and the like.

    Links to files and folders are followed; each folder is walked once, so that a loop of links ends.
    A fault is a folder that cannot be read. What is neither file nor folder (a pipe, a socket) is among the files, and
    opening it a fault.
    """
    if not path.is_dir():
        return [path]
    files: list[Path] = []
    entered = {os.path.realpath(path)}

    def is_new(folder: Path) -> bool:
        real = os.path.realpath(folder)
        known = real in entered
        entered.add(real)
        return not known

    def report(error: OSError) -> None:
        on_fault(unreadable(Path(error.filename), error))

    for folder, folders, names in os.walk(path, onerror=report, followlinks=True):
        folders[:] = [name for name in sorted(folders) if not name.startswith(".") and is_new(Path(folder, name))]
        files += (Path(folder, name) for name in sorted(names) if _may_hold_documents(name))
    return files


def tell_format(path: Path, encoding: str, on_fault: FaultHandler = stop_at_fault) -> str | None:
    """``jsonl``, ``tsv``, ``trec`` or ``squad``: by suffix, else by how the file begins; a blank file is ``tsv``.

    None after the fault of a file that looks like none of them; what else is wrong with it shows when it is read.
    """
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    if suffix in _FORMAT_OF_SUFFIX:
        return _FORMAT_OF_SUFFIX[suffix]
    faults: list[DataError] = []
    head = ""
    for _, portion in read_text(path, encoding, faults.append):
        head += portion
        if len(head.lstrip()) >= _ENOUGH:
            break
    text = head.lstrip()
    if not text:
        return "tsv"
    if text[0] == "<":
        return "trec"
    if text[0] == "{":
        return "squad" if _SQUAD.match(text) else "jsonl"
    if "\t" in text.partition("\n")[0]:
        return "tsv"
    line = 1 + head.count("\n", 0, len(head) - len(text))
    unknown = DataError(f"{path}:{line}: this looks like no known format.", "Set format: jsonl, tsv, trec or squad.")
    on_fault(faults[0] if faults else unknown)
    return None


def _may_hold_documents(name: str) -> bool:
    plain = name.lower().removesuffix(".gz")
    return not (plain.startswith((".", *_NO_DOCUMENTS_NAMED)) or plain.endswith(_NO_DOCUMENTS_IN))
