"""Problems of an experiment's settings, as findings."""

import re

from clir_cli.inspection.findings import Part

_PLACED = re.compile(r"(.+?:[0-9]+): (.+)", re.DOTALL)


def inspect_settings(problem: str, hint: str, about: Part) -> None:
    """One finding for each problem that ``ConfigError`` lists: alone, or one a line under a heading."""
    _, *listed = problem.splitlines()
    for line in [line.strip() for line in listed] or [problem]:
        match = _PLACED.fullmatch(line)
        place, message = (match[1], match[2]) if match else ("", line)
        about.error("settings", message, place=place, hint=hint)
