"""What the id of a document must be like."""

from clir_cli.errors import DataError
from clir_cli.trec import is_column


def checked_id(id: str, place: str) -> str:
    """``id`` without white space around it. Raises ``DataError`` with ``place`` where it is empty or not one word."""
    id = id.strip()
    if not is_column(id):
        problem = f"the id {id!r} has white space in it" if id else "the id is empty"
        raise DataError(f"{place}: {problem}.", "Ids are columns in runs and judgements.")
    return id
