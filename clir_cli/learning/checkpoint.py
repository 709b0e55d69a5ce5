"""Training states on disk: whole or not at all, checked when read, never unpickled.

A state is a folder ``<name>/`` with ``state.pt`` (``torch.save``) and ``state.json`` (format, size, CRC-32). It is
written as ``<name>.partial/`` and renamed when whole, so a kill at any instant leaves the old state or the new one.
"""

import json
import os
import re
import shutil
import zlib
from pathlib import Path
from typing import Any

import torch

from clir_cli.errors import ClirError

FORMAT = "clir training state 2"
_NUMBERED = re.compile(r"checkpoint-(\d+)")


def save_state(folder: Path, state: dict[str, Any]) -> None:
    """Write ``state`` (tensors, numbers, texts, lists and dicts of them) as the folder ``folder``, atomically.

    A folder of that name that is already there is replaced.
    """
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    with (partial / "state.pt").open("wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    size, checksum = _fingerprint(partial / "state.pt")
    with (partial / "state.json").open("w", encoding="utf-8") as file:
        json.dump({"format": FORMAT, "bytes": size, "crc32": checksum}, file)
        file.flush()
        os.fsync(file.fileno())
    if folder.exists():
        shutil.rmtree(folder)
    partial.rename(folder)


def load_state(folder: Path) -> dict[str, Any]:
    """Read what ``save_state`` wrote, all tensors on the CPU.

    Raises ``ClirError`` where the folder is not one of ours or is damaged: it never starts anew on its own.
    """
    try:
        about = json.loads((folder / "state.json").read_text(encoding="utf-8"))
        if about.get("format") != FORMAT:
            raise ValueError(f"format {about.get('format')!r}, expected {FORMAT!r}")
        if (about["bytes"], about["crc32"]) != _fingerprint(folder / "state.pt"):
            raise ValueError("its checksum differs")
        # weights_only: tensors and plain values; anything that would run code is refused.
        state = torch.load(folder / "state.pt", map_location="cpu", weights_only=True)
        if not isinstance(state, dict):
            raise ValueError("it holds no training state")
        return state
    except Exception as error:  # torch raises RuntimeError, UnpicklingError and more for files it cannot read
        raise ClirError(
            f"The training state {folder} cannot be read: {error}.".replace("\n", " "),
            f"Put it back from a copy, or delete {folder.parent} to train from the start.",
        ) from error


def save_checkpoint(folder: Path, number: int, state: dict[str, Any]) -> None:
    """Write ``folder/checkpoint-<number>`` and only then remove the checkpoints before it."""
    save_state(folder / f"checkpoint-{number:08d}", state)
    _remove_older(folder)


def load_checkpoint(folder: Path, *, tidy: bool = True) -> dict[str, Any] | None:
    """The newest checkpoint in ``folder``; None where there is none. Errors as in ``load_state``.

    Older ones that a kill left beside it are removed once it is read, if ``tidy``.
    """
    found = _checkpoints(folder)
    if not found:
        return None
    state = load_state(found[-1][1])
    if tidy:
        _remove_older(folder)
    return state


def _remove_older(folder: Path) -> None:
    for _, older in _checkpoints(folder)[:-1]:
        shutil.rmtree(older)


def _checkpoints(folder: Path) -> list[tuple[int, Path]]:
    if not folder.is_dir():
        return []
    matches = [(_NUMBERED.fullmatch(path.name), path) for path in folder.iterdir()]
    return sorted((int(match.group(1)), path) for match, path in matches if match)


def _fingerprint(path: Path) -> tuple[int, int]:
    size = checksum = 0
    with path.open("rb") as file:
        while block := file.read(1 << 22):
            size += len(block)
            checksum = zlib.crc32(block, checksum)
    return size, checksum
