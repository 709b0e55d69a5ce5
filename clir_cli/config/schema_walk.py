"""Finding one's way through the schema by the key paths of a file."""

import types
import typing
from typing import Annotated, Any

from pydantic import BaseModel

from clir_cli.config.yaml_lines import KeyPath


def fields(model: type[BaseModel]) -> dict[str, Any]:
    """Key as the file writes it -> type, of every field of a group."""
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


def forms(annotation: Any) -> list[Any]:
    """The alternatives of a type: unions opened, ``Annotated`` taken off."""
    origin = typing.get_origin(annotation)
    if origin is Annotated:
        return forms(typing.get_args(annotation)[0])
    if origin in (typing.Union, types.UnionType):
        return [form for argument in typing.get_args(annotation) for form in forms(argument)]
    return [annotation]


def types_at(schema: type[BaseModel], path: KeyPath) -> list[Any]:
    """The types that a value at a key path may have; empty where the schema has no such path."""
    current: list[Any] = [schema]
    for step in path:
        inner: list[Any] = []
        for form in current:
            origin, arguments = typing.get_origin(form), typing.get_args(form)
            if isinstance(form, type) and issubclass(form, BaseModel):
                inner += [annotation for key, annotation in fields(form).items() if key == step]
            elif origin is dict:
                inner.append(arguments[1])
            elif origin is list:
                inner.append(arguments[0])
        current = [form for annotation in inner for form in forms(annotation)]
    return current


def models_at(schema: type[BaseModel], path: KeyPath) -> list[type[BaseModel]]:
    """The groups of settings that may stand at a key path."""
    return [form for form in types_at(schema, path) if isinstance(form, type) and issubclass(form, BaseModel)]
