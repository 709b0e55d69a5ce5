"""The way back after a kill: the model after each iteration, in one file."""

import contextlib
import zipfile
from pathlib import Path

import numpy as np

from clir_cli.translation.alignment.jumps import Jumps
from clir_cli.translation.alignment.model import Model
from clir_cli.translation.alignment.prepared_text import PreparedText

_VERSION = 2
_NAME = "aligner.npz"
_ARRAYS = "likelihoods", "p", "null_source", "null_target", "tensions", "jumps"


class State:
    """``folder`` holds at most one saved model; it is that of ``text`` and ``settings`` or it is ignored."""

    def __init__(self, folder: Path, text: PreparedText, settings: tuple[object, ...]) -> None:
        self._file = folder / _NAME
        self._fingerprint = f"{_VERSION} {settings} {text.fingerprint()}"

    def save(self, model: Model, likelihoods: list[float]) -> None:
        """Write the model as it is after an iteration; the file is replaced when the new one is whole."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        partial = _partial(self._file)
        with partial.open("wb") as file:
            np.savez(
                file,
                fingerprint=self._fingerprint,
                likelihoods=np.array(likelihoods),
                p=model.cells[:, :2],
                null_source=model.null_source,
                null_target=model.null_target,
                tensions=np.array(model.tensions),
                jumps=np.array([[*jumps.weights, jumps.far, *jumps.first] for jumps in model.jumps]),
            )
        partial.replace(self._file)

    def load(self, model: Model) -> list[float]:
        """Put the saved parameters into ``model``; returns the log-likelihood before each iteration that is done."""
        try:
            with zipfile.ZipFile(self._file) as archive:
                # numpy reads as much as an array's header asks for, and may never get to see that a checksum is wrong.
                if archive.testzip() is not None:
                    return []
            with np.load(self._file, allow_pickle=False) as file:
                if str(file["fingerprint"]) != self._fingerprint or file["p"].shape != model.cells[:, :2].shape:
                    return []
                saved = {name: file[name] for name in _ARRAYS}
        except Exception:  # damage has many kinds, and whichever it is, the way is to begin anew
            return []
        model.cells[:, :2] = saved["p"]
        model.null_source, model.null_target = saved["null_source"], saved["null_target"]
        first, second = saved["tensions"].tolist()
        model.tensions = (first, second)
        widths = len(model.jumps[0].weights)
        forward, backward = (Jumps(row[:widths], float(row[widths]), row[widths + 1 :]) for row in saved["jumps"])
        model.jumps = (forward, backward)
        return [float(likelihood) for likelihood in saved["likelihoods"]]


def forget_state(folder: Path) -> None:
    """Remove what ``State`` wrote into ``folder``, and the folder if nothing else is in it: it may be a user's own."""
    file = folder / _NAME
    with contextlib.suppress(OSError):
        for written in (file, _partial(file)):
            written.unlink(missing_ok=True)
        folder.rmdir()


def _partial(file: Path) -> Path:
    return file.with_name(file.name + ".partial")
