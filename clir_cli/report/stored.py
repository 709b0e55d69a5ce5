"""A results table as JSON, and back: what the report stage keeps, so that any rendering can be made of it later."""

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from clir_cli.errors import DataError
from clir_cli.report.tables import ResultsTable

FILE = "table.json"


@with_config(ConfigDict(ser_json_inf_nan="constants"))
class _Stored(ResultsTable):
    """The table with numbers as they are: what is not finite is ``NaN`` or ``Infinity``, as Python's json reads it."""


_ADAPTER: TypeAdapter[ResultsTable] = TypeAdapter(_Stored)


def to_json(table: ResultsTable) -> str:
    """Everything a rendering needs; full precision."""
    return _ADAPTER.dump_json(table, indent=1).decode("utf-8") + "\n"


def from_json(text: str) -> ResultsTable:
    """The inverse of ``to_json``. Raises ``DataError`` where the text is no stored table."""
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the text"
        raise DataError(f"{FILE}: no results table ({where}: {first['msg']}).", "Make the report again.") from None
