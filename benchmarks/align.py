"""Word alignment against eflomal at its defaults: the same text, both directions, CPU seconds and AER of one run.

    CLIR_REAL_DATA=... python -m benchmarks.align [runs of eflomal]

French-English parallel text with the Hansards' unlabelled sentences, trial set and test set behind it, in lower-cased
words. Measured from the two text files to links of both directions and their symmetrisation; eflomal, whose result
varies, is run three times and its mean counts, without what symmetrising takes. eflomal is judged by its best
symmetrisation on the test set, ours by its default. Compiling our loops (once per installation; the result is kept on
disk) is not counted.

Needs the public collections (data/README.md) and `pip install 'clir[eflomal]'`; without them it says so and ends.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from clir_cli.corpora.bitext import read_bitext
from clir_cli.corpora.normalise import words
from clir_cli.lines import read_lines
from clir_cli.translation.alignment.aligned import Alignment
from clir_cli.translation.alignment.gold import Gold, read_gold, score_links
from clir_cli.translation.alignment.learn import learn
from clir_cli.translation.alignment.prepared_text import PreparedText, prepare
from clir_cli.translation.alignment.symmetrise import METHODS, Links, symmetrise

TARGET = 5.0
RUNS = 3
SETS = ("fr-en-hansards-trial", "fr-en-hansards")  # the last is the test set


def cpu_seconds() -> float:
    """CPU time of this process and its finished children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def write_text(data: Path, folder: Path) -> tuple[list[Path], dict[str, int]]:
    """The text as two files of words, and the line where each gold set begins."""
    files = [folder / "text.source", folder / "text.target"]
    begin = {}
    hansards = data / "alignments" / SETS[-1]
    parts = [("", data / "parallel/fr-en/train.src.gz", data / "parallel/fr-en/train.tgt.gz")]
    parts += [("", hansards / "unlabelled.source.txt.gz", hansards / "unlabelled.target.txt.gz")]
    parts += [
        (name, data / "alignments" / name / "source.txt", data / "alignments" / name / "target.txt") for name in SETS
    ]
    count = 0
    with files[0].open("w", encoding="utf-8") as left, files[1].open("w", encoding="utf-8") as right:
        for number, (name, source, target) in enumerate(parts):
            begin[name] = count
            for pair in read_bitext(source, target):
                # Gold texts are split already, and links count their words.
                sides = [side.lower().split() if number else _keys(side) for side in (pair.source, pair.target)]
                if name or all(0 < len(side) <= 100 for side in sides):
                    left.write(" ".join(sides[0]) + "\n")
                    right.write(" ".join(sides[1]) + "\n")
                    count += 1
    return files, begin


def _keys(text: str) -> list[str]:
    return [text[word.start : word.end].lower() for word in words(text)]


def pairs_of(files: list[Path]) -> Iterator[tuple[list[str], list[str]]]:
    """The words of both files, line by line."""
    for (_, left), (_, right) in zip(read_lines(files[0]), read_lines(files[1]), strict=True):
        yield left.split(), right.split()


def align(files: list[Path]) -> tuple[PreparedText, Alignment, Links]:
    """Our part, from files to links."""
    text = prepare(pairs_of(files))
    alignment = learn(text)
    return text, alignment, alignment.links("agreement")


def read_links(files: list[Path], text: PreparedText) -> tuple[np.ndarray, np.ndarray]:
    """eflomal's links of both directions (each source-target) as our arrays."""
    forward, backward = np.full(len(text.targets), -1, np.int16), np.full(len(text.sources), -1, np.int16)
    for pair, ((_, ahead), (_, back)) in enumerate(zip(read_lines(files[0]), read_lines(files[1]), strict=True)):
        for i, j in (link.split("-") for link in ahead.split()):
            forward[text.target_start[pair] + int(j)] = int(i)
        for i, j in (link.split("-") for link in back.split()):
            backward[text.source_start[pair] + int(i)] = int(j)
    return forward, backward


def scores(links: dict[str, Links], gold: dict[str, Gold], begin: dict[str, int], tool: str) -> dict[str, float]:
    """AER on the test set by symmetrisation; prints all."""
    found = {}
    for method, made in links.items():
        aer = {name: score_links(made, gold[name], first=begin[name]).aer for name in SETS}
        print(f"  {tool:8} {method:20}", *(f"{name} {value:.4f}" for name, value in aer.items()))
        found[method] = aer[SETS[-1]]
    return found


def main(runs: int = RUNS) -> None:
    """Run both, print every AER, the ratio last."""
    data, program = (
        os.environ.get("CLIR_REAL_DATA"),
        shutil.which("eflomal-align", path=str(Path(sys.executable).parent)),
    )
    if not data or not program:
        missing = "the variable CLIR_REAL_DATA" if not data else "eflomal (pip install 'clir[eflomal]')"
        print(f"align: not run, it needs {missing}")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files, begin = write_text(Path(data), folder)
        gold = {name: read_gold(Path(data) / "alignments" / name / "gold.wa") for name in SETS}
        learn(prepare([(["a", "b"], ["c", "d"])] * 5))  # compiles
        start = cpu_seconds()
        text, alignment, agreed = align(files)
        ours = cpu_seconds() - start
        print(f"{len(text)} pairs, {len(text.sources)} + {len(text.targets)} words; clir {ours:.1f} CPU seconds")
        links = {"agreement": agreed} | {method: alignment.links(method) for method in METHODS}
        our_aer = scores(links, gold, begin, "clir")["agreement"]
        theirs, by_method = [], []
        for run in range(runs):
            made = [folder / f"{side}.{run}" for side in ("forward", "backward")]
            start = cpu_seconds()
            subprocess.run([program, "-s", files[0], "-t", files[1], "-f", made[0], "-r", made[1]], check=True)
            theirs.append(cpu_seconds() - start)
            sides = read_links(made, text)
            links = {m: symmetrise(*sides, text.source_start, text.target_start, m) for m in METHODS}
            print(f"eflomal, run {run + 1}: {theirs[-1]:.1f} CPU seconds")
            by_method.append(scores(links, gold, begin, "eflomal"))
        best = min(statistics.mean(found[method] for found in by_method) for method in METHODS)
    ratio = statistics.mean(theirs) / ours
    print(f"AER on {SETS[-1]}: clir {our_aer:.4f} (agreement), eflomal {best:.4f} (its best, mean of {runs})")
    if our_aer > best:
        raise SystemExit("align: eflomal aligns better")
    print(f"align: ratio {ratio:.1f} (target {TARGET:.0f})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
