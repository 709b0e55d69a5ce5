"""The aligner eflomal (Östling and Tiedemann 2016) as an optional back end, run as the program that its package brings.

Its Python classes are passed by: they lower-case words and split them at white space again, and here words are numbers
already. The program reads sentences of numbers and writes links as source-target in both directions.
"""

import math
import os
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from clir_cli.errors import StageError
from clir_cli.records import ProgressCallback, no_progress
from clir_cli.translation.alignment.links_text import read_links_text
from clir_cli.translation.alignment.prepared_text import PreparedText

LONGEST = 1023
"""Words of the longest sentence that the program takes; pairs with a longer one stay without links."""


def align_with_eflomal(
    text: PreparedText,
    *,
    samplers: int = 3,
    null_prior: float = 0.2,
    relative_iterations: float = 1.0,
    threads: int | None = None,
    progress: ProgressCallback = no_progress,
) -> tuple[np.ndarray, np.ndarray]:
    """``forward`` int16 [target tokens] and ``backward`` int16 [source tokens]: the position of the word of the other
    side within its sentence, or -1.

    The defaults are those of ``eflomal-align``: Model 1, HMM and HMM with fertility, with fewer iterations the larger
    the text is. ``threads``: at most so many (None: as OpenMP decides). It takes its seed from the system: links differ
    from run to run.

    Raises ``StageError`` where the package is not installed or its program fails.
    """
    program = find_eflomal()
    progress(0, None, "eflomal: writing the text")
    with tempfile.TemporaryDirectory(prefix="clir-eflomal-") as name:
        source, target, forward, backward = (Path(name) / part for part in ("source", "target", "forward", "backward"))
        _write_numbers(source, text.sources, text.source_start, len(text.source_words))
        _write_numbers(target, text.targets, text.target_start, len(text.target_words))
        command = [str(program), "-q", "-m", "3", "-s", str(source), "-t", str(target), "-n", str(samplers)]
        command += ["-N", str(null_prior), "-f", str(forward), "-r", str(backward)]
        for model, count in enumerate(count_iterations(len(text), relative_iterations), start=1):
            command += [f"-{model}", str(count)]
        progress(0, None, "eflomal: aligning")
        _run(command, threads)
        progress(0, None, "eflomal: reading the links")
        to_source, to_target = read_links_text(forward), read_links_text(backward)
    if len(to_source) != len(text) or len(to_target) != len(text):
        raise StageError(f"eflomal wrote links of {len(to_source)} and {len(to_target)} pairs, not of {len(text)}.")
    pair = np.repeat(np.arange(len(text)), np.diff(to_source.start))
    sources_of_targets = np.full(len(text.targets), -1, np.int16)
    sources_of_targets[text.target_start[pair] + to_source.target] = to_source.source
    pair = np.repeat(np.arange(len(text)), np.diff(to_target.start))
    targets_of_sources = np.full(len(text.sources), -1, np.int16)
    targets_of_sources[text.source_start[pair] + to_target.source] = to_target.target
    return sources_of_targets, targets_of_sources


def find_eflomal() -> Path:
    """The program within the installed package; raises ``StageError`` where there is none."""
    package = find_spec("eflomal")
    for folder in (package.submodule_search_locations or ()) if package else ():
        program = Path(folder) / "bin" / "eflomal"
        if os.access(program, os.X_OK):
            return program
    raise StageError(
        "The aligner eflomal is not installed.",
        "Install it with `pip install 'clir[eflomal]'` (it is compiled: gcc is needed), or choose another tool.",
    )


def count_iterations(pairs: int, relative: float = 1.0) -> tuple[int, int, int]:
    """Iterations of Model 1, HMM and HMM with fertility that eflomal takes for so many sentence pairs."""
    last = max(2, round(relative * 5000 / math.sqrt(pairs)))
    quarter = max(1, last // 4)
    return max(2, quarter), quarter, last


def _write_numbers(path: Path, tokens: np.ndarray, start: np.ndarray, words: int) -> None:
    """The form that the program reads: sentences and words in all; then a line a sentence, its length and its words."""
    with path.open("w", encoding="ascii") as file:
        file.write(f"{len(start) - 1} {words}\n")
        for k in range(len(start) - 1):
            sentence = tokens[start[k] : start[k + 1]].tolist()
            if len(sentence) > LONGEST:
                sentence = []
            file.write(" ".join(map(str, [len(sentence), *sentence])) + "\n")


def _run(command: list[str], threads: int | None) -> None:
    limited = {} if threads is None else {"OMP_NUM_THREADS": str(threads)}
    done = subprocess.run(command, env=os.environ | limited, capture_output=True, text=True, errors="replace")
    if done.returncode:
        said = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise StageError(
            f"eflomal ended with status {done.returncode}: {said[0]}.",
            "Is there enough memory, and room where temporary files go (TMPDIR)?",
        )
