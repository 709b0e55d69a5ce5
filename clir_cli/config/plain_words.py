"""What pydantic found, in the words of the person who wrote the file."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from clir_cli.config.problems import near_miss
from clir_cli.config.schema_walk import fields, forms, models_at, types_at
from clir_cli.config.yaml_lines import KeyPath, key_text

_EXPECTED = {
    "string_type": "text (put numbers in quotes)",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping (key: value)",
    "model_type": "a mapping (key: value)",
    "model_attributes_type": "a mapping (key: value)",
    "path_type": "a path",
}

_PATTERNS = {
    r"^[a-z]{3}$": "three small letters (ISO 639-3), such as deu",
    r"^[a-z]{3}-[a-z]{3}$": "query language - document language, such as deu-eng",
    r"^[A-Za-z0-9][A-Za-z0-9._-]*$": "a name of letters, digits and . _ -",
    r"^[A-Za-z0-9][A-Za-z0-9._+-]*$": "a name of letters, digits and . _ + -",
    r"^\d+[mg]$": "an amount such as 512m or 1g",
}

_LIMITS = {
    "greater_than": ("above", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("below", "lt"),
    "less_than_equal": ("at most", "le"),
}


def explain(schema: type[BaseModel], error: ValidationError, data: Any) -> list[tuple[KeyPath, str]]:
    """Every problem as (key path in ``data``, sentence), one for each place.

    Where a value may have several forms pydantic complains once for each; they become one sentence.
    """
    found = [(_path_in(data, detail["loc"]), detail) for detail in error.errors(include_url=False)]
    explained: list[tuple[KeyPath, str]] = []
    for path in dict.fromkeys(path for path, _ in found):
        details = [detail for other, detail in found if other == path]
        value = _value_at(data, path)
        if isinstance(value, dict | list):
            # The user chose the long form: what the short form would have wanted does not matter.
            fitting = [detail for detail in details if detail["type"] not in _EXPECTED]
            deeper = any(len(other) > len(path) and other[: len(path)] == path for other, _ in found)
            details = fitting or ([] if deeper else details)
        if details:
            explained += [(path, rule) for rule in dict.fromkeys(_sentences(schema, path, details, value))]
    return explained


def booleans_for_numbers(schema: type[BaseModel], data: Any, path: KeyPath = ()) -> list[tuple[KeyPath, str]]:
    """``epochs: yes`` would be read as 1: (key path, sentence) for every such value."""
    value = _value_at(data, path)
    if isinstance(value, dict | list):
        steps: Any = value if isinstance(value, dict) else range(len(value))
        return [found for step in steps for found in booleans_for_numbers(schema, data, (*path, step))]
    if not isinstance(value, bool):
        return []
    allowed = types_at(schema, path)
    if any(form in (int, float) for form in allowed) and bool not in allowed:
        return [(path, f"should be a number, not {show(value)}")]
    return []


def _sentences(schema: type[BaseModel], path: KeyPath, details: list[ErrorDetails], value: Any) -> Iterator[str]:
    wanted = list(dict.fromkeys(text for detail in details if (text := _expectation(detail))))
    if value is None and wanted:
        yield "is empty: give it a value or remove the line"
    elif wanted:
        yield f"should be {' or '.join(wanted)}, not {show(value)}{_near_literal(details, value)}"
    for detail in details:
        match detail["type"]:
            case "missing":
                yield f"`{detail['loc'][-1]}` is missing"
            case "extra_forbidden":
                yield f"unknown key `{path[-1]}`{_near_key(schema, path)}"
            case "value_error":
                yield str(detail["ctx"]["error"])
            case kind if not _expectation(detail) and kind != "value_error":
                yield detail["msg"][:1].lower() + detail["msg"][1:]


def _expectation(detail: ErrorDetails) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    if kind in _LIMITS:
        words, bound = _LIMITS[kind]
        limit = context[bound]
        return f"{words} {limit:g}" if isinstance(limit, float) else f"{words} {limit}"
    if kind in ("literal_error", "enum"):
        choices = _choices(detail)
        return choices[0] if len(choices) == 1 else f"{', '.join(choices[:-1])} or {choices[-1]}"
    if kind == "string_pattern_mismatch":
        return _PATTERNS.get(context["pattern"], f"text that fits {context['pattern']}")
    if kind == "too_short":
        return f"a list of at least {context['min_length']}"
    return ""


def _choices(detail: ErrorDetails) -> list[str]:
    return [part.strip(" '\"") for part in detail["ctx"]["expected"].replace(" or ", ", ").split(",")]


def _near_literal(details: list[ErrorDetails], value: Any) -> str:
    choices = [
        choice for detail in details if detail["type"] in ("literal_error", "enum") for choice in _choices(detail)
    ]
    near = near_miss(value, choices) if isinstance(value, str) and choices else ""
    return near if near.endswith("?") else ""


def _near_key(schema: type[BaseModel], path: KeyPath) -> str:
    keys = [key for model in models_at(schema, path[:-1]) for key in fields(model)]
    near = near_miss(str(path[-1]), keys)
    if near.endswith("?"):
        return near
    homes = [home for home in _groups_with(schema, str(path[-1])) if home != path[:-1]]
    if homes:
        return f": it belongs under {' or '.join(f'`{key_text(home)}`' for home in homes[:2])}"
    return near


def _groups_with(schema: type[BaseModel], key: str, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The groups of settings (not inside free-named mappings) that have a field of that name."""
    for name, annotation in fields(schema).items():
        if above and name == key:
            yield above
        for inner in forms(annotation):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                yield from _groups_with(inner, key, (*above, name))


def show(value: Any) -> str:
    """A value as the message quotes it, cut where it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    text = str(value)
    return f"`{text if len(text) <= 40 else text[:37] + '...'}`"


def _path_in(data: Any, location: tuple[int | str, ...]) -> KeyPath:
    """Pydantic's location without the steps that are not in the file: union tags and what short forms became."""
    path: list[str | int] = []
    for step in location:
        is_key = isinstance(data, dict) and step in data
        is_index = isinstance(data, list) and isinstance(step, int) and step < len(data)
        if is_key or is_index:
            data = data[step]
        elif isinstance(data, list) and step in data:  # a list of names that the schema makes a mapping
            step = data.index(step)
            data = data[step]
        else:
            continue
        path.append(step)
    return tuple(path)


def _value_at(data: Any, path: KeyPath) -> Any:
    for step in path:
        data = data[step]
    return data
