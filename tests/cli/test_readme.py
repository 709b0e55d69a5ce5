"""Every command in README.md exists, with its options; nothing is run."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from clir_cli.cli.app import app

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = [line.strip().removeprefix("$ ") for line in README.splitlines()] + re.findall(r"`([^`\n]+)`", README)


def commands(program: str) -> list[str]:
    found = [line for line in CODE if line.startswith(f"{program} ")]
    return list(dict.fromkeys(line.split(" #")[0].strip() for line in found))


def parse(arguments: list[str]) -> None:
    """Parse a command line as the program would; raises what Typer raises."""
    command: Any = typer.main.get_command(app)
    context: Any = None
    name = "clir"
    while hasattr(command, "commands"):
        context = command.make_context(name, arguments, parent=context)
        rest = [*getattr(context, "_protected_args", []), *context.args]
        name, command, arguments = command.resolve_command(context, rest)
    command.make_context(name, arguments, parent=context)


@pytest.mark.parametrize("line", [line for line in commands("clir") if "COMMAND" not in line])
def test_the_command_parses(line: str) -> None:
    parse(shlex.split(line)[1:])


@pytest.mark.parametrize("line", commands("make"))
def test_the_make_target_exists(line: str) -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert line.split()[1] in targets


def test_there_are_commands_to_check() -> None:
    assert len(commands("clir")) >= 10
    assert {"make reproduce", "make test"} <= set(commands("make"))


@pytest.mark.parametrize("line", ["run-all --dry-runn", "traim", "table shwo deu-eng haus", "train --fold x"])
def test_a_wrong_command_does_not_parse(line: str) -> None:
    with pytest.raises(typer.TyperException):
        parse(line.split())
