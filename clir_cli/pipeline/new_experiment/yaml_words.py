"""Values as they are written in YAML: right for any text, plain where that is enough."""

import re
from os.path import normpath
from pathlib import Path, PurePath

import yaml

from clir_cli.config.yaml_lines import parse_value

_PLAIN = re.compile(r"[\w/.]([\w/.+@ -]*[\w/.+@-])?")


def as_yaml(text: str) -> str:
    """``text`` as a YAML scalar on one line, in block and in flow context; in quotes only where it needs them.

    Raises ``ValueError`` for text that no UTF-8 file can hold (a file name with broken bytes).
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("it is not Unicode text") from None
    if _PLAIN.fullmatch(text) and parse_value(text) == text:
        return text
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    dumped: str = yaml.dump(text, default_style='"', allow_unicode=True, width=float("inf"))
    return dumped.rstrip("\n")


def written_path(path: Path, folder: Path) -> str:
    """``path`` as it is written into a file in ``folder``: relative where it lies below, with ``/`` on every system.

    Raises ``ValueError`` for a path that the file could not name: ``${`` begins a variable there.
    """
    return relative_or_absolute(Path(normpath(path.absolute())), Path(normpath(folder.absolute())))


def relative_or_absolute(path: PurePath, folder: PurePath) -> str:
    """The same for absolute paths of any system."""
    text = path.as_posix()
    if path != folder and path.is_relative_to(folder):
        below = path.relative_to(folder).as_posix()
        text = text if below.startswith("~") else below  # `~` begins somebody's home
    if "${" in text:
        raise ValueError("`${` begins a variable in experiments.yaml: rename it")
    return text
