"""Documents of the ir_datasets package, which knows some hundreds of public collections by name.

It is an extra (``pip install 'clir[datasets]'``), and most of its collections are downloaded when they are first read.
"""

import difflib
from collections.abc import Iterator
from typing import Any

from clir_cli.corpora.ids import checked_id
from clir_cli.corpora.plain_text import without_controls
from clir_cli.errors import DataError, FaultHandler, stop_at_fault
from clir_cli.records import Document


def read_ir_dataset(name: str, on_fault: FaultHandler = stop_at_fault) -> Iterator[Document]:
    """Stream the documents of the dataset ``name``: its title and text, or what ir_datasets takes as their text.

    Raises ``DataError`` where the package is missing, where it has no such name or no documents of it, and where it
    fails to get or read them.
    """
    dataset = _load(name)
    if not dataset.has_docs():
        raise DataError(f"The ir_datasets collection {name!r} has no documents.", "It holds topics or judgements only.")
    number = 0
    documents = _iterate(dataset, name)
    for number, record in enumerate(documents, start=1):
        try:
            id = checked_id(str(record.doc_id), f"{name}, document {number}")
        except DataError as fault:
            on_fault(fault)
            continue
        title, text = _title_and_text(record)
        yield Document(id, without_controls(text), without_controls(title))
    if not number:
        on_fault(DataError(f"The ir_datasets collection {name!r} is empty.", "Check how it was set up."))


def _load(name: str) -> Any:
    try:
        import ir_datasets  # an extra, and half a second of imports
    except ImportError:
        raise DataError(
            f"The collection {name!r} is read by the ir_datasets package, which is not installed.",
            "Run: pip install 'clir[datasets]'",
        ) from None
    try:
        return ir_datasets.load(name)
    except KeyError:
        near = difflib.get_close_matches(name, list(ir_datasets.registry), n=3, cutoff=0.5)
        hint = f"Near names are: {', '.join(near)}." if near else "Its names are listed on ir-datasets.com."
        raise DataError(f"The ir_datasets package knows no collection {name!r}.", hint) from None


def _iterate(dataset: Any, name: str) -> Iterator[Any]:
    """The package's records; what goes wrong in it (a download, a missing extra, a licence) becomes a DataError."""
    try:
        yield from dataset.docs_iter()
    except Exception as error:  # its readers and downloads raise errors of many packages
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise DataError(
            f"The ir_datasets package cannot read the collection {name!r} ({reason}).",
            "See the instructions for it on ir-datasets.com.",
        ) from error


def _title_and_text(record: Any) -> tuple[str, str]:
    title = getattr(record, "title", None)
    for name in ("text", "body"):
        text = getattr(record, name, None)
        if isinstance(text, str):
            return (title if isinstance(title, str) else ""), text
    return "", record.default_text()
