"""Every key of an experiment with its default and meaning, as text: the schema as a manual."""

import typing
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from clir_cli.config.schema import ExperimentSettings, PairSettings
from clir_cli.config.schema_walk import forms


def describe() -> str:
    """Indented like the file itself: ``key: default  # meaning``; keys named by the user stand as <name>."""
    return "\n".join(_lines(ExperimentSettings, 0)) + "\n"


def _lines(schema: type[BaseModel], depth: int) -> list[str]:
    lines: list[str] = []
    for name, field in schema.model_fields.items():
        key = f"{'  ' * depth}{field.alias or name}:"
        inner, named = _group(field.annotation)
        meaning = field.description or (_first_sentence(inner) if inner else "")
        if inner is None:
            default = "(required)" if field.default is PydanticUndefined else _shown(field.default)
            choices = _choices(field.annotation)
            meaning = f"{meaning} One of: {', '.join(choices)}.".strip() if choices and len(choices) > 1 else meaning
            lines.append(f"{key} {default}  # {meaning}" if meaning else f"{key} {default}")
            continue
        lines.append(f"{key}  # {meaning}" if meaning else key)
        if named:
            lines.append(f"{'  ' * (depth + 1)}<name>:")
        if schema is not PairSettings:
            lines += _lines(inner, depth + (2 if named else 1))
    return lines


def _group(annotation: Any) -> tuple[type[BaseModel] | None, bool]:
    """The group of settings a field holds, and whether it is a mapping from names to such groups."""
    for form in forms(annotation):
        if isinstance(form, type) and issubclass(form, BaseModel):
            # `checkpoint` is mostly a name; its long form is explained by the type's own description.
            return (None, False) if str in forms(annotation) else (form, False)
        if typing.get_origin(form) is dict:
            inner, _ = _group(typing.get_args(form)[1])
            return inner, inner is not None
    return None, False


def _choices(annotation: Any) -> list[str]:
    alternatives = forms(annotation)
    if any(typing.get_origin(form) is not typing.Literal for form in alternatives):
        return []
    return [str(value) for form in alternatives for value in typing.get_args(form)]


def _shown(default: Any) -> str:
    if default is None:
        return "null"
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, list):
        return f"[{', '.join(map(str, default))}]"
    return str(default) if default != "" else '""'


def _first_sentence(schema: type[BaseModel]) -> str:
    return (schema.__doc__ or "").strip().splitlines()[0].split(". ")[0].rstrip(".") + "."
