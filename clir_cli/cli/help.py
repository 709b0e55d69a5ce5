"""Help with the commands grouped by the flow, in plain text.

Typer's own panels need a good part of rich and a Markdown parser, which take longer to import than all the rest.
"""

from typing import Any

from typer.core import TyperGroup


class ByFlow(TyperGroup):
    """A group whose help lists its commands under the panels they were registered with, in that order."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {}
        widest = max(len(name) for name in self.commands)
        for name, command in self.commands.items():
            panel = getattr(command, "rich_help_panel", None)
            title = panel if isinstance(panel, str) else "Commands"
            text = " ".join((command.help or "").split("\n\n")[0].split())
            panels.setdefault(title, []).append((name.ljust(widest), text))
        for title, rows in panels.items():
            with formatter.section(title):
                formatter.write_dl(rows)
