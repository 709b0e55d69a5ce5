"""What JSON can say of numbers: what is no number is null, what is infinite ``"inf"`` or ``"-inf"``."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isfinite, isnan


def json_text(value: object) -> str:
    """Records (dataclasses, named tuples) are objects by their names, sets sorted lists; floats in full precision."""
    return json.dumps(plain(value), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def plain(value: object) -> object:
    """The same as what ``json.dumps`` takes."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return plain(value._asdict())
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, frozenset | set):
        return [plain(inner) for inner in sorted(value)]
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, float) and not isfinite(value):
        return None if isnan(value) else str(value)
    return value
