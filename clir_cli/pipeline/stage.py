"""A stage: one step from files to files, known by everything that can change its result."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from clir_cli.pipeline.checksums import Checksums
from clir_cli.records import ProgressCallback


@dataclass(frozen=True)
class Inputs:
    """What a stage function is given: paths and settings, nothing of the calling process."""

    settings: dict[str, Any]
    needs: dict[str, Path]
    files: dict[str, list[Path]]
    hints: dict[str, Any]


class StageFunction(Protocol):
    """Writes its whole result into ``out``, which may hold what an interrupted run left there."""

    def __call__(self, out: Path, inputs: Inputs, progress: ProgressCallback) -> None: ...


@dataclass(frozen=True, eq=False)
class Stage:
    """One node of the plan.

    ``settings`` change the result and so are part of the key; ``hints`` (inference batch, heap) do not.
    ``needs`` are the stages whose results it reads, ``files`` the raw files, known by their contents.
    ``version`` is raised by hand whenever the code of the stage begins to give other results.
    """

    kind: str
    name: str
    function: str
    settings: dict[str, Any]
    checksums: Checksums
    needs: dict[str, "Stage"] = field(default_factory=dict)
    files: dict[str, list[Path]] = field(default_factory=dict)
    hints: dict[str, Any] = field(default_factory=dict)
    version: int = 1
    pair: str | None = None
    model: str | None = None
    fold: int | None = None

    @property
    def label(self) -> str:
        return f"{self.kind} {self.name}"

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Everything that decides the result, as it is hashed and as it is written beside the result."""
        return {
            "stage": self.kind,
            "version": self.version,
            "settings": self.settings,
            "files": {name: [self.checksums.of(path) for path in paths] for name, paths in sorted(self.files.items())},
            "needs": {name: stage.key for name, stage in sorted(self.needs.items())},
        }

    @cached_property
    def key(self) -> str:
        canonical = json.dumps(self.identity, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
        return hashlib.sha256(canonical.encode()).hexdigest()[:16]

    @property
    def folder(self) -> Path:
        """Place under the artifact folder: readable first, key last."""
        return Path(self.kind) / f"{self.name.replace(' ', '-').replace('/', '-')}-{self.key}"

    def ancestors(self) -> Iterator["Stage"]:
        """Every stage this one needs, directly or not, each once, in an order that can be run."""
        seen: set[str] = set()

        def visit(stage: "Stage") -> Iterator["Stage"]:
            for needed in stage.needs.values():
                if needed.key not in seen:
                    yield from visit(needed)
                    if needed.key not in seen:
                        seen.add(needed.key)
                        yield needed

        yield from visit(self)


def call(function: str, out: Path, inputs: Inputs, progress: ProgressCallback) -> None:
    """Run a stage function given as ``module:name``; each is imported only where it runs."""
    module, name = function.split(":")
    stage_function: StageFunction = getattr(import_module(module), name)
    stage_function(out, inputs, progress)
