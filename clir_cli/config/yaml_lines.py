"""YAML that remembers on which line every key was written.

PyYAML's own loader forgets lines and lets a repeated key win silently; composing the nodes ourselves keeps the first
and refuses the second.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from clir_cli.config.problems import Place, Problem, raise_problems
from clir_cli.errors import ConfigError

KeyPath = tuple[str | int, ...]


@dataclass(slots=True)
class Tree:
    """Plain YAML data and the place of every key and list item in it."""

    data: Any
    places: dict[KeyPath, Place] = field(default_factory=dict)

    def place(self, path: KeyPath) -> Place:
        """The place of ``path``, or of the nearest key above it that was written."""
        for length in range(len(path), -1, -1):
            if path[:length] in self.places:
                return self.places[path[:length]]
        return Place("experiments.yaml", key_text(path))

    def below(self, path: KeyPath) -> "Tree":
        """The part under ``path``, which must exist."""
        data = self.data
        for step in path:
            data = data[step]
        inside = {key[len(path) :]: place for key, place in self.places.items() if key[: len(path)] == path}
        return Tree(data, inside)


def key_text(path: KeyPath) -> str:
    """``("pairs", "deu-eng", "models", 0)`` as ``pairs.deu-eng.models[0]``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


_PLAIN = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


class _Loader(yaml.SafeLoader):
    """YAML 1.1 with two of its traps taken out: ``1e-4`` is a number, and a date is text."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"), list("-+.0123456789")
)


def parse_value(text: str) -> Any:
    """The YAML value of ``text``, as in a file; raises ``yaml.YAMLError``."""
    return yaml.load(text, Loader=_Loader)


def read_yaml(file: Path) -> Tree:
    """Read one YAML file.

    Raises ``ConfigError`` where the file cannot be read, is not YAML (with line and column), or repeats keys.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{file} cannot be read ({error.strerror}).", "Name the file with --config.") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is not UTF-8 text (byte {error.start}).", "Save it as UTF-8.") from None
    try:
        loader = _Loader(text)
    except yaml.reader.ReaderError as error:
        place = f"{file.name}:{text.count(chr(10), 0, error.position) + 1}"
        raise ConfigError(
            f"{place}: character U+{error.character:04X} has no place in YAML.", "Is this the right file?"
        ) from None
    try:
        node = loader.get_single_node()
        reader = _Reader(file.name, loader)
        tree = Tree({} if node is None else reader.value(node, ()), reader.places)
    except yaml.YAMLError as error:
        raise _syntax_error(file, error) from None
    finally:
        loader.dispose()
    raise_problems(file, reader.problems)
    return tree


class _Reader:
    """Turns composed nodes into plain data, noting places and repeated keys on the way."""

    def __init__(self, file_name: str, loader: yaml.SafeLoader) -> None:
        self.file_name = file_name
        self.loader = loader
        self.places: dict[KeyPath, Place] = {}
        self.problems: list[Problem] = []
        self._open: set[int] = set()
        self._flattened: set[int] = set()

    def value(self, node: yaml.Node, path: KeyPath) -> Any:
        if id(node) in self._open:  # an alias of something that it is part of
            raise yaml.MarkedYAMLError(problem="an anchor contains itself", problem_mark=node.start_mark)
        self._open.add(id(node))
        try:
            self.places.setdefault(path, self._place(node, path))
            if not isinstance(node, yaml.ScalarNode) and node.tag not in _PLAIN:
                raise yaml.MarkedYAMLError(problem=f"tag {node.tag} has no meaning here", problem_mark=node.start_mark)
            if isinstance(node, yaml.MappingNode):
                return {key: self.value(child, (*path, key)) for key, child in self._items(node, path)}
            if isinstance(node, yaml.SequenceNode):
                return [self.value(child, (*path, index)) for index, child in enumerate(node.value)]
            return self.loader.construct_object(node, deep=True)
        finally:
            self._open.discard(id(node))

    def _items(self, node: yaml.MappingNode, path: KeyPath) -> Iterator[tuple[str, yaml.Node]]:
        """Key and value of each entry, ``<<`` merged in; later ones win only over merged ones."""
        if id(node) not in self._flattened:  # an anchored node comes by once for every alias
            self._flattened.add(id(node))
            self._check_keys(node, path)
            self.loader.flatten_mapping(node)
        # Keys stay as written: `no:` is the key "no", not False.
        last = {key.value: (key, child) for key, child in node.value}
        for name, (key, child) in last.items():
            self.places[(*path, name)] = self._place(key, (*path, name))
            yield name, child

    def _check_keys(self, node: yaml.MappingNode, path: KeyPath) -> None:
        first_line: dict[str, int] = {}
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key must be a single word", problem_mark=key.start_mark)
            if key.value in first_line:
                rule = f"key `{key.value}` is repeated, it is already on line {first_line[key.value]}"
                self.problems.append(Problem(self._place(key, (*path, key.value)), rule))
            first_line.setdefault(key.value, key.start_mark.line + 1)

    def _place(self, node: yaml.Node, path: KeyPath) -> Place:
        line = node.start_mark.line + 1
        return Place(f"{self.file_name}:{line}", key_text(path), line)


def _syntax_error(file: Path, error: yaml.YAMLError) -> ConfigError:
    mark = getattr(error, "problem_mark", None)
    where = f"{file.name}:{mark.line + 1}:{mark.column + 1}" if mark else file.name
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return ConfigError(f"{where}: this is not valid YAML: {problem}.", "Look at the indentation and quotes there.")
