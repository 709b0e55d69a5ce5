"""A results table as JSON, and back: for scripts to read, and for any rendering to be made of it later.

One object, its parts by the names of ``ResultsTable``. An entry of ``results`` and ``means`` says its pair and measure;
one that is null was not run. A number that is none (the test of one topic) is null.
"""

import json
from typing import Any

from pydantic import TypeAdapter, ValidationError

from clir_cli.errors import DataError
from clir_cli.report.plain_json import json_text, plain
from clir_cli.report.results_table import ResultsTable

FILE = "table.json"
_ADAPTER = TypeAdapter(ResultsTable)
_MAY_BE_NONE = ("low", "high", "relative_gain", "t", "p", "effect", "non_inferiority", "equivalence")


def to_json(table: ResultsTable) -> str:
    """Everything a rendering needs; full precision."""
    found: Any = plain(table)
    for part in ("results", "means"):
        for entries in found[part].values():
            for column, entry in zip(table.columns, entries, strict=True):
                if entry is not None:
                    entry |= {"pair": column.pair, "measure": column.measure}
    return json_text(found)


def from_json(text: str) -> ResultsTable:
    """The inverse of ``to_json``. Raises ``DataError`` where the text is no stored table."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise _no_table(f"it is no JSON: {error}") from None
    try:
        return _ADAPTER.validate_python(_with_nan(found))
    except ValidationError as error:
        first = error.errors()[0]
        raise _no_table(f"{'.'.join(map(str, first['loc'])) or 'the text'}: {first['msg']}") from None


def _with_nan(found: Any) -> Any:
    """Null where a number is meant is nan again; what is told twice goes."""
    if not isinstance(found, dict):
        return found
    for part in ("results", "means"):
        for entry in _entries(list(_mapping(found.get(part)).values())):
            entry.pop("pair", None)
            entry.pop("measure", None)
    for answer in _entries([found.get("answers")]):
        comparison = _mapping(answer.get("comparison"))
        for record in (answer, comparison, *_entries([comparison.get("margins")])):
            record |= {name: float("nan") for name in _MAY_BE_NONE if name in record and record[name] is None}
        if _mapping(answer.get("contrast")).get("in_family") and answer.get("corrected") is None:
            answer["corrected"] = float("nan")
    return found


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _entries(lists: list[Any]) -> list[dict[str, Any]]:
    return [entry for one in lists if isinstance(one, list) for entry in one if isinstance(entry, dict)]


def _no_table(why: str) -> DataError:
    return DataError(f"{FILE}: no results table ({why}).", "Make the report again.")
