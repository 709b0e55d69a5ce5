"""One experiment laid over another: ``extends`` and ``--set``, and the values of ``${VAR}``."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from clir_cli.config.problems import Place
from clir_cli.config.yaml_lines import KeyPath, Tree, parse_value
from clir_cli.errors import ConfigError

_VARIABLE = re.compile(r"\$\{([^}]*)(\}?)")
_VARIABLE_NAME = re.compile(r"^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$", re.DOTALL)


def overlay(base: Tree, over: Tree) -> Tree:
    """``over`` laid over ``base``: mappings are merged key by key, anything else (lists too) is replaced."""
    places = dict(base.places)

    def merge(below: Any, above: Any, path: KeyPath) -> Any:
        below = _as_mapping(below, path) if isinstance(above, dict) else below
        if not (isinstance(below, dict) and isinstance(above, dict)):
            for old in [key for key in places if key[: len(path)] == path]:
                del places[old]
            return above
        merged = dict(below)
        for key, value in above.items():
            merged[key] = merge(below.get(key), value, (*path, key))
        return merged

    data = merge(base.data, over.data, ())
    for path, place in over.places.items():
        # A `--set` creates the groups above its key; groups that the file has keep their own line.
        if place.line or path not in places:
            places[path] = place
    return Tree(data, places)


def _as_mapping(value: Any, path: KeyPath) -> Any:
    """The long form of the short forms that the schema allows, so that single keys can be laid over them."""
    match path, value:
        case ("encoder",), str():
            return {"checkpoint": value}
        case ("collections" | "topics", _), str() | list():
            return {"path": value}
        case (((*_, "knowledge", "dictionary" | "table") | (*_, "named", _, "dictionary" | "table")), str() | list()):
            return {"path": value}
        case ("bitext", _), [source, target]:
            return {"source": source, "target": target}
        case (*_, "retrieval", "dense"), str():
            return {"checkpoint": value}
        case ("interpolation", _), list():
            return {"systems": value}
        case ("pairs" | "models" | "interpolation",), list():
            return {name: None for name in value if isinstance(name, str)}
    return value


def parse_set(text: str) -> Tree:
    """``training.epochs=3`` as a tree of one value; the value is typed as YAML types it.

    Raises ``ConfigError`` where the text is not ``key.path=value``.
    """
    key, equals, value = text.partition("=")
    steps = tuple(key.strip().split("."))
    if not equals or not all(steps):
        raise ConfigError(f"--set {text} is not of the form key.path=value.", "For example: --set training.epochs=3")
    try:
        data = parse_value(value)
    except yaml.YAMLError:
        raise ConfigError(f"--set {text}: the value is not valid YAML.", "Put it in quotes.") from None
    for step in reversed(steps):
        data = {step: data}
    return Tree(data, {path: Place(f"--set {text}", "") for path in _paths(data)})


def _paths(data: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    if path:
        yield path
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _paths(value, (*path, str(key)))


def lay_sets(tree: Tree, sets: Sequence[str]) -> Tree:
    """Every ``--set`` laid over ``tree``, the last one on top."""
    for text in sets:
        tree = overlay(tree, parse_set(text))
    return tree


def expand_variables(data: Any, environ: Mapping[str, str]) -> tuple[Any, list[tuple[KeyPath, str]]]:
    """``${VAR}`` and ``${VAR:-default}`` replaced in every string.

    Returns the new data, and (key path, what is wrong) for what could not be replaced; those strings stay as they are.
    """
    faults: list[tuple[KeyPath, str]] = []

    def expand(value: Any, path: KeyPath) -> Any:
        if isinstance(value, dict):
            return {key: expand(child, (*path, key)) for key, child in value.items()}
        if isinstance(value, list):
            return [expand(child, (*path, index)) for index, child in enumerate(value)]
        if not isinstance(value, str) or "${" not in value:
            return value
        wrong = list(_faults(value, environ))
        faults.extend((path, fault) for fault in wrong)
        return value if wrong else _VARIABLE.sub(lambda match: _replacement(match[1], environ) or "", value)

    return expand(data, ()), faults


def _replacement(inner: str, environ: Mapping[str, str]) -> str | None:
    name, default = _VARIABLE_NAME.fullmatch(inner).groups()  # type: ignore[union-attr]
    return environ.get(name) or (default if default is not None else environ.get(name))


def _faults(value: str, environ: Mapping[str, str]) -> Iterator[str]:
    for inner, end in _VARIABLE.findall(value):
        if not end:
            yield f"`{value}` opens a ${{ that is not closed"
        elif not _VARIABLE_NAME.fullmatch(inner):
            yield f"`${{{inner}}}` is not a variable: write ${{NAME}} or ${{NAME:-default}}"
        elif _replacement(inner, environ) is None:
            yield f"the environment variable {inner} is not set: set it, or write ${{{inner}:-default}}"
