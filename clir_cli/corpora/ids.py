"""What the id of a document must be like."""

from clir_cli.errors import DataError
from clir_cli.trec import is_column

IDS = "Ids are columns in runs and judgements."
_MOST_SHOWN = 60


def checked_id(id: str, place: str) -> str:
    """``id`` without white space around it. Raises ``DataError`` with ``place`` where it is empty or not one word."""
    id = id.strip()
    if not is_column(id):
        problem = f"the id {shortened(id)!r} has white space in it" if id else "the id is empty"
        raise DataError(f"{place}: {problem}.", IDS)
    return id


def shortened(id: str) -> str:
    """``id``, cut where it is long: a text that was taken for an id would fill the screen."""
    return id if len(id) <= _MOST_SHOWN else f"{id[:_MOST_SHOWN]}..."
