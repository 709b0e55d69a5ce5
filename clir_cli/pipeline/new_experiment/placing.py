"""Putting a new experiment into a YAML file: whole or not at all, and nothing else in it changes."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import yaml

from clir_cli.config.load import Experiment, load_experiment
from clir_cli.config.yaml_lines import read_yaml
from clir_cli.errors import ConfigError, UsageError
from clir_cli.lines import write_whole
from clir_cli.pipeline.new_experiment.text import lines_of_experiment, text_of_file
from clir_cli.pipeline.new_experiment.wishes import NewExperiment

_BY_HAND = "Write it into a file of its own with --file, or add it by hand."


def place(new: NewExperiment) -> Experiment:
    """Write the experiment into its file, new or not, and load it from there.

    The text is tried beside the file first. Raises ``UsageError`` where the file has an experiment of that name or
    cannot be added to, ``ConfigError`` where the experiment would not load; the file then is as it was.
    """
    file = new.wishes.file.absolute()
    is_new = not file.exists()
    text = text_of_file(new) if is_new else text_with(file, new)
    trial = file.with_name(f".{file.name}.{os.getpid()}.trial")
    try:
        with write_whole(trial) as stream:
            stream.write(text)
        if not is_new:
            _check_the_rest(trial, file, new.wishes.name)
        try:
            load_experiment(trial, new.wishes.name)
        except ConfigError as error:
            raise ConfigError(error.problem.replace(trial.name, file.name), error.hint) from None
        if not is_new:
            trial.chmod(file.stat().st_mode & 0o777)
        trial.replace(file.resolve())  # through a link, not over it
    finally:
        with suppress(OSError):
            trial.unlink()
    return load_experiment(file, new.wishes.name)


def text_with(file: Path, new: NewExperiment) -> str:
    """The text of ``file`` with the experiment at the end of its ``experiments``.

    Raises ``UsageError`` where the file's layout does not allow it, ``ConfigError`` where it is no valid YAML.
    """
    known = read_yaml(file).data
    experiments = known.get("experiments") if isinstance(known, dict) else None
    if isinstance(experiments, dict) and new.wishes.name in experiments:
        raise UsageError(
            f"{file.name} has an experiment `{new.wishes.name}` already.",
            "Choose another name with --name, or take that one out of the file first.",
        )
    text = file.read_bytes().decode("utf-8")
    newline = "\r\n" if "\r\n" in text else "\n"
    root = yaml.compose(text.removeprefix("\ufeff"), Loader=yaml.SafeLoader)
    mapping = _experiments_of(root)
    if mapping is None or mapping.flow_style or not mapping.value:
        raise UsageError(f"{file.name} has no `experiments:` that a text can be added to.", _BY_HAND)
    assert isinstance(root, yaml.MappingNode)
    added = ["", *lines_of_experiment(new, mapping.value[0][0].start_mark.column)]
    lines = text.split("\n")
    if root.value[-1][1] is mapping:  # at the end of the file
        body = text if text.endswith("\n") else text + newline
        return body + "".join(line + newline for line in added)
    at = max(_line_after(node) for node in _leaves(mapping))
    before, after = "\n".join(lines[:at]) + "\n", "\n".join(lines[at:])
    return before + "".join(line + newline for line in added) + after


def _experiments_of(root: yaml.Node | None) -> yaml.MappingNode | None:
    if not isinstance(root, yaml.MappingNode):
        return None
    for key, value in root.value:
        if key.value == "experiments" and isinstance(value, yaml.MappingNode):
            # An alias of a mapping that stands elsewhere must not be added to there.
            return value if value.start_mark.index > key.end_mark.index else None
    return None


def _leaves(node: yaml.Node) -> Iterator[yaml.Node]:
    """Nodes that end where their text ends: scalars and what is in brackets."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        for key, value in node.value:
            yield key
            yield from _leaves(value)
    elif isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        for child in node.value:
            yield from _leaves(child)
    else:
        yield node


def _line_after(node: yaml.Node) -> int:
    """Number, from 0, of the first line after a node."""
    mark = node.end_mark
    return mark.line if mark.column == 0 else mark.line + 1


def _check_the_rest(trial: Path, file: Path, name: str) -> None:
    """The new experiment is there, and all that was there before is unchanged."""
    try:
        data = read_yaml(trial).data
        rest = {**data, "experiments": {key: body for key, body in data["experiments"].items() if key != name}}
        is_safe = name in data["experiments"] and rest == read_yaml(file).data
    except ConfigError:
        is_safe = False
    if not is_safe:
        raise UsageError(f"{file.name} is written in a way that nothing can be added to safely.", _BY_HAND)
